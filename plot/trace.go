package plot

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Trace is the record of a run over time: panels one above the other with one
// time axis, such as the margin, and the speed beside the commanded one.
type Trace struct {
	Title  string
	Start  float64 // time of the first tick, s
	Dt     float64 // seconds a tick, > 0
	Panels []Panel
}

// Panel is one set of axes of a Trace.
type Panel struct {
	Label  string // what and unit, such as "margin, m"
	Floor  *float64
	Curves []Curve
}

// Curve is one value a tick. Values that are not finite leave a gap: a margin of
// -Inf is a tick with no foot on the ground.
type Curve struct {
	Name   string
	Y      []float64
	Wanted bool // dashed and behind the others: what was asked for
}

// Size implements Picture: the height follows the number of panels.
func (t *Trace) Size() (width, height vg.Length) {
	return 7 * vg.Inch, vg.Length(max(len(t.Panels), 1))*1.7*vg.Inch + vg.Points(40)
}

// Draw implements Picture. A trace without panels or without a value, or with a
// Dt that is not positive, is an error.
func (t *Trace) Draw(c draw.Canvas) error {
	ticks := 0
	for _, p := range t.Panels {
		for _, v := range p.Curves {
			ticks = max(ticks, len(v.Y))
		}
	}
	if ticks == 0 {
		return errNothing
	}
	if !(t.Dt > 0) || !finite(t.Dt) || !finite(t.Start) {
		return fmt.Errorf("plot: trace from %v s in ticks of %v s, want finite and more than 0", t.Start, t.Dt)
	}
	plots := make([][]*plot.Plot, len(t.Panels))
	for i := range t.Panels {
		plots[i] = []*plot.Plot{t.panel(i, ticks)}
	}
	tiles := draw.Tiles{Rows: len(t.Panels), Cols: 1, PadX: vg.Points(8), PadY: vg.Points(8), PadTop: vg.Points(8), PadBottom: vg.Points(6), PadLeft: vg.Points(8), PadRight: vg.Points(14)}
	for i, row := range plot.Align(plots, tiles, c) {
		plots[i][0].Draw(row[0])
	}
	return nil
}

// panel makes the axes of one panel; only the last one names the time.
func (t *Trace) panel(i, count int) *plot.Plot {
	pan := &t.Panels[i]
	title, under := "", ""
	if i == 0 {
		title = t.Title
	}
	if i == len(t.Panels)-1 {
		under = "time, s"
	}
	p := axes(title, under, pan.Label)
	y := empty()
	for _, v := range pan.Curves {
		for _, x := range v.Y {
			y.add(x)
		}
	}
	if pan.Floor != nil {
		y.add(*pan.Floor)
	}
	y = y.padded(0.08, max(math.Abs(y.hi)*1e-6, 1e-9))
	if len(pan.Curves) > 1 {
		y.hi += 0.3 * (y.hi - y.lo) // room for the names
	}
	p.X.Min, p.X.Max = t.Start, t.Start+t.Dt*float64(count)
	p.Y.Min, p.Y.Max = y.lo, y.hi
	p.X.Tick.Marker, p.Y.Tick.Marker = ticks{12}, ticks{5}
	p.Add(grid{})
	if pan.Floor != nil {
		p.Add(floor(*pan.Floor))
	}
	p.Legend.Top, p.Legend.XOffs = true, -vg.Points(4)
	for k := range pan.Curves {
		v := stroke{t, &pan.Curves[k], hue(k)}
		p.Add(v)
		if v.Name != "" && len(pan.Curves) > 1 {
			p.Legend.Add(v.Name, v)
		}
	}
	return p
}

// floor draws the line below which a value is too low.
type floor float64

// Plot implements plot.Plotter.
func (f floor) Plot(c draw.Canvas, p *plot.Plot) {
	_, ty := p.Transforms(&c)
	y := ty(float64(f))
	c.StrokeLine2(line(bad(), 0.8), c.Min.X, y, c.Max.X, y)
}

// stroke draws one curve.
type stroke struct {
	*Trace
	*Curve
	hue color.NRGBA
}

func (s stroke) style() draw.LineStyle {
	if !s.Wanted {
		return line(s.hue, 1.2)
	}
	sty := line(s.hue, 1)
	sty.Dashes = []vg.Length{vg.Points(4), vg.Points(2)}
	return sty
}

// Plot implements plot.Plotter.
func (s stroke) Plot(c draw.Canvas, p *plot.Plot) {
	tx, ty := p.Transforms(&c)
	var run []vg.Point
	flush := func() {
		if len(run) == 1 {
			// A lone tick would be invisible.
			run = append(run, vg.Point{X: run[0].X + vg.Points(0.7), Y: run[0].Y})
		}
		if len(run) > 1 {
			c.StrokeLines(s.style(), run)
		}
		run = nil
	}
	for k, y := range s.Y {
		if !finite(y) {
			flush()
			continue
		}
		run = append(run, vg.Point{X: tx(s.Start + s.Dt*float64(k)), Y: ty(y)})
	}
	flush()
}

// Thumbnail implements plot.Thumbnailer.
func (s stroke) Thumbnail(c *draw.Canvas) {
	y := c.Center().Y
	c.StrokeLine2(s.style(), c.Min.X, y, c.Max.X, y)
}
