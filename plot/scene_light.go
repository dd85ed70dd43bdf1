package plot

import (
	"image/color"
	"math"
	"slices"

	"legctl/balance"

	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/gonum/spatial/r3"
)

// light is one lamp far away, over the shoulder of the eye, and what stands in
// its way.
type light struct {
	to      r3.Vec // from the scene to the lamp
	limbs   []limb
	scene   *Scene
	top     float64 // highest ground
	support []r2.Vec
	com     r2.Vec
}

func newLight(s *Scene) light {
	const aside, up = 65 * math.Pi / 180, 52 * math.Pi / 180
	sa, ca := math.Sincos(s.Azimuth - aside)
	su, cu := math.Sincos(up)
	l := light{to: r3.Vec{X: cu * ca, Y: cu * sa, Z: su}, limbs: s.limbs(), scene: s, top: slices.Max(s.Ground.Z)}
	var feet []r3.Vec
	for i := range s.Rig.Legs {
		if s.Stance>>i&1 == 1 {
			feet = append(feet, s.foot(i))
		}
	}
	l.support = balance.Support(nil, feet, slices.Repeat([]bool{true}, len(feet)))
	l.com = flat2(s.com())
	return l
}

func flat2(p r3.Vec) r2.Vec { return r2.Vec{X: p.X, Y: p.Y} }

// on returns a colour as lit on a face with normal n, of which the share open
// sees the lamp.
func (l *light) on(c color.NRGBA, n r3.Vec, open float64) color.NRGBA {
	sky := 0.48 + 0.10*n.Z
	k := sky + 0.54*open*max(0, r3.Dot(n, l.to))
	return color.NRGBA{R: scaled(c.R, k), G: scaled(c.G, k), B: scaled(c.B, k), A: c.A}
}

func scaled(v uint8, k float64) uint8 { return uint8(min(max(float64(v)*k+0.5, 0), 255)) }

// mix returns a with the share t of b.
func mix(a, b color.NRGBA, t float64) color.NRGBA {
	one := func(x, y uint8) uint8 { return uint8(float64(x)*(1-t) + float64(y)*t + 0.5) }
	return color.NRGBA{R: one(a.R, b.R), G: one(a.G, b.G), B: one(a.B, b.B), A: a.A}
}

// open returns the share of a patch of the ground that sees the lamp.
func (l *light) open(a, b, c, d r3.Vec) float64 {
	const n = 3
	seen := 0
	for i := range n * n {
		p := bilinear(a, b, c, d, (float64(i%n)+0.5)/n, (float64(i/n)+0.5)/n)
		if !l.shaded(p) {
			seen++
		}
	}
	return float64(seen) / (n * n)
}

func (l *light) shaded(p r3.Vec) bool {
	for i := range l.limbs {
		b := &l.limbs[i]
		if rayNear(p, l.to, b.a, b.b, b.radius) {
			return true
		}
	}
	return l.underTrunk(p) || l.behindGround(p)
}

// rayNear reports whether the ray from p along the unit vector d passes within
// r of the segment a b.
func rayNear(p, d, a, b r3.Vec, r float64) bool {
	e, w := r3.Sub(b, a), r3.Sub(a, p)
	ed, ee, wd, we := r3.Dot(e, d), r3.Dot(e, e), r3.Dot(w, d), r3.Dot(w, e)
	t := 0.0
	if den := ee - ed*ed; den > 1e-12*ee {
		t = min(max((ed*wd-we)/den, 0), 1)
	}
	s := max(wd+t*ed, 0)
	gap := r3.Sub(r3.Add(w, r3.Scale(t, e)), r3.Scale(s, d))
	return r3.Norm2(gap) < r*r
}

// underTrunk takes the trunk for an ellipsoid, a little larger than its box.
func (l *light) underTrunk(p r3.Vec) bool {
	half, mid := l.scene.Rig.Body.Box, l.scene.Rig.Body.Mid
	if half.X <= 0 || half.Y <= 0 || half.Z <= 0 {
		half, mid = l.scene.hipBox()
	}
	inv := l.scene.PoseWB.Inverse()
	from := r3.Sub(inv.Apply(p), mid)
	dir := r3.Sub(inv.Apply(r3.Add(p, l.to)), r3.Add(from, mid))
	const wide = 1.12
	from = r3.Vec{X: from.X / (wide * half.X), Y: from.Y / (wide * half.Y), Z: from.Z / (wide * half.Z)}
	dir = r3.Vec{X: dir.X / (wide * half.X), Y: dir.Y / (wide * half.Y), Z: dir.Z / (wide * half.Z)}
	b, c := r3.Dot(from, dir), r3.Norm2(from)-1
	return b < 0 && b*b >= c*r3.Norm2(dir)
}

// behindGround marches from cell to cell until above all ground.
func (l *light) behindGround(p r3.Vec) bool {
	g := l.scene.Ground
	step := 0.7 * g.Cell
	for t := 1.5 * g.Cell; ; t += step {
		q := r3.Add(p, r3.Scale(t, l.to))
		if q.Z > l.top {
			return false
		}
		if g.At(q.X, q.Y) > q.Z {
			return true
		}
	}
}
