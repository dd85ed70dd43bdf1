package bench

import (
	"fmt"
	"math/rand/v2"

	"legctl/blend"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r2"
)

// What the bands and sums are timed on; the twin has the same numbers.
const (
	bandPoints  = 32
	bandQueries = 256
	mixPoses    = 4
	mixJoints   = 67
)

// drawBlend writes the points, queries and poses. It draws from a stream of its
// own, so that the targets of other kernels stay what they were.
func (w *workload) drawBlend() error {
	rng := rand.New(rand.NewPCG(4, 71))
	spread := func(n int, size float64) []float64 {
		v := make([]float64, n)
		for i := range v {
			v[i] = size * (2*rng.Float64() - 1)
		}
		return v
	}
	if err := w.save("band_points.f64", spread(2*bandPoints, 2)); err != nil {
		return err
	}
	if err := w.save("band_queries.f64", spread(2*bandQueries, 2.5)); err != nil {
		return err
	}
	var poses []float64
	for range mixPoses * mixJoints {
		q := quat.Number{Real: rng.NormFloat64(), Imag: rng.NormFloat64(), Jmag: rng.NormFloat64(), Kmag: rng.NormFloat64()}
		q = quat.Scale(1/quat.Abs(q), q)
		poses = append(poses, q.Real, q.Imag, q.Jmag, q.Kmag)
	}
	return w.save("mix_poses.f64", poses)
}

// pairs returns a file of x, y rows: exactly n, or any number when n is 0.
func (w *workload) pairs(name string, n int) ([]r2.Vec, error) {
	v, err := w.numbers(name)
	if err != nil {
		return nil, err
	}
	if len(v)%2 != 0 || n > 0 && len(v) != 2*n {
		return nil, fmt.Errorf("bench: %s has %d numbers, want rows of 2 (%d of them, if that is not 0)", name, len(v), n)
	}
	out := make([]r2.Vec, len(v)/2)
	for i := range out {
		out[i] = r2.Vec{X: v[2*i], Y: v[2*i+1]}
	}
	return out, nil
}

// blendKernels time gradient bands, their rebuilding, and a blend of poses.
func blendKernels(w *workload) ([]kernel, error) {
	points, err := w.pairs("band_points.f64", bandPoints)
	if err != nil {
		return nil, err
	}
	queries, err := w.pairs("band_queries.f64", 0)
	if err != nil {
		return nil, err
	}
	var out []kernel
	for _, c := range []struct {
		name string
		n    int
		mode blend.Mode
	}{{"band8", 8, blend.Cartesian}, {"band16", 16, blend.Cartesian}, {"band32", 32, blend.Cartesian}, {"polar16", 16, blend.Polar}} {
		b, err := blend.NewBand(points[:c.n], blend.BandOptions{Mode: c.mode})
		if err != nil {
			return nil, fmt.Errorf("bench: band_points.f64: %w", err)
		}
		weights := make([]float64, c.n)
		out = append(out, kernel{area: "blend", name: c.name, ops: len(queries), run: func() float64 {
			return weigh(b, weights, queries)
		}})
	}
	for _, c := range []struct {
		name string
		mode blend.Mode
	}{{"band32/rebuild", blend.Cartesian}, {"polar32/rebuild", blend.Polar}} {
		b, err := blend.NewBand(points, blend.BandOptions{Mode: c.mode})
		if err != nil {
			return nil, fmt.Errorf("bench: band_points.f64: %w", err)
		}
		out = append(out, kernel{area: "blend", name: c.name, ops: 1, run: func() float64 {
			if b.Set(points) != nil {
				return 0
			}
			return b.Point(0).X
		}})
	}
	mix, err := w.mixKernel()
	return append(out, mix), err
}

func weigh(b *blend.Band, weights []float64, queries []r2.Vec) float64 {
	sum := 0.0
	for _, at := range queries {
		if b.Weights(weights, at) == nil {
			sum += weights[0]
		}
	}
	return sum
}

// mixKernel blends poses of ball joints.
func (w *workload) mixKernel() (kernel, error) {
	v, err := w.numbers("mix_poses.f64")
	if err != nil {
		return kernel{}, err
	}
	if want := 4 * mixPoses * mixJoints; len(v) != want {
		return kernel{}, fmt.Errorf("bench: mix_poses.f64 has %d numbers, want %d", len(v), want)
	}
	poses := blend.NewPoses(blend.Shape{Joints: mixJoints}, mixPoses+1)
	for i := range mixPoses {
		for j := range mixJoints {
			poses[i].Joints[j] = quat.Number{Real: v[0], Imag: v[1], Jmag: v[2], Kmag: v[3]}
			v = v[4:]
		}
	}
	weights, dst := []float64{.1, .4, .3, .2}, &poses[mixPoses]
	return kernel{area: "blend", name: "mix67x4", ops: 1, run: func() float64 {
		if blend.Mix(dst, poses[:mixPoses], weights) != nil {
			return 0
		}
		return dst.Joints[0].Real
	}}, nil
}
