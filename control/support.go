package control

import (
	"legctl/balance"

	"gonum.org/v1/gonum/spatial/r2"
)

// support works out the polygon of the feet that stand in the wish (stage 7).
// Feet that stand stay where they are, so in most ticks it is that of the tick
// before.
func (c *Controller) support(s *State) {
	t := &c.tick
	set, same := uint64(0), t.support != nil
	for i := range s.Legs {
		l := &s.Legs[i]
		if !l.Planted() || (s.Off|s.Senses.Air)>>i&1 != 0 {
			continue
		}
		set |= 1 << i
		if t.stood[i] != l.Foot {
			t.stood[i], same = l.Foot, false
		}
	}
	if !same || set != t.standing {
		n := len(s.Legs)
		for i := range n {
			t.stance[i] = set>>i&1 != 0
		}
		t.standing = set
		t.support = balance.Support(t.support, t.stood[:n], t.stance[:n])
	}
	if set == 0 && s.active() && t.binding == BindNone {
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
