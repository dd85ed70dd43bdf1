package ik

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

const (
	followShare = 0.05 // of the outer reach: farther targets are not a small move
	followSteps = 4
	// Short chains are cheaper to close exactly than to follow.
	followLinks = 3
)

// follow moves a chain that already is a chain (a warm start) by Newton steps
// on its links to a target close to its end. Each step is the smallest change
// of the links, spread over all of them, so a long chain moves smoothly. It
// reports false, with joints unchanged but for rounding of their lengths, when
// the start is no small move or the steps do not close.
func follow(joints []r3.Vec, lengths []float64, target r3.Vec, hi float64, o Options) (Result, bool) {
	n := len(lengths)
	if n < followLinks || n > smallChain {
		return Result{}, false
	}
	e := r3.Sub(target, joints[n])
	near := followShare * hi
	if !(r3.Norm2(e) < near*near) || r3.Norm2(r3.Sub(target, joints[0])) > 0.98*0.98*hi*hi {
		return Result{}, false
	}
	var seg [smallChain]r3.Vec
	for i, l := range lengths {
		s := r3.Sub(joints[i+1], joints[i])
		d2 := r3.Norm2(s)
		if math.Abs(d2-l*l) > 1e-9*l*l {
			return Result{}, false // not a chain yet
		}
		seg[i] = s
	}
	tol := min(o.Tolerance, 1e-6) * 1e-3
	for k := 1; k <= followSteps; k++ {
		if !followStep(seg[:n], lengths, e) {
			return Result{}, false
		}
		end := joints[0]
		for i := range seg[:n] {
			end.X += seg[i].X
			end.Y += seg[i].Y
			end.Z += seg[i].Z
		}
		e = r3.Sub(target, end)
		if d2 := r3.Norm2(e); d2 <= tol*tol {
			chain(joints, seg[:n])
			return Result{Residual: math.Sqrt(d2), Iterations: k}, true
		}
	}
	return Result{}, false
}

// followStep turns the links by the smallest step that moves their sum by e to
// first order: f solves A f = e with A = sum(l^2 I - s s^T).
func followStep(seg []r3.Vec, lengths []float64, e r3.Vec) bool {
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
		return false
	}
	for i, l := range lengths {
		s := &seg[i]
		d := s.X*f.X + s.Y*f.Y + s.Z*f.Z
		l2 := l * l
		x, y, z := s.X+l2*f.X-s.X*d, s.Y+l2*f.Y-s.Y*d, s.Z+l2*f.Z-s.Z*d
		g := l / math.Sqrt(x*x+y*y+z*z)
		s.X, s.Y, s.Z = x*g, y*g, z*g
	}
	return true
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
