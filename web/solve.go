package web

import (
	"fmt"
	"slices"

	"legctl/geom"
	"legctl/ik"
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r3"
)

// solution is a solve of one leg, move by move. Points are in B, metres.
type solution struct {
	Leg      string       `json:"leg"`
	Target   [3]float64   `json:"target"`
	Start    [][3]float64 `json:"start"` // joint centres and foot before the first move
	Moves    []solveMove  `json:"moves"`
	Status   string       `json:"status"`
	Residual float64      `json:"residual"`
	Sweeps   int          `json:"sweeps"`
}

// solveMove is one point put somewhere else.
type solveMove struct {
	Sweep    int        `json:"sweep"`
	Pass     string     `json:"pass"`
	Joint    int        `json:"joint"`
	To       [3]float64 `json:"to"`
	Residual float64    `json:"residual"`
}

// solveMost bounds the moves that are sent.
const solveMost = 2000

// doSolve solves a leg from where it is to a target, relative to its foot, and
// sends every move of every point. The rig does not move.
func doSolve(d *deed) {
	var v struct {
		Leg     string
		X, Y, Z float64 // from the foot, B, metres
	}
	err := d.with(&v)
	if err == nil {
		var s *solution
		if s, err = d.scene.solution(v.Leg, r3.Vec{X: v.X, Y: v.Y, Z: v.Z}); err == nil {
			d.done(0, s, nil)
			return
		}
	}
	d.done(0, nil, err)
}

// solution runs the solver's trace on a copy of the newest joint angles.
func (sc *Scene) solution(leg string, by r3.Vec) (*solution, error) {
	i := slices.Index(sc.Names.Legs, leg)
	if i < 0 {
		return nil, fmt.Errorf("web: solve: unknown leg %q, known: %v", clip(leg), sc.Names.Legs)
	}
	if !geom.FiniteVec(by) {
		return nil, fmt.Errorf("web: solve: target %v is not finite", by)
	}
	q := sc.Rig.RestPose(nil)
	if last := sc.last.Load(); last != nil {
		copy(q, last.q)
	}
	sc.solve.Lock()
	defer sc.solve.Unlock()
	s := &solution{Leg: leg, Moves: []solveMove{}}
	foot := sc.start(s, i, q)
	target := r3.Add(foot, by)
	s.Target = [3]float64{target.X, target.Y, target.Z}
	r := sc.solver.Trace(q, i, ik.Target{Foot: target}, func(m ik.Move) {
		if len(s.Moves) < solveMost {
			s.Moves = append(s.Moves, solveMove{m.Sweep, m.Pass.String(), m.Joint, [3]float64{m.To.X, m.To.Y, m.To.Z}, m.Residual})
		}
	})
	s.Status, s.Residual, s.Sweeps = r.Status.String(), r.Residual, r.Iterations
	return s, nil
}

// start writes the joint centres of a leg at angles q and returns its foot.
func (sc *Scene) start(s *solution, leg int, q []float64) r3.Vec {
	l := &sc.Rig.Legs[leg]
	var frames [rig.MaxJoints]rig.Frame
	rig.Frames(frames[:len(l.Joints)], l, sc.Rig.Slice(q, leg))
	for j := range l.Joints {
		p := frames[j].P
		s.Start = append(s.Start, [3]float64{p.X, p.Y, p.Z})
	}
	foot := rig.Foot(sc.Rig, leg, q)
	s.Start = append(s.Start, [3]float64{foot.X, foot.Y, foot.Z})
	return foot
}
