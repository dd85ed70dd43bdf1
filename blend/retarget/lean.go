package retarget

import (
	"math"

	"legctl/balance"
	"legctl/geom"
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/gonum/spatial/r3"
)

// leanShare is how far the body may shift by default, L.
const leanShare = 0.15

// leanRounds are how often the shift is worked out anew with the legs, and the
// centre of mass, where the last one put them.
const leanRounds = 4

// lean shifts the body so that its centre of mass is inside the support at all
// times, where three feet are always down, and returns by how much; 0 where it
// is not needed or not to be had.
func (s *steps) lean(p *plan, f *fitting, o Options, rep *Report) float64 {
	most := o.Lean
	if most == 0 {
		most = leanShare * f.rig.L()
	}
	if most < 0 || rep.Class == rig.Static {
		return 0
	}
	keep := append(p.body[:0:0], p.body...)
	shift := make([]r2.Vec, p.n)
	for range leanRounds {
		at, into, ok := f.supports(p)
		if !ok {
			break
		}
		for k := range at {
			at[k] = r2.Sub(at[k], shift[k])
		}
		shift = gentlest(at, into)
		worst := 0.0
		for k := range p.body {
			p.body[k].P = r3.Add(keep[k].P, r3.Vec{X: shift[k].X, Y: shift[k].Y})
			worst = max(worst, r2.Norm(shift[k]))
		}
		if worst > most || !f.try(p) || f.peak > 1 {
			break
		}
		if f.class() == rig.Static {
			rep.Class, rep.Margin, rep.Peak = rig.Static, f.least(), f.peak
			return worst
		}
	}
	copy(p.body, keep)
	f.try(p)
	return 0
}

// supports returns, for every frame, where the centre of mass is and the polygon
// it should be in: the support, drawn in by a little more than the floor. It is
// not ok where fewer than three feet stand or nothing is left of the polygon.
func (f *fitting) supports(p *plan) (at []r2.Vec, into [][]r2.Vec, ok bool) {
	feet, down := make([]r3.Vec, len(p.feet)), make([]bool, len(p.feet))
	for k := range p.n {
		standing := 0
		for i := range p.feet {
			feet[i], down[i] = p.feet[i][k], p.down(i, k)
			if down[i] {
				standing++
			}
		}
		if standing < 3 {
			return nil, nil, false
		}
		com := p.body[k].Apply(rig.CoM(f.rig, f.q[k]))
		in := drawnIn(balance.Support(nil, feet, down), 1.5*staticFloor*f.rig.L())
		if len(in) < 3 {
			return nil, nil, false
		}
		at, into = append(at, r2.Vec{X: com.X, Y: com.Y}), append(into, in)
	}
	return at, into, true
}

// drawnIn returns a convex polygon, counter-clockwise, with every edge moved
// inwards by d; fewer than three corners where nothing is left.
func drawnIn(poly []r2.Vec, d float64) []r2.Vec {
	out := append([]r2.Vec(nil), poly...)
	for i, a := range poly {
		along := r2.Sub(poly[(i+1)%len(poly)], a)
		long := r2.Norm(along)
		if !(long > 0) {
			continue
		}
		left := r2.Vec{X: -along.Y / long, Y: along.X / long}
		over := func(v r2.Vec) float64 { return r2.Dot(left, r2.Sub(v, a)) - d }
		var cut []r2.Vec
		for k, v := range out {
			w := out[(k+1)%len(out)]
			x, y := over(v), over(w)
			if x >= 0 {
				cut = append(cut, v)
			}
			if x >= 0 != (y >= 0) {
				cut = append(cut, r2.Add(v, r2.Scale(x/(x-y), r2.Sub(w, v))))
			}
		}
		out = cut
	}
	return out
}

// What a shift costs: its acceleration, and a little its size, against the
// distance from where it has to be in each round of the search.
const (
	shiftBend   = 30.0
	shiftSize   = 0.03
	shiftRounds = 300
)

// gentlest returns the shifts round the pass that accelerate least and bring
// every point into its polygon: a quadratic programme, solved by alternating
// directions. Both halves are exact: a filter round the pass, and the nearest
// point of a polygon.
func gentlest(at []r2.Vec, into [][]r2.Vec) []r2.Vec {
	n := len(at)
	filter := make([]float64, n)
	for k := range filter {
		for w := range n {
			bend := 2 - 2*math.Cos(2*math.Pi*float64(w)/float64(n))
			filter[k] += math.Cos(2*math.Pi*float64(w*k%n)/float64(n)) / (1 + shiftSize + shiftBend*bend*bend) / float64(n)
		}
	}
	x, z, u, sum := make([]r2.Vec, n), make([]r2.Vec, n), make([]r2.Vec, n), make([]r2.Vec, n)
	for range shiftRounds {
		for k := range sum {
			sum[k] = r2.Sub(z[k], u[k])
		}
		for k := range x {
			x[k] = r2.Vec{}
			for j := range sum {
				x[k] = r2.Add(x[k], r2.Scale(filter[mod(k-j, n)], sum[j]))
			}
			want := r2.Add(at[k], r2.Add(x[k], u[k]))
			if side, near, _ := geom.Place(into[k], want); side < 0 {
				want = near
			}
			z[k] = r2.Sub(want, at[k])
			u[k] = r2.Add(u[k], r2.Sub(x[k], z[k]))
		}
	}
	return x
}
