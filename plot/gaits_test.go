package plot_test

import (
	"bytes"
	"encoding/xml"
	"image/png"
	"io"
	"math"
	"strings"
	"testing"

	"legctl/control"
	"legctl/plot"
)

// allowed is a table whose limit is known: travel and turning share one budget.
func allowed() control.AllowedTwist {
	a := control.AllowedTwist{Turn: 0.5}
	for i := range a.Linear {
		a.Linear[i] = 0.1
	}
	return a
}

// contest is a small comparison: one static gait, one with gaps, one refused.
func contest(t testing.TB) *plot.Contest {
	h := wave(t, load(t, "phantomx"))
	margins := make([]float64, len(h.Diagram.Bits))
	for i := range margins {
		margins[i] = 0.05 + 0.02*math.Sin(float64(i)/20)
	}
	flight := append([]float64(nil), margins...)
	for i := range 60 {
		flight[i] = math.Inf(-1)
	}
	return &plot.Contest{Title: "three gaits", Side: h.Side, Floor: 0.005, Rows: []plot.ContestRow{
		{Name: "static", Under: "static, duty 0.75", Diagram: h.Diagram, Margins: margins, Speed: 0.1, MarginLeast: 0.03, MarginMean: 0.05, Rate: 0.6, Torque: 1.2, Cost: 2},
		{Name: "flying", Under: "ballistic", Diagram: h.Diagram, Margins: flight, Speed: 0.4, MarginLeast: math.Inf(-1), MarginMean: math.Inf(-1), Rate: 0.9, Torque: math.NaN(), Cost: math.NaN()},
		{Name: "refused", Refused: "its joints are too slow"},
	}}
}

// TestGaitPictures: every picture of gaits is well-formed SVG and a PNG that is
// not blank, with its words, and the same bytes each time.
func TestGaitPictures(t *testing.T) {
	r := load(t, "phantomx")
	margin := wave(t, r)
	for range margin.Diagram.Bits {
		margin.Margins = append(margin.Margins, 0.03)
	}
	for _, c := range []struct {
		name  string
		p     plot.Picture
		words []string
	}{
		{"contest", contest(t), []string{"three gaits", "static", "its joints are too slow", "cost of transport"}},
		{"twist map", &plot.TwistMap{Title: "twists", Allowed: allowed()}, []string{"twists", "turning left, rad/s", "backward"}},
		{"workspace", &plot.Workspace{Title: "reach", Rig: r, U: 0.05, Reach: 0.054}, []string{"reach", "lm"}},
		{"margin", margin, []string{"margin, mm", "feet down"}},
	} {
		var a, b, img bytes.Buffer
		if err := plot.Write(&a, c.p, "svg"); err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if err := plot.Write(&b, c.p, "svg"); err != nil || !bytes.Equal(a.Bytes(), b.Bytes()) {
			t.Errorf("%s: drawn twice, the bytes differ (%v)", c.name, err)
		}
		for _, w := range c.words {
			if !strings.Contains(a.String(), w) {
				t.Errorf("%s: no %q", c.name, w)
			}
		}
		d := xml.NewDecoder(&a)
		for {
			if _, err := d.Token(); err == io.EOF {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
		}
		if err := plot.Write(&img, c.p, "png"); err != nil {
			t.Fatal(err)
		}
		pic, err := png.Decode(&img)
		if err != nil {
			t.Fatal(err)
		}
		colours := map[[3]uint32]bool{}
		for y := 0; y < pic.Bounds().Dy(); y += 3 {
			for x := 0; x < pic.Bounds().Dx(); x += 3 {
				r, g, b, _ := pic.At(x, y).RGBA()
				colours[[3]uint32{r, g, b}] = true
			}
		}
		if len(colours) < 6 {
			t.Errorf("%s: %d colours", c.name, len(colours))
		}
	}
}

// TestGaitPicturesRefuse: data that cannot be drawn is an error, never a panic.
func TestGaitPicturesRefuse(t *testing.T) {
	crooked := wave(t, load(t, "phantomx"))
	crooked.Margins = []float64{1}
	short := contest(t)
	short.Rows[0].Margins = short.Rows[0].Margins[:5]
	for name, p := range map[string]plot.Picture{
		"no rows": &plot.Contest{}, "no rig": &plot.Workspace{}, "nothing allowed": &plot.TwistMap{}, "too few margins": crooked, "margins of a row": short,
	} {
		if err := plot.Write(io.Discard, p, "svg"); err == nil || !strings.HasPrefix(err.Error(), "plot: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
