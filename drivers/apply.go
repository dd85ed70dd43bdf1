package drivers

import (
	"context"
	"errors"
	"time"

	"legctl/drivers/servo"
	"legctl/rig"
)

// errNotFinite is what Apply says to an angle that is no number.
var errNotFinite = errors.New("drivers: an angle that was asked for is no number: nothing was sent")

// Apply implements loop.Plant: one group write. Angles are clamped to what the
// joint, then the servo may do, and to what it may turn in a tick; an angle that
// is no number is an alarm and nothing is sent. A limp setpoint sends nothing.
//
// It never fails: a loop would take a failure for one of every leg. What goes
// wrong is in the alarms of the next observation, and in Err.
func (p *Plant) Apply(_ context.Context, sp *rig.Setpoint) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.now = p.clock.Now()
	if !sp.Limp && p.conn != nil && !p.halted {
		p.note(p.apply(sp))
	}
	return nil
}

// apply is Apply of a plant that may move.
func (p *Plant) apply(sp *rig.Setpoint) error {
	for _, q := range sp.Q {
		if q-q != 0 {
			p.alarms |= rig.AlarmSetpoint
			return errNotFinite
		}
	}
	if p.start.on {
		done, err := p.switchOn()
		if err != nil || !done {
			return errors.Join(err, p.feed())
		}
		p.ramp()
	}
	if p.power.out || p.power.mute {
		return nil // a supply that is gone is not loaded
	}
	within := sp.Time
	if within <= 0 {
		within = p.o.Dt
	}
	p.clampJoints(p.soften(sp.Q))
	p.link.Native(p.wish, p.sent)
	p.goals = p.goals[:0]
	for i := range p.servos {
		if s := &p.servos[i]; s.on && !s.lost {
			p.goals = append(p.goals, servo.Goal{ID: p.cfg.Servos[i].ID, Pos: p.bound(i)})
		}
	}
	if len(p.goals) == 0 {
		return nil
	}
	return p.failed(p.conn.drv.Write(p.goals, within))
}

// clampJoints keeps joint angles within their limits.
func (p *Plant) clampJoints(q []float64) {
	for i := range p.rig.Legs {
		l := &p.rig.Legs[i]
		for j := range l.Joints {
			k := l.First + j
			q[k] = min(max(q[k], l.Joints[j].Min), l.Joints[j].Max)
		}
	}
}

// bound is the position a servo is sent: what is wished, within its limits and
// near enough to the one before.
func (p *Plant) bound(i int) float64 {
	s := &p.servos[i]
	pos, _ := p.cfg.Servos[i].Clamp(p.wish[i])
	if s.step > 0 {
		pos = min(max(pos, s.last-s.step), s.last+s.step)
	}
	s.last = pos
	return pos
}

// feed repeats the goals of the servos that are on while others are still being
// switched on: it keeps watchdogs quiet and moves nothing.
func (p *Plant) feed() error {
	if p.conn == nil {
		return nil
	}
	p.goals = p.goals[:0]
	for i := range p.servos {
		if s := &p.servos[i]; s.on {
			p.goals = append(p.goals, servo.Goal{ID: p.cfg.Servos[i].ID, Pos: s.last})
		}
	}
	if len(p.goals) == 0 {
		return nil
	}
	return p.failed(p.conn.drv.Write(p.goals, p.o.Dt))
}

// failed passes an error on; one that says the port is gone ends the connection.
func (p *Plant) failed(err error) error {
	if err != nil && errors.Is(err, servo.ErrGone) && p.conn != nil {
		if b := p.conn.link.Bus; b != nil {
			p.broken.Merge(&b.Stats.Counts)
		}
		if p.conn.off != nil && p.conn.link.Port != nil {
			_, _ = p.conn.link.Port.Write(p.conn.off) // perhaps one way still works
		}
		if p.proto.I2C() {
			_ = p.conn.drv.Off() // other boards may be there
		}
		if errors.Is(err, servo.ErrReset) {
			p.alarms |= rig.AlarmReset
		}
		err = errors.Join(err, p.conn.close())
		p.drop()
		p.back.start(p.now)
		for i := range p.servos {
			p.servos[i].on, p.servos[i].wanted = false, false
		}
		p.start.stop()
	}
	return err
}

// note keeps what went wrong for Err.
func (p *Plant) note(err error) {
	if err != nil {
		p.err = err
	}
}

// Err returns what went wrong since the last call, in words, or nil.
func (p *Plant) Err() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	err := p.err
	p.err = nil
	return err
}

// haltWait is how long Halt waits for whoever uses the driver.
const haltWait = 50 * time.Millisecond

// Halt implements loop.Plant: torque off, twice, by the message for all servos.
// It may be called by any goroutine at any time; when the tick hangs in the
// driver, the bytes are written past it.
func (p *Plant) Halt() error {
	free := false
	for end := time.Now().Add(haltWait); ; time.Sleep(time.Millisecond) {
		if free = p.mu.TryLock(); free || time.Now().After(end) {
			break
		}
	}
	if !free {
		if c := p.way.Load(); c != nil && c.off != nil && c.link.Port != nil {
			for range 2 {
				_, _ = c.link.Port.Write(c.off)
			}
		}
		return errors.New("drivers: halted past a tick that hangs")
	}
	defer p.mu.Unlock()
	p.halted = true
	p.start.stop()
	for i := range p.servos {
		p.servos[i].on, p.servos[i].wanted = false, false
	}
	if p.conn == nil {
		return nil
	}
	return p.failed(errors.Join(p.conn.drv.Off(), p.conn.drv.Off()))
}
