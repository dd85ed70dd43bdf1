package drivers

import (
	"context"
	"fmt"
	"math"
	"time"

	"legctl/drivers/servo"
)

// stagger is the time between two servos that are switched on without feedback:
// all at once would draw more than a supply gives.
const stagger = 150 * time.Millisecond

// enableTries is how often a servo that does not go on is tried again.
const enableTries = 3

// softStart is the way from the pose a rig was found in to the pose asked.
type softStart struct {
	from  []float64 // joint angles when the last servo was on
	begin time.Duration
	next  time.Duration // when the next servo may be switched on
	on    bool          // under way
}

func (s *softStart) stop() { s.on, s.next = false, 0 }

// Enable implements loop.Plant. It returns at once: servos are switched on by the
// Applies that follow, leg by leg, each with a goal where it is, and only when
// all are on does the rig begin to move, from the pose it was found in. Legs that
// are not in the set go limp now.
func (p *Plant) Enable(_ context.Context, legs uint64) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if beyond := legs &^ (1<<len(p.rig.Legs) - 1); beyond != 0 {
		return fmt.Errorf("drivers: legs %#x enabled, the rig has %d", legs, len(p.rig.Legs))
	}
	if p.conn == nil {
		return nil // an alarm says so; what comes back is not enabled
	}
	var limp []int
	for i := range p.servos {
		s := &p.servos[i]
		s.wanted = legs>>s.leg&1 != 0
		if !s.wanted && s.on {
			limp = append(limp, p.cfg.Servos[i].ID)
			s.on = false
		}
	}
	if legs != 0 {
		p.halted = false
		p.start.on, p.start.next = true, p.clock.Now()
		return nil
	}
	p.start.stop()
	p.note(p.relax(limp))
	return nil
}

// relax takes torque off servos: all of them by the message for all.
func (p *Plant) relax(limp []int) error {
	if len(limp) == 0 || p.conn == nil {
		return nil
	}
	if len(limp) == len(p.servos) {
		if err := p.conn.drv.Off(); err != nil {
			return p.failed(err)
		}
	}
	return p.failed(p.conn.drv.Relax(limp))
}

// switchOn puts torque on the next servo that wants it, and reports whether all
// have it. Servos with feedback take their own pose as goal; others the rest pose.
func (p *Plant) switchOn() (done bool, err error) {
	i := p.nextOff()
	if i < 0 {
		return true, nil
	}
	if p.now < p.start.next {
		return false, nil
	}
	c, s := &p.cfg.Servos[i], &p.servos[i]
	if s.alarms&servo.AlarmReset != 0 { // it has forgotten what Open told it
		if _, err := p.conn.drv.Open([]int{c.ID}); err != nil {
			return false, fmt.Errorf("drivers: switch on %s: %w", c.Name, p.failed(err))
		}
	}
	rest, _ := c.Clamp(c.Zero + c.PerRad*c.Angle(p.measure))
	p.goals = append(p.goals[:0], servo.Goal{ID: c.ID, Pos: rest})
	if err := p.conn.drv.Enable(p.goals); err != nil {
		if s.failed++; s.failed == enableTries { // this leg stays off; the others go on
			s.wanted, s.lost, s.missed, s.failed = false, true, readTries, 0
			s.since = p.now - tolerance - 1
		}
		return false, fmt.Errorf("drivers: switch on %s: %w", c.Name, p.failed(err))
	}
	s.failed = 0
	s.on, s.pos, s.last, s.known, s.seen, s.alarms = true, p.goals[0].Pos, p.goals[0].Pos, true, p.clock.Now(), 0
	if !p.proto.Caps.Feedback {
		p.start.next = p.now + stagger
	}
	return p.nextOff() < 0, nil
}

// nextOff is the first servo that wants torque and has none, leg by leg; -1: none.
func (p *Plant) nextOff() int {
	best := -1
	for i := range p.servos {
		s := &p.servos[i]
		if s.wanted && !s.on && (best < 0 || s.leg < p.servos[best].leg) {
			best = i
		}
	}
	return best
}

// ramp begins when the last servo is on.
func (p *Plant) ramp() {
	for i := range p.servos {
		p.native[i] = p.servos[i].pos
	}
	p.link.Joints(p.measure, p.native)
	copy(p.start.from, p.measure)
	p.start.begin = p.now
	p.start.on = false
	p.start.next = p.now + p.softTime()
}

// softTime is how long the way from the pose found takes at least.
func (p *Plant) softTime() time.Duration {
	t := p.cfg.SoftStart
	if t < servo.DefaultSoftStart {
		t = servo.DefaultSoftStart
	}
	return time.Duration(t * float64(time.Second))
}

// soften writes the joint angles to send: those asked, or while the soft start
// lasts those on the way from the pose found to them.
func (p *Plant) soften(q []float64) []float64 {
	if p.now >= p.start.next {
		copy(p.sent, q)
		return p.sent
	}
	t := float64(p.now-p.start.begin) / float64(p.start.next-p.start.begin)
	w := t * t * (3 - 2*t)
	for i := range q {
		p.sent[i] = p.start.from[i] + w*(q[i]-p.start.from[i])
		if math.IsNaN(p.sent[i]) {
			p.sent[i] = q[i]
		}
	}
	return p.sent
}
