package bench

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"

	"gonum.org/v1/gonum/spatial/r3"
)

// The two bare chains that are timed: a leg of three links and one of ten.
var (
	leg3  = []float64{0.05, 0.12, 0.18}
	ten10 = []float64{.1, .1, .1, .1, .1, .1, .1, .1, .1, .1}
)

// chainCase is a chain and the name its files begin with.
type chainCase struct {
	name    string
	lengths []float64
}

func chainCases() []chainCase { return []chainCase{{"leg3", leg3}, {"ten10", ten10}} }

// workload is a folder with the targets of kernels and twins alike.
type workload struct{ dir string }

const (
	drawnTargets = 2048
	trackTicks   = 1000 // a foot path of one second at 1 kHz
	feetRow      = 25   // the number of feet, then 12 x, y pairs
	feetPairs    = 12
)

// openWorkload returns the targets of folder given, with what it lacks drawn,
// or only drawn ones when given is empty. Drawn files go to scratch; where both
// are needed, the files of given are copied there.
func openWorkload(given, scratch string) (*workload, error) {
	w := &workload{dir: filepath.Join(scratch, "workload")}
	if err := os.MkdirAll(w.dir, 0o750); err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	if err := w.draw(); err != nil {
		return nil, err
	}
	if given == "" {
		return w, nil
	}
	names, err := filepath.Glob(filepath.Join(given, "*.f64"))
	if err != nil || len(names) == 0 {
		return nil, fmt.Errorf("bench: workload %s: no *.f64 files there", given)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("bench: workload: %w", err)
		}
		if err := os.WriteFile(filepath.Join(w.dir, filepath.Base(name)), text, 0o600); err != nil {
			return nil, fmt.Errorf("bench: workload: %w", err)
		}
	}
	return w, nil
}

// numbers returns a file of the workload.
func (w *workload) numbers(name string) ([]float64, error) {
	text, err := os.ReadFile(filepath.Join(w.dir, name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("bench: workload has no %s", name)
	}
	if err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	if len(text)%8 != 0 || len(text) == 0 {
		return nil, fmt.Errorf("bench: %s has %d bytes, want a multiple of 8, at least 8", name, len(text))
	}
	out := make([]float64, len(text)/8)
	for i := range out {
		out[i] = math.Float64frombits(binary.LittleEndian.Uint64(text[8*i:]))
	}
	return out, nil
}

// targets returns a file of x, y, z rows.
func (w *workload) targets(name string) ([]r3.Vec, error) {
	v, err := w.numbers(name)
	if err != nil {
		return nil, err
	}
	if len(v)%3 != 0 {
		return nil, fmt.Errorf("bench: %s has %d numbers, want rows of 3", name, len(v))
	}
	out := make([]r3.Vec, len(v)/3)
	for i := range out {
		out[i] = r3.Vec{X: v[3*i], Y: v[3*i+1], Z: v[3*i+2]}
		if f := out[i]; math.IsNaN(f.X+f.Y+f.Z) || math.IsInf(f.X+f.Y+f.Z, 0) {
			return nil, fmt.Errorf("bench: %s: row %d is %v, want finite numbers", name, i+1, f)
		}
	}
	return out, nil
}

// draw writes every file from seeded draws.
func (w *workload) draw() error {
	rng := rand.New(rand.NewPCG(2, 71))
	for _, c := range chainCases() {
		outer, inner := reach(c.lengths)
		for _, f := range []struct {
			name string
			rows int
			draw func(i int) r3.Vec
		}{
			{"targets", drawnTargets, func(int) r3.Vec { return within(rng, inner, 0.95*outer) }},
			{"far", drawnTargets, func(int) r3.Vec { return r3.Scale(outer*(1.01+rng.Float64()), direction(rng)) }},
			{"near", drawnTargets, func(int) r3.Vec { return r3.Scale(outer*(1-1e-6-1e-4*rng.Float64()), direction(rng)) }},
			{"inner", drawnTargets, func(int) r3.Vec { return r3.Scale(inner*(1+1e-6+1e-4*rng.Float64()), direction(rng)) }},
			{"track", trackTicks, func(i int) r3.Vec { return footPath(outer, i) }},
		} {
			if f.name == "inner" && inner == 0 {
				continue
			}
			flat := make([]float64, 0, 3*f.rows)
			for i := range f.rows {
				p := f.draw(i)
				flat = append(flat, p.X, p.Y, p.Z)
			}
			if err := w.save(c.name+"_"+f.name+".f64", flat); err != nil {
				return err
			}
		}
	}
	if err := w.drawBlend(); err != nil {
		return err
	}
	return w.save("feet.f64", drawFeet(rng))
}

func (w *workload) save(name string, v []float64) error {
	text := make([]byte, 0, 8*len(v))
	for _, x := range v {
		text = binary.LittleEndian.AppendUint64(text, math.Float64bits(x))
	}
	if err := os.WriteFile(filepath.Join(w.dir, name), text, 0o600); err != nil {
		return fmt.Errorf("bench: %w", err)
	}
	return nil
}

// reach returns the outer and the inner radius a chain reaches.
func reach(lengths []float64) (outer, inner float64) {
	longest := 0.0
	for _, l := range lengths {
		outer += l
		longest = math.Max(longest, l)
	}
	return outer, math.Max(0, 2*longest-outer)
}

// direction draws a direction evenly over the sphere.
func direction(rng *rand.Rand) r3.Vec {
	z, a := 2*rng.Float64()-1, 2*math.Pi*rng.Float64()
	s := math.Sqrt(1 - z*z)
	return r3.Vec{X: s * math.Cos(a), Y: s * math.Sin(a), Z: z}
}

// within draws evenly over a shell about the root.
func within(rng *rand.Rand, inner, outer float64) r3.Vec {
	i3, o3 := inner*inner*inner, outer*outer*outer
	return r3.Scale(math.Cbrt(i3+(o3-i3)*rng.Float64()), direction(rng))
}

// footPath is tick i of a step once a second: flat behind, an arch in front.
func footPath(outer float64, i int) r3.Vec {
	a := 2 * math.Pi * float64(i) / trackTicks
	return r3.Vec{X: outer * (0.55 + 0.1*math.Cos(a)), Y: outer * 0.12 * math.Sin(a), Z: -outer * (0.4 - 0.1*math.Max(0, math.Sin(a)))}
}

// drawFeet draws stances of three to eleven feet round a centre of mass.
func drawFeet(rng *rand.Rand) []float64 {
	var out []float64
	for range drawnTargets {
		out = append(out, float64(3+rng.IntN(feetPairs-3)))
		for range 2 * feetPairs {
			out = append(out, rng.Float64()-0.5)
		}
	}
	return out
}
