package ik

import "math"

const (
	chainSeeds  = 12 // starts for a target far from the rest pose
	chainMisses = 6  // starts that may miss before the target counts as missed
	// Within this squared distance from rest, in joint ranges, a flat chain was
	// never seen to have two solutions; beyond it the best of all starts counts.
	chainEasy = 0.15
)

// solveChain solves legs of three flat hinges and more, with or without a
// turn: the turn follows from the target, the rest is a search in the plane.
// The warm start leads when it ends near rest, where there is one solution;
// elsewhere the leg's own starts decide, so that what came before never does.
func (s *Solver) solveChain(m *model, angles []float64, leg int, t *Target, warm bool) Result {
	pl := &m.plane
	x, y, z := pl.local(t.Foot)
	c := chainCase{x: x - pl.bx, y: y, z: z}
	f := &s.work.flat
	if warm && m.carry(&c, pl.far) {
		for i := range pl.m {
			f.z[i] = pl.sign[i] * angles[pl.firstFlat+i]
		}
		if f.solve(m, &pl.boxes[0], c.x, c.py, s.params.MaxSweeps, &c.steps) && f.cost(pl) <= chainEasy {
			return s.chainResult(m, angles, leg, &c, false)
		}
	}
	return s.chainElse(m, angles, leg, t, &c)
}

// chainElse searches from the leg's own starts: on either side of the turn's
// axis, first on the bend's branch and then in the whole range. What is missed
// gets the nearest pose found on the branch.
func (s *Solver) chainElse(m *model, angles []float64, leg int, t *Target, c *chainCase) Result {
	pl := &m.plane
	for i, way := range [4]float64{pl.far, -pl.far, pl.far, -pl.far} {
		if m.carry(c, way) && s.chainSearch(m, t, c, i/2) {
			return s.chainResult(m, angles, leg, c, i > 1)
		}
	}
	return s.nearest(m, angles, leg, t, c.steps)
}

// chainSearch leaves in the flat scratch the pose nearest to rest that it
// finds from several starts, all with the turn of c and in one of the boxes.
func (s *Solver) chainSearch(m *model, t *Target, c *chainCase, which int) bool {
	pl, w := &m.plane, &s.work
	f := &w.flat
	b := [2]*box{&m.branch, &m.limit}[which]
	locked := *b
	if pl.turn {
		locked.lo[0], locked.hi[0] = c.turn, c.turn
	}
	least := math.Inf(1)
	var best [maxJoints]float64
	for k := range chainSeeds {
		if k >= chainMisses && least == math.Inf(1) {
			break
		}
		if !s.chainTry(m, t, c, &locked, which, k) {
			continue
		}
		if v := f.cost(pl); v < least {
			least, best = v, f.z
		}
		if least <= chainEasy {
			break
		}
	}
	f.z = best
	f.pose(pl, c.x, c.py)
	return least < math.Inf(1)
}

// chainTry searches from start k: the leg's own straight for the solution
// nearest to rest, and, where that does not close and from the others, for any
// solution first.
func (s *Solver) chainTry(m *model, t *Target, c *chainCase, locked *box, which, k int) bool {
	pl, w := &m.plane, &s.work
	f := &w.flat
	w.seed(m, locked, k)
	if k == 0 {
		pl.flatOf(&f.z, &w.cur.z)
		if f.solve(m, &pl.boxes[which], c.x, c.py, s.params.MaxSweeps, &c.steps) {
			return true
		}
	}
	w.point(m, locked, t.Foot, 0)
	e2, steps := w.approach(m, locked, t.Foot)
	c.steps += steps
	if e2 > m.tol*m.tol {
		return false
	}
	pl.flatOf(&f.z, &w.cur.z)
	found := f.z
	if !f.solve(m, &pl.boxes[which], c.x, c.py, 0, &c.steps) {
		f.z = found
		f.pose(pl, c.x, c.py)
	}
	return true
}

// flatOf reads the signed turns of the flat hinges out of joint angles.
func (pl *plane) flatOf(dst, z *[maxJoints]float64) {
	for i := range pl.m {
		dst[i] = pl.sign[i] * z[pl.firstFlat+i]
	}
}

// cost is the squared distance from rest, in joint ranges.
func (f *flatNewton) cost(pl *plane) float64 {
	sum := 0.0
	for i := range pl.m {
		d := f.z[i] - pl.rest[i]
		sum += pl.weight[i] * d * d
	}
	return sum
}

// chainCase is a target, from the first flat hinge and at turn angle 0, and
// where a turn puts it.
type chainCase struct {
	x, y, z  float64
	turn     float64 // rad
	cos, sin float64
	py       float64 // the target's y in the plane, from the first flat hinge
	lateral  float64 // what the plane cannot follow, metres
	steps    int
}

// carry turns the plane onto the target, on side far, and reports whether the
// turn's range and, limits aside, the length of the flat chain allow it.
func (m *model) carry(c *chainCase, far float64) bool {
	pl := &m.plane
	c.cos, c.sin, c.py, c.lateral = 1, 0, c.y-pl.by, c.z-pl.side
	if pl.turn {
		r, cos, sin, ok := pl.turnTo(c.y, c.z, far)
		turn, in := fit(angleOf(cos, sin), m.branch.lo[0], m.branch.hi[0])
		if !ok || !in {
			return false
		}
		c.turn, c.cos, c.sin, c.py, c.lateral = turn, cos, sin, r-pl.by, 0
	}
	d := norm2(c.x, c.py)
	return d <= pl.outer && d >= pl.inner
}

// chainResult writes the answer in the flat scratch.
func (s *Solver) chainResult(m *model, angles []float64, leg int, c *chainCase, flipped bool) Result {
	s.keepChain(m, angles, leg, c)
	f := &s.work.flat
	res := m.pairResult(c.lateral, c.steps)
	res.Flipped = flipped
	if res.Status == Reached {
		res.Residual = norm2(f.ex, f.ey)
	}
	return res
}

// keepChain writes the answer in the flat scratch and its moment.
func (s *Solver) keepChain(m *model, angles []float64, leg int, c *chainCase) {
	pl, f, o := &m.plane, &s.work.flat, &s.last[leg]
	if pl.turn {
		angles[0] = c.turn
	}
	k := &pl.moment
	x, y := k.k0[0], k.k0[1]
	for i := range pl.m {
		angles[pl.firstFlat+i] = pl.sign[i] * f.z[i]
		ux, uy := f.c[i]*pl.cosA[i]+f.s[i]*pl.sinA[i], f.s[i]*pl.cosA[i]-f.c[i]*pl.sinA[i]
		x += k.k[i][0]*ux - k.k[i][1]*uy
		y += k.k[i][0]*uy + k.k[i][1]*ux
	}
	o.direct, o.sum = true, k.at(pl, x, y, c.cos, c.sin)
}
