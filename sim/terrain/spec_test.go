package terrain

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

func TestKindsComplete(t *testing.T) {
	seen := map[string]bool{}
	for _, k := range Kinds() {
		if k.Name == "" || k.Doc == "" || k.build == nil || seen[k.Name] {
			t.Errorf("line %+v of the table is not complete", k)
		}
		seen[k.Name] = true
		s, _ := Default(k.Name, 0.05)
		if err := s.Validate(); err != nil {
			t.Errorf("the default of %s: %v", k.Name, err)
		}
	}
	if len(seen) != 10 {
		t.Errorf("%d kinds, want 10", len(seen))
	}
}

func TestSpecBytes(t *testing.T) {
	for _, kind := range Names() {
		s, _ := Default(kind, 0.37)
		b, err := s.AppendBinary(nil)
		if err != nil {
			t.Fatal(err)
		}
		var got Spec
		if err := got.UnmarshalBinary(b); err != nil {
			t.Fatal(err)
		}
		again, _ := got.AppendBinary(nil)
		if !bytes.Equal(b, again) || got.Kind != kind || got.Amplitude != s.Amplitude {
			t.Errorf("%s: came back as %+v", kind, got)
		}
		for n := range b {
			if err := got.UnmarshalBinary(b[:n]); err == nil {
				t.Fatalf("%s: %d of %d bytes were accepted", kind, n, len(b))
			}
		}
	}
}

func TestBadSpecs(t *testing.T) {
	rows := []struct {
		name string
		edit func(*Spec)
		says []string
	}{
		{"unknown kind", func(s *Spec) { s.Kind = "moon" }, []string{"moon", "stairs"}},
		{"nan", func(s *Spec) { s.Rise = math.NaN() }, []string{"rise", "NaN"}},
		{"negative run", func(s *Spec) { s.Run = -1 }, []string{"run", "-1"}},
		{"no steps", func(s *Spec) { s.Count = 0 }, []string{"count", "1 to 256"}},
		{"steep", func(s *Spec) { s.Angle = 1.5 }, []string{"angle", "80 degrees"}},
		{"material", func(s *Spec) { s.Material = 200 }, []string{"material", "200"}},
		{"two at once", func(s *Spec) { s.Run, s.Start = 0, math.Inf(1) }, []string{"run", "start"}},
		{"not a picture", func(s *Spec) { s.Kind, s.Height, s.Cell, s.Image = "image", 1, 1, []byte("x") }, []string{"PNG"}},
	}
	for _, r := range rows {
		s, _ := Default("stairs", 1)
		r.edit(&s)
		_, err := New(s)
		if err == nil {
			t.Errorf("%s: accepted", r.name)
			continue
		}
		for _, w := range r.says {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%s: %q does not say %q", r.name, err, w)
			}
		}
	}
}

func TestBlocks(t *testing.T) {
	g := shipped(t, "blocks")
	id, ok := g.BlockAt(0.3, 0.3)
	if !ok || g.Blocks() != 144 {
		t.Fatalf("block %d %v of %d", id, ok, g.Blocks())
	}
	before := g.Version()
	state := g.AppendState(nil)
	if err := g.Remove(id); err != nil {
		t.Fatal(err)
	}
	h, hit := g.Cast(r3.Vec{X: 0.3, Y: 0.3, Z: 1}, r3.Vec{Z: -1}, 10)
	if !hit || h.Point.Z != -4 || g.Version() == before {
		t.Fatalf("after the removal: %v %v, version %d", h, hit, g.Version())
	}
	h, hit = g.Cast(r3.Vec{X: 0.3, Y: 0.3, Z: -1}, r3.Vec{X: 1}, 10)
	if !hit || math.Abs(h.Point.X-0.75) > 1e-12 || h.Normal.X != -1 {
		t.Fatalf("the side of the next block: %v %v", h, hit)
	}
	if g.Remove(id) == nil || g.Remove(-1) == nil || g.Remove(144) == nil {
		t.Fatal("a block that is not there was removed")
	}
	after := g.AppendState(nil)
	if err := g.RestoreState(state); err != nil || g.Version() != before || inside(g, r3.Vec{X: 0.3, Y: 0.3, Z: -1}) == false {
		t.Fatalf("restore: %v", err)
	}
	if err := g.RestoreState(after); err != nil || inside(g, r3.Vec{X: 0.3, Y: 0.3, Z: -1}) {
		t.Fatalf("restore of the removal: %v", err)
	}
	if shipped(t, "flat").RestoreState(after) == nil {
		t.Fatal("the state of another terrain was accepted")
	}
}

func FuzzSpec(f *testing.F) {
	for _, kind := range []string{"flat", "stairs", "image"} {
		s, _ := Default(kind, 1)
		b, _ := s.AppendBinary(nil)
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var s Spec
		if s.UnmarshalBinary(b) != nil {
			return
		}
		g, err := New(s)
		if err != nil {
			return
		}
		g.Cast(r3.Vec{X: 1, Y: 2, Z: 3}, r3.Vec{Z: -1}, 10)
		g.Cast(r3.Vec{X: 1, Y: 2, Z: 3}, r3.Unit(r3.Vec{X: 1, Z: -0.1}), 10)
	})
}
