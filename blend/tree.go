package blend

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r2"
)

// Child is one motion of a tree and how it is played there.
type Child struct {
	X, Y    float64 // where it sits; Tree1D looks at X alone
	Motion  Motion
	Rate    float64 // times its own speed, > 0; 0 means 1
	Offset  float64 // passes it is ahead of the tree's phase
	Reverse bool    // played backwards
	Mirror  *Mirror // played left for right; nil: as it is
	Free    bool    // keeps its own time: an idle that must not set the pace
}

// rate returns the factor on the child's speed.
func (c *Child) rate() float64 {
	if c.Rate == 0 {
		return 1
	}
	return c.Rate
}

// length returns the seconds of a pass as played.
func (c *Child) length() float64 { return c.Motion.Length() / c.rate() }

// Advance says how long one pass of a blend takes.
type Advance uint8

// Advances of a tree.
const (
	MeanLength Advance = iota // the weighted mean of the children's
	Dominant                  // the heaviest child's, the first of equals
)

// Tree1D blends motions along one named parameter, Tree2D over two. Either
// is a Motion itself, so trees nest. All children that are not Free are at one
// phase, heavy or light, so none ever falls out of step; children without
// phase, and Free ones, have no say in the length of a pass.
type Tree1D struct {
	group
	points []float64
	x      int
}

// Tree2D is a gradient band over two named parameters; see Tree1D.
type Tree2D struct {
	group
	band *Band
	x, y int
}

// group is what trees have in common. Its buffers are written by Play, so one
// tree serves one caller at a time.
type group struct {
	params   *Parameters
	children []Child
	advance  Advance
	shape    Shape
	w        []float64
	live     []float64
	poses    []Pose
	spare    []Pose
}

// NewTree1D returns a tree over the parameter x, which is declared in p if it
// is not there yet. Children must have one shape and finite numbers.
func NewTree1D(p *Parameters, x string, children []Child, a Advance) (*Tree1D, error) {
	g, err := newGroup(p, children, a)
	if err != nil {
		return nil, err
	}
	t := &Tree1D{group: g, points: make([]float64, len(children))}
	for i, c := range children {
		t.points[i] = c.X
	}
	t.x, err = p.Declare(x)
	return t, err
}

// NewTree2D returns a tree over the parameters x and y; see NewTree1D. o is the
// mode of its band.
func NewTree2D(p *Parameters, x, y string, children []Child, o BandOptions, a Advance) (*Tree2D, error) {
	g, err := newGroup(p, children, a)
	if err != nil {
		return nil, err
	}
	points := make([]r2.Vec, len(children))
	for i, c := range children {
		points[i] = r2.Vec{X: c.X, Y: c.Y}
	}
	t := &Tree2D{group: g}
	if t.band, err = NewBand(points, o); err != nil {
		return nil, err
	}
	if t.x, err = p.Declare(x); err != nil {
		return nil, err
	}
	t.y, err = p.Declare(y)
	return t, err
}

func newGroup(p *Parameters, children []Child, a Advance) (group, error) {
	if p == nil || len(children) == 0 || a > Dominant {
		return group{}, fmt.Errorf("blend: tree of %d children with advance %d, want parameters, at least 1 child and advance 0 to 1", len(children), a)
	}
	for i, c := range children {
		if c.Motion == nil {
			return group{}, fmt.Errorf("blend: child %d has no motion", i)
		}
		if s, want := c.Motion.Shape(), children[0].Motion.Shape(); s != want {
			return group{}, fmt.Errorf("blend: child %d has poses of %+v, the first of %+v, want one shape", i, s, want)
		}
		if !inRange(r2.Vec{X: c.X, Y: c.Y}) || !(c.Rate >= 0 && c.Rate < largest) || !(math.Abs(c.Offset) < largest) {
			return group{}, fmt.Errorf("blend: child %d at (%v, %v) with rate %v and offset %v, want finite numbers and a rate > 0 (0 means 1)", i, c.X, c.Y, c.Rate, c.Offset)
		}
		if c.Mirror != nil {
			if err := c.Mirror.Check(c.Motion.Shape()); err != nil {
				return group{}, fmt.Errorf("%w (child %d)", err, i)
			}
		}
	}
	n, s := len(children), children[0].Motion.Shape()
	return group{
		params: p, children: append([]Child(nil), children...), advance: a, shape: s,
		w: make([]float64, n), live: make([]float64, n), poses: NewPoses(s, n), spare: NewPoses(s, 1),
	}, nil
}

// Shape returns the shape of the poses.
func (g *group) Shape() Shape { return g.shape }

// Len returns the number of children.
func (g *group) Len() int { return len(g.children) }

// Weights writes the weights of the children at the present parameters to dst,
// which needs Len places.
func (t *Tree1D) Weights(dst []float64) error { return Tent(dst, t.points, t.params.values[t.x]) }

// Weights writes the weights of the children at the present parameters to dst,
// which needs Len places.
func (t *Tree2D) Weights(dst []float64) error {
	return t.band.Weights(dst, r2.Vec{X: t.params.values[t.x], Y: t.params.values[t.y]})
}

// Warnings are those of the band, for load time.
func (t *Tree2D) Warnings() []string { return t.band.Warnings() }

// Move puts child i at another point; nothing is allocated.
func (t *Tree2D) Move(i int, to r2.Vec) error { return t.band.Move(i, to) }

// Move puts child i at another value.
func (t *Tree1D) Move(i int, to float64) error {
	if i < 0 || i >= len(t.points) || !(math.Abs(to) < largest) {
		return fmt.Errorf("blend: child %d moved to %v, want 0 to %d and a finite number below %g", i, to, len(t.points)-1, largest)
	}
	t.points[i] = to
	return nil
}

// Length returns the seconds of one pass at the present parameters, 0 when no
// child that plays has a phase.
func (t *Tree1D) Length() float64 {
	if t.Weights(t.w) != nil {
		return 0 // not reached: parameters and points are kept finite
	}
	return t.pass()
}

// Length returns the seconds of one pass at the present parameters, 0 when no
// child that plays has a phase.
func (t *Tree2D) Length() float64 {
	if t.Weights(t.w) != nil {
		return 0 // not reached: parameters and points are kept finite
	}
	return t.pass()
}

// Play writes the blended pose and root motion to dst; see Motion.
func (t *Tree1D) Play(dst *Pose, s Span) error {
	if err := t.Weights(t.w); err != nil {
		return err
	}
	return t.play(dst, s)
}

// Play writes the blended pose and root motion to dst; see Motion.
func (t *Tree2D) Play(dst *Pose, s Span) error {
	if err := t.Weights(t.w); err != nil {
		return err
	}
	return t.play(dst, s)
}
