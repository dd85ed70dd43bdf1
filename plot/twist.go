package plot

import (
	"math"

	"legctl/control"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// TwistMap draws what twists a gait is allowed: on the left the speed by
// heading seen from above, x forward up and y left to the left, alone and with
// half and the whole of the fastest turning to the left; on the right travel
// against turning for four headings.
type TwistMap struct {
	Title   string
	Allowed control.AllowedTwist
}

// Size implements Picture.
func (m *TwistMap) Size() (width, height vg.Length) { return 9.6 * vg.Inch, 4.9 * vg.Inch }

// Draw implements Picture. A table that allows nothing is an error.
func (m *TwistMap) Draw(c draw.Canvas) error {
	most := 0.0
	for _, v := range m.Allowed.Linear {
		if finite(v) {
			most = math.Max(most, v)
		}
	}
	if most == 0 && !(m.Allowed.Turn > 0) {
		return errNothing
	}
	c.FillText(words(12, ink(), -0.5, 0), vg.Point{X: (c.Min.X + c.Max.X) / 2, Y: c.Max.Y - vg.Points(18)}, m.Title)
	mid := c.Min.X + (c.Max.X-c.Min.X)*0.47
	bottom, top := vg.Points(6), -vg.Points(26)
	left := draw.Crop(c, vg.Points(8), mid-c.Max.X, bottom, top)
	right := draw.Crop(c, mid-c.Min.X+vg.Points(8), -vg.Points(12), bottom, top)
	m.headings(left, most)
	m.mixes(right, most)
	return nil
}

// twistSteps is how many points a curve has.
const twistSteps = 720

// far is a wish beyond every limit: its share says where the limit is.
const far = 1e3

// speedAt is the allowed speed at an angle while turning at wz: the largest v
// that is allowed whole, found by halving; 0 where turning alone is too much.
func (m *TwistMap) speedAt(angle, wz float64) float64 {
	sn, cs := math.Sincos(angle)
	whole := func(v float64) bool {
		s, _ := m.Allowed.Limit(v*cs, v*sn, wz)
		return s >= 1
	}
	if !whole(0) {
		return 0
	}
	lo, hi := 0.0, far
	for range 60 {
		if mid := (lo + hi) / 2; whole(mid) {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

func (m *TwistMap) headings(c draw.Canvas, most float64) {
	p := axes("", "right, m/s", "forward, m/s")
	r := 1.12 * math.Max(most, 1e-6)
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = -r, r, -r, r
	p.X.Tick.Marker, p.Y.Tick.Marker = ticks{6}, ticks{6}
	p.Add(grid{})
	p.Legend.Top, p.Legend.Left = false, true
	for i, share := range []float64{0, 0.5, 0.8} {
		name := [...]string{"straight", "turning at half", "turning at 0.8 of the fastest"}[i]
		v := twistLine{name: name, tint: i}
		for k := range twistSteps + 1 {
			a := 2 * math.Pi * float64(k) / twistSteps
			s := m.speedAt(a, share*m.Allowed.Turn)
			v.x, v.y = append(v.x, -s*math.Sin(a)), append(v.y, s*math.Cos(a))
		}
		p.Add(v)
		p.Legend.Add(name, v)
	}
	drawEqual(p, c)
}

func (m *TwistMap) mixes(c draw.Canvas, most float64) {
	p := axes("", "turning left, rad/s", "speed, m/s")
	p.X.Min, p.X.Max = -1.12*math.Max(m.Allowed.Turn, 1e-6), 1.12*math.Max(m.Allowed.Turn, 1e-6)
	p.Y.Min, p.Y.Max = 0, 1.3*math.Max(most, 1e-6)
	p.X.Tick.Marker, p.Y.Tick.Marker = ticks{6}, ticks{6}
	p.Add(grid{})
	p.Legend.Top = true
	for i, name := range []string{"forward", "left", "backward", "right"} {
		v := twistLine{name: name, tint: i}
		sn, cs := math.Sincos(float64(i) * math.Pi / 2)
		for k := range twistSteps + 1 {
			b, d := math.Sincos(math.Pi * (float64(k)/twistSteps - 0.5))
			vx := d * math.Max(most, 1e-9)
			s, _ := m.Allowed.Limit(far*vx*cs, far*vx*sn, far*b*m.Allowed.Turn)
			v.x, v.y = append(v.x, s*far*b*m.Allowed.Turn), append(v.y, s*far*vx)
		}
		p.Add(v)
		p.Legend.Add(name, v)
	}
	p.Draw(c)
}

// twistLine is one closed or open curve of a twist map.
type twistLine struct {
	name string
	tint int
	x, y []float64
}

// Plot implements plot.Plotter.
func (v twistLine) Plot(c draw.Canvas, p *plot.Plot) {
	tx, ty := p.Transforms(&c)
	path := make([]vg.Point, len(v.x))
	for i := range v.x {
		path[i] = vg.Point{X: tx(v.x[i]), Y: ty(v.y[i])}
	}
	c.StrokeLines(line(hue(v.tint), 1.4), path)
}

// Thumbnail implements plot.Thumbnailer.
func (v twistLine) Thumbnail(c *draw.Canvas) {
	y := c.Center().Y
	c.StrokeLine2(line(hue(v.tint), 1.4), c.Min.X, y, c.Max.X, y)
}
