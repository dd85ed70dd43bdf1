package control

import (
	"legctl/balance"

	"gonum.org/v1/gonum/spatial/r2"
)

// support works out the polygon of the feet that stand in the wish (stage 7).
func (c *Controller) support(s *State) {
	t := &c.tick
	t.support = append(t.support[:0], c.polygon(s, 0).at...)
	if len(t.support) == 0 && s.active() && t.binding == BindNone {
		t.binding = BindFeet
	}
}

// fit is the question balance.Keep asks: may the body have this share of its
// commanded offset?
type fit struct {
	c      *Controller
	s      *State
	static bool
}

// Fits implements balance.Fit: every planted foot within reach and, for a
// static gait, the centre of mass inside the floor.
func (f *fit) Fits(share float64) bool {
	c, s := f.c, f.s
	pose := c.posed(s, share)
	inv := pose.Inverse()
	for i := range s.Legs {
		if !s.Legs[i].Planted() {
			continue
		}
		if !c.reaches(i, inv.Apply(s.Legs[i].Foot), s) {
			return false
		}
	}
	if !f.static {
		return true
	}
	p := pose.Apply(s.CoMB)
	return balance.Margin(c.tick.support, r2.Vec{X: p.X, Y: p.Y}) >= min(c.tick.prog.floor, f.bare())
}

// bare is the margin without any commanded offset: an offset may not be
// refused for what it did not cause.
func (f *fit) bare() float64 {
	p := f.c.posed(f.s, 0).Apply(f.s.CoMB)
	return balance.Margin(f.c.tick.support, r2.Vec{X: p.X, Y: p.Y})
}
