package balance_test

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"legctl/balance"
	"legctl/gait"

	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/gonum/spatial/r3"
)

// A row of feet.f64: the number of feet, 12 x, y pairs, the last one the CoM.
const (
	rowSize   = 25
	rowsDrawn = 1024
)

// stand is one row as the tick has it.
type stand struct {
	feet   []r3.Vec
	stance []bool
	com    r2.Vec
}

// stands reads LEGCTL_WORKLOAD/feet.f64, the file of the C twin, or draws rows.
func stands(b *testing.B) []stand {
	b.Helper()
	var rows []float64
	if dir := os.Getenv("LEGCTL_WORKLOAD"); dir != "" {
		raw, err := os.ReadFile(filepath.Join(dir, "feet.f64"))
		if err != nil {
			b.Fatal(err)
		}
		for ; len(raw) >= 8; raw = raw[8:] {
			rows = append(rows, math.Float64frombits(binary.LittleEndian.Uint64(raw)))
		}
	} else {
		rows = drawRows()
	}
	if n := len(rows); n > 0 && rows[0] > 11 && rows[0]*(rowSize-1)+1 == float64(n) {
		rows = withCounts(rows[1:])
	}
	if len(rows)%rowSize != 0 {
		b.Fatalf("feet.f64 has %d numbers, want rows of %d", len(rows), rowSize)
	}
	var all []stand
	for ; len(rows) > 0; rows = rows[rowSize:] {
		s := stand{com: r2.Vec{X: rows[rowSize-2], Y: rows[rowSize-1]}}
		for i := range min(int(rows[0]), 11) {
			s.feet = append(s.feet, r3.Vec{X: rows[1+2*i], Y: rows[2+2*i], Z: -.1})
			s.stance = append(s.stance, true)
		}
		all = append(all, s)
	}
	return all
}

// withCounts puts the number of feet before rows that come without, as the C
// twin does.
func withCounts(pairs []float64) []float64 {
	var rows []float64
	for ; len(pairs) > 0; pairs = pairs[rowSize-1:] {
		rows = append(append(rows, 11), pairs[:rowSize-1]...)
	}
	return rows
}

func drawRows() []float64 {
	rng := rand.New(rand.NewPCG(2, 2026))
	var rows []float64
	for range rowsDrawn {
		rows = append(rows, float64(3+rng.IntN(9)))
		for range rowSize - 1 {
			rows = append(rows, rng.Float64()-.5)
		}
	}
	return rows
}

func BenchmarkPolygonMargin(b *testing.B) {
	all := stands(b)
	h := make([]r2.Vec, 0, 16)
	sum := 0.0
	b.ReportAllocs()
	k := 0
	for b.Loop() {
		s := &all[k]
		if k++; k == len(all) {
			k = 0
		}
		h = balance.Support(h, s.feet, s.stance)
		sum += balance.Margin(h, s.com)
	}
	if math.IsNaN(sum) {
		b.Error("a margin is not a number")
	}
}

func BenchmarkEnergy(b *testing.B) {
	all := stands(b)
	b.ReportAllocs()
	k := 0
	for b.Loop() {
		s := &all[k]
		if k++; k == len(all) {
			k = 0
		}
		balance.Energy(s.feet, r3.Vec{X: s.com.X, Y: s.com.Y, Z: .2})
	}
}

// BenchmarkHexapodTripod is what a tick asks: three feet of six.
func BenchmarkHexapodTripod(b *testing.B) {
	r := rigAt(false, pairs(.130, .075, 0, .150, -.130, .075)...)
	g, err := gait.Tripod(r)
	if err != nil {
		b.Fatal(err)
	}
	feet, stance := make([]r3.Vec, 6), make([]bool, 6)
	for i := range feet {
		feet[i] = r.Legs[i].Neutral
		stance[i], _ = g.At(.3, i)
	}
	h := make([]r2.Vec, 0, 6)
	b.ReportAllocs()
	for b.Loop() {
		h = balance.Support(h, feet, stance)
		balance.Margin(h, r2.Vec{X: .01})
	}
}
