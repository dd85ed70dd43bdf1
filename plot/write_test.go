package plot_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"legctl/configs"
	"legctl/control"
	"legctl/gait"
	"legctl/geom"
	"legctl/plot"
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r3"
)

var update = flag.Bool("update", false, "write the golden pictures anew")

func load(t testing.TB, name string) *rig.Rig {
	t.Helper()
	r, err := configs.LoadRig(name)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func names(r *rig.Rig) []string {
	var n []string
	for i := range r.Legs {
		n = append(n, r.Legs[i].Name)
	}
	return n
}

// standing is a rig at rest on level ground at height 0.
func standing(r *rig.Rig) plot.Figure {
	return plot.Figure{
		Rig: r, Q: r.RestPose(nil), Stance: 1<<len(r.Legs) - 1,
		PoseWB: geom.Pose{P: r3.Vec{Z: r.Height}, Q: geom.FromRPY(0, 0, 0.3)},
	}
}

func wave(t testing.TB, r *rig.Rig) *plot.Hildebrand {
	t.Helper()
	g, err := gait.Wave(r, 0.75)
	if err != nil {
		t.Fatal(err)
	}
	return &plot.Hildebrand{Title: r.Name + ", wave, duty 0.75", Diagram: g.Sample(names(r), 360), Side: r.Groups.Side}
}

func tripod(t testing.TB, r *rig.Rig) *plot.Support {
	t.Helper()
	g, err := gait.Tripod(r)
	if err != nil {
		t.Fatal(err)
	}
	s := &plot.Support{Title: r.Name, Names: names(r), Side: r.Groups.Side, ComG: r3.Vec{X: 0.02}}
	for i := range r.Legs {
		down, _ := g.At(0.2, i)
		s.FeetG, s.Stance = append(s.FeetG, r.Legs[i].Neutral), append(s.Stance, down)
	}
	return s
}

func run() *plot.Trace {
	floor := 0.005
	var margin, speed, want []float64
	for k := range 200 {
		x := float64(k) / 50
		margin = append(margin, 0.03+0.01*math.Sin(5*x))
		want, speed = append(want, min(0.1, x/10)), append(speed, min(0.07, x/11))
	}
	margin[77] = math.Inf(-1)
	return &plot.Trace{Title: "a run", Dt: 0.02, Panels: []plot.Panel{
		{Label: "margin, m", Floor: &floor, Curves: []plot.Curve{{Y: margin}}},
		{Label: "speed, m/s", Curves: []plot.Curve{{Name: "commanded", Y: want, Wanted: true}, {Name: "reached", Y: speed}}},
	}}
}

func flatGrid(t testing.TB, side, cell float64) *plot.Grid {
	t.Helper()
	g, err := plot.SampleGround(geom.Level(0), 0, 0, side, cell, 1, 2)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func gallery(t testing.TB) map[string]plot.Picture {
	r := load(t, "phantomx")
	f, g := standing(r), flatGrid(t, 0.8, 0.05)
	return map[string]plot.Picture{
		"hildebrand": wave(t, r),
		"support":    tripod(t, r),
		"side":       &plot.View{Figure: f, Ground: g},
		"above":      &plot.View{Figure: f, Above: true},
		"scene":      &plot.Scene{Title: "phantomx", Figure: f, Ground: g, Azimuth: -0.7, Elevation: 0.5, Marks: true},
		"trace":      run(),
	}
}

// TestPictures draws every kind twice in both formats: the same bytes, well
// formed, and with something on them.
func TestPictures(t *testing.T) {
	for name, p := range gallery(t) {
		t.Run(name, func(t *testing.T) {
			svg, again := drawn(t, p, "svg"), drawn(t, p, "svg")
			if !bytes.Equal(svg, again) {
				t.Error("two drawings of the same data differ")
			}
			shapes := 0
			dec := xml.NewDecoder(bytes.NewReader(svg))
			for {
				tok, err := dec.Token()
				if errors.Is(err, io.EOF) {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				if e, ok := tok.(xml.StartElement); ok && (e.Name.Local == "path" || e.Name.Local == "text") {
					shapes++
				}
			}
			if shapes < 10 || bytes.Contains(svg, []byte("NaN")) || bytes.Contains(svg, []byte("Inf")) {
				t.Errorf("%d shapes, NaN %v, Inf %v", shapes, bytes.Contains(svg, []byte("NaN")), bytes.Contains(svg, []byte("Inf")))
			}
			checkPNG(t, p)
		})
	}
}

func drawn(t *testing.T, p plot.Picture, format string) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := plot.Write(&b, p, format); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func checkPNG(t *testing.T, p plot.Picture) {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(drawn(t, p, "png")))
	if err != nil {
		t.Fatal(err)
	}
	w, h := p.Size()
	if got := img.Bounds().Size(); math.Abs(float64(got.X)-w.Points()*2) > 2 || math.Abs(float64(got.Y)-h.Points()*2) > 2 {
		t.Errorf("%v pixels for %v x %v points at %d dots an inch", got, w.Points(), h.Points(), plot.DPI)
	}
	seen := map[[3]uint32]bool{}
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			r, g, b, _ := img.At(x, y).RGBA()
			seen[[3]uint32{r, g, b}] = true
		}
	}
	if len(seen) < 10 {
		t.Errorf("only %d colours", len(seen))
	}
}

