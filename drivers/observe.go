package drivers

import (
	"context"
	"errors"
	"math"
	"time"

	"legctl/drivers/servo"
	"legctl/rig"
)

// Shares and times of reading.
const (
	readShare = 0.6 // of a tick, after which no question is begun
	// readTries is how many missed answers in a row make one suspect a servo.
	readTries = 4
	// lostEvery is how often a lost servo is asked whether it is back.
	lostEvery = 500 * time.Millisecond
)

// Observe implements loop.Plant: it reads as many servos as the bus has time for,
// round robin, and reports the latest of all. A lost port is reported as an alarm
// and looked for again; it is no failure, which a loop would take for one of every
// leg. Err has the words.
func (p *Plant) Observe(_ context.Context, dst *rig.Observation) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.now = p.clock.Now()
	p.note(p.look())
	p.report(dst)
	return nil
}

// look reads servos, or looks for the port.
func (p *Plant) look() error {
	if p.conn == nil {
		return p.reconnect()
	}
	if b := p.conn.link.Bus; b != nil {
		b.EndBy(p.now + time.Duration(readShare*p.o.Dt*float64(time.Second)))
		defer b.EndBy(0)
	}
	p.choose()
	if len(p.asked) == 0 {
		return nil
	}
	if err := p.conn.drv.Read(p.asked); err != nil {
		return p.failed(err)
	}
	p.power.mute = false
	for i := range p.asked {
		if p.take(&p.asked[i]); p.asked[i].Fault.Class != servo.Deferred {
			p.turn = p.turns[i]
		}
	}
	return nil
}

// turn is where the round robin of questions stands.
type turn struct {
	next int // servo
	more int // the one that had a turn more
}

// of is the servo whose turn it is among n; the turn goes on. Between two rounds
// one of them, another each time, has a turn more: else each would be read at the
// same moments of a gait whose cycle is as long as some rounds, and one that
// hardly moves just then would look stuck, or a stuck one well.
func (t *turn) of(n int) int {
	if t.next == n {
		t.next, t.more = 0, (t.more+1)%n
		return t.more
	}
	t.next++
	return t.next - 1
}

// choose names the servos to be read in this tick: the next ones round robin, lost
// ones now and then. The turn goes on when they have been asked.
func (p *Plant) choose() {
	p.asked, p.turns = p.asked[:0], p.turns[:0]
	n := p.budget.Asked
	if !p.proto.Caps.Feedback && n > 0 {
		n = len(p.servos) // boards are asked once for all channels
	}
	if i := p.owing(); i >= 0 && n > 1 {
		p.ask(i, p.turn)
	}
	at := p.turn
	for range len(p.servos) + 1 {
		if len(p.asked) >= n {
			return
		}
		i := at.of(len(p.servos))
		if p.isAsked(p.cfg.Servos[i].ID) {
			continue
		}
		if s := &p.servos[i]; s.lost {
			if p.now < s.retryAt {
				continue
			}
			s.retryAt = p.now + lostEvery
		}
		p.ask(i, at)
	}
}

// ask adds a servo to those asked in this tick, and whose turn it is behind it.
func (p *Plant) ask(i int, behind turn) {
	p.asked = append(p.asked, servo.Feedback{ID: p.cfg.Servos[i].ID})
	p.turns = append(p.turns, behind)
}

// isAsked reports whether a servo is among those asked in this tick: no group may
// have one twice.
func (p *Plant) isAsked(id int) bool {
	for k := range p.asked {
		if p.asked[k].ID == id {
			return true
		}
	}
	return false
}

// owing is the servo that has owed an answer for longest, to be asked before its
// turn; -1: none does.
func (p *Plant) owing() int {
	found := -1
	for i := range p.servos {
		if s := &p.servos[i]; s.missed > 0 && !s.lost && (found < 0 || s.seen < p.servos[found].seen) {
			found = i
		}
	}
	return found
}

// take notes what one servo said.
func (p *Plant) take(f *servo.Feedback) {
	i := p.find(f.ID)
	s := &p.servos[i]
	s.alarms = f.Alarms
	if !p.proto.Caps.Feedback {
		s.seen = p.now
		p.power.mute = p.power.mute || f.Fault.Class == servo.Timeout || f.Fault.Class == servo.Truncated
		return
	}
	if f.Has&servo.HasPos == 0 {
		if f.Fault.Class != servo.Deferred && f.Fault.Class != servo.None {
			if s.missed++; s.missed == 1 {
				s.since = p.now
			}
		}
		return
	}
	s.missed, s.seen, s.known, s.pos = 0, p.now, true, f.Pos
	s.win.sample(p.now, s.last, s.pos)
	if f.Has&servo.HasLoad != 0 {
		s.sense.Load = math.Copysign(1, p.cfg.Servos[i].PerRad) * f.Load
	}
	if f.Has&servo.HasVolts != 0 {
		s.sense.Volts = f.Volts
	}
	if f.Has&servo.HasCelsius != 0 {
		s.sense.Celsius = f.Celsius
	}
	p.overload(s, f)
}

