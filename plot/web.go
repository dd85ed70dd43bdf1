package plot

import (
	"fmt"
	"image"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Heat is a table as colours, such as a match web: dark where two moments are
// alike. Lines are drawn over it, such as chains and registration curves.
type Heat struct {
	Title, X, Y string
	Cost        [][]float64 // rows go up
	Unit        float64     // of the axes, one cell; 0 = 1
	Lines       []Line
}

// Line is a polyline over a picture, in the units of its axes.
type Line struct {
	Name   string
	X, Y   []float64
	Dots   bool // the points themselves, not joined
	Dashed bool
}

// Size implements Picture.
func (h *Heat) Size() (width, height vg.Length) { return 7 * vg.Inch, 6 * vg.Inch }

// Draw implements Picture. A table that is empty, not a rectangle, or has a
// number that is not finite is an error.
func (h *Heat) Draw(c draw.Canvas) error {
	if len(h.Cost) == 0 || len(h.Cost[0]) == 0 {
		return errNothing
	}
	low, high := math.Inf(1), math.Inf(-1)
	for i, row := range h.Cost {
		if len(row) != len(h.Cost[0]) {
			return fmt.Errorf("plot: row %d of a heat map has %d columns, want %d", i, len(row), len(h.Cost[0]))
		}
		for _, v := range row {
			if !finite(v) {
				return fmt.Errorf("plot: %v in row %d of a heat map, want finite numbers", v, i)
			}
			low, high = min(low, v), max(high, v)
		}
	}
	unit := h.Unit
	if unit == 0 {
		unit = 1
	}
	p := axes(h.Title, h.X, h.Y)
	p.X.Min, p.X.Max = 0, unit*float64(len(h.Cost[0]))
	p.Y.Min, p.Y.Max = 0, unit*float64(len(h.Cost))
	p.X.Tick.Marker, p.Y.Tick.Marker = ticks{8}, ticks{8}
	p.Add(heatCells{h, low, high})
	addLines(p, h.Lines)
	withNames(p, c)
	return nil
}

// withNames draws axes with the names of their lines to the right, where they hide
// nothing.
func withNames(p *plot.Plot, c draw.Canvas) {
	p.Legend.Padding = vg.Points(1.5)
	names := p.Legend.Rectangle(c).Size().X
	if names > 0 {
		names += vg.Points(6)
	}
	p.Legend.XOffs = names
	p.Draw(draw.Crop(c, vg.Points(8), -vg.Points(12)-names, vg.Points(6), -vg.Points(8)))
}

// heatCells draws the table as one image.
type heatCells struct {
	h         *Heat
	low, high float64
}

// Plot implements plot.Plotter.
func (m heatCells) Plot(c draw.Canvas, p *plot.Plot) {
	rows, cols := len(m.h.Cost), len(m.h.Cost[0])
	// A cell is at least a few dots, so that no viewer blurs it.
	k := max(1, 600/max(rows, cols))
	img := image.NewNRGBA(image.Rect(0, 0, k*cols, k*rows))
	for y := range k * rows {
		for x := range k * cols {
			img.SetNRGBA(x, y, m.colour(m.h.Cost[rows-1-y/k][x/k]))
		}
	}
	c.DrawImage(vg.Rectangle{Min: c.Min, Max: c.Max}, img)
}

// colour goes from deep blue, alike, to white.
func (m heatCells) colour(v float64) color.NRGBA {
	f := 0.0
	if m.high > m.low {
		f = math.Sqrt((v - m.low) / (m.high - m.low))
	}
	mix := func(a, b float64) uint8 { return uint8(a + f*(b-a)) }
	return color.NRGBA{R: mix(18, 250), G: mix(40, 250), B: mix(90, 252), A: 255}
}

// addLines puts polylines on axes and names them.
func addLines(p *plot.Plot, lines []Line) {
	p.Legend.Top = true
	for i := range lines {
		s := polyline{&lines[i], hue(i + 1)}
		p.Add(s)
		if lines[i].Name != "" {
			p.Legend.Add(lines[i].Name, s)
		}
	}
}

// polyline draws a Line.
type polyline struct {
	*Line
	hue color.NRGBA
}

// Plot implements plot.Plotter.
func (l polyline) Plot(c draw.Canvas, p *plot.Plot) {
	tx, ty := p.Transforms(&c)
	var pts []vg.Point
	for i := range min(len(l.X), len(l.Y)) {
		if finite(l.X[i]) && finite(l.Y[i]) {
			pts = append(pts, vg.Point{X: tx(l.X[i]), Y: ty(l.Y[i])})
		}
	}
	if l.Dots {
		for _, q := range pts {
			c.DrawGlyph(draw.GlyphStyle{Color: l.hue, Radius: vg.Points(1.6), Shape: draw.CircleGlyph{}}, q)
		}
		return
	}
	c.StrokeLines(l.style(), c.ClipLinesXY(pts)...)
}

func (l polyline) style() draw.LineStyle {
	s := line(l.hue, 1.4)
	if l.Dashed {
		s.Dashes = []vg.Length{vg.Points(4), vg.Points(3)}
	}
	return s
}

// Thumbnail implements plot.Thumbnailer.
func (l polyline) Thumbnail(c *draw.Canvas) {
	y := c.Center().Y
	if l.Dots {
		c.DrawGlyph(draw.GlyphStyle{Color: l.hue, Radius: vg.Points(2), Shape: draw.CircleGlyph{}}, c.Center())
		return
	}
	c.StrokeLine2(l.style(), c.Min.X, y, c.Max.X, y)
}

// Map is a picture of lines in a plane with both axes to one scale, seen from
// above: the fans of a goal space, paths of the root. Or, with Free, on axes of
// their own scales: registration curves.
type Map struct {
	Title, X, Y string
	Lines       []Line
	Free        bool
}

// Size implements Picture.
func (m *Map) Size() (width, height vg.Length) { return 7 * vg.Inch, 5.4 * vg.Inch }

// Draw implements Picture. No lines, or none with a point, are an error.
func (m *Map) Draw(c draw.Canvas) error {
	x, y := empty(), empty()
	for _, l := range m.Lines {
		for i := range min(len(l.X), len(l.Y)) {
			x.add(l.X[i])
			y.add(l.Y[i])
		}
	}
	if !(x.hi >= x.lo) || !(y.hi >= y.lo) {
		return errNothing
	}
	x, y = x.padded(0.06, 1e-6), y.padded(0.06, 1e-6)
	p := axes(m.Title, m.X, m.Y)
	if !m.Free { // widen the shorter axis
		const across = 5.2 / 4.4
		if w, h := x.hi-x.lo, (y.hi-y.lo)*across; w < h {
			x.lo, x.hi = x.lo-(h-w)/2, x.hi+(h-w)/2
		} else {
			y.lo, y.hi = y.lo-(w/across-h/across)/2, y.hi+(w/across-h/across)/2
		}
	}
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = x.lo, x.hi, y.lo, y.hi
	p.X.Tick.Marker, p.Y.Tick.Marker = ticks{8}, ticks{8}
	p.Add(grid{})
	addLines(p, m.Lines)
	withNames(p, c)
	return nil
}
