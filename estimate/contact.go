package estimate

import (
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r3"
)

// ContactParams are the settings of contact detection.
type ContactParams struct {
	Debounce float64 // s a new reading must hold, >= 0
	Blind    float64 // share of a swing, from lift-off, in which contact is not believed, [0, 1)
	Depth    float64 // m a foot searches below its plan before it reports, >= 0
	Sink     float64 // m/s of that search, > 0
	Press    float64 // m by which the ground must push a foot off its command to be felt, > 0
	Lag      float64 // s the servos lag behind their command, >= 0
}

// DefaultContact returns settings for a rig whose longest leg is l metres: 0.02
// s, 0.3 of the swing, 0.15 l deep at 0.5 l/s, 0.01 l of push, lag 0.03 s. That is
// a quick servo's: one taken for slower than it is feels ground while it lifts.
func DefaultContact(l float64) ContactParams {
	return ContactParams{Debounce: 0.02, Blind: 0.3, Depth: 0.15 * l, Sink: 0.5 * l, Press: 0.01 * l, Lag: 0.03}
}

// Facts are what became of a foot, as a bit set.
type Facts uint8

// Facts about a foot.
const (
	Down    Facts = 1 << iota // it is on the ground
	Landed                    // it came down in this tick
	Early                     // it met the ground before its swing was over: end the swing here
	Late                      // its swing is over and there is nothing: go Contact.Depth deeper than planned
	Missing                   // searched to the limit: there is no ground
	Lost                      // a standing foot has lost the ground
	Stuck                     // it swings and has never left the ground, or its switch is stuck
)

// Step is what the schedule and a sensor say about a foot in one tick.
type Step struct {
	Swing bool
	Phase float64 // of the swing, [0, 1]
	Feels bool    // the sensor feels ground; ignored unless Known
	Known bool    // there is a sensor; without one the schedule is believed
}

// Contact is the memory of the contact of one foot. The zero value is a foot in
// the air that has not been planned to stand yet.
type Contact struct {
	Touch  bool    // debounced
	Held   float64 // s the reading has differed from Touch
	Lifted bool    // it has left the ground in this swing
	Stood  bool    // it has had ground in this stance
	Swung  bool    // it was swinging a tick ago
	Depth  float64 // m to go below the plan; kept through the stance
}

// Update takes one tick and returns the facts.
func (c *Contact) Update(p *ContactParams, in Step, dt float64) Facts {
	feels := in.Feels
	if !in.Known {
		feels = !in.Swing
	}
	was := c.Touch
	c.debounce(p, feels, in.Known, dt)
	f := Facts(0)
	if c.Touch {
		f = Down
		if !was {
			f |= Landed
		}
	}
	if in.Swing {
		f |= c.swing(p, in.Phase)
	} else {
		f |= c.stand(p, dt)
	}
	c.Swung = in.Swing
	return f
}

// debounce lets a reading through when it has held for long enough; the
// schedule does not bounce.
func (c *Contact) debounce(p *ContactParams, feels, sensed bool, dt float64) {
	if feels == c.Touch {
		c.Held = 0
		return
	}
	if c.Held += dt; !sensed || c.Held >= p.Debounce-1e-9 {
		c.Touch, c.Held = feels, 0
	}
}

func (c *Contact) swing(p *ContactParams, phase float64) Facts {
	if !c.Swung {
		c.Lifted, c.Stood, c.Depth = false, false, 0
	}
	switch {
	case !c.Touch:
		c.Lifted = true
	case phase < p.Blind:
	case c.Lifted:
		return Early
	default:
		return Stuck
	}
	return 0
}

func (c *Contact) stand(p *ContactParams, dt float64) Facts {
	if c.Touch {
		c.Stood = true
		return 0
	}
	f := Late
	if c.Stood {
		f = Lost
	}
	c.Depth = min(c.Depth+p.Sink*dt, p.Depth)
	if c.Depth >= p.Depth {
		f |= Missing
	}
	return f
}

// Press feels the ground by the joints of a leg that has no switch: a foot that
// stands is held back from where its joints were sent. The zero value starts at
// the first command.
type Press struct {
	Sent r3.Vec // where the servos, as slow as they are, should have the foot, B
	Set  bool
}

// Update takes the commanded and the measured angles of a leg and the vertical
// in B, and returns how far the ground pushes the foot up, metres, and whether
// that is a contact. It feels lag that ContactParams.Lag does not name as push.
func (s *Press) Update(p *ContactParams, l *rig.Leg, sent, got []float64, upB r3.Vec, dt float64) (push float64, feels bool) {
	want := rig.LegFoot(l, sent)
	if !s.Set {
		s.Sent, s.Set = want, true
	}
	s.Sent = r3.Add(s.Sent, r3.Scale(dt/(p.Lag+dt), r3.Sub(want, s.Sent)))
	push = r3.Dot(r3.Sub(rig.LegFoot(l, got), s.Sent), upB)
	return push, push > p.Press
}
