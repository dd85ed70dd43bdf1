package plot

import (
	"fmt"
	"math"

	"legctl/geom"

	"gonum.org/v1/gonum/spatial/r3"
)

// Grid is terrain as sampled heights: Z[j*NX+i] is the height at
// (X + i Cell, Y + j Cell), W, metres. It needs 2 samples or more a side.
type Grid struct {
	X, Y   float64
	Cell   float64
	NX, NY int
	Z      []float64
}

// SampleGround returns the heights of a ground on a square of side metres about
// (x, y), in cells of the given size, as seen from top, a height above all of
// it. Where no ray meets ground within drop metres the height is top - drop.
func SampleGround(g geom.Ground, x, y, side, cell, top, drop float64) (*Grid, error) {
	n := int(side/cell) + 1
	if !(side > 0) || !(cell > 0) || !(drop > 0) || n < 2 || n > maxSide {
		return nil, fmt.Errorf("plot: ground of %v m in cells of %v m, %v m deep: want all more than 0 and 2 to %d cells a side", side, cell, drop, maxSide)
	}
	d := &Grid{X: x - cell*float64(n-1)/2, Y: y - cell*float64(n-1)/2, Cell: cell, NX: n, NY: n, Z: make([]float64, n*n)}
	for k := range d.Z {
		from := r3.Vec{X: d.X + cell*float64(k%n), Y: d.Y + cell*float64(k/n), Z: top}
		d.Z[k] = top - drop
		if hit, ok := g.Cast(from, r3.Vec{Z: -1}, drop); ok {
			d.Z[k] = hit.Point.Z
		}
	}
	return d, nil
}

// maxSide is the largest number of samples a side.
const maxSide = 1024

// check returns what is wrong with g.
func (g *Grid) check() error {
	if g.NX < 2 || g.NY < 2 || g.NX > maxSide || g.NY > maxSide || len(g.Z) != g.NX*g.NY || !(g.Cell > 0) {
		return fmt.Errorf("plot: grid of %d x %d cells of %v m with %d heights, want 2 to %d a side and a height each", g.NX, g.NY, g.Cell, len(g.Z), maxSide)
	}
	for i, z := range g.Z {
		if !finite(z) {
			return fmt.Errorf("plot: grid: height %d is %v, want it finite", i, z)
		}
	}
	return nil
}

// point returns a sample as a point of W.
func (g *Grid) point(i, j int) r3.Vec {
	return r3.Vec{X: g.X + g.Cell*float64(i), Y: g.Y + g.Cell*float64(j), Z: g.Z[j*g.NX+i]}
}

// At returns the height at a point, between samples by two linear steps, beyond
// the rim that of the rim.
func (g *Grid) At(x, y float64) float64 {
	i, u := g.locate((x-g.X)/g.Cell, g.NX)
	j, v := g.locate((y-g.Y)/g.Cell, g.NY)
	z := func(i, j int) float64 { return g.Z[j*g.NX+i] }
	low := z(i, j)*(1-u) + z(i+1, j)*u
	high := z(i, j+1)*(1-u) + z(i+1, j+1)*u
	return low*(1-v) + high*v
}

func (g *Grid) locate(t float64, n int) (int, float64) {
	t = min(max(t, 0), float64(n-1))
	i := min(int(math.Floor(t)), n-2)
	return i, t - float64(i)
}
