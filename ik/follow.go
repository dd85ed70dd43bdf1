package ik

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

const (
	followSteps = 4
	followLinks = 3 // two links have one answer to a side anyway
)

// follow moves a chain (a warm start) by Newton steps on its links to a target
// close to its end. Each step is the smallest change of the links, spread over
// all of them, so a long chain moves smoothly. It reports false, with joints
// unchanged, when the start is no chain or the steps do not close.
func follow(joints []r3.Vec, lengths []float64, target r3.Vec, tolerance float64) (Result, bool) {
	n := len(lengths)
	var store [smallChain]r3.Vec
	seg := store[:n]
	from, rest := joints[0], joints[1:n+1]
	for i, l := range lengths {
		p := rest[i]
		x, y, z := p.X-from.X, p.Y-from.Y, p.Z-from.Z
		if off := x*x + y*y + z*z - l*l; off > 1e-6*l*l || off < -1e-6*l*l {
			return Result{}, false // not a chain yet
		}
		seg[i] = r3.Vec{X: x, Y: y, Z: z}
		from = p
	}
	root := joints[0]
	e := r3.Sub(target, from)
	tol2 := tolerance * tolerance
	for k := 1; k <= followSteps; k++ {
		end, ok := followStep(seg, lengths, e)
		if !ok {
			return Result{}, false
		}
		e = r3.Vec{X: target.X - root.X - end.X, Y: target.Y - root.Y - end.Y, Z: target.Z - root.Z - end.Z}
		if d2 := e.X*e.X + e.Y*e.Y + e.Z*e.Z; d2 <= tol2 {
			chain(joints, seg)
			return Result{Residual: math.Sqrt(d2), Iterations: k}, true
		}
	}
	return Result{}, false
}

// followStep turns the links by the smallest step that moves their sum by e to
// first order: f solves A f = e with A = sum(l^2 I - s s^T). It returns their
// new sum.
func followStep(seg []r3.Vec, lengths []float64, e r3.Vec) (end r3.Vec, ok bool) {
	var xx, yy, zz, xy, xz, yz float64
	lengths = lengths[:len(seg)]
	for i := range seg {
		s := &seg[i]
		x2, y2, z2 := s.X*s.X, s.Y*s.Y, s.Z*s.Z
		xx += y2 + z2
		yy += x2 + z2
		zz += x2 + y2
		xy -= s.X * s.Y
		xz -= s.X * s.Z
		yz -= s.Y * s.Z
	}
	f, ok := solve3(xx, yy, zz, xy, xz, yz, e)
	if !ok {
		return end, false
	}
	for i, l := range lengths {
		s := &seg[i]
		d := s.X*f.X + s.Y*f.Y + s.Z*f.Z
		l2 := l * l
		x, y, z := s.X+l2*f.X-s.X*d, s.Y+l2*f.Y-s.Y*d, s.Z+l2*f.Z-s.Z*d
		g := l / math.Sqrt(x*x+y*y+z*z)
		x, y, z = x*g, y*g, z*g
		s.X, s.Y, s.Z = x, y, z
		end.X += x
		end.Y += y
		end.Z += z
	}
	return end, true
}

// chain lays the links end to end from the root.
func chain(joints, seg []r3.Vec) {
	at := joints[0]
	rest := joints[1 : len(seg)+1]
	for i := range seg {
		at.X += seg[i].X
		at.Y += seg[i].Y
		at.Z += seg[i].Z
		rest[i] = at
	}
}

// solve3 solves the symmetric positive system A x = b by cofactors and reports
// false where A is singular to rounding.
func solve3(xx, yy, zz, xy, xz, yz float64, b r3.Vec) (r3.Vec, bool) {
	cxx, cxy, cxz := yy*zz-yz*yz, xz*yz-xy*zz, xy*yz-xz*yy
	det := xx*cxx + xy*cxy + xz*cxz
	tr := xx + yy + zz
	if !(det > 1e-12*tr*tr*tr) {
		return r3.Vec{}, false
	}
	cyy, cyz, czz := xx*zz-xz*xz, xy*xz-xx*yz, xx*yy-xy*xy
	g := 1 / det
	return r3.Vec{
		X: g * (cxx*b.X + cxy*b.Y + cxz*b.Z),
		Y: g * (cxy*b.X + cyy*b.Y + cyz*b.Z),
		Z: g * (cxz*b.X + cyz*b.Y + czz*b.Z),
	}, true
}
