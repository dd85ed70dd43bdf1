package plot

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// drawEqual draws p with one scale for both axes: the range that is too short
// for its side of the canvas is widened about its middle.
func drawEqual(p *plot.Plot, c draw.Canvas) {
	// The room that axes and title take hardly depends on the ranges: once to
	// measure, once to draw.
	for range 2 {
		size := p.DataCanvas(c).Size()
		w, h := size.X-p.X.Padding, size.Y-p.Y.Padding
		if w <= 0 || h <= 0 {
			break
		}
		per := max((p.X.Max-p.X.Min)/float64(w), (p.Y.Max-p.Y.Min)/float64(h))
		widen(&p.X, per*float64(w))
		widen(&p.Y, per*float64(h))
	}
	p.Draw(c)
}

func widen(a *plot.Axis, to float64) {
	if mid := (a.Min + a.Max) / 2; to > a.Max-a.Min {
		a.Min, a.Max = mid-to/2, mid+to/2
	}
}

// points converts data to canvas points.
type points struct {
	x, y func(float64) vg.Length
}

func (t points) at(x, y float64) vg.Point { return vg.Point{X: t.x(x), Y: t.y(y)} }

// circle fills a disc and strokes its rim.
func circle(c draw.Canvas, at vg.Point, r vg.Length, fill, rim draw.LineStyle) {
	var path vg.Path
	path.Move(vg.Point{X: at.X + r, Y: at.Y})
	path.Arc(at, r, 0, fullTurn)
	path.Close()
	c.SetColor(fill.Color)
	c.Fill(path)
	if rim.Width > 0 {
		c.SetLineStyle(rim)
		c.Stroke(path)
	}
}
