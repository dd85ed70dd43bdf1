package space

import (
	"fmt"
	"math"

	"legctl/blend"

	"gonum.org/v1/gonum/spatial/r3"
)

// Directions moves a space any way while its facing stays: which motions play
// follows from the way wanted, by the ways the motions themselves go, such as a
// walk and two strafes. Read only once made; a blend.Heading is its state.
type Directions struct {
	set     *blend.Directional
	motions [2][]int // ahead, behind
	ways    [2][]blend.Way
}

// NewDirections returns the directional set of a validated space: every motion
// by where its reference clip travels relative to the facing, at that angle and
// speed. ahead and behind name the motions of the two sets by index; with both
// empty all motions that go at most 90 degrees off the facing are ahead and the
// others behind. Motions that stand belong to neither. hysteresis is that of
// blend.NewDirectional.
func NewDirections(s *Space, ahead, behind []int, hysteresis float64) (*Directions, error) {
	d := &Directions{motions: [2][]int{ahead, behind}}
	if len(ahead) == 0 && len(behind) == 0 {
		for i := range s.Motions {
			w := s.Motions[i].Way()
			switch {
			case w.Speed <= 1e-6:
			case math.Abs(w.Angle) <= math.Pi/2+1e-6:
				d.motions[0] = append(d.motions[0], i)
			default:
				d.motions[1] = append(d.motions[1], i)
			}
		}
	}
	for k, set := range d.motions {
		for _, i := range set {
			if i < 0 || i >= len(s.Motions) {
				return nil, fmt.Errorf("space: direction of motion %d, want one of %d", i, len(s.Motions))
			}
			d.ways[k] = append(d.ways[k], s.Motions[i].Way())
		}
	}
	var err error
	d.set, err = blend.NewDirectional(d.ways[0], d.ways[1], hysteresis)
	if err != nil {
		return nil, fmt.Errorf("space: directions of %q: %w", s.Name, err)
	}
	return d, nil
}

// Way returns where a motion's reference clip goes.
func (m *Motion) Way() blend.Way { return m.Clips[m.Ref].Loop.Way() }

// Way returns where a loop goes: the angle of its travel to the facing,
// radians, left positive, and its speed, m/s. A loop that stands goes 0.
func (l *Loop) Way() blend.Way {
	var sum r3.Vec
	for k := 1; k < len(l.Frames); k++ {
		sum = r3.Add(sum, l.Frames[k].Root.Move) // in the body's frame
	}
	w := blend.Way{Speed: math.Sqrt(sum.X*sum.X+sum.Y*sum.Y) / l.Period}
	if w.Speed > 0 {
		w.Angle = math.Atan2(sum.Y, sum.X)
	}
	return w
}

// Ways returns the motions of the set ahead, or behind, and where each goes.
// The slices are the set's own.
func (d *Directions) Ways(behind bool) ([]int, []blend.Way) {
	k := 0
	if behind {
		k = 1
	}
	return d.motions[k], d.ways[k]
}

// Want sets the weights of a state for a direction of movement relative to the
// facing, radians, and a speed, m/s, and returns by how much faster than its
// clips the space has to play to have that speed, 0.7 to 1.4 (blend.PlayRate).
// At standstill, and with numbers that are not finite, nothing changes. The
// weights themselves move at the space's rate. Nothing is allocated.
func (d *Directions) Want(st *State, h *blend.Heading, direction, speed float64) float64 {
	var w [MaxMotions]float64
	if err := d.set.Step(w[:], h, direction, speed); err != nil || h.Held {
		return 1
	}
	k := 0
	if h.Behind {
		k = 1
	}
	var all [MaxMotions]float64
	for n, i := range d.motions[k] {
		all[i] += w[n]
	}
	st.Want(all[:])
	return blend.PlayRate(speed, h.Velocity)
}
