package estimate

import (
	"math"
	"math/bits"

	"legctl/geom"

	"gonum.org/v1/gonum/spatial/r3"
)

// PlaneParams are the settings of the plane under the feet.
type PlaneParams struct {
	Block    float64 // m; a foot that stands out of the plane of the others by more is on a block, > 0
	Settle   float64 // s in which the plane follows what is fitted, >= 0
	MaxSlope float64 // rad; a steeper plane is not believed, > 0
	Narrow   float64 // m; feet within this of one line leave the slope across it as it is, > 0
}

// DefaultPlane returns settings for a rig whose longest leg is l metres: blocks
// of 0.1 l, 0.3 s, 45 degrees, 0.05 l.
func DefaultPlane(l float64) PlaneParams {
	return PlaneParams{Block: 0.1 * l, Settle: 0.3, MaxSlope: math.Pi / 4, Narrow: 0.05 * l}
}

// Plane is the ground as the standing feet know it: z = Z + X (x - At.X) + Y
// (y - At.Y) in W. The zero value is level at height 0. It is no geom.Ground
// itself; Fill makes it one.
type Plane struct {
	X, Y     float64 // slopes
	At       r3.Vec  // mean of the feet that carried the last fit, W; Z is that of the plane
	Rest     float64 // m, root mean square of the feet off the fit
	Block    uint8   // leg on a block, or in a hole, that was left out; valid with HasBlock
	Serial   uint32  // changes when the plane has moved by more than a tenth of a block
	Last     r3.Vec  // X, Y and height at the origin, when Serial changed last
	HasBlock bool
	Set      bool // there was a fit
}

// Update fits the plane to the feet, W, in the bit set, and returns it smoothed.
// With fewer than three feet, or feet in a line, only what they determine moves.
func (g *Plane) Update(p *PlaneParams, feetW []r3.Vec, down uint64, dt float64) {
	if down == 0 {
		return
	}
	fit, ok := g.robust(p, feetW, down)
	if !ok || fit.X*fit.X+fit.Y*fit.Y > square(math.Tan(p.MaxSlope)) {
		return
	}
	k := dt / (p.Settle + dt)
	if !g.Set {
		k = 1
	}
	fit.X, fit.Y = g.X+k*(fit.X-g.X), g.Y+k*(fit.Y-g.Y)
	old := g.Height(fit.At.X, fit.At.Y)
	fit.At.Z = old + k*(fit.At.Z-old)
	fit.Serial, fit.Last, fit.Set = g.Serial, g.Last, true
	*g = fit
	g.stamp(p)
}

// Height returns the height of the plane at x, y, W.
func (g *Plane) Height(x, y float64) float64 {
	return g.At.Z + g.X*(x-g.At.X) + g.Y*(y-g.At.Y)
}

// Normal returns the unit normal, W.
func (g *Plane) Normal() r3.Vec {
	n := 1 / math.Sqrt(1+g.X*g.X+g.Y*g.Y)
	return r3.Vec{X: -g.X * n, Y: -g.Y * n, Z: n}
}

// Fill writes the plane to a ground, whose Version it becomes.
func (g *Plane) Fill(dst *geom.Plane) {
	dst.Normal = g.Normal()
	dst.Offset = r3.Dot(dst.Normal, g.At)
	dst.Serial = uint64(g.Serial)
}

// stamp changes Serial when the plane has moved far enough for it to matter.
func (g *Plane) stamp(p *PlaneParams) {
	now := r3.Vec{X: g.X, Y: g.Y, Z: g.Height(0, 0)}
	d := r3.Sub(now, g.Last)
	far := math.Sqrt(g.At.X*g.At.X+g.At.Y*g.At.Y) + 10*p.Narrow
	if g.Serial == 0 || math.Abs(d.Z)+far*(math.Abs(d.X)+math.Abs(d.Y)) > p.Block/10 {
		g.Serial++
		g.Last = now
	}
}

// robust fits all feet, and then all but the one without which the rest agree
// best, if that is at least four times as good and the foot stands out by a
// block.
func (g *Plane) robust(p *PlaneParams, feetW []r3.Vec, down uint64) (Plane, bool) {
	all, ok := g.fit(p, feetW, down)
	if !ok || bits.OnesCount64(down) < 4 || all.Rest < p.Block/8 {
		return all, ok
	}
	best := all
	for set := down; set != 0; set &= set - 1 {
		i := bits.TrailingZeros64(set)
		f, ok := g.fit(p, feetW, down&^(1<<i))
		if !ok || f.Rest > all.Rest/4 || best.HasBlock && f.Rest >= best.Rest {
			continue
		}
		if math.Abs(feetW[i].Z-f.Height(feetW[i].X, feetW[i].Y)) > p.Block {
			best = f
			best.Block, best.HasBlock = uint8(i), true
		}
	}
	return best, true
}

// fit is the least-squares plane through the feet of a set. Where they
// determine no slope it keeps that of g.
func (g *Plane) fit(p *PlaneParams, feetW []r3.Vec, down uint64) (Plane, bool) {
	var c r3.Vec
	k := 1 / float64(bits.OnesCount64(down))
	for set := down; set != 0; set &= set - 1 {
		c = r3.Add(c, r3.Scale(k, feetW[bits.TrailingZeros64(set)]))
	}
	var xx, xy, yy, xh, yh float64
	for set := down; set != 0; set &= set - 1 {
		d := r3.Sub(feetW[bits.TrailingZeros64(set)], c)
		h := d.Z - g.X*d.X - g.Y*d.Y // over the plane of before, whose slope a ridge holds
		xx, xy, yy, xh, yh = xx+d.X*d.X, xy+d.X*d.Y, yy+d.Y*d.Y, xh+d.X*h, yh+d.Y*h
	}
	ridge := 0.01 * p.Narrow * p.Narrow
	xx, yy = xx+ridge, yy+ridge
	det := xx*yy - xy*xy
	f := Plane{X: g.X + (xh*yy-yh*xy)/det, Y: g.Y + (yh*xx-xh*xy)/det, At: c}
	for set := down; set != 0; set &= set - 1 {
		v := feetW[bits.TrailingZeros64(set)]
		f.Rest += k * square(v.Z-f.Height(v.X, v.Y))
	}
	f.Rest = math.Sqrt(f.Rest)
	return f, geom.FiniteVec(r3.Vec{X: f.X, Y: f.Y, Z: f.Rest}) && geom.FiniteVec(c)
}

func square(v float64) float64 { return v * v }
