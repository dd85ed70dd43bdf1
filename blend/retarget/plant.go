package retarget

import (
	"math"

	"legctl/blend"
	"legctl/blend/space"
	"legctl/geom"

	"gonum.org/v1/gonum/spatial/r3"
)

// plan is one pass on a rig: where everything would go, and once planted where
// it goes. Samples are at whole frames, n of them, and come round.
type plan struct {
	n      int
	period float64
	inc    blend.RootMotion // of the root, in each frame
	body   []geom.Pose      // in the root's frame
	wish   [][]r3.Vec       // feet as the clip has them, scaled, in the root's frame
	feet   [][]r3.Vec       // feet as planted
	stance [][]run
	moved  float64 // furthest a planted foot is off the clip, metres
}

// run is a stance in whole frames: from frame touch for long frames.
type run struct{ touch, long int }

// runs brings stances to whole frames.
func runs(of [][]space.Stance, n int) [][]run {
	out := make([][]run, len(of))
	for i, s := range of {
		for _, x := range s {
			long := int(math.Round(x.Duty * float64(n)))
			if len(s) > 1 || long < n {
				long = min(max(long, 2), n-2)
			}
			out[i] = append(out[i], run{touch: int(math.Round(x.Touch*float64(n))) % n, long: long})
		}
	}
	return out
}

// place returns where the root is at a frame, of any sign.
func (p *plan) place(k int) blend.Place { return blend.Place{}.After(p.inc.Times(k)) }

// inRoot returns a point of the world as seen from the root at a frame.
func (p *plan) inRoot(k int, w r3.Vec) r3.Vec { return p.place(k).Pose().Inverse().Apply(w) }

// plant pins every stance foot where it is on the mean, so that it does not
// slide at all, and leads each swing from one pin to the next by its own path
// and a ramp.
func (p *plan) plant() {
	p.feet = make([][]r3.Vec, len(p.wish))
	p.moved = 0
	for i := range p.wish {
		p.feet[i] = make([]r3.Vec, p.n)
		copy(p.feet[i], p.wish[i])
		pins := make([]r3.Vec, len(p.stance[i]))
		for s, r := range p.stance[i] {
			pins[s] = p.pin(i, r)
			p.hold(i, r, pins[s])
		}
		for s, r := range p.stance[i] {
			p.swing(i, s, r, pins)
		}
	}
}

// pin returns the mean place of a stance, on the ground of the world.
func (p *plan) pin(i int, r run) r3.Vec {
	var sum r3.Vec
	for k := r.touch; k <= r.touch+r.long; k++ {
		sum = r3.Add(sum, p.place(k).Pose().Apply(at(p.wish[i], k)))
	}
	sum = r3.Scale(1/float64(r.long+1), sum)
	sum.Z = 0
	return sum
}

// hold keeps a foot at its pin, both ends of the stance included.
func (p *plan) hold(i int, r run, pin r3.Vec) {
	for k := r.touch; k <= r.touch+r.long; k++ {
		if k == r.touch+p.n { // stands all the time
			break
		}
		v := p.inRoot(k, pin)
		d := r3.Sub(v, at(p.wish[i], k))
		p.moved = max(p.moved, math.Sqrt(d.X*d.X+d.Y*d.Y))
		p.feet[i][mod(k, p.n)] = v
	}
}

// swing leads a foot from the end of stance s to the next.
func (p *plan) swing(i, s int, r run, pins []r3.Vec) {
	next := (s + 1) % len(pins)
	from, to := r.touch+r.long, p.stance[i][next].touch
	for to < from {
		to += p.n
	}
	// The next pin is given for its own pass.
	land := p.stance[i][next].touch
	pinned := p.inRoot(land, pins[next])
	off0 := r3.Sub(p.inRoot(from, pins[s]), at(p.wish[i], from))
	off1 := r3.Sub(pinned, at(p.wish[i], land))
	for k := from + 1; k < to; k++ {
		u := float64(k-from) / float64(to-from)
		v := r3.Add(at(p.wish[i], k), lerp(off0, off1, Ramp(u)))
		v.Z = max(at(p.wish[i], k).Z, 0) * edge(u)
		p.feet[i][mod(k, p.n)] = v
	}
}

func mod(k, n int) int { return ((k % n) + n) % n }

// Ramp goes from 0 to 1 with speed and acceleration 0 at both ends: the quintic
// of least jerk, u^3 (10 - 15 u + 6 u^2).
func Ramp(u float64) float64 { return u * u * u * (10 + u*(-15+6*u)) }

// edgeShare is the part of a swing in which its height is eased in and out.
const edgeShare = 0.1

func edge(u float64) float64 {
	x := min(min(u, 1-u)/edgeShare, 1)
	return x * x * (3 - 2*x)
}
