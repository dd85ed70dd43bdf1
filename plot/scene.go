package plot

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"

	"legctl/geom"

	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/gonum/spatial/r3"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Scene is a picture of a rig standing on terrain, seen from above at a slant:
// solid, lit and with shadows. Marks tints the support polygon on the ground,
// and the place below the centre of mass.
type Scene struct {
	Title string
	Figure
	Ground    *Grid
	Azimuth   float64 // direction from the rig to the eye, rad, 0 = ahead (+x), pi/2 = left
	Elevation float64 // of the eye above the horizon, rad, in (0, pi/2)
	Marks     bool
	Width     vg.Length // of the picture; 0 = 8 inches
}

// NewScene returns a scene of a figure and the piece of ground it stands on,
// twice as wide as the figure, seen from ahead and to the right, with marks.
func NewScene(f Figure, g geom.Ground) (*Scene, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	x, y := f.extent()
	side := 2 * max(x.hi-x.lo, y.hi-y.lo)
	grid, err := SampleGround(g, (x.hi+x.lo)/2, (y.hi+y.lo)/2, side, side/72, f.PoseWB.P.Z+2*side, 4*side)
	if err != nil {
		return nil, err
	}
	_, _, yaw := geom.RPY(f.PoseWB.Q)
	return &Scene{Figure: f, Ground: grid, Azimuth: yaw - 1.1, Elevation: 0.5, Marks: true}, nil
}

// Size implements Picture.
func (s *Scene) Size() (width, height vg.Length) {
	w := s.Width
	if w <= 0 {
		w = 8 * vg.Inch
	}
	return w, w * 0.62
}

// Draw implements Picture. A figure, grid or elevation that cannot be drawn is
// an error.
func (s *Scene) Draw(c draw.Canvas) error {
	if err := s.check(); err != nil {
		return err
	}
	if s.Ground == nil {
		return fmt.Errorf("plot: scene without ground: give a grid, such as from SampleGround")
	}
	if err := s.Ground.check(); err != nil {
		return err
	}
	if !(s.Elevation > 0 && s.Elevation < math.Pi/2) || !finite(s.Azimuth) {
		return fmt.Errorf("plot: scene from azimuth %v, elevation %v rad, want finite and between 0 and pi/2", s.Azimuth, s.Elevation)
	}
	m := &mesh{scene: s, eye: newEye(s), light: newLight(s)}
	m.terrain()
	m.figure()
	m.eye.fit(m.faces, c)
	slices.SortStableFunc(m.faces, func(a, b face) int { return cmp.Compare(a.depth, b.depth) })
	for i := range m.faces {
		f := &m.faces[i]
		c.FillPolygon(f.tint, grown(m.eye.project(f.corner)))
	}
	if s.Title != "" {
		c.FillText(words(12, ink(), 0, -1), vg.Point{X: c.Min.X + vg.Points(10), Y: c.Max.Y - vg.Points(8)}, s.Title)
	}
	return nil
}

// eye looks at the scene from far away, with a little perspective.
type eye struct {
	to, right, up r3.Vec // to: from the scene to the eye
	mid           r3.Vec
	far           float64 // distance of the eye, metres
	scale         vg.Length
	off           vg.Point
}

func newEye(s *Scene) eye {
	sa, ca := math.Sincos(s.Azimuth)
	se, ce := math.Sincos(s.Elevation)
	g := s.Ground
	w, h := g.Cell*float64(g.NX-1), g.Cell*float64(g.NY-1)
	return eye{
		to:    r3.Vec{X: ce * ca, Y: ce * sa, Z: se},
		right: r3.Vec{X: -sa, Y: ca},
		up:    r3.Vec{X: -se * ca, Y: -se * sa, Z: ce},
		mid:   r3.Vec{X: g.X + w/2, Y: g.Y + h/2, Z: s.PoseWB.P.Z},
		far:   4 * math.Sqrt(w*w+h*h),
	}
}

// depth grows towards the eye.
func (e *eye) depth(p r3.Vec) float64 { return r3.Dot(e.to, r3.Sub(p, e.mid)) }

// flat projects a point before scaling.
func (e *eye) flat(p r3.Vec) r2.Vec {
	d := r3.Sub(p, e.mid)
	k := e.far / (e.far - r3.Dot(e.to, d))
	return r2.Vec{X: k * r3.Dot(e.right, d), Y: k * r3.Dot(e.up, d)}
}

// fit chooses scale and offset so that all faces are on the canvas.
func (e *eye) fit(faces []face, c draw.Canvas) {
	x, y := empty(), empty()
	for i := range faces {
		for _, p := range faces[i].corner {
			f := e.flat(p)
			x.add(f.X)
			y.add(f.Y)
		}
	}
	size := c.Size()
	room := vg.Points(12)
	e.scale = min((size.X-2*room)/vg.Length(x.hi-x.lo), (size.Y-2*room)/vg.Length(y.hi-y.lo))
	at := c.Center()
	e.off = vg.Point{X: at.X - e.scale*vg.Length(x.hi+x.lo)/2, Y: at.Y - e.scale*vg.Length(y.hi+y.lo)/2}
}

func (e *eye) project(p []r3.Vec) []vg.Point {
	out := make([]vg.Point, len(p))
	for i, v := range p {
		f := e.flat(v)
		out[i] = vg.Point{X: e.off.X + e.scale*vg.Length(f.X), Y: e.off.Y + e.scale*vg.Length(f.Y)}
	}
	return out
}

// grown moves the edges of a convex outline outward by a third of a point, so
// that smoothed neighbours leave no light between them.
func grown(p []vg.Point) []vg.Point {
	turn := 0.0
	for i, v := range p {
		w := p[(i+1)%len(p)]
		turn += float64(v.X*w.Y - v.Y*w.X)
	}
	by := math.Copysign(0.3, turn)
	out := make([]vg.Point, len(p))
	for i, v := range p {
		n := outward(p[(i+len(p)-1)%len(p)], v)
		m := outward(v, p[(i+1)%len(p)])
		sum := n.Add(m)
		// The corner of two moved edges; a sharp one stays within 1 point.
		k := by / max(0.3, 1+float64(n.Dot(m)))
		out[i] = v.Add(sum.Scale(vg.Length(k)))
	}
	return out
}

// outward is the unit normal to the right of a -> b, zero where they are equal.
func outward(a, b vg.Point) vg.Point {
	d := b.Sub(a)
	l := vg.Length(math.Sqrt(float64(d.Dot(d))))
	if l < 1e-9 {
		return vg.Point{}
	}
	return vg.Point{X: d.Y / l, Y: -d.X / l}
}

// face is one flat piece of a surface, with its final colour.
type face struct {
	corner []r3.Vec
	depth  float64
	tint   color.NRGBA
}
