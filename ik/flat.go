package ik

import "math"

const (
	flatSettled = 1e-6 // rad: a step this small ends the search; Newton squares it
	basin       = 0.08 // of the length: Newton takes over from FABRIK this near
)

// flatNewton searches a flat chain for the pose nearest to rest with its end
// on the target. It is settle in two dimensions: see there.
type flatNewton struct {
	active
	z      [maxJoints]float64 // turns, signed from x towards y
	c, s   [maxJoints]float64 // directions of the links
	sx, sy [maxJoints]float64 // from each hinge to the end
	ex, ey float64            // from the end to the target
	lx, ly float64            // force of the tie
	convex bool               // the last step had its curvature
	a      [maxJoints][maxJoints]float64
	b      [maxJoints][3]float64
}

// pose works out directions, levers and the gap to (x, y).
func (f *flatNewton) pose(pl *plane, x, y float64) {
	psi := 0.0
	for i := range pl.m {
		psi += f.z[i]
		f.s[i], f.c[i] = math.Sincos(psi + pl.ang[i])
	}
	f.levers(pl, x, y)
}

func (f *flatNewton) levers(pl *plane, x, y float64) {
	sx, sy := 0.0, 0.0
	for i := pl.m - 1; i >= 0; i-- {
		sx += pl.length[i] * f.c[i]
		sy += pl.length[i] * f.s[i]
		f.sx[i], f.sy[i] = sx, sy
	}
	f.ex, f.ey = x-sx, y-sy
}

// solve moves f.z to the pose nearest to rest whose end is at (x, y).
func (f *flatNewton) solve(m *model, b *box, x, y float64, sweeps int, steps *int) bool {
	pl := &m.plane
	f.begin(pl.m, &f.z, &pl.rest, b)
	f.lx, f.ly = 0, 0
	f.pose(pl, x, y)
	near := basin * m.length
	for k := 0; k < sweeps && norm2(f.ex, f.ey) > near; k++ {
		f.sweep(pl, b, x, y)
		*steps++
		if k == sweeps-1 || norm2(f.ex, f.ey) <= near {
			f.begin(pl.m, &f.z, &pl.rest, b)
		}
	}
	for range settleMax {
		*steps++
		if !f.step(m) {
			return false
		}
		size, blocked := f.take(&f.z, b)
		f.pose(pl, x, y)
		if !blocked && size <= flatSettled && !f.release(pl.m, &f.z, b) {
			return f.convex && norm2(f.ex, f.ey) <= m.tol
		}
	}
	return false
}

// sweep is one FABRIK sweep: free from the target inward, and outward with
// each hinge turned as near as its range allows.
func (f *flatNewton) sweep(pl *plane, b *box, x, y float64) {
	var px, py [maxJoints]float64 // ends of the links, from the first hinge
	ax, ay := f.sx[0], f.sy[0]
	for i := range pl.m {
		px[i], py[i] = ax-f.sx[i], ay-f.sy[i] // start of link i
	}
	tx, ty := x, y
	for i := pl.m - 1; i > 0; i-- {
		dx, dy := px[i]-tx, py[i]-ty
		g := pl.length[i] / math.Sqrt(dx*dx+dy*dy+1e-300)
		nx, ny := tx+g*dx, ty+g*dy
		px[i], py[i] = nx, ny
		tx, ty = nx, ny
	}
	ax, ay = 0, 0
	psi := 0.0
	for i := range pl.m {
		ex, ey := x, y
		if i+1 < pl.m {
			ex, ey = px[i+1], py[i+1]
		}
		turn := within(math.Atan2(ey-ay, ex-ax)-pl.ang[i]-psi, b.lo[i], b.hi[i])
		f.z[i] = turn
		psi += turn
		f.s[i], f.c[i] = math.Sincos(psi + pl.ang[i])
		ax += pl.length[i] * f.c[i]
		ay += pl.length[i] * f.s[i]
	}
	f.levers(pl, x, y)
}

// step works out dz and the force of the tie. The end's derivative for hinge i
// is (-sy, sx), its second for i <= j is -(sx, sy) of j.
func (f *flatNewton) step(m *model) bool {
	pl := &m.plane
	f.list(pl.m)
	if f.k == 0 {
		return false
	}
	top, lever := 0.0, 0.0
	for _, i := range f.idx[:f.k] {
		h := pl.weight[i] + f.lx*f.sx[i] + f.ly*f.sy[i]
		top = max(top, pl.weight[i], math.Abs(h))
		lever = max(lever, f.sx[i]*f.sx[i]+f.sy[i]*f.sy[i])
	}
	gamma := 10 * top / max(lever, 1e-12*m.length*m.length)
	f.convex = f.factor(pl, gamma, 1)
	if !f.convex && !f.factor(pl, gamma, 0) {
		return false
	}
	return f.tie(pl, gamma)
}

// factor writes the Cholesky factor of the Hessian, its curvature times share,
// plus gamma J^T J.
func (f *flatNewton) factor(pl *plane, gamma, share float64) bool {
	lx, ly := share*f.lx, share*f.ly
	for r, i := range f.idx[:f.k] {
		curve := lx*f.sx[i] + ly*f.sy[i]
		gx, gy := gamma*f.sx[i], gamma*f.sy[i]
		row := &f.a[r]
		for c, j := range f.idx[:r] {
			row[c] = curve + gx*f.sx[j] + gy*f.sy[j]
		}
		row[r] = curve + gx*f.sx[i] + gy*f.sy[i] + pl.weight[i]
	}
	return cholesky(&f.a, f.k)
}

// tie solves for the force that brings the end onto the target and the step.
func (f *flatNewton) tie(pl *plane, gamma float64) bool {
	for r, i := range f.idx[:f.k] {
		jx, jy := -f.sy[i], f.sx[i]
		f.b[r] = [3]float64{jx, jy, pl.weight[i]*(pl.rest[i]-f.z[i]) + gamma*(jx*f.ex+jy*f.ey)}
	}
	substitute3(&f.a, &f.b, f.k)
	var xx, xy, yy float64
	bx, by := f.ex, f.ey
	for r, i := range f.idx[:f.k] {
		jx, jy, v := -f.sy[i], f.sx[i], &f.b[r]
		xx += jx * v[0]
		xy += jx * v[1]
		yy += jy * v[1]
		bx -= jx * v[2]
		by -= jy * v[2]
	}
	damp := 1e-14 * (xx + yy)
	xx, yy = xx+damp, yy+damp
	det := xx*yy - xy*xy
	if !(det > 1e-26*(xx+yy)*(xx+yy)) {
		return false
	}
	f.lx, f.ly = (yy*bx-xy*by)/det, (xx*by-xy*bx)/det
	for i := range pl.m {
		f.dz[i] = 0
	}
	for r, k := range f.idx[:f.k] {
		v := &f.b[r]
		f.dz[k] = v[2] + v[0]*f.lx + v[1]*f.ly
	}
	f.slopes(pl)
	return true
}

// slopes fills the slope of the Lagrangian for the held hinges.
func (f *flatNewton) slopes(pl *plane) {
	for i := range pl.m {
		if !f.held[i] {
			continue
		}
		v := pl.weight[i]*(f.z[i]-pl.rest[i]) + f.sy[i]*f.lx - f.sx[i]*f.ly
		for _, j := range f.idx[:f.k] {
			k := max(i, j)
			v += (f.lx*f.sx[k] + f.ly*f.sy[k]) * f.dz[j]
		}
		f.slope[i] = v
	}
}

// norm2 is the length of a plane vector whose squares are in range.
func norm2(x, y float64) float64 { return math.Sqrt(x*x + y*y) }
