package plot

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Colours: dark ink, quiet grid, and a few hues that differ in lightness too,
// so that they can be told apart in grey.
func ink() color.NRGBA    { return color.NRGBA{R: 0x26, G: 0x2b, B: 0x33, A: 0xff} }
func quiet() color.NRGBA  { return color.NRGBA{R: 0xdd, G: 0xe1, B: 0xe6, A: 0xff} }
func left() color.NRGBA   { return color.NRGBA{R: 0x1f, G: 0x5f, B: 0xa8, A: 0xff} }
func right() color.NRGBA  { return color.NRGBA{R: 0xd9, G: 0x72, B: 0x1e, A: 0xff} }
func centre() color.NRGBA { return color.NRGBA{R: 0x5b, G: 0x63, B: 0x70, A: 0xff} }
func good() color.NRGBA   { return color.NRGBA{R: 0x1b, G: 0x8a, B: 0x5a, A: 0xff} }
func bad() color.NRGBA    { return color.NRGBA{R: 0xc2, G: 0x2f, B: 0x3a, A: 0xff} }

// hue returns the colour of the i-th curve of a panel.
func hue(i int) color.NRGBA {
	all := [...]color.NRGBA{left(), right(), good(), bad(), {R: 0x7a, G: 0x4f, B: 0xb5, A: 0xff}, centre()}
	return all[i%len(all)]
}

func faded(c color.NRGBA, alpha uint8) color.NRGBA {
	c.A = alpha
	return c
}

func line(c color.Color, width float64) draw.LineStyle {
	return draw.LineStyle{Color: c, Width: vg.Points(width)}
}

// sans returns the font of all text.
func sans(points float64) font.Font {
	return font.From(font.Font{Typeface: "Liberation", Variant: "Sans"}, vg.Points(points))
}

func words(points float64, c color.Color, x, y float64) text.Style {
	return text.Style{Color: c, Font: sans(points), XAlign: text.XAlignment(x), YAlign: text.YAlignment(y), Handler: plot.DefaultTextHandler}
}

// axes returns an empty plot in the style of this package.
func axes(title, x, y string) *plot.Plot {
	p := plot.New()
	p.Title.Text = title
	p.Title.TextStyle.Font = sans(12)
	p.Title.TextStyle.Color = ink()
	p.Title.Padding = vg.Points(6)
	p.X.Label.Text, p.Y.Label.Text = x, y
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Label.TextStyle.Font = sans(10)
		a.Label.TextStyle.Color = ink()
		a.Tick.Label.Font = sans(9)
		a.Tick.Label.Color = ink()
		a.LineStyle.Color = ink()
		a.Tick.LineStyle.Color = ink()
	}
	p.Legend.TextStyle.Font = sans(9)
	p.Legend.TextStyle.Color = ink()
	return p
}

// ticks puts about n round marks on an axis.
type ticks struct{ n float64 }

// Ticks implements plot.Ticker.
func (t ticks) Ticks(lo, hi float64) []plot.Tick {
	if !(hi > lo) {
		return nil
	}
	step := math.Pow(10, math.Floor(math.Log10((hi-lo)/t.n)))
	for _, k := range []float64{1, 2, 5, 10} {
		if (hi-lo)/(k*step) <= t.n {
			step *= k
			break
		}
	}
	places := int(max(0, -math.Floor(math.Log10(step)+1e-9)))
	var out []plot.Tick
	for k := math.Ceil(lo/step - 1e-9); k*step <= hi*(1+1e-12)+1e-9*step; k++ {
		out = append(out, plot.Tick{Value: k * step, Label: number(k*step, places)})
	}
	return out
}

// grid draws the lines of the major ticks behind the data.
type grid struct{}

// Plot implements plot.Plotter.
func (grid) Plot(c draw.Canvas, p *plot.Plot) {
	tx, ty := p.Transforms(&c)
	sty := line(quiet(), 0.5)
	for _, t := range p.X.Tick.Marker.Ticks(p.X.Min, p.X.Max) {
		if t.Label != "" {
			c.StrokeLine2(sty, tx(t.Value), c.Min.Y, tx(t.Value), c.Max.Y)
		}
	}
	for _, t := range p.Y.Tick.Marker.Ticks(p.Y.Min, p.Y.Max) {
		if t.Label != "" {
			c.StrokeLine2(sty, c.Min.X, ty(t.Value), c.Max.X, ty(t.Value))
		}
	}
}

// sideColour is the colour of a leg by its side; nil means unknown.
func sideColour(side []int8, leg int) color.NRGBA {
	switch {
	case leg >= len(side) || side[leg] == 0:
		return centre()
	case side[leg] > 0:
		return left()
	}
	return right()
}
