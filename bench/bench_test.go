package bench

import (
	"bytes"
	"encoding/json"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// BenchmarkKernels runs every kernel under go test's own clock:
//
//	go test -bench Kernels/ik/leg3 ./bench
func BenchmarkKernels(b *testing.B) {
	w, err := openWorkload("", b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	all, err := kernelsOf(w, regexp.MustCompile(""))
	if err != nil {
		b.Fatal(err)
	}
	for _, k := range all {
		if k.exact {
			continue
		}
		b.Run(k.key(), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				keep(k.run())
			}
			b.ReportMetric(float64(b.Elapsed())/float64(b.N*k.ops), "ns/each")
		})
	}
}

// result runs the benchmark and returns its lines by key.
func result(t *testing.T, o Options) map[string]Line {
	t.Helper()
	var text, log bytes.Buffer
	o.Log = &log
	if err := Run(&text, o); err != nil {
		t.Fatal(err)
	}
	out := map[string]Line{}
	for d := json.NewDecoder(&text); d.More(); {
		var l Line
		if err := d.Decode(&l); err != nil {
			t.Fatal(err)
		}
		if !(l.Min <= l.Median) && l.Area != "ratio" || l.Unit == "" {
			t.Errorf("line %+v: want min <= median and a unit", l)
		}
		out[l.key()] = l
	}
	return out
}

// TestEveryRatioIsMeasured runs everything and wants every comparison and no
// missed target. What the ratios are is for "make bench" on a quiet machine.
func TestEveryRatioIsMeasured(t *testing.T) {
	if testing.Short() {
		t.Skip("times every kernel: seconds")
	}
	lines := result(t, Options{})
	if _, err := compiler(); err != nil {
		t.Skip(err)
	}
	for _, r := range ratios {
		l, ok := lines["ratio/"+r.name]
		if !ok || !(l.Median > 0) || math.IsInf(l.Median, 0) {
			t.Errorf("ratio %s: got %+v", r.name, l)
		}
	}
	for _, k := range []string{"ik/leg3/missed", "ik/ten10/missed"} {
		if l, ok := lines[k]; !ok || l.Median != 0 {
			t.Errorf("%s: got %+v, want a count of 0", k, l)
		}
	}
	for _, k := range []string{"ratio/tick/rule", "balance/nesm", "gait/scan/fallback", "preflight/allowed/hexapod"} {
		if _, ok := lines[k]; !ok {
			t.Errorf("no line %s", k)
		}
	}
}

func TestWorkloadFromFiles(t *testing.T) {
	drawn, err := openWorkload("", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	// Half the rows: what is given must be used, what is not is drawn.
	given := &workload{dir: t.TempDir()}
	v, err := drawn.numbers("leg3_targets.f64")
	if err != nil {
		t.Fatal(err)
	}
	if err := given.save("leg3_targets.f64", v[:len(v)/2]); err != nil {
		t.Fatal(err)
	}
	w, err := openWorkload(given.dir, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	half, err := w.targets("leg3_targets.f64")
	if err != nil || len(half) != drawnTargets/2 {
		t.Errorf("got %d targets, %v, want %d", len(half), err, drawnTargets/2)
	}
	if far, err := w.targets("leg3_far.f64"); err != nil || len(far) != drawnTargets {
		t.Errorf("got %d far targets, %v, want %d", len(far), err, drawnTargets)
	}
}

func TestDrawsAreSeeded(t *testing.T) {
	a, err := openWorkload("", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	b, err := openWorkload("", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	names, err := filepath.Glob(filepath.Join(a.dir, "*.f64"))
	if err != nil || len(names) != 13 {
		t.Fatalf("got %d files, %v, want 13", len(names), err)
	}
	for _, name := range names {
		x, errX := a.numbers(filepath.Base(name))
		y, errY := b.numbers(filepath.Base(name))
		if errX != nil || errY != nil || !slices.Equal(x, y) {
			t.Errorf("%s: two draws differ (%v, %v)", filepath.Base(name), errX, errY)
		}
	}
}

func TestBadWorkloads(t *testing.T) {
	for _, c := range []struct {
		name, file string
		v          []float64
		want       string
	}{
		{"not rows of three", "leg3_targets.f64", []float64{1, 2, 3, 4}, "rows of 3"},
		{"not a number", "leg3_targets.f64", []float64{1, math.NaN(), 3}, "finite"},
		{"endless", "leg3_far.f64", []float64{1, math.Inf(1), 3}, "finite"},
		{"feet cut short", "feet.f64", []float64{3, 1, 1}, "rows of 25"},
		{"too few points", "band_points.f64", []float64{3, 1}, "rows of 2"},
		{"half a query", "band_queries.f64", []float64{3}, "rows of 2"},
		{"too few joints", "mix_poses.f64", []float64{1, 0, 0, 0}, "want 1072"},
	} {
		t.Run(c.name, func(t *testing.T) {
			given := &workload{dir: t.TempDir()}
			if err := given.save(c.file, c.v); err != nil {
				t.Fatal(err)
			}
			err := Run(&bytes.Buffer{}, Options{Workload: given.dir, NoTwins: true})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want something about %q", err, c.want)
			}
		})
	}
	if err := Run(&bytes.Buffer{}, Options{Workload: t.TempDir()}); err == nil {
		t.Error("an empty folder is taken for a workload")
	}
}

func TestFeetWithOneCount(t *testing.T) {
	w := &workload{dir: t.TempDir()}
	v := []float64{12}
	for i := range 12 * 24 {
		v = append(v, float64(i))
	}
	if err := w.save("feet.f64", v); err != nil {
		t.Fatal(err)
	}
	s, err := w.stands()
	if err != nil || len(s) != 12 || len(s[0].feet) != 11 || s[1].com.Y != 47 {
		t.Fatalf("got %d stands, %v", len(s), err)
	}
}

func TestMedian(t *testing.T) {
	for _, c := range []struct {
		in   []float64
		want float64
	}{{[]float64{3, 1, 2}, 2}, {[]float64{4, 1, 2, 3}, 2.5}, {[]float64{7}, 7}} {
		if got := median(c.in); got != c.want {
			t.Errorf("median(%v) = %v, want %v", c.in, got, c.want)
		}
	}
}
