package retarget

import (
	"fmt"
	"math"

	"legctl/gait"
	"legctl/rig"
)

// Style is a way of going as numbers: what Bake makes clips of. Lengths are in
// the rig's own height h, times in sqrt(h/g), so that one style serves a small
// rig and a large one.
type Style struct {
	Name   string
	Wave   bool    // legs follow one another from rear to front; else colours take turns
	Duty   float64 // share of its cycle a foot stands, (0, 1)
	Stride float64 // sweep of a stance, in comfort diameters, (0, 1.2]
	Period float64 // of a cycle, sqrt(h/g)
	Lift   float64 // height of the swing, h
	Crouch float64 // how much lower the body is held, h
	Lean   float64 // pitch, radians, nose down positive
	Heave  float64 // up and down, twice a cycle, h
	Sway   float64 // side to side, once a cycle, h
	Roll   float64 // radians, once a cycle
	Pitch  float64 // radians, twice a cycle
	Limp   float64 // how much less the first leg stands and reaches, [0, 1)
	Flick  float64 // how much of the swing is spent high and late: 0 even, 1 all
}

// Validate says what is wrong with a style.
func (s *Style) Validate() error {
	for _, k := range []struct {
		name      string
		v, lo, hi float64
	}{
		{"duty", s.Duty, 0.15, 0.98}, {"stride", s.Stride, 0.02, 1.2}, {"period", s.Period, 0.5, 60}, {"lift", s.Lift, 0.01, 1},
		{"crouch", s.Crouch, -0.3, 0.5}, {"lean", s.Lean, -0.5, 0.5}, {"heave", s.Heave, -0.3, 0.3}, {"sway", s.Sway, -0.5, 0.5},
		{"roll", s.Roll, -0.5, 0.5}, {"pitch", s.Pitch, -0.5, 0.5}, {"limp", s.Limp, 0, 0.9}, {"flick", s.Flick, 0, 1},
	} {
		if !(k.v >= k.lo && k.v <= k.hi) {
			return fmt.Errorf("retarget: style %q: %s is %v, want %v to %v", s.Name, k.name, k.v, k.lo, k.hi)
		}
	}
	return nil
}

// Table returns the phase table of a style on a rig: when each leg touches down
// and how long it stands.
func (s *Style) Table(r *rig.Rig) *gait.Gait {
	g := &gait.Gait{Name: s.Name}
	colours := 0
	for _, c := range r.Groups.Colour {
		colours = max(colours, int(c)+1)
	}
	duty := s.Duty
	if len(r.Legs) > 4 { // many legs do not fly: one set stands while another swings
		duty = max(duty, 1-1/float64(max(colours, 2)))
	}
	if s.Wave {
		// No more than one leg in the air for each two on the ground.
		if w, err := gait.Wave(r, max(duty, 1.5/float64(len(r.Legs)))); err == nil && len(r.Legs) > 2 {
			g.Offset = w.Offset
		}
	}
	if g.Offset == nil {
		for i := range r.Legs {
			if s.Wave {
				g.Offset = append(g.Offset, frac(float64(place(r.Groups.Order, i))/float64(len(r.Legs))))
				continue
			}
			g.Offset = append(g.Offset, float64(r.Groups.Colour[i])/float64(max(colours, 2)))
		}
	}
	for i := range r.Legs {
		d := duty
		if i == 0 {
			d *= 1 - 0.5*s.Limp
		}
		g.Duty = append(g.Duty, d)
	}
	return g
}

func place(order []int, leg int) int {
	for k, i := range order {
		if i == leg {
			return k
		}
	}
	return 0
}

func frac(x float64) float64 { return x - math.Floor(x) }