// overload notes since when a servo is loaded too much.
func (p *Plant) overload(s *state, f *servo.Feedback) {
	limit := p.cfg.Protect.Overload
	switch {
	case limit <= 0 || f.Has&servo.HasLoad == 0:
	case math.Abs(f.Load) < limit:
		s.over = 0
	case s.over == 0:
		s.over = p.now
	}
}

// find returns the number of the servo with an id.
func (p *Plant) find(id int) int {
	for i := range p.cfg.Servos {
		if p.cfg.Servos[i].ID == id {
			return i
		}
	}
	return 0
}

// report fills an observation with what is known.
func (p *Plant) report(dst *rig.Observation) {
	dst.Has, dst.Contact, dst.Faults, dst.Battery = 0, 0, 0, 0
	dst.Alarms, p.alarms = p.alarms, 0
	for j := range dst.Servos {
		dst.Servos[j] = rig.Sense{}
	}
	if p.conn == nil {
		dst.Alarms |= rig.AlarmBus
	}
	p.judge(dst)
	if p.proto.Caps.Feedback && p.allKnown() {
		for i := range p.servos {
			p.native[i] = p.servos[i].pos
		}
		p.link.Joints(p.measure, p.native)
		copy(dst.Q, p.measure)
		dst.Has |= rig.HasQ
	} else if !p.proto.Caps.Feedback {
		copy(p.measure, p.sent)
		copy(dst.Q, p.sent)
	}
	if p.o.Senses != nil && p.o.Senses.Observe(dst) {
		dst.Alarms |= rig.AlarmStop
	}
	p.battery(dst)
}

// allKnown reports whether every servo has been read since the port was opened,
// and none is lost: half a pose would be a wrong one.
func (p *Plant) allKnown() bool {
	if p.conn == nil {
		return false
	}
	for i := range p.servos {
		if !p.servos[i].known || p.servos[i].lost {
			return false
		}
	}
	return true
}

// retry is the search for a port that was lost.
type retry struct {
	wait  time.Duration
	next  time.Duration
	conn  *connection // opened again, its servos being identified
	at    int         // next servo
	found []servo.Identity
	done  chan error // identification under way elsewhere
}

const (
	retryLeast = 500 * time.Millisecond
	retryMost  = 2 * time.Second
)

func (r *retry) start(now time.Duration) { *r = retry{wait: retryLeast, next: now + retryLeast} }

// again puts the next look off, twice as long as the last time.
func (r *retry) again(now time.Duration) {
	r.wait = min(2*r.wait, retryMost)
	r.next, r.conn, r.at, r.done, r.found = now+r.wait, nil, 0, nil, nil
}

// reconnect looks for the port by its stable name and asks the servos who they
// are, one a tick. Nothing is enabled afterwards.
func (p *Plant) reconnect() error {
	r := &p.back
	if p.now < r.next {
		return nil
	}
	if r.conn == nil {
		conn, err := p.connect()
		if err != nil {
			r.again(p.now)
			return nil
		}
		r.conn, r.at, r.found = conn, 0, nil
		return nil
	}
	done, err := p.meet()
	if err != nil {
		err = errors.Join(err, r.conn.close())
		r.again(p.now)
		return err
	}
	if done {
		p.adopt(r.conn)
		r.conn = nil
	}
	return nil
}

// meet asks the next servo who it is; all at once on boards, which may take their
// time and are asked beside the tick.
func (p *Plant) meet() (done bool, err error) {
	r := &p.back
	if !p.proto.Caps.Feedback {
		if r.done == nil {
			r.done = make(chan error, 1)
			drv, all, done := r.conn.drv, ids(p.cfg), r.done
			go func() { _, err := drv.Open(all); done <- err }()
		}
		select {
		case err := <-r.done:
			return true, err
		default:
			return false, nil
		}
	}
	found, err := r.conn.drv.Open([]int{p.cfg.Servos[r.at].ID})
	if err == nil {
		err = p.identify(found)
	}
	r.at++
	r.found = append(r.found, found...)
	if err == nil && r.at == len(p.servos) {
		_, err = r.conn.drv.Open(ids(p.cfg)) // sizes what is asked together
		return true, errors.Join(err, p.sameRobot(r.found))
	}
	return false, err
}
