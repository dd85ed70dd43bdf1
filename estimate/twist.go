package estimate

import (
	"math"

	"legctl/geom"

	"gonum.org/v1/gonum/spatial/r3"
)

// maxFeet is the largest number of feet of a rig.
const maxFeet = 64

// moving holds the standing feet of one tick: where they are and how they move
// as seen from the body.
type moving struct {
	n    int
	leg  [maxFeet]uint8
	at   [maxFeet]r3.Vec // B, in the middle of the tick
	v    [maxFeet]r3.Vec // B, m/s
	w    [maxFeet]float64
	seen [maxFeet]r3.Vec // m/s, motion over ground seen so far, averaged
	rest [maxFeet]r3.Vec // m/s, the same with this tick under the fitted twist
}

func (m *moving) add(leg int, at, v, seen r3.Vec) {
	m.leg[m.n], m.at[m.n], m.v[m.n], m.seen[m.n], m.w[m.n] = uint8(leg), at, v, seen, 1
	m.n++
}

// twist returns the motion of the body, B, under which the feet stand as still
// as they can in the weighted least-squares sense: a foot at f that moves at u
// in B and stands still on the ground has V + W x f + u = 0. gyro, where trust
// is positive, holds the rotation: the more, the fewer feet say of it. trust is
// in metres: the spread of feet that is believed as much as the gyro.
func (m *moving) twist(gyro r3.Vec, trust float64) geom.Twist {
	var f, u r3.Vec
	sum := 0.0
	for i := range m.n {
		f = r3.Add(f, r3.Scale(m.w[i], m.at[i]))
		u = r3.Add(u, r3.Scale(m.w[i], m.v[i]))
		sum += m.w[i]
	}
	f, u = r3.Scale(1/sum, f), r3.Scale(1/sum, u)
	// Normal equations of W x d = -u': (sum |d|^2 I - d d^T) W = -sum d x u'.
	hold := sum * trust * trust
	a := sym{xx: hold, yy: hold, zz: hold}
	b := r3.Scale(hold, gyro)
	spread := 0.0
	for i := range m.n {
		d, v := r3.Sub(m.at[i], f), r3.Sub(m.v[i], u)
		n := r3.Norm2(d)
		spread += m.w[i] * n
		a.add(m.w[i], n, d)
		b = r3.Sub(b, r3.Scale(m.w[i], r3.Cross(d, v)))
	}
	w, ok := a.solve(b, spread+hold)
	if !ok {
		w = gyro
	}
	return geom.Twist{V: r3.Sub(r3.Cross(f, w), u), W: w}
}

// residuals works out how fast each foot moves over the ground under t, averaged
// with what was seen before of which k is new, and returns the weighted root
// mean square of this tick alone, m/s.
func (m *moving) residuals(t geom.Twist, k float64) float64 {
	sum, n := 0.0, 0.0
	for i := range m.n {
		r := r3.Add(r3.Add(t.V, r3.Cross(t.W, m.at[i])), m.v[i])
		m.rest[i] = r3.Add(m.seen[i], r3.Scale(k, r3.Sub(r, m.seen[i])))
		sum += m.w[i] * r3.Norm2(r)
		n += m.w[i]
	}
	return math.Sqrt(sum / n)
}

// reweigh trusts feet less that move faster than the scale, m/s, or than three
// times what half of them do. The average counts: noise in the joints comes and
// goes and moves all feet alike, and with weights that follow it the errors of
// the ticks would no longer cancel.
func (m *moving) reweigh(scale float64) {
	scale = max(scale*scale, 9*m.median())
	for i := range m.n {
		m.w[i] = 1
		if r := r3.Norm2(m.rest[i]) / scale; r > 1 {
			m.w[i] = 1 / r
		}
	}
}

// median is the lower median of the squared speeds.
func (m *moving) median() float64 {
	var v [maxFeet]float64
	for i := range m.n {
		r := r3.Norm2(m.rest[i])
		j := i
		for ; j > 0 && v[j-1] > r; j-- {
			v[j] = v[j-1]
		}
		v[j] = r
	}
	return v[(m.n-1)/2]
}

// sym is a symmetric 3 by 3 matrix.
type sym struct{ xx, yy, zz, xy, xz, yz float64 }

// add adds w (n I - d d^T).
func (a *sym) add(w, n float64, d r3.Vec) {
	a.xx += w * (n - d.X*d.X)
	a.yy += w * (n - d.Y*d.Y)
	a.zz += w * (n - d.Z*d.Z)
	a.xy -= w * d.X * d.Y
	a.xz -= w * d.X * d.Z
	a.yz -= w * d.Y * d.Z
}

// solve returns x with a x = b by cofactors. Turns that a does not determine,
// such as about the line through two feet, are taken as none: size is the scale
// of a, of which a millionth is added to its diagonal.
func (a *sym) solve(b r3.Vec, size float64) (r3.Vec, bool) {
	ridge := 1e-6 * size
	xx, yy, zz := a.xx+ridge, a.yy+ridge, a.zz+ridge
	c0 := r3.Vec{X: yy*zz - a.yz*a.yz, Y: a.xz*a.yz - a.xy*zz, Z: a.xy*a.yz - a.xz*yy}
	det := xx*c0.X + a.xy*c0.Y + a.xz*c0.Z
	if !(det > 0) {
		return r3.Vec{}, false
	}
	c1 := r3.Vec{X: c0.Y, Y: xx*zz - a.xz*a.xz, Z: a.xy*a.xz - xx*a.yz}
	c2 := r3.Vec{X: c0.Z, Y: c1.Z, Z: xx*yy - a.xy*a.xy}
	return r3.Scale(1/det, r3.Vec{X: r3.Dot(c0, b), Y: r3.Dot(c1, b), Z: r3.Dot(c2, b)}), true
}
