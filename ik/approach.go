package ik

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

const (
	approachSteps = 60
	stillStep     = 1e-14 // rad
	// So many steps in a row that take less than this share off the squared
	// distance end an approach.
	seekGain  = 1e-3
	poorSteps = 3
)

// approach moves w.cur, by damped Gauss-Newton steps within the box b, until
// its foot meets t or comes as near as it can from where it began. It returns
// the squared distance left and the steps taken. Damping after Levenberg and
// Marquardt, in the three dimensions of the foot: dz = J^T (J J^T + mu I)^-1 e.
func (w *work) approach(m *model, b *box, t r3.Vec) (e2 float64, steps int) {
	tol2 := m.tol * m.tol
	l2 := m.length * m.length
	poor := 0
	m.pose(w.cur)
	e := r3.Sub(t, w.cur.p[m.n])
	e2 = r3.Norm2(e)
	mu := min(1e-4*l2, e2) // less near the target: the last steps are Newton's
	for steps = 0; steps < approachSteps && e2 > tol2; steps++ {
		m.columns(&w.cols, w.cur)
		if w.still(m, b, e, 0.01*seekGain*math.Sqrt(e2)) {
			break
		}
		size := w.dampedStep(m, b, e, mu)
		if size < stillStep {
			break
		}
		m.pose(w.try)
		e3 := r3.Sub(t, w.try.p[m.n])
		if n2 := r3.Norm2(e3); n2 < e2 {
			gain := e2 - n2
			w.cur, w.try = w.try, w.cur
			e, e2 = e3, n2
			mu = max(min(mu*0.1, e2), 1e-16*l2)
			if gain >= seekGain*n2 {
				poor = 0
			} else if poor++; poor == poorSteps {
				break
			}
			continue
		}
		if mu *= 10; mu > 1e4*l2 {
			break
		}
	}
	return e2, steps
}

// still reports whether no joint that its bounds leave free moves the foot
// towards e by more than slope for each length of the leg.
func (w *work) still(m *model, b *box, e r3.Vec, slope float64) bool {
	for k := range m.free {
		g := r3.Dot(w.cols[k], e)
		if g > slope*m.length && w.cur.z[k] < b.hi[k]-onBound || g < -slope*m.length && w.cur.z[k] > b.lo[k]+onBound {
			return false
		}
	}
	return true
}

// dampedStep writes the posture variables after one step to w.try and returns
// the largest change of a joint. Variables at a bound that the step would
// leave are held, and those that would cross one are set on it, and the rest
// take over what is left.
func (w *work) dampedStep(m *model, b *box, e r3.Vec, mu float64) float64 {
	var held [maxJoints]bool
	w.try.z = w.cur.z
	for range m.free + 1 {
		xx, yy, zz := mu, mu, mu
		var xy, xz, yz float64
		for k := range m.free {
			if held[k] {
				continue
			}
			c := &w.cols[k]
			xx += c.X * c.X
			yy += c.Y * c.Y
			zz += c.Z * c.Z
			xy += c.X * c.Y
			xz += c.X * c.Z
			yz += c.Y * c.Z
		}
		y := solveDamped(xx, yy, zz, xy, xz, yz, e)
		stuck := false
		for k := range m.free {
			if held[k] {
				continue
			}
			z := w.cur.z[k] + r3.Dot(w.cols[k], y)
			bound := clamp(z, b.lo[k], b.hi[k])
			if bound != z {
				held[k], stuck = true, true
				e = r3.Sub(e, r3.Scale(bound-w.cur.z[k], w.cols[k]))
			}
			w.try.z[k] = bound
		}
		if !stuck {
			break
		}
	}
	size := 0.0
	for k := range m.free {
		size = max(size, math.Abs(w.try.z[k]-w.cur.z[k]))
	}
	return size
}

// solveDamped solves the symmetric system by Cholesky, which bears the wide
// range of scales that damping near a singular pose brings.
func solveDamped(xx, yy, zz, xy, xz, yz float64, b r3.Vec) r3.Vec {
	floor := 1e-300 + 1e-15*(xx+yy+zz)
	l11 := math.Sqrt(max(xx, floor))
	l21, l31 := xy/l11, xz/l11
	l22 := math.Sqrt(max(yy-l21*l21, floor))
	l32 := (yz - l31*l21) / l22
	l33 := math.Sqrt(max(zz-l31*l31-l32*l32, floor))
	u := b.X / l11
	v := (b.Y - l21*u) / l22
	s := (b.Z - l31*u - l32*v) / l33
	z := s / l33
	y := (v - l32*z) / l22
	x := (u - l21*y - l31*z) / l11
	return r3.Vec{X: x, Y: y, Z: z}
}
