package space

import (
	"math"

	"gonum.org/v1/gonum/spatial/r2"
)

// Goal is a place to reach, in the world, metres; it may move.
type Goal struct {
	At       r2.Vec
	Velocity r2.Vec  // m/s
	Radius   float64 // at which it counts as reached, metres
}

// Guide chooses how to steer. The zero value plans at heel strikes, by angle,
// between the two places about the goal's ray.
type Guide struct {
	Metric  Metric
	Select  Select
	Every   float64 // seconds between plans besides those at heel strikes; 0 = none
	Nearest bool    // take the fan of the nearest start value instead of two in polar form
}

// Outcome is what steering does about a goal.
type Outcome uint8

// Outcomes of steering.
const (
	Heading  Outcome = iota // on the way
	Arrived                 // within its radius: the blend is kept
	TooNear                 // inside the turning circle: straight on until it is not
	CantTurn                // the playing motions go one way only and the goal is not there
	BadGoal                 // a number that is not finite: nothing is changed
)

// String returns the outcome as words.
func (o Outcome) String() string {
	switch o {
	case Heading:
		return "heading"
	case Arrived:
		return "arrived"
	case TooNear:
		return "inside the turning circle: straight on first"
	case CantTurn:
		return "refused: these clips cannot turn there"
	case BadGoal:
		return "refused: goal is not a number"
	}
	return "unknown"
}

// The rules of steering, radians and turning radii.
const (
	behind    = 0.2  // a goal this near to straight behind keeps the side it had
	ahead     = 0.15 // a goal this near to straight ahead needs no turn
	leaveAway = 2.2  // a goal this far away may be turned to again
)

// Steer plans where the blend values go so that the root reaches a goal. Call
// it every tick after Step, with the dt of the tick; it plans at heel strikes,
// at once the first time, and every Every seconds where that is asked for. Each
// motion that plays chooses from its own goal space. Motions without one go
// straight. Nothing is allocated.
func (s *Space) Steer(st *State, g Goal, o Guide, dt float64) Outcome {
	if !finite(g.At) || !finite(g.Velocity) || !(g.Radius >= 0) || !(dt >= 0) {
		return BadGoal
	}
	at := st.InRoot(g.At)
	if r2.Norm2(at) <= g.Radius*g.Radius || r2.Norm2(at) <= reached*reached {
		return Arrived
	}
	m := &s.Motions[st.Lead]
	if m.Radius <= 0 || math.IsInf(m.Radius, 1) || m.Goals == nil {
		if math.Abs(math.Atan2(at.Y, at.X)) > ahead {
			return CantTurn
		}
		return Heading
	}
	first := st.Steer.Since == 0
	st.Steer.Since += dt
	away := s.tooNear(st, m, at)
	if !first && st.Touched == 0 && !(o.Every > 0 && st.Steer.Since >= o.Every) {
		return outcome(away)
	}
	st.Steer.Since = math.SmallestNonzeroFloat64 // planned now; 0 is never
	for i := range s.Motions {
		k := &s.Motions[i]
		switch {
		case st.Weights[i] == 0 && st.Target[i] == 0:
		case away || k.Goals == nil:
			st.Final[i] = k.Straight()
		default:
			st.Final[i] = s.plan(st, i, s.predicted(st, g, k.Goals.Horizon), o)
		}
	}
	return outcome(away)
}

func outcome(away bool) Outcome {
	if away {
		return TooNear
	}
	return Heading
}

// predicted returns where a moving goal will be after the horizon, in the
// root's frame; it is moved by no more than its distance.
func (s *Space) predicted(st *State, g Goal, horizon float64) r2.Vec {
	at := st.InRoot(g.At)
	v := st.InRoot(r2.Vec{X: st.Place.At.X + g.Velocity.X, Y: st.Place.At.Y + g.Velocity.Y})
	d := r2.Scale(horizon, v)
	if n, most := r2.Norm2(d), r2.Norm2(at); n > most {
		d = r2.Scale(math.Sqrt(most/n), d)
	}
	out := r2.Add(at, d)
	if r2.Norm2(out) <= reached*reached {
		return at
	}
	return out
}

// tooNear says whether a goal lies inside a turning circle, so that no turn
// reaches it, and remembers it until the goal is far enough to come back to.
func (s *Space) tooNear(st *State, m *Motion, at r2.Vec) bool {
	r := m.Radius
	inside := func(margin float64) bool {
		left := length(r2.Vec{X: at.X, Y: at.Y - r})
		right := length(r2.Vec{X: at.X, Y: at.Y + r})
		return left < margin*r || right < margin*r
	}
	if st.Steer.Away {
		st.Steer.Away = length(at) < leaveAway*r || inside(1.1)
	} else {
		st.Steer.Away = inside(1)
	}
	return st.Steer.Away
}

// plan chooses the final value of one motion for a goal in the root's frame.
func (s *Space) plan(st *State, motion int, at r2.Vec, o Guide) float64 {
	m := &s.Motions[motion]
	g := m.Goals
	at = st.Steer.aside(at)
	i, share := g.slice(st.Phase)
	st.Steer.Slice = int16(i) //nolint:gosec // few starts
	if st.Touched != 0 || len(g.Fans) == 1 {
		if share > 0.5 { // the strike itself is a little ahead
			i = (i + 1) % len(g.Fans)
		}
		return g.Fans[i].choose(st.Blend[motion], at, o)
	}
	a := g.Fans[i].choose(st.Blend[motion], at, o)
	b := g.Fans[(i+1)%len(g.Fans)].choose(st.Blend[motion], at, o)
	return a + share*(b-a)
}

// aside keeps a goal that is nearly straight behind on the side it was.
func (t *Steering) aside(at r2.Vec) r2.Vec {
	beta := math.Atan2(at.Y, at.X)
	if math.Abs(beta) < math.Pi-behind {
		t.Side = 1
		if beta < 0 {
			t.Side = -1
		}
		return at
	}
	if t.Side == 0 {
		t.Side = 1
		if beta < 0 {
			t.Side = -1
		}
	}
	sin, cos := math.Sincos(float64(t.Side) * (math.Pi - behind))
	return r2.Scale(length(at), r2.Vec{X: cos, Y: sin})
}

// slice returns the start at or before a phase and how much of the way to the
// next is done.
func (g *Goals) slice(phase float64) (int, float64) {
	best, near := 0, 2.0
	for i, x := range g.Starts {
		if d := wrap01(phase - x); d < near {
			best, near = i, d
		}
	}
	gap := wrap01(g.Starts[(best+1)%len(g.Starts)] - g.Starts[best])
	if gap == 0 {
		gap = 1
	}
	return best, min(near/gap, 1)
}

func (f *Fans) choose(blend float64, at r2.Vec, o Guide) float64 {
	var fan [MaxFinals]r2.Vec
	if o.Nearest {
		best := f.Starts[0]
		for _, x := range f.Starts {
			if math.Abs(x-blend) < math.Abs(best-blend) {
				best = x
			}
		}
		blend = best
	}
	c, err := f.Choose(fan[:len(f.Finals)], blend, at, o.Metric, o.Select)
	if err != nil {
		return blend
	}
	return c.Final
}

// length is r2.Norm without the careful scaling, which differs between machines.
func length(v r2.Vec) float64 { return math.Sqrt(r2.Norm2(v)) }
