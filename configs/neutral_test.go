package configs

import (
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"

	"legctl/ik"
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r3"
)

// bare returns a shipped rig file without its neutral feet and perhaps without
// its height.
func bare(t *testing.T, name string, height bool) []byte {
	t.Helper()
	data, err := files.ReadFile("rigs/" + name + ".yaml")
	if err != nil {
		t.Fatal(err)
	}
	data = regexp.MustCompile(`, neutral_m: (\[[^\]]*\]|[\d.]+)`).ReplaceAll(data, nil)
	if !height {
		data = regexp.MustCompile(`height_m: [\d.]+\n`).ReplaceAll(data, nil)
	}
	return data
}

// TestAssumedFeet: a file without feet gets them where the comfort radius is
// no smaller than at the feet it ships with, says so, and all equal legs agree.
func TestAssumedFeet(t *testing.T) {
	for _, name := range []string{"phantomx", "a1", "starfish"} {
		shipped, err := LoadRig(name)
		if err != nil {
			t.Fatal(err)
		}
		r, err := ParseRig(name, bare(t, name, true))
		if err != nil {
			t.Fatal(err)
		}
		if got, least := smallest(r), smallest(shipped); got < 0.97*least {
			t.Errorf("%s: comfort radius %.4g at the assumed feet, %.4g at the shipped ones", name, got, least)
		}
		if !strings.Contains(strings.Join(r.Assumed, "\n"), "where the comfort radius is largest") {
			t.Errorf("%s: assumed feet are not said: %q", name, r.Assumed)
		}
		if name == "starfish" {
			sameDistance(t, r)
		}
	}
}

func smallest(r *rig.Rig) float64 {
	s := ik.NewSolver(r, ik.DefaultParams())
	least := math.Inf(1)
	for i := range r.Legs {
		least = math.Min(least, ik.Comfort(s, i, r.Legs[i].Neutral))
	}
	return least
}

func sameDistance(t *testing.T, r *rig.Rig) {
	t.Helper()
	first := r3.Norm(r.Legs[0].Neutral)
	for i := range r.Legs {
		if d := r3.Norm(r.Legs[i].Neutral); math.Abs(d-first) > 1e-9 {
			t.Errorf("foot of %s at %g m, the first one's at %g", r.Legs[i].Name, d, first)
		}
	}
}

// TestAssumedHeight leaves room under the belly.
func TestAssumedHeight(t *testing.T) {
	for _, name := range []string{"bittle", "phantomx"} {
		r, err := ParseRig(name, bare(t, name, false))
		if err != nil {
			t.Fatal(err)
		}
		if room := r.Height - r.Body.Box.Z + r.Body.Mid.Z; room < 0.15*r.L()-1e-12 {
			t.Errorf("%s: %.3g m under the belly at height %.3g", name, room, r.Height)
		}
	}
}

// TestBendIsFound: a leg without rest angles stands with its knees up.
func TestBendIsFound(t *testing.T) {
	text := regexp.MustCompile(`, rest_deg: -?\d+|    rest_deg: 120\n`).ReplaceAllString(good, "")
	r, err := ParseRig("bend.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if femur := r.Legs[0].Joints[1].Rest; femur > 0 {
		t.Errorf("femur at %g rad points down, want up", femur)
	}
}

// TestSegmentCounts: a template leg may have 2 to 11 segments and always
// stands exactly; its colours are given a segment each.
func TestSegmentCounts(t *testing.T) {
	for n := 2; n <= 11; n++ {
		r, err := ParseRig("s.yaml", fmt.Appendf(nil, `rig: s
height_m: 0.5
legs:
  - {name: l, mirror: r, mount_m: [0, 0.1, 0], neutral_m: [0, 1], segments: {count: %d, length_m: %g, colours: ["#010203", "#ff0000"]}}
`, n, 1.4/float64(n)))
		if err != nil {
			t.Errorf("%d segments: %v", n, err)
			continue
		}
		if got := len(r.Legs[0].Joints); got != n+1 {
			t.Errorf("%d segments make %d joints, want %d", n, got, n+1)
		}
		if a, b := r.Legs[0].Joints[1].Link.Tint, r.Legs[0].Joints[n].Link.Tint; a.G != 2 || b.R != 255 {
			t.Errorf("colours %v and %v", a, b)
		}
	}
}