// TestGolden keeps the two smallest pictures as files, so that a change of look
// is seen in a diff. Run with -update to accept one.
func TestGolden(t *testing.T) {
	for _, name := range []string{"hildebrand", "support"} {
		path := filepath.Join("testdata", name+".svg")
		got := drawn(t, gallery(t)[name], "svg")
		if *update {
			if err := os.WriteFile(path, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s differs from %s: look at both, then run with -update", name, path)
		}
	}
}

// TestPosed draws what a tick put out.
func TestPosed(t *testing.T) {
	r := load(t, "a1")
	out := control.NewOutputs(r, 1)
	out[0].Set.Q = r.RestPose(nil)
	out[0].PoseWB = geom.Pose{P: r3.Vec{X: 3, Y: -2, Z: r.Height}, Q: geom.FromRPY(0, 0, 1)}
	out[0].Legs[1].Stance, out[0].Legs[2].Stance = true, true
	f := plot.Posed(r, &out[0])
	if f.Stance != 6 {
		t.Errorf("stance %b, want legs 1 and 2", f.Stance)
	}
	out[0].Set.Q[0] = 9
	if f.Q[0] == 9 {
		t.Error("the figure shares its angles with the output")
	}
	s, err := plot.NewScene(f, geom.Level(0))
	if err != nil {
		t.Fatal(err)
	}
	mid := s.Ground.X + s.Ground.Cell*float64(s.Ground.NX-1)/2
	if z := s.Ground.At(3, -2); z != 0 || math.Abs(mid-3) > 0.1*r.L() {
		t.Errorf("ground %v at the rig, its middle at x %v", z, mid)
	}
	checkPNG(t, s)
	if _, err := plot.NewScene(plot.Figure{}, geom.Level(0)); err == nil {
		t.Error("a scene without a rig was taken")
	}
}

func TestRefusals(t *testing.T) {
	r := load(t, "phantomx")
	f, g := standing(r), flatGrid(t, 0.8, 0.05)
	turned := f
	turned.Q = turned.Q[:3]
	lost := standing(r)
	lost.Q = append([]float64(nil), lost.Q...)
	lost.Q[4] = math.NaN()
	far := standing(r)
	far.PoseWB.P.X = math.Inf(1)
	zero := standing(r)
	zero.PoseWB.Q.Real = 0
	zero.PoseWB = geom.Pose{}
	hole := *g
	hole.Z = append([]float64{math.NaN()}, g.Z[1:]...)
	for _, c := range []struct {
		name string
		p    plot.Picture
		want string
	}{
		{"diagram, empty", &plot.Hildebrand{}, "0 legs"},
		{"diagram, 65 legs", &plot.Hildebrand{Diagram: gait.Diagram{Names: make([]string, 65), Bits: []uint64{1}}}, "64"},
		{"diagram, step NaN", &plot.Hildebrand{Diagram: gait.Diagram{Names: []string{"a"}, Bits: []uint64{1}, Step: math.NaN()}}, "NaN"},
		{"support, empty", &plot.Support{}, "0 feet"},
		{"support, NaN", &plot.Support{FeetG: []r3.Vec{{X: math.NaN()}}, Stance: []bool{true}}, "finite"},
		{"view, no rig", &plot.View{}, "without a rig"},
		{"view, few angles", &plot.View{Figure: turned}, "3 joint angles, want 18"},
		{"view, NaN angle", &plot.View{Figure: lost}, "joint angle 4"},
		{"view, infinite pose", &plot.View{Figure: far}, "finite"},
		{"view, no pose", &plot.View{Figure: zero}, "unit quaternion"},
		{"scene, no ground", &plot.Scene{Figure: f, Elevation: 0.5}, "without ground"},
		{"scene, hole", &plot.Scene{Figure: f, Ground: &hole, Elevation: 0.5}, "height 0"},
		{"scene, from below", &plot.Scene{Figure: f, Ground: g, Elevation: -0.5}, "elevation"},
		{"scene, NaN", &plot.Scene{Figure: f, Ground: g, Elevation: 0.5, Azimuth: math.NaN()}, "finite"},
		{"trace, empty", &plot.Trace{}, "nothing to draw"},
		{"trace, dt 0", &plot.Trace{Panels: []plot.Panel{{Curves: []plot.Curve{{Y: []float64{1}}}}}}, "more than 0"},
	} {
		for _, format := range plot.Formats() {
			err := plot.Write(io.Discard, c.p, format)
			if err == nil || !strings.HasPrefix(err.Error(), "plot: ") || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s as %s: %v, want an error with %q", c.name, format, err, c.want)
			}
		}
	}
	if err := plot.Write(io.Discard, run(), "gif"); err == nil || !strings.Contains(err.Error(), "svg") {
		t.Errorf("gif: %v, want an error that names the formats", err)
	}
}

