package plot

import (
	"bytes"
	"math"
	"testing"
)

func TestHeatAndMapAreDrawn(t *testing.T) {
	heat := &Heat{Title: "web", Cost: [][]float64{{0, 1}, {1, 0}}, Lines: []Line{{Name: "curve", X: []float64{0, 2}, Y: []float64{0, 2}}, {Name: "matches", X: []float64{1}, Y: []float64{1}, Dots: true}}}
	fans := &Map{Title: "fans", Lines: []Line{{Name: "0.5", X: []float64{0, 1, 2}, Y: []float64{0, 1, 0}, Dashed: true}}}
	for _, p := range []Picture{heat, fans, &Map{Lines: fans.Lines, Free: true}} {
		for _, f := range Formats() {
			var a, b bytes.Buffer
			if err := Write(&a, p, f); err != nil {
				t.Fatal(err)
			}
			if err := Write(&b, p, f); err != nil || !bytes.Equal(a.Bytes(), b.Bytes()) || a.Len() < 500 {
				t.Errorf("%T as %s: %d and %d bytes, %v, want the same and not nothing", p, f, a.Len(), b.Len(), err)
			}
		}
	}
	for _, p := range []Picture{&Heat{}, &Heat{Cost: [][]float64{{1}, {1, 2}}}, &Heat{Cost: [][]float64{{math.NaN()}}}, &Map{}} {
		if Write(&bytes.Buffer{}, p, "svg") == nil {
			t.Errorf("%+v was drawn", p)
		}
	}
}
