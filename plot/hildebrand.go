package plot

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"legctl/gait"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Hildebrand is a gait diagram: a bar for every stretch of stance, one row a
// leg, the duty factor at its end and the number of feet down below.
type Hildebrand struct {
	Title   string
	Diagram gait.Diagram
	Side    []int8 // of each leg, as in rig.Groups; colours the bars; may be nil

	// Margins are static margins, metres, one a moment, drawn below; nil leaves
	// them out. Values that are not finite leave a gap. Floor is the line below
	// which they are too low.
	Margins []float64
	Floor   float64
}

// Size implements Picture: the height follows the number of legs.
func (h *Hildebrand) Size() (width, height vg.Length) {
	rows := vg.Length(len(h.Diagram.Names) + 1)
	height = rows*vg.Points(18) + vg.Points(78)
	if h.Margins != nil {
		height += marginHeight
	}
	return 6.5 * vg.Inch, height
}

// marginHeight is the height of the panel of margins.
const marginHeight = 1.6 * vg.Inch

// Draw implements Picture. A diagram without legs or moments is an error.
func (h *Hildebrand) Draw(c draw.Canvas) error {
	d := &h.Diagram
	if len(d.Names) == 0 || len(d.Bits) == 0 {
		return fmt.Errorf("plot: gait diagram of %d legs and %d moments, want 1 or more of each", len(d.Names), len(d.Bits))
	}
	if len(d.Names) > 64 {
		return errors.New("plot: gait diagram of more than 64 legs: one bit set holds 64")
	}
	if !finite(d.From) || !finite(d.Step) || d.Step < 0 {
		return fmt.Errorf("plot: gait diagram from %v in steps of %v, want finite and not negative", d.From, d.Step)
	}
	if h.Margins != nil && len(h.Margins) != len(d.Bits) {
		return fmt.Errorf("plot: gait diagram of %d moments with %d margins, want as many", len(d.Bits), len(h.Margins))
	}
	below := c
	if h.Margins != nil {
		below = draw.Crop(c, 0, 0, 0, -(c.Max.Y - c.Min.Y - marginHeight))
		c = draw.Crop(c, 0, 0, marginHeight, 0)
	}
	p := axes(h.Title, h.scaleLabel(), "")
	step := d.Step
	if step == 0 {
		step = 1
	}
	p.X.Min, p.X.Max = d.From, d.From+step*float64(len(d.Bits))
	p.X.Tick.Marker = ticks{10}
	p.Y.Min, p.Y.Max = -1.6, float64(len(d.Names))-0.4
	p.Y.Tick.Marker = plot.ConstantTicks(h.rowTicks())
	p.Y.Tick.Length = 0
	p.Y.LineStyle.Width = 0
	p.X.Padding = vg.Points(2)
	p.Add(grid{}, stanceBars{h, step})
	c = draw.Crop(c, vg.Points(8), -vg.Points(44), vg.Points(6), -vg.Points(8))
	p.Draw(c)
	if h.Margins != nil {
		h.margins(below, p.DataCanvas(c).Min.X)
	}
	return nil
}

// margins draws the panel of margins under the diagram, its axis beginning at
// left like the diagram's.
func (h *Hildebrand) margins(c draw.Canvas, left vg.Length) {
	d := &h.Diagram
	step := d.Step
	if step == 0 {
		step = 1
	}
	t := &Trace{Start: d.From, Dt: step, Panels: []Panel{{Label: "margin, mm", Floor: new(float64), Curves: []Curve{{}}}}}
	*t.Panels[0].Floor = 1e3 * h.Floor
	for _, m := range h.Margins {
		t.Panels[0].Curves[0].Y = append(t.Panels[0].Curves[0].Y, 1e3*m)
	}
	p := t.panel(0, len(d.Bits))
	p.X.Label.Text = ""
	p.X.Tick.Marker = ticks{10}
	p.X.Padding = vg.Points(2)
	c = draw.Crop(c, vg.Points(8), -vg.Points(44), vg.Points(8), 0)
	p.Draw(draw.Crop(c, left-p.DataCanvas(c).Min.X, 0, 0, 0))
}

func (h *Hildebrand) scaleLabel() string {
	switch h.Diagram.Unit {
	case "":
		return ""
	case "cycle":
		return "cycle phase"
	}
	return "time, " + h.Diagram.Unit
}

// rowTicks names the rows, the first leg on top.
func (h *Hildebrand) rowTicks() []plot.Tick {
	t := []plot.Tick{{Value: -1, Label: "feet down"}}
	for i, n := range h.Diagram.Names {
		t = append(t, plot.Tick{Value: h.row(i), Label: n})
	}
	return t
}

func (h *Hildebrand) row(leg int) float64 { return float64(len(h.Diagram.Names) - 1 - leg) }

// stanceBars draws the body of the diagram.
type stanceBars struct {
	*Hildebrand
	step float64
}

// Plot implements plot.Plotter.
func (b stanceBars) Plot(c draw.Canvas, p *plot.Plot) {
	tx, ty := p.Transforms(&c)
	d := &b.Diagram
	at := func(k int) vg.Length { return tx(d.From + b.step*float64(k)) }
	half := vg.Points(6)
	for leg := range d.Names {
		y := ty(b.row(leg))
		hue := sideColour(b.Side, leg)
		runs(len(d.Bits), func(k int) uint64 { return d.Bits[k] >> leg & 1 }, func(from, to int, down uint64) {
			if down == 1 {
				c.FillPolygon(hue, rectangle(at(from), y-half, at(to), y+half))
			}
		})
		c.FillText(words(9, ink(), 0, -0.3), vg.Point{X: c.Max.X + vg.Points(6), Y: y}, strconv.FormatFloat(d.DutyFactor(leg), 'g', 3, 64))
	}
	b.feet(c, at, ty(-1))
}

// feet draws a stair of the number of feet down, and its values where there is
// room for them.
func (b stanceBars) feet(c draw.Canvas, at func(int) vg.Length, y vg.Length) {
	d := &b.Diagram
	count := func(k int) uint64 {
		n := uint64(0)
		for leg := range d.Names {
			n += d.Bits[k] >> leg & 1
		}
		return n
	}
	unit := vg.Points(14) / vg.Length(len(d.Names))
	runs(len(d.Bits), count, func(from, to int, n uint64) {
		x0, x1, base := at(from), at(to), y-vg.Points(8)
		c.FillPolygon(faded(centre(), 0x50), rectangle(x0, base, x1, base+unit*vg.Length(n)))
		if x1-x0 > vg.Points(9) {
			c.FillText(words(8, ink(), -0.5, -0.5), vg.Point{X: (x0 + x1) / 2, Y: y - vg.Points(2)}, number(float64(n), 0))
		}
	})
}

// runs calls emit for every stretch of equal values.
func runs(n int, value func(int) uint64, emit func(from, to int, v uint64)) {
	from := 0
	for k := 1; k <= n; k++ {
		if k == n || value(k) != value(from) {
			emit(from, k, value(from))
			from = k
		}
	}
}

func rectangle(x0, y0, x1, y1 vg.Length) []vg.Point {
	// A hair wider, so that neighbours leave no gap when smoothed.
	x1 = vg.Length(math.Max(float64(x1), float64(x0)+0.2))
	return []vg.Point{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x0, Y: y1}}
}
