package bench

import (
	"fmt"

	"legctl/balance"

	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/gonum/spatial/r3"
)

// stand is one row of feet.f64 as a tick has it: feet in G and the CoM.
type stand struct {
	feet   []r3.Vec
	stance []bool
	com    r2.Vec
}

// stands reads feet.f64: rows of a count and 12 pairs, or one count of rows at
// its head and rows of 12 pairs, of which eleven are feet.
func (w *workload) stands() ([]stand, error) {
	v, err := w.numbers("feet.f64")
	if err != nil {
		return nil, err
	}
	const pairs = 2 * feetPairs
	headed := v[0] > feetPairs-1 && v[0]*pairs+1 == float64(len(v))
	if headed {
		v = v[1:]
	}
	row := feetRow
	if headed {
		row = pairs
	}
	if len(v)%row != 0 {
		return nil, fmt.Errorf("bench: feet.f64 has %d numbers, want rows of %d", len(v), row)
	}
	var out []stand
	for ; len(v) > 0; v = v[row:] {
		n, xy := feetPairs-1, v[row-pairs:row]
		if !headed {
			n = int(min(max(v[0], 0), feetPairs-1))
		}
		s := stand{com: r2.Vec{X: xy[pairs-2], Y: xy[pairs-1]}}
		for i := range n {
			s.feet = append(s.feet, r3.Vec{X: xy[2*i], Y: xy[2*i+1]})
			s.stance = append(s.stance, true)
		}
		out = append(out, s)
	}
	return out, nil
}

// supportKernels time the polygon with its margin, and the energy margin.
func supportKernels(w *workload) ([]kernel, error) {
	all, err := w.stands()
	if err != nil {
		return nil, err
	}
	hull := make([]r2.Vec, 0, feetPairs)
	return []kernel{
		{area: "balance", name: "polygon", ops: len(all), run: func() float64 {
			sum := 0.0
			for i := range all {
				s := &all[i]
				hull = balance.Support(hull, s.feet, s.stance)
				sum += balance.Margin(hull, s.com)
			}
			return sum
		}},
		{area: "balance", name: "nesm", ops: len(all), run: func() float64 {
			sum := 0.0
			for i := range all {
				s := &all[i]
				sum += balance.Energy(s.feet, r3.Vec{X: s.com.X, Y: s.com.Y, Z: 0.2})
			}
			return sum
		}},
	}, nil
}
