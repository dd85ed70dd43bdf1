package sim

import (
	"math"
	"math/bits"

	"legctl/geom"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// fitting holds the feet and anchors of one fit.
type fitting struct {
	n int
	f [64]r3.Vec  // feet, B
	a [64]r3.Vec  // anchors, W
	w [64]float64 // how firmly each stands, [0, 1]

	firm float64 // sum of w
}

// allAlike lets feet that all slide hold as well as they can together.
func (t *fitting) allAlike() {
	for i := range t.n {
		t.w[i] = 1
	}
	t.firm = float64(t.n)
}

// fixed says what the anchors determine.
type fixed struct {
	tilt int    // 0, 1 (about line it is free) or 2 axes of roll and pitch
	line r3.Vec // W, horizontal unit vector, with tilt 1
	yaw  bool   // heading
}

// fit returns the pose that brings the anchored feet nearest to their anchors
// in the weighted least-squares sense, and what they determine. What they leave
// free stays as in guess. Height, roll and pitch follow from the heights of all
// feet; heading and place from the horizontal positions of the firm ones, for a
// foot that slides holds the body up but does not hold it back. At least one
// foot must be anchored.
//
// The two parts do not disturb each other: a turn about the vertical leaves
// heights alone, and the tilt is known before the horizontal part, which has
// the closed form of point registration in the plane.
func (s *Sim) fit(guess geom.Pose) (geom.Pose, fixed) {
	var t fitting
	for set := s.st.Planted; set != 0; set &= set - 1 {
		i := bits.TrailingZeros64(set)
		t.f[t.n], t.a[t.n], t.w[t.n] = s.feetB[i], s.st.Feet[i].Anchor, s.st.Feet[i].Firm
		t.firm += t.w[t.n]
		t.n++
	}
	if t.firm == 0 {
		t.allAlike()
	}
	var x fixed
	q := t.level(guess.Q, &x, s.r.narrow)
	p := guess
	p.Q = q
	t.settle(&p, &x, s.r.narrow)
	return p, x
}

// level turns q about horizontal axes so that the feet are as high over one
// another as their anchors are.
func (t *fitting) level(q quat.Number, x *fixed, narrow float64) quat.Number {
	for range 8 {
		r := geom.RotOf(q)
		var l lifting
		for i := range t.n {
			v := r.Apply(t.f[i])
			l.add(0, v, v.Z-t.a[i].Z)
		}
		p := l.plane()
		x.tilt, x.line = l.spread(&p, narrow)
		w := r3.Vec{X: -p.c, Y: p.b}
		switch x.tilt {
		case 0:
			return q
		case 1: // only the turn across the line
			along := x.line.X*p.b + x.line.Y*p.c
			w = r3.Vec{X: -along * x.line.Y, Y: along * x.line.X}
		}
		q = geom.Unit(quat.Mul(quat.Number{Real: 1, Imag: w.X / 2, Jmag: w.Y / 2}, q))
		if r3.Norm2(w) < 1e-26 {
			break
		}
	}
	return q
}

// spread returns how many horizontal axes of turn the feet determine, and the
// line they lie on if it is one.
func (l *lifting) spread(p *plane, narrow float64) (int, r3.Vec) {
	far, line := 0.0, r3.Vec{}
	for i := range l.n {
		d := r3.Vec{X: l.x[i] - p.x0, Y: l.y[i] - p.y0}
		if n := d.X*d.X + d.Y*d.Y; n > far {
			far, line = n, d
		}
	}
	if far <= narrow*narrow {
		return 0, r3.Vec{} // one foot, or several in one place
	}
	line = r3.Scale(1/math.Sqrt(far), line)
	for i := range l.n {
		if math.Abs((l.x[i]-p.x0)*line.Y-(l.y[i]-p.y0)*line.X) > narrow {
			return 2, line
		}
	}
	return 1, line
}

// settle turns p about the vertical and moves it so that the firm feet come
// nearest to their anchors, and sets its height by all feet.
func (t *fitting) settle(p *geom.Pose, x *fixed, narrow float64) {
	r := geom.RotOf(p.Q)
	var f [64]r3.Vec
	var fc, ac r3.Vec
	low := 0.0
	for i := range t.n {
		f[i] = r.Apply(t.f[i])
		low += (t.a[i].Z - f[i].Z) / float64(t.n)
		fc = r3.Add(fc, r3.Scale(t.w[i], f[i]))
		ac = r3.Add(ac, r3.Scale(t.w[i], t.a[i]))
	}
	p.P.Z = low
	fc, ac = r3.Scale(1/t.firm, fc), r3.Scale(1/t.firm, ac)
	dot, cross, spread := 0.0, 0.0, 0.0
	for i := range t.n {
		u, v := r3.Sub(f[i], fc), r3.Sub(t.a[i], ac)
		dot += t.w[i] * (u.X*v.X + u.Y*v.Y)
		cross += t.w[i] * (u.X*v.Y - u.Y*v.X)
		spread += t.w[i] * (u.X*u.X + u.Y*u.Y)
	}
	if spread > narrow*narrow*t.firm && dot > 0 {
		x.yaw = true
		n := math.Sqrt(dot*dot + cross*cross)
		c, s := dot/n, cross/n
		fc = r3.Vec{X: c*fc.X - s*fc.Y, Y: s*fc.X + c*fc.Y}
		h := math.Sqrt((1 + c) / 2)
		p.Q = geom.Unit(quat.Mul(quat.Number{Real: h, Kmag: s / (2 * h)}, p.Q))
	}
	p.P.X, p.P.Y = ac.X-fc.X, ac.Y-fc.Y
}