// TestOddPictures draws what is unusual but no fault.
func TestOddPictures(t *testing.T) {
	gap := []float64{math.Inf(-1), math.NaN(), 3, math.Inf(1)}
	for name, p := range map[string]plot.Picture{
		"one foot":         &plot.Support{FeetG: []r3.Vec{{}}, Stance: []bool{true}},
		"no foot stands":   &plot.Support{FeetG: []r3.Vec{{}, {X: 1}}, Stance: []bool{false, false}},
		"one moment":       &plot.Hildebrand{Diagram: gait.Diagram{Names: []string{"a"}, Bits: []uint64{0}}},
		"gaps everywhere":  &plot.Trace{Dt: 1, Panels: []plot.Panel{{Curves: []plot.Curve{{Y: gap}}}, {Curves: []plot.Curve{{Y: gap[:2]}}}}},
		"constant":         &plot.Trace{Dt: 1, Panels: []plot.Panel{{Curves: []plot.Curve{{Y: []float64{2, 2, 2}}}}}},
		"constant, large":  &plot.Trace{Dt: 1, Panels: []plot.Panel{{Curves: []plot.Curve{{Y: []float64{1e12, 1e12}}}}}},
		"panel of nothing": &plot.Trace{Dt: 1, Panels: []plot.Panel{{}, {Curves: []plot.Curve{{Y: gap}}}}},
	} {
		for _, format := range plot.Formats() {
			if err := plot.Write(io.Discard, p, format); err != nil {
				t.Errorf("%s as %s: %v", name, format, err)
			}
		}
	}
}

// TestEveryRig draws each shipped rig from all sides.
func TestEveryRig(t *testing.T) {
	for _, name := range configs.Rigs() {
		r := load(t, name)
		f := standing(r)
		for what, p := range map[string]plot.Picture{
			"side":  &plot.View{Figure: f},
			"above": &plot.View{Figure: f, Above: true},
			"scene": &plot.Scene{Figure: f, Ground: flatGrid(t, 4*r.L(), r.L()/4), Azimuth: 2, Elevation: 0.6},
		} {
			if err := plot.Write(io.Discard, p, "svg"); err != nil {
				t.Errorf("%s, %s: %v", name, what, err)
			}
		}
	}
}
