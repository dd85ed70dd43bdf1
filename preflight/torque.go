package preflight

import (
	"math"

	"legctl/control"
	"legctl/geom"
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r3"
)

// loads is the scratch space of static load sharing.
type loads struct {
	before []float64 // joint angles of the tick before
	force  []float64 // vertical force on each foot, N
	torque []float64 // static torque of each joint, Nm
	cols   []r3.Vec
	frames []rig.Frame
}

func newLoads(r *rig.Rig) loads {
	return loads{
		before: r.RestPose(nil), force: make([]float64, len(r.Legs)), torque: make([]float64, r.Joints()),
		cols: make([]r3.Vec, rig.MaxJoints), frames: make([]rig.Frame, rig.MaxJoints),
	}
}

// worst notes the joint nearest to its torque limit in the stance of s.
func (w *loads) worst(res *Run, s *control.State, r *rig.Rig, at float64) {
	if !w.share(s, r) {
		return
	}
	w.torques(s, r)
	for i := range r.Legs {
		l := &r.Legs[i]
		for j := range l.Joints {
			limit := l.Joints[j].Torque
			if limit == 0 {
				continue
			}
			if use := math.Abs(w.torque[l.First+j]) / limit; use > res.Torque.Value {
				res.Torque = Worst{use, i, j, at}
			}
		}
	}
}

// torques works the static torque of every joint out from the forces on the
// feet: the ground lifts the foot, gravity pulls every link beyond the joint.
func (w *loads) torques(s *control.State, r *rig.Rig) {
	rot := geom.RotOf(s.PoseWB.Q)
	up := rot.ApplyInv(r3.Vec{Z: 1}) // against gravity, B
	for i := range r.Legs {
		l := &r.Legs[i]
		q := r.Slice(s.Q, i)
		rig.Jacobian(w.cols, l, q)
		rig.Frames(w.frames[:len(l.Joints)], l, q)
		for j := range l.Joints {
			t := w.force[i] * r3.Dot(w.cols[j], up)
			axis := w.frames[j].R.Apply(l.Joints[j].Axis)
			for k := j; k < len(l.Joints); k++ {
				link := &l.Joints[k].Link
				at := r3.Add(w.frames[k].P, w.frames[k].R.Apply(link.CoM))
				t -= link.Mass * r.G() * r3.Dot(r3.Cross(axis, r3.Sub(at, w.frames[j].P)), up)
			}
			w.torque[l.First+j] = t
		}
	}
}

// share spreads the weight over the planted feet: the smallest forces that
// carry it and its moments about x and y. A foot that would have to pull is
// left out and the rest shared again.
func (w *loads) share(s *control.State, r *rig.Rig) bool {
	com := s.PoseWB.Apply(s.CoMB)
	weight := r.Mass() * r.G()
	var stands uint64
	for i := range s.Legs {
		w.force[i] = 0
		if s.Legs[i].Planted() {
			stands |= 1 << i
		}
	}
	for stands != 0 {
		if !w.solve(s, stands, com, weight) {
			return false
		}
		worst, at := -1e-9*weight, -1
		for i := range s.Legs {
			if w.force[i] < worst {
				worst, at = w.force[i], i
			}
		}
		if at < 0 {
			return true
		}
		w.force[at] = 0
		stands &^= 1 << at
	}
	return false
}

// solve is the minimum-norm force for a set of feet: f = A' (A A')^-1 b with a
// row for the force and one for each moment about the centre of mass.
func (w *loads) solve(s *control.State, stands uint64, com r3.Vec, weight float64) bool {
	var n, sx, sy, sxx, sxy, syy float64
	for i := range s.Legs {
		if stands>>i&1 == 0 {
			continue
		}
		x, y := s.Legs[i].Foot.X-com.X, s.Legs[i].Foot.Y-com.Y
		n, sx, sy = n+1, sx+x, sy+y
		sxx, sxy, syy = sxx+x*x, sxy+x*y, syy+y*y
	}
	det := n*(sxx*syy-sxy*sxy) - sx*(sx*syy-sxy*sy) + sy*(sx*sxy-sxx*sy)
	if math.Abs(det) < 1e-12 {
		return w.even(s, stands, weight, n)
	}
	a := weight * (sxx*syy - sxy*sxy) / det
	b := weight * (sy*sxy - sx*syy) / det
	c := weight * (sx*sxy - sy*sxx) / det
	for i := range s.Legs {
		if stands>>i&1 != 0 {
			w.force[i] = a + b*(s.Legs[i].Foot.X-com.X) + c*(s.Legs[i].Foot.Y-com.Y)
		}
	}
	return true
}

// even shares the weight alike between feet on one line or point: what a
// dynamic gait averages to.
func (w *loads) even(s *control.State, stands uint64, weight, n float64) bool {
	for i := range s.Legs {
		if stands>>i&1 != 0 {
			w.force[i] = weight / n
		}
	}
	return n > 0
}
