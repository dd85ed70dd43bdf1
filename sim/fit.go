package sim

import (
	"math"
	"math/bits"

	"legctl/geom"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// fitting holds the feet and anchors of one fit, from their centroids.
type fitting struct {
	n      int
	f      [64]r3.Vec // feet, B
	a      [64]r3.Vec // anchors, W
	w      [64]float64
	sum    float64 // of w
	fc, ac r3.Vec
	rank   int    // 0: the rotation is free; 2: free about line; 3: fixed
	line   r3.Vec // B, unit
}

// lightest is the weight of a foot that has just touched down; a firm one has 1.
const lightest = 0.05

// fit returns the pose that brings the anchored feet nearest to their anchors
// in the weighted least-squares sense, and the number of rotations they fix. What they
// leave free stays as in guess: everything with one anchor, the turn about
// their line with two or with collinear ones. At least one foot must be
// anchored.
//
// Gauss-Newton on the rotation; the translation follows from the centroids. It
// starts one tick away, so two or three steps end it.
func (s *Sim) fit(guess geom.Pose) (geom.Pose, int) {
	var t fitting
	for set := s.st.Planted; set != 0; set &= set - 1 {
		i := bits.TrailingZeros64(set)
		t.f[t.n], t.a[t.n] = s.feetB[i], s.st.Feet[i].Anchor
		t.w[t.n] = max(s.st.Feet[i].Firm, lightest)
		t.sum += t.w[t.n]
		t.n++
	}
	t.centre()
	t.findRank(s.r.narrow)
	q := guess.Q
	for range 8 {
		w := t.step(q)
		if t.rank == 0 {
			break
		}
		q = geom.Unit(quat.Mul(quat.Number{Real: 1, Imag: w.X / 2, Jmag: w.Y / 2, Kmag: w.Z / 2}, q))
		if r3.Norm2(w) < 1e-26 {
			break
		}
	}
	return geom.Pose{P: r3.Sub(t.ac, geom.Rotate(q, t.fc)), Q: q}, t.rank
}

func (t *fitting) centre() {
	for i := range t.n {
		k := t.w[i] / t.sum
		t.fc = r3.Add(t.fc, r3.Scale(k, t.f[i]))
		t.ac = r3.Add(t.ac, r3.Scale(k, t.a[i]))
	}
	for i := range t.n {
		t.f[i] = r3.Sub(t.f[i], t.fc)
		t.a[i] = r3.Sub(t.a[i], t.ac)
	}
}

// findRank sets rank and line from the spread of the feet in B.
func (t *fitting) findRank(narrow float64) {
	far := 0.0
	for _, f := range t.f[:t.n] {
		if n := r3.Norm2(f); n > far {
			far, t.line = n, f
		}
	}
	if far <= narrow*narrow {
		return // one foot, or several in one place
	}
	t.line = r3.Scale(1/math.Sqrt(far), t.line)
	t.rank = 2
	for _, f := range t.f[:t.n] {
		if r3.Norm2(r3.Cross(t.line, f)) > narrow*narrow {
			t.rank = 3
		}
	}
}

// step returns the small rotation, W, that best turns the feet at q onto the
// anchors: A w = b with A = sum (|f|^2 I - f f^T) and b = sum f x a, each weighted.
func (t *fitting) step(q quat.Number) r3.Vec {
	r := geom.RotOf(q)
	var b r3.Vec
	var xx, yy, zz, xy, xz, yz float64
	for i := range t.n {
		f := r.Apply(t.f[i])
		g := r3.Scale(t.w[i], f)
		b = r3.Add(b, r3.Cross(g, t.a[i]))
		xx, yy, zz = xx+g.X*f.X, yy+g.Y*f.Y, zz+g.Z*f.Z
		xy, xz, yz = xy+g.X*f.Y, xz+g.X*f.Z, yz+g.Y*f.Z
	}
	switch t.rank {
	case 0:
		return r3.Vec{}
	case 2:
		u := r.Apply(t.line)
		return r3.Scale(1/(xx+yy+zz), r3.Sub(b, r3.Scale(r3.Dot(b, u), u)))
	}
	return solve3(yy+zz, xx+zz, xx+yy, -xy, -xz, -yz, b)
}

// solve3 solves the symmetric system with diagonal a, b, c and off-diagonal
// d (xy), e (xz), f (yz) by cofactors.
func solve3(a, b, c, d, e, f float64, v r3.Vec) r3.Vec {
	ca, cb, cc := b*c-f*f, a*c-e*e, a*b-d*d
	cd, ce, cf := e*f-d*c, d*f-b*e, d*e-a*f
	det := a*ca + d*cd + e*ce
	if !(det > 0) {
		return r3.Vec{}
	}
	k := 1 / det
	return r3.Vec{
		X: k * (ca*v.X + cd*v.Y + ce*v.Z),
		Y: k * (cd*v.X + cb*v.Y + cf*v.Z),
		Z: k * (ce*v.X + cf*v.Y + cc*v.Z),
	}
}
