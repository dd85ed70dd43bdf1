package plot

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"legctl/balance"
	"legctl/geom"

	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/gonum/spatial/r3"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// View is a drawing of a rig to scale, from its right side (x to the right, z
// up) or from above (x to the right, y up), W, metres. Feet that stand are
// filled. From above the support polygon is drawn as well.
type View struct {
	Title string // "" = what String says
	Figure
	Above  bool
	Ground *Grid // from the side: its profile under the body is drawn; may be nil
}

// Size implements Picture.
func (v *View) Size() (width, height vg.Length) { return 6 * vg.Inch, 4.5 * vg.Inch }

// Draw implements Picture. A figure without rig, or whose angles or pose are
// not finite, is an error.
func (v *View) Draw(c draw.Canvas) error {
	if err := v.check(); err != nil {
		return err
	}
	label := "z up, m"
	if v.Above {
		label = "y left, m"
	}
	title := v.Title
	if title == "" {
		title = v.String()
	}
	p := axes(title, "x forward, m", label)
	x, y := empty(), empty()
	all := v.limbs()
	for _, l := range all {
		for _, e := range []r3.Vec{l.a, l.b} {
			f := v.flat(e)
			for _, r := range []float64{-l.radius, l.radius} {
				x.add(f.X + r)
				y.add(f.Y + r)
			}
		}
	}
	for _, e := range v.corners() {
		f := v.flat(e)
		x.add(f.X)
		y.add(f.Y)
	}
	x, y = x.padded(0.08, 1e-6), y.padded(0.12, 1e-6)
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = x.lo, x.hi, y.lo, y.hi
	p.X.Tick.Marker, p.Y.Tick.Marker = ticks{9}, ticks{7}
	p.Add(grid{}, viewBody{v, all})
	drawEqual(p, draw.Crop(c, vg.Points(8), -vg.Points(10), vg.Points(6), -vg.Points(8)))
	return nil
}

// flat projects a point of W.
func (v *View) flat(p r3.Vec) r2.Vec {
	if v.Above {
		return r2.Vec{X: p.X, Y: p.Y}
	}
	return r2.Vec{X: p.X, Y: p.Z}
}

// depth grows away from the eye, which is on the right, at -y.
func (v *View) depth(p r3.Vec) float64 {
	if v.Above {
		return -p.Z
	}
	return p.Y
}

type viewBody struct {
	*View
	all []limb
}

// part is something to draw at its depth.
type part struct {
	depth float64
	draw  func()
}

// Plot implements plot.Plotter.
func (b viewBody) Plot(c draw.Canvas, p *plot.Plot) {
	tx, ty := p.Transforms(&c)
	t := points{tx, ty}
	per := (tx(p.X.Max) - tx(p.X.Min)) / vg.Length(p.X.Max-p.X.Min)
	b.ground(c, t, p)
	if b.Above {
		b.polygon(c, t)
	}
	parts := []part{{b.depth(b.PoseWB.P), func() { b.trunk(c, t) }}}
	for _, l := range b.all {
		parts = append(parts, part{(b.depth(l.a) + b.depth(l.b)) / 2, func() { b.capsule(c, t, per, l) }})
	}
	slices.SortStableFunc(parts, func(x, y part) int { return cmp.Compare(y.depth, x.depth) })
	for _, q := range parts {
		q.draw()
	}
	b.marks(c, t)
}

// trunk draws the hull of the projected body box.
func (b viewBody) trunk(c draw.Canvas, t points) {
	var flat []r2.Vec
	for _, v := range b.corners() {
		flat = append(flat, b.flat(v))
	}
	var pts []vg.Point
	for _, v := range geom.Hull(nil, flat) {
		pts = append(pts, t.at(v.X, v.Y))
	}
	c.FillPolygon(bodyTint(b.Rig), pts)
	c.StrokeLines(line(ink(), 0.8), append(pts, pts[0]))
}

