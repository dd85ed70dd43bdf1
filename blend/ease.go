package blend

import (
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r3"
)

// Ease is an offset of one point that dies out without a jump of place or
// velocity: the inertia of a single foot. The zero value is no offset. Plain
// data, owned by the caller.
type Ease struct {
	o offset
	t float64
}

// Begin starts an offset x, metres, that moves with velocity v, m/s, and is gone
// within over seconds, > 0. What was left of an earlier one belongs in x.
func (e *Ease) Begin(x, v r3.Vec, over float64) {
	e.o, e.t = dying(x, v, over), 0
}

// Step lets dt seconds pass and returns what is left of the offset.
func (e *Ease) Step(dt float64) r3.Vec {
	e.t += dt
	return e.o.left(e.t)
}

// Left returns what is left of the offset now, and how fast it changes.
func (e *Ease) Left() (x, v r3.Vec) { return e.o.left(e.t), e.o.pace(e.t) }

// Fields names the fields of an ease for a Coder.
func (e *Ease) Fields(c *rig.Coder) {
	e.o.fields(c, "o")
	c.F64("t", &e.t)
}

func (o *offset) fields(c *rig.Coder, name string) {
	c.Open(name)
	c.Vec("along", &o.along)
	c.Open("d")
	c.F64("a", &o.d.a)
	c.F64("b", &o.d.b)
	c.F64("c", &o.d.c)
	c.F64("a0", &o.d.a0)
	c.F64("v0", &o.d.v0)
	c.F64("x0", &o.d.x0)
	c.F64("over", &o.d.over)
	c.Close()
	c.Close()
}

// Fields names the fields of a foot lock for a Coder.
func (l *FootLock) Fields(c *rig.Coder) {
	c.Bool("locked", &l.Locked)
	c.Vec("pin", &l.Pin)
	c.Bool("known", &l.known)
	c.Bool("late", &l.late)
	c.Vec("foot", &l.foot)
	l.ease.fields(c, "ease")
	c.F64("t", &l.t)
}
