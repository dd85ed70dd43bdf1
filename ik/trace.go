package ik

import (
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r3"
)

// Pass names the part of a solve a Move belongs to.
type Pass uint8

// The passes of a solve.
const (
	PassBackward Pass = iota // from the target inward
	PassForward              // from the root outward
	PassExact                // the forward pass that cannot miss
	PassStretch              // straight or folded: the target is beyond reach
	PassFinish               // legs: the step onto the final pose
)

// String returns the name of the pass.
func (p Pass) String() string {
	names := [...]string{"backward", "forward", "exact", "stretch", "finish"}
	if int(p) < len(names) {
		return names[p]
	}
	return "unknown"
}

// Move is one point of a chain put somewhere else, in the frame of the solve,
// metres.
type Move struct {
	Sweep    int // from 0
	Pass     Pass
	Joint    int // which point; the root is 0
	From, To r3.Vec
	Residual float64 // distance of the last point from the target after the move
}

// Trace solves a bare chain like Fabrik and hands show every single move in
// order. joints ends as Fabrik would leave it, except that a warm start is
// swept too, since Newton steps move all points at once and show nothing.
// Trace allocates; it is for drawing and teaching.
func Trace(joints []r3.Vec, lengths []float64, target r3.Vec, o Options, show func(Move)) Result {
	end := append([]r3.Vec(nil), joints...)
	res := Fabrik(end, lengths, target, o)
	if res.Status == Invalid {
		return res
	}
	t := tracer{points: joints, target: target, show: show}
	n := len(lengths)
	hi, lo := make([]float64, n), make([]float64, n)
	suffixes(lengths, hi, lo)
	if d := norm(r3.Sub(target, joints[0])); d > hi[0] || d < lo[0] {
		t.outward(end, PassStretch)
		return res
	}
	if o.MaxSweeps == 0 {
		o.MaxSweeps = defaultSweeps
	}
	next := end[:copy(end, joints)]
	for ; t.sweep < o.MaxSweeps; t.sweep++ {
		backward(next, lengths, target)
		t.inward(next, PassBackward)
		forward(next, lengths)
		t.outward(next, PassForward)
	}
	backward(next, lengths, target)
	t.inward(next, PassBackward)
	exact(next, lengths, hi, lo, target)
	t.outward(next, PassExact)
	return Result{Iterations: t.sweep + 1}
}

// tracer tells apart the moves of a pass: every pass moves each point at most
// once and in a known order.
type tracer struct {
	points []r3.Vec
	target r3.Vec
	sweep  int
	show   func(Move)
}

func (t *tracer) move(i int, to r3.Vec, pass Pass) {
	from := t.points[i]
	if from == to {
		return
	}
	t.points[i] = to
	gap := norm(r3.Sub(t.target, t.points[len(t.points)-1]))
	t.show(Move{Sweep: t.sweep, Pass: pass, Joint: i, From: from, To: to, Residual: gap})
}

func (t *tracer) inward(next []r3.Vec, pass Pass) {
	for i := len(next) - 1; i >= 0; i-- {
		t.move(i, next[i], pass)
	}
}

func (t *tracer) outward(next []r3.Vec, pass Pass) {
	for i := range next {
		t.move(i, next[i], pass)
	}
}

// Trace solves a leg like Solve and hands show every move of its joint centres
// (point 0 is the first joint, the last the foot; B, metres) through the FABRIK
// sweeps, and then the finishing move of each point. q and the result are those
// of Solve. It allocates.
func (s *Solver) Trace(q []float64, leg int, target Target, show func(Move)) Result {
	if uint(leg) >= uint(len(s.legs)) || len(q) < s.legs[leg].first+s.legs[leg].n {
		return Result{Status: Invalid}
	}
	m, w := &s.legs[leg], &s.work
	angles := q[m.first : m.first+m.n]
	before := append([]float64(nil), angles...)
	res := s.Solve(q, leg, target)
	if res.Status == Invalid {
		return res
	}
	m.variablesOf(&w.cur.z, before)
	m.pose(w.cur)
	points := append([]r3.Vec(nil), w.cur.p[:m.n+1]...)
	t := tracer{points: points, target: target.Foot, show: show}
	for ; t.sweep < s.params.MaxSweeps; t.sweep++ {
		if w.sweeps(m, &m.branch, target.Foot, 0.05*m.length, 0); norm(r3.Sub(target.Foot, w.cur.p[m.n])) <= 0.05*m.length {
			break
		}
		w.inward(m, target.Foot)
		t.inward(w.cur.p[:m.n+1], PassBackward)
		w.outward(m, &m.branch)
		t.outward(w.cur.p[:m.n+1], PassForward)
	}
	var frames [rig.MaxJoints]rig.Frame
	rig.Frames(frames[:m.n], m.leg, angles)
	for j := range m.n {
		t.move(j, frames[j].P, PassFinish)
	}
	t.move(m.n, rig.LegFoot(m.leg, angles), PassFinish)
	return res
}
