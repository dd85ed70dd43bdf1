package ik

import (
	"math"

	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r3"
)

// Solver solves the legs of one rig. It owns all scratch a solve needs, so it
// serves one goroutine at a time; what a solve returns depends on nothing but
// its arguments, never on earlier solves.
type Solver struct {
	rig    *rig.Rig
	params Params
	legs   []model
	work   work
	last   []last
	spare  last // for solves that are nobody's last
}

// work is the scratch of one solve. cur and try point into its two postures.
type work struct {
	cur, try *posture
	a, b     posture
	best     [maxJoints]float64 // the pose that missed by least
	least    float64            // and by how much, squared
	cols     [maxJoints]r3.Vec
	turns    [4]float64
	newton   newton
	flat     flatNewton
}

// farLengths is how many leg lengths away a target is taken as it stands.
const farLengths = 1e4

// NewSolver prepares the legs of a validated rig. Solves allocate nothing
// after that. The rig must not change while the Solver lives.
func NewSolver(r *rig.Rig, p Params) *Solver {
	s := &Solver{rig: r, params: p.filled()}
	s.legs = make([]model, len(r.Legs))
	s.last = make([]last, len(r.Legs))
	for i := range r.Legs {
		s.legs[i] = newModel(&r.Legs[i], s.params.Tolerance)
	}
	s.work.cur, s.work.try = &s.work.a, &s.work.b
	return s
}

// Rig returns the rig the solver was made for.
func (s *Solver) Rig() *rig.Rig { return s.rig }

// Solve moves leg so that its foot meets t. q holds the angles of the whole
// rig, rad: the leg's own are the warm start and receive the answer, which
// always keeps every limit. Where t cannot be met the nearest foot found is
// returned with its Residual. A leg with more than three free joints gets the
// solution nearest to its rest pose, weighted by joint range, on the bend's
// branch. A leg number out of range, a short q, NaN or infinities give Invalid
// and leave q untouched.
func (s *Solver) Solve(q []float64, leg int, t Target) Result {
	if uint(leg) >= uint(len(s.legs)) {
		return Result{Status: Invalid}
	}
	m := &s.legs[leg]
	if len(q) < m.first+m.n {
		return Result{Status: Invalid}
	}
	angles := q[m.first : m.first+m.n]
	if !finiteAngles(angles) {
		return Result{Status: Invalid}
	}
	if size := math.Abs(t.Foot.X) + math.Abs(t.Foot.Y) + math.Abs(t.Foot.Z); !(size < m.ample) {
		return s.solveFar(m, angles, leg, &t, true)
	}
	return s.solve(m, angles, leg, &t, true)
}

// SolveFoot is Solve for a foot (B, metres) without a direction.
func (s *Solver) SolveFoot(q []float64, leg int, foot r3.Vec) Result {
	if uint(leg) < uint(len(s.legs)) {
		m := &s.legs[leg]
		size := math.Abs(foot.X) + math.Abs(foot.Y) + math.Abs(foot.Z)
		if (m.kind == turnPair || m.kind == flatPair) && len(q) >= m.first+m.n && size < m.ample {
			if angles := q[m.first : m.first+m.n]; finiteAngles(angles) {
				return s.solvePair(m, angles, leg, foot, true)
			}
		}
	}
	return s.Solve(q, leg, Target{Foot: foot})
}

// SolveCold is Solve from the leg's own start: a pure function of leg and t,
// bit for bit. What q held before does not matter.
func (s *Solver) SolveCold(q []float64, leg int, t Target) Result {
	if uint(leg) >= uint(len(s.legs)) {
		return Result{Status: Invalid}
	}
	m := &s.legs[leg]
	if len(q) < m.first+m.n {
		return Result{Status: Invalid}
	}
	angles := q[m.first : m.first+m.n]
	if size := math.Abs(t.Foot.X) + math.Abs(t.Foot.Y) + math.Abs(t.Foot.Z); !(size < m.ample) {
		return s.solveFar(m, angles, leg, &t, false)
	}
	return s.solve(m, angles, leg, &t, false)
}

// solveFar solves for a point on the way to a target so far off that its
// squares lose the leg; it refuses targets that are not finite.
func (s *Solver) solveFar(m *model, angles []float64, leg int, t *Target, warm bool) Result {
	if !finite(t.Foot) {
		return Result{Status: Invalid}
	}
	near := *t
	d := r3.Sub(t.Foot, m.at[0])
	near.Foot = r3.Add(m.at[0], r3.Scale(farLengths*m.length, unit(d)))
	res := s.solve(m, angles, leg, &near, warm)
	res.Residual = max(0, norm(d)-farLengths*m.length) + res.Residual
	res.Residual = min(res.Residual, math.MaxFloat64)
	return res
}

func finiteAngles(q []float64) bool {
	s := 0.0
	for _, a := range q {
		s += a - a
	}
	return s == 0
}

// solve picks the way for the leg's shape.
func (s *Solver) solve(m *model, angles []float64, leg int, t *Target, warm bool) Result {
	switch m.kind {
	case turnPair, flatPair:
		return s.solvePair(m, angles, leg, t.Foot, warm)
	}
	t.Dir, t.DirWeight = direction(m, t)
	if m.kind != anyShape && t.DirWeight == 0 {
		return s.solveChain(m, angles, leg, t, warm)
	}
	return s.general(m, angles, leg, t)
}

// direction returns the wanted direction as a unit vector, weight 0 where it
// does not apply.
func direction(m *model, t *Target) (r3.Vec, float64) {
	if !(t.DirWeight > 0) || !m.spread || !finite(t.Dir) || t.Dir == (r3.Vec{}) {
		return r3.Vec{}, 0
	}
	return unit(t.Dir), min(t.DirWeight, 1e6)
}

// HasClosed reports whether Params.Closed changes how leg is solved: whether
// it has a closed form.
func (s *Solver) HasClosed(leg int) bool {
	return uint(leg) < uint(len(s.legs)) && s.legs[leg].plane.m == 2 && s.legs[leg].kind != anyShape
}