func (b viewBody) capsule(c draw.Canvas, t points, per vg.Length, l limb) {
	p, q := b.flat(l.a), b.flat(l.b)
	path := capsulePath(t.at(p.X, p.Y), t.at(q.X, q.Y), per*vg.Length(l.radius), per*vg.Length(l.last))
	c.SetColor(l.tint)
	c.Fill(path)
	c.SetLineStyle(line(ink(), 0.6))
	c.Stroke(path)
}

// capsulePath is the outline of a link from a to b with half-round ends of the
// given radii.
func capsulePath(a, b vg.Point, ra, rb vg.Length) vg.Path {
	turn := math.Atan2(float64(b.Y-a.Y), float64(b.X-a.X))
	s, co := math.Sincos(turn)
	var path vg.Path
	path.Move(vg.Point{X: a.X - ra*vg.Length(s), Y: a.Y + ra*vg.Length(co)})
	path.Arc(a, ra, turn+math.Pi/2, math.Pi)
	path.Line(vg.Point{X: b.X + rb*vg.Length(s), Y: b.Y - rb*vg.Length(co)})
	path.Arc(b, rb, turn-math.Pi/2, math.Pi)
	path.Close()
	return path
}

// ground draws the profile of the ground under the body's middle line.
func (b viewBody) ground(c draw.Canvas, t points, p *plot.Plot) {
	if b.Above || b.Ground == nil {
		return
	}
	const steps = 200
	pts := []vg.Point{{X: c.Min.X, Y: c.Min.Y}}
	for k := range steps + 1 {
		x := p.X.Min + (p.X.Max-p.X.Min)*float64(k)/steps
		z := min(max(b.Ground.At(x, b.PoseWB.P.Y), p.Y.Min), p.Y.Max)
		pts = append(pts, t.at(x, z))
	}
	pts = append(pts, vg.Point{X: c.Max.X, Y: c.Min.Y})
	c.FillPolygon(faded(centre(), 0x38), pts)
	c.StrokeLines(line(centre(), 1), pts[1:len(pts)-1])
}

// polygon draws the support polygon from above.
func (b viewBody) polygon(c draw.Canvas, t points) {
	var feet []r3.Vec
	for i := range b.Rig.Legs {
		if b.Stance>>i&1 == 1 {
			feet = append(feet, b.foot(i))
		}
	}
	var pts []vg.Point
	for _, v := range balance.Support(nil, feet, slices.Repeat([]bool{true}, len(feet))) {
		pts = append(pts, t.at(v.X, v.Y))
	}
	if len(pts) > 2 {
		c.FillPolygon(faded(good(), 0x28), pts)
	}
	if len(pts) > 1 {
		c.StrokeLines(line(good(), 1.2), append(pts, pts[0]))
	}
}

// marks draws feet, their names and the centre of mass over all else.
func (b viewBody) marks(c draw.Canvas, t points) {
	for i := range b.Rig.Legs {
		f := b.flat(b.foot(i))
		hue := sideColour(b.Rig.Groups.Side, i)
		fill := line(hue, 0)
		if b.Stance>>i&1 == 0 {
			fill.Color = quiet()
		}
		circle(c, t.at(f.X, f.Y), vg.Points(3), fill, line(ink(), 0.8))
		if b.Above {
			at := beside(t.at(f.X, f.Y), t.at(b.PoseWB.P.X, b.PoseWB.P.Y))
			c.FillText(words(8, ink(), -0.5, -0.4), at, b.Rig.Legs[i].Name)
		}
	}
	m := b.flat(b.com())
	circle(c, t.at(m.X, m.Y), vg.Points(3.5), line(quiet(), 0), line(bad(), 1.5))
}

// String says which rig is seen from where.
func (v *View) String() string {
	if v.Above {
		return fmt.Sprintf("%s from above", v.Rig.Name)
	}
	return fmt.Sprintf("%s from the right", v.Rig.Name)
}
