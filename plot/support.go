package plot

import (
	"errors"
	"fmt"
	"math"

	"legctl/balance"

	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/gonum/spatial/r3"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

const fullTurn = 2 * math.Pi

// Support is a support polygon seen from above, x to the right and y up, with
// the centre of mass and the line of its static margin. Feet that stand are
// filled, feet that swing are rings.
type Support struct {
	Title  string
	Names  []string // one a leg; may be nil
	Side   []int8   // of each leg, as in rig.Groups; colours the feet; may be nil
	FeetG  []r3.Vec // G, metres
	Stance []bool   // one a leg
	ComG   r3.Vec   // G, metres
}

// Size implements Picture.
func (s *Support) Size() (width, height vg.Length) { return 5 * vg.Inch, 5 * vg.Inch }

// Draw implements Picture. Feet or a centre of mass that are not finite are an
// error, and so is a number of stance flags other than that of the feet.
func (s *Support) Draw(c draw.Canvas) error {
	if len(s.FeetG) == 0 || len(s.Stance) != len(s.FeetG) {
		return fmt.Errorf("plot: support polygon of %d feet and %d stance flags, want 1 or more and as many", len(s.FeetG), len(s.Stance))
	}
	x, y := empty(), empty()
	for i, f := range append(s.FeetG[:len(s.FeetG):len(s.FeetG)], s.ComG) {
		if !finite(f.X) || !finite(f.Y) {
			return fmt.Errorf("plot: support polygon: point %d is %v, want it finite", i, f)
		}
		x.add(f.X)
		y.add(f.Y)
	}
	hull := balance.Support(nil, s.FeetG, s.Stance)
	p := axes(s.title(hull), "x forward, m", "y left, m")
	least := 0.05 * max(x.hi-x.lo, y.hi-y.lo, 1e-3)
	x, y = x.padded(0.12, least), y.padded(0.12, least)
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = x.lo, x.hi, y.lo, y.hi
	p.X.Tick.Marker, p.Y.Tick.Marker = ticks{7}, ticks{7}
	p.Add(grid{}, supportBody{s, hull})
	drawEqual(p, draw.Crop(c, vg.Points(8), -vg.Points(10), vg.Points(6), -vg.Points(8)))
	return nil
}

func (s *Support) title(hull []r2.Vec) string {
	m := balance.Margin(hull, s.com())
	where, _ := balance.Locate(hull, s.com())
	t := "no foot stands"
	if where != balance.None {
		t = fmt.Sprintf("margin %s m (%v)", number(m, 4), where)
	}
	if s.Title == "" {
		return t
	}
	return s.Title + ": " + t
}

func (s *Support) com() r2.Vec { return r2.Vec{X: s.ComG.X, Y: s.ComG.Y} }

type supportBody struct {
	*Support
	hull []r2.Vec
}

// Plot implements plot.Plotter.
func (b supportBody) Plot(c draw.Canvas, p *plot.Plot) {
	tx, ty := p.Transforms(&c)
	t := points{tx, ty}
	where, q := balance.Locate(b.hull, b.com())
	tint := good()
	if where != balance.Inside {
		tint = bad()
	}
	ring := make([]vg.Point, 0, len(b.hull)+1)
	for _, v := range b.hull {
		ring = append(ring, t.at(v.X, v.Y))
	}
	if len(ring) > 2 {
		c.FillPolygon(faded(tint, 0x28), ring)
	}
	if len(ring) > 1 {
		c.StrokeLines(line(tint, 1.5), append(ring, ring[0]))
	}
	at := t.at(b.ComG.X, b.ComG.Y)
	if where != balance.None {
		dash := line(tint, 1.2)
		dash.Dashes = []vg.Length{vg.Points(4), vg.Points(3)}
		c.StrokeLines(dash, []vg.Point{at, t.at(q.X, q.Y)})
	}
	b.feet(c, t)
	circle(c, at, vg.Points(4.5), line(tint, 0), line(ink(), 1))
	c.FillText(words(9, ink(), -0.5, -0.4), beside(at, t.at(q.X, q.Y)), "CoM")
}

func (b supportBody) feet(c draw.Canvas, t points) {
	for i, f := range b.FeetG {
		at := t.at(f.X, f.Y)
		hue := sideColour(b.Side, i)
		fill := line(hue, 0)
		if !b.Stance[i] {
			fill.Color = faded(quiet(), 0xff)
		}
		circle(c, at, vg.Points(4), fill, line(hue, 1.5))
		if i < len(b.Names) {
			c.FillText(words(9, ink(), -0.5, -0.4), beside(at, t.at(b.ComG.X, b.ComG.Y)), b.Names[i])
		}
	}
}

// beside is a place for a word at a point, on the side away from another.
func beside(at, other vg.Point) vg.Point {
	d := at.Sub(other)
	l := math.Sqrt(float64(d.Dot(d)))
	if l < 1e-6 {
		return vg.Point{X: at.X, Y: at.Y + vg.Points(13)}
	}
	return vg.Point{X: at.X + vg.Points(16*float64(d.X)/l), Y: at.Y + vg.Points(12*float64(d.Y)/l)}
}

// errNothing is what a picture without data gives.
var errNothing = errors.New("plot: nothing to draw: give at least one value")
