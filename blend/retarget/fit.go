package retarget

import (
	"fmt"
	"math"

	"legctl/balance"
	"legctl/geom"
	"legctl/ik"
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/gonum/spatial/r3"
)

// fitting is what a rig makes of a plan.
type fitting struct {
	rig    *rig.Rig
	solver *ik.Solver
	q      [][]float64 // joint angles of every frame
	peak   float64     // largest joint speed over its limit
	margin []float64   // static margin of every frame, metres; -Inf in flight
	fault  string      // why a frame cannot be reached; "" when all can
	planar bool        // legs that move in a plane may slip
	slip   float64     // furthest such a foot is off, metres
}

func newFitting(r *rig.Rig) *fitting {
	return &fitting{rig: r, solver: ik.NewSolver(r, ik.DefaultParams())}
}

// try solves every frame of a plan and notes what is in the way.
func (f *fitting) try(p *plan) bool {
	f.q, f.margin, f.peak, f.fault, f.slip = nil, nil, 0, "", 0
	q := f.rig.RestPose(nil)
	for k := range p.n {
		inv := p.body[k].Inverse()
		for leg := range f.rig.Legs {
			foot := inv.Apply(p.feet[leg][k])
			r := f.solver.Solve(q, leg, ik.Target{Foot: foot})
			if f.planar && f.rig.Legs[leg].Planar && r.Residual < 0.2*f.rig.L() {
				f.slip = max(f.slip, r.Residual)
				continue
			}
			if r.Status != ik.Reached && r.Residual > 1e-4*f.rig.L() {
				f.fault = fmt.Sprintf("leg %s at %.2f of the pass: %v, %.1f mm short", f.rig.Legs[leg].Name, float64(k)/float64(p.n), r.Status, r.Residual*1e3)
				return false
			}
		}
		f.q = append(f.q, append([]float64(nil), q...))
		f.margin = append(f.margin, f.marginAt(p, k, q))
	}
	f.speeds(p)
	return true
}

// marginAt returns the static margin of a frame.
func (f *fitting) marginAt(p *plan, k int, q []float64) float64 {
	feet, down := make([]r3.Vec, len(p.feet)), make([]bool, len(p.feet))
	for i := range p.feet {
		feet[i], down[i] = p.feet[i][k], p.down(i, k)
	}
	com := p.body[k].Apply(rig.CoM(f.rig, q))
	poly := balance.Support(make([]r2.Vec, 0, len(feet)), feet, down)
	return balance.Margin(poly, r2.Vec{X: com.X, Y: com.Y})
}

// down reports whether a foot stands in the frame interval that begins at k.
func (p *plan) down(i, k int) bool {
	for _, r := range p.stance[i] {
		if mod(k-r.touch, p.n) < r.long {
			return true
		}
	}
	return false
}

// speeds finds the largest joint speed, in limits of its joint.
func (f *fitting) speeds(p *plan) {
	dt := p.period / float64(p.n)
	for k := range f.q {
		next := f.q[(k+1)%len(f.q)]
		for i := range f.rig.Legs {
			l := &f.rig.Legs[i]
			for j := range l.Joints {
				d := math.Abs(geom.WrapAngle(next[l.First+j] - f.q[k][l.First+j]))
				f.peak = max(f.peak, d/dt/l.Joints[j].Speed)
			}
		}
	}
}

// staticFloor is the margin a static clip keeps, in L.
const staticFloor = 0.02

// class says how the margins of a pass keep the balance.
func (f *fitting) class() rig.Class {
	least, sum := math.Inf(1), 0.0
	for _, m := range f.margin {
		least, sum = min(least, m), sum+m
	}
	switch {
	case least >= staticFloor*f.rig.L():
		return rig.Static
	case sum >= 0:
		return rig.Dynamic
	}
	return rig.Ballistic
}

// least and mean return the margins of a pass in L.
func (f *fitting) least() float64 {
	least := math.Inf(1)
	for _, m := range f.margin {
		least = min(least, m)
	}
	return least / f.rig.L()
}
