package sim

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"legctl/geom"
	"legctl/rig"
)

// jump is a plan for all legs at once, for a rig of unit u: crouch by deep, push
// off so that the acceleration is that of the flight when it begins, fly for air
// seconds with the feet drawn up, land on stretched legs.
type jump struct{ u, g, deep, air float64 }

func (j jump) speed() float64 { return j.g * j.air / 2 }
func (j jump) push() float64  { return 2.5 * j.deep / j.speed() }

// jumpStart is when the push begins, seconds.
const jumpStart = 1.0

// height is how much less than in neutral stance the feet should be below the
// body, and whether they push.
func (j jump) height(t float64) (short float64, pushes bool) {
	up := t - jumpStart
	switch down := up - j.push() - j.air; {
	case up < 0:
		s := max(0, min(1, t/jumpStart))
		return j.deep * s * s * s * (10 - 15*s + 6*s*s), true
	case up < j.push():
		return j.deep - j.stretch(up), true
	case down < 0:
		s := (up - j.push()) / j.air
		return 0.3 * j.u * math.Pow(math.Sin(math.Pi*s), 2), false
	}
	return 0, true
}

// stretch is the quintic from rest to deep, the take-off speed and free fall.
func (j jump) stretch(t float64) float64 {
	s, n := t/j.push(), j.push()
	v, a := j.speed()*n, -j.g*n*n
	c3, c4, c5 := 10*j.deep-4*v+a/2, -15*j.deep+7*v-a, 6*j.deep-3*v+a/2
	return s * s * s * (c3 + s*(c4+s*c5))
}

// TestFlightAsPlanned checks that a jump lasts as long as the plan says, within
// one tick, and rises as high, whatever the size and the tick, if the push takes
// a dozen ticks: a tick is too coarse for a shorter one.
func TestFlightAsPlanned(t *testing.T) {
	rows := []struct {
		name         string
		u, k, g, dt  float64
		deepU, flies float64
	}{
		{"reference, fine", 1, 0.05, 32, 0.01, 0.7, 0.3},
		{"small", 0.05, 0.05, 9.81, 0.01, 0.5, 0.12},
		{"small, fine", 0.05, 0.05, 9.81, 0.002, 0.5, 0.12},
		{"small, long k", 0.05, 0.1, 9.81, 0.01, 0.9, 0.15},
		{"dog", 0.1, 0.06, 9.81, 0.01, 0.6, 0.2},
	}
	for _, w := range rows {
		t.Run(w.name, func(t *testing.T) {
			p := Default()
			p.Spring = true
			p.AirDrag = 0 // the plan knows of none
			s := newSim(t, hexapod().build(t, w.u), geom.Level(0), p, Scale{w.u, w.k, w.g}, w.dt)
			j := jump{w.u, w.g, w.deepU * w.u, w.flies}
			sp := rig.NewSetpoint(s.rig)
			air, top, first, planned := 0, 0.0, -1, -1
			for k := range int(3 / w.dt) {
				now := float64(k+1) * w.dt
				short, push := j.height(now)
				for i := range s.rig.Legs {
					l := &s.rig.Legs[i]
					q := reachFoot(l, r3.Add(l.Neutral, r3.Vec{Z: short}), w.u)
					copy(s.rig.Slice(sp.Q, i), q[:])
				}
				apply(t, s, sp)
				if s.Contacts() == 0 {
					air++
					if first < 0 {
						first = k
					}
				}
				if !push && planned < 0 {
					planned = k
				}
				top = max(top, s.Pose().P.Z)
			}
			if d := math.Abs(float64(air)*w.dt - w.flies); d > w.dt+1e-9 || abs(first-planned) > 1 {
				t.Errorf("in the air for %d ticks from tick %d: %.3f s, planned %.3f from tick %d", air, first, float64(air)*w.dt, w.flies, planned)
			}
			want := s.rig.Height + w.g*w.flies*w.flies/8
			if math.Abs(top-want) > 0.12*(want-s.rig.Height)+w.g*w.dt*w.flies/2 {
				t.Errorf("rose to %.4f, planned %.4f m", top, want)
			}
		})
	}
}

func abs(i int) int { return max(i, -i) }
