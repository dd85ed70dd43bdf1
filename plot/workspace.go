package plot

import (
	"legctl/ik"
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r3"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"math"
)

// Workspace draws where the feet of a rig reach, seen from above, x forward up:
// for every leg the border of its reach from its neutral foot at three heights,
// the comfort circle, the neutral foot, and the body.
type Workspace struct {
	Title string
	Rig   *rig.Rig // validated
	U     float64  // length unit of the rig, metres: heights are -0.35, 0 and 0.35 U
	Reach float64  // radius of the circle round the neutral feet, metres; 0 = none
}

// Size implements Picture.
func (w *Workspace) Size() (width, height vg.Length) { return 7 * vg.Inch, 7 * vg.Inch }

// workspaceBearings is how many points a border has.
const workspaceBearings = 120

// workspaceHeights are the layers, U above the neutral foot.
var workspaceHeights = [3]float64{-0.35, 0, 0.35}

// Draw implements Picture. A workspace without a rig is an error.
func (w *Workspace) Draw(c draw.Canvas) error {
	if w.Rig == nil || len(w.Rig.Legs) == 0 {
		return errNothing
	}
	s := ik.NewSolver(w.Rig, ik.DefaultParams())
	rings := make([][3][]r3.Vec, len(w.Rig.Legs))
	x, y := empty(), empty()
	for leg := range w.Rig.Legs {
		for k, up := range workspaceHeights {
			from := w.Rig.Legs[leg].Neutral
			from.Z += up * w.U
			for b := range workspaceBearings {
				sn, cs := math.Sincos(2 * math.Pi * float64(b) / workspaceBearings)
				d := r3.Vec{X: cs, Y: sn}
				p := r3.Add(from, r3.Scale(ik.Extent(s, leg, from, d, 4*w.Rig.L()), d))
				rings[leg][k] = append(rings[leg][k], p)
				x.add(-p.Y)
				y.add(p.X)
			}
		}
	}
	p := axes(w.Title, "right, m", "forward, m")
	x, y = x.padded(0.06, 1e-3), y.padded(0.06, 1e-3)
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = x.lo, x.hi, y.lo, y.hi
	p.X.Tick.Marker, p.Y.Tick.Marker = ticks{8}, ticks{8}
	p.Add(grid{}, workspaceBody{w, rings})
	drawEqual(p, draw.Crop(c, vg.Points(8), -vg.Points(10), vg.Points(6), -vg.Points(8)))
	return nil
}

type workspaceBody struct {
	*Workspace
	rings [][3][]r3.Vec
}

// Plot implements plot.Plotter.
func (b workspaceBody) Plot(c draw.Canvas, p *plot.Plot) {
	tx, ty := p.Transforms(&c)
	t := points{tx, ty}
	at := func(v r3.Vec) vg.Point { return t.at(-v.Y, v.X) }
	f := Figure{Rig: b.Rig}
	f.PoseWB.Q.Real = 1
	box := f.corners()
	c.FillPolygon(faded(bodyTint(b.Rig), 0x30), []vg.Point{at(box[0]), at(box[1]), at(box[3]), at(box[2])})
	for leg := range b.rings {
		hue := sideColour(b.Rig.Groups.Side, leg)
		for k := range b.rings[leg] {
			ring := make([]vg.Point, 0, workspaceBearings+1)
			for _, v := range b.rings[leg][k] {
				ring = append(ring, at(v))
			}
			if k == 1 {
				c.FillPolygon(faded(hue, 0x18), ring)
			}
			sty := line(faded(hue, [3]uint8{0x90, 0xff, 0x90}[k]), [3]float64{0.7, 1.3, 0.7}[k])
			if k != 1 {
				sty.Dashes = [3][]vg.Length{{vg.Points(1.5), vg.Points(2)}, nil, {vg.Points(5), vg.Points(2)}}[k]
			}
			c.StrokeLines(sty, append(ring, ring[0]))
		}
		n := at(b.Rig.Legs[leg].Neutral)
		if b.Reach > 0 {
			radius := tx(b.Reach) - tx(0)
			circle(c, n, radius, line(faded(good(), 0x30), 0), line(good(), 0.8))
		}
		circle(c, n, vg.Points(2.5), line(hue, 0), line(hue, 1))
		c.FillText(words(9, ink(), -0.5, -0.4), vg.Point{X: n.X, Y: n.Y + vg.Points(9)}, b.Rig.Legs[leg].Name)
	}
}
