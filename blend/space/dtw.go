package space

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// dtwFrames are the frames a loop is registered with by the cost of its poses.
const dtwFrames = 64

// contactWeight is what a foot that stands in one clip and not in the other
// costs, against a foot's own range of motion.
const contactWeight = 2

// RegisterPoses registers a loop with a reference by the likeness of their
// poses, for clips whose key times cannot be used: every foot about its own
// mean, in its own range, a mismatch of contacts costing extra, over the best
// start. Mirrored clips fool likeness by half a pass, so the start is held to
// within a tenth of where foot pin touches down in both; pin < 0 leaves it
// free. limit bounds the steps in which one stands still: 2, or 3 for gaits
// far apart. The report names the cells of the path.
func RegisterPoses(ref, l *Loop, pin, limit int) (Warp, Path, error) {
	if err := sameFeet(ref, l); err != nil {
		return Warp{}, Path{}, err
	}
	if pin >= ref.Feet() {
		return Warp{}, Path{}, fmt.Errorf("space: pinned foot %d of %d", pin, ref.Feet())
	}
	n := dtwFrames * ref.Cycles
	a, b := features(ref, n), features(l, n)
	centre, reach := 0.0, 0.5
	if pin >= 0 {
		centre, reach = wrap01(l.Stances[pin][0].Touch-ref.Stances[pin][0].Touch), 0.1/float64(ref.Cycles)
	}
	span := int(reach * float64(n))
	mid := int(math.Round(centre * float64(n)))
	var best Path
	at, found := 0, false
	for d := -span; d < max(span, 1); d += 2 {
		cost := costs(a, b, mid+d)
		p, ok, err := Register(cost, limit)
		if err != nil {
			return Warp{}, Path{}, err
		}
		if ok && (!found || p.Total/float64(len(p.Cells)) < best.Total/float64(len(best.Cells))) {
			best, at, found = p, mid+d, true
		}
	}
	if !found {
		return Warp{}, Path{}, fmt.Errorf("space: %q and %q do not register: no curve within slopes of 1/%d to %d", ref.Name, l.Name, limit+1, limit+1)
	}
	curve := Curve(best)
	w := Warp{}
	for i, y := range curve {
		w.X, w.Y = append(w.X, float64(i)/float64(n)), append(w.Y, (float64(at)+y)/float64(n))
	}
	return w, best, w.Check()
}

// features returns n+1 frames of a loop, the last of them the first again.
func features(l *Loop, n int) [][]float64 {
	feet := l.Feet()
	mean, spread := make([]r3.Vec, feet), make([]float64, feet)
	for f := range feet {
		for k := range l.Intervals() {
			mean[f] = r3.Add(mean[f], r3.Scale(1/float64(l.Intervals()), l.Frames[k].Feet[f]))
		}
		for k := range l.Intervals() {
			spread[f] = max(spread[f], r3.Norm(r3.Sub(l.Frames[k].Feet[f], mean[f])))
		}
	}
	out := make([][]float64, n+1)
	for i := range out {
		phase := float64(i) / float64(n)
		for f := range feet {
			p := r3.Sub(l.footAt(f, phase), mean[f])
			if spread[f] > 0 {
				p = r3.Scale(1/spread[f], p)
			}
			down := 0.0
			if l.Down(f, phase) {
				down = 1
			}
			out[i] = append(out[i], p.X, p.Y, p.Z, down)
		}
	}
	return out
}

// footAt returns a foot at a phase, between frames along straight lines.
func (l *Loop) footAt(f int, phase float64) r3.Vec {
	n := l.Intervals()
	x := wrap01(phase) * float64(n)
	k := min(int(x), n-1)
	a, b := l.Frames[k].Feet[f], l.Frames[k+1].Feet[f]
	return r3.Add(a, r3.Scale(x-float64(k), r3.Sub(b, a)))
}

// costs returns the table of distances with the second clip begun shift frames
// later.
func costs(a, b [][]float64, shift int) [][]float64 {
	n, m := len(a), len(b)-1
	out := make([][]float64, n)
	for i := range a {
		out[i] = make([]float64, m+1)
		for j := range out[i] {
			g := b[(((j+shift)%m)+m)%m]
			sum := 0.0
			for k, x := range a[i] {
				d := x - g[k]
				if k%4 == 3 {
					d *= contactWeight
				}
				sum += d * d
			}
			out[i][j] = sum
		}
	}
	return out
}
