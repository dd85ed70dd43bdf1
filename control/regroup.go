package control

import (
	"math"
	"math/bits"

	"legctl/ik"

	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/gonum/spatial/r3"
)

// Regrouping: with legs lost, those that are left stand elsewhere, so that the
// body has to lean less to free each of them. All lengths in U.
const (
	regroupMost  = 0.8  // how far a rest point may move
	regroupSpare = 0.25 // margin beyond the floor it is worked out for: feet stand ahead of and behind their rest points
	regroupHalf  = 0.4  // half a step: what the leg must reach beyond where it rests
	regroupStep  = 0.55 // and what a leg in swing must: the look-ahead with it
	regroupFirst = 0.4  // first stride of the search, halved down to regroupLast
	regroupLast  = 0.09
	regroupTurns = 8   // passes at most
	regroupLegs  = 8   // of more legs that are left none holds up the body alone
	regroupNever = 10. // the cost of a leg that no lean frees
)

// reachBearings is how many directions the reach of a leg is known in.
const reachBearings = 16

// regroup is where the legs that are left stand when those of off are lost: the
// shift of each rest point, B, metres. It follows from the rig and off alone,
// so it is no state: it is worked out in the tick in which off changes.
type regroup struct {
	off   uint64
	shift []r2.Vec
	reach [][reachBearings]float64 // of each leg round its neutral foot at ground height, metres
}

// newRegroup measures how far each leg reaches. Rigs that lie down when they
// lose a leg need none of it.
func (c *Controller) newRegroup() {
	n := len(c.rig.Legs)
	if n <= leastLegs+1 {
		return
	}
	c.regroup.shift = make([]r2.Vec, n)
	c.regroup.reach = make([][reachBearings]float64, n)
	q := c.rig.RestPose(nil)
	u := c.steady.sizing.U
	const grain, most = 0.1, 3.4 // U
	for i := range n {
		for k := range reachBearings {
			sn, cs := math.Sincos(2 * math.Pi * float64(k) / reachBearings)
			copy(c.rig.Slice(q, i), c.rig.Slice(c.scratchQ, i))
			for f := grain; f < most; f += grain {
				to := r3.Add(c.rig.Legs[i].Neutral, r3.Vec{X: f * u * cs, Y: f * u * sn})
				if r := c.solver.Solve(q, i, ik.Target{Foot: to}); r.Status != ik.Reached {
					break
				}
				c.regroup.reach[i][k] = f * u
			}
		}
	}
}

// beyond reports how far, metres, beyond the reach of a leg its foot would be at
// d from its neutral place, B; 0 or less is within.
func (r *regroup) beyond(leg int, d r2.Vec) float64 {
	n := math.Sqrt(r2.Dot(d, d))
	a := math.Atan2(d.Y, d.X) / (2 * math.Pi) * reachBearings
	if a < 0 {
		a += reachBearings
	}
	k := int(a) % reachBearings
	return n - min(r.reach[leg][k], r.reach[leg][(k+1)%reachBearings])
}

// regather moves the rest points for the set of legs that is off.
func (c *Controller) regather(off uint64) {
	g := &c.regroup
	if off == g.off || g.shift == nil {
		return
	}
	g.off = off
	clear(g.shift)
	if off == 0 || len(g.shift)-bits.OnesCount64(off) > regroupLegs || c.tick.prog.plan.Rules.Gallop {
		return
	}
	u := c.steady.sizing.U
	best := c.crowding(off)
	for h, turn := regroupFirst, 0; best > alikeCost && h > regroupLast && turn < regroupTurns; turn++ {
		if next := c.regatherBy(off, h*u, best); next < best {
			best = next
		} else {
			h /= 2
		}
	}
}

// regatherBy tries each leg a stride further in eight directions and keeps what
// costs less.
func (c *Controller) regatherBy(off uint64, h, best float64) float64 {
	g := &c.regroup
	most := regroupMost * c.steady.sizing.U
	for i := range g.shift {
		if off>>i&1 != 0 {
			continue
		}
		for k := range 8 {
			sn, cs := math.Sincos(float64(k) * math.Pi / 4)
			was := g.shift[i]
			if g.shift[i] = r2.Add(was, r2.Vec{X: cs * h, Y: sn * h}); r2.Dot(g.shift[i], g.shift[i]) > most*most {
				g.shift[i] = was
				continue
			}
			if cost := c.crowding(off); cost < best-alikeCost {
				best = cost
			} else {
				g.shift[i] = was
			}
		}
	}
	return best
}

// alikeCost is a difference of costs that is none.
const alikeCost = 1e-6

// crowding is the cost of the rest points as they are, U: how far the body must
// lean for the leg that needs it most, a tenth of that for each, how far legs
// would be out of reach, and a little for the shifts themselves.
func (c *Controller) crowding(off uint64) float64 {
	g, t := &c.regroup, &c.tick
	n, u := len(g.shift), c.steady.sizing.U
	worst, sum := 0.0, 0.0
	for i := range n {
		p := c.rig.Legs[i].Neutral
		t.feetG[i] = r3.Vec{X: p.X + g.shift[i].X, Y: p.Y + g.shift[i].Y}
		sum += 0.05 * r2.Dot(g.shift[i], g.shift[i]) / (u * u)
	}
	for i := range n {
		if off>>i&1 != 0 {
			continue
		}
		need, e := c.needed(off, i)
		for k := range n {
			if off>>k&1 == 0 {
				need += max(0, g.beyond(k, r2.Sub(g.shift[k], e))/u+regroupHalf)
			}
		}
		worst = max(worst, need)
		sum += 0.1 * need
	}
	return worst + sum
}

// needed is the lean that frees a leg of those in feetG, and its cost, U.
func (c *Controller) needed(off uint64, leg int) (cost float64, e r2.Vec) {
	t, u := &c.tick, c.steady.sizing.U
	n := len(c.regroup.shift)
	for k := range n {
		t.stance[k] = k != leg && off>>k&1 == 0
	}
	t.spare.stand(t.feetG[:n], t.stance[:n])
	if len(t.spare.at) < leastLegs {
		return regroupNever, r2.Vec{}
	}
	floor := c.steady.floor * leanSlack
	e, ok := insideBy(t.sides(&t.spare, planar(c.com), r2.Vec{}, floor+regroupSpare*u))
	if !ok {
		if e, ok = insideBy(t.sides(&t.spare, planar(c.com), r2.Vec{}, floor)); !ok {
			return regroupNever, r2.Vec{}
		}
		cost = 1
	}
	return cost + math.Sqrt(r2.Dot(e, e))/u, e
}

// restAt is the rest point of a leg in W, moved for legs that are lost, and back
// as far as the leg would not reach it from where the body leans.
func (c *Controller) restAt(s *State, leg int) r3.Vec {
	t, g := &c.tick, &c.regroup
	p := t.prog.sized.Rest(&t.body, &t.zones, leg)
	if s.Off == 0 || g.shift == nil {
		return p
	}
	lean := planar(t.body.Yaw.ApplyInv(s.Lean))
	d := r2.Sub(g.shift[leg], lean)
	if over := g.beyond(leg, d) + regroupStep*c.steady.sizing.U; over > 0 {
		n := math.Sqrt(r2.Dot(d, d))
		d = r2.Scale(max(0, n-over)/n, d)
	}
	d = r2.Add(d, lean)
	return r3.Add(p, t.body.Yaw.Apply(r3.Vec{X: d.X, Y: d.Y}))
}

// spans reports whether every foot that stands stays within reach, or comes no
// further out of it, when the body leans by whole, W, instead of as it does now.
func (c *Controller) spans(s *State, whole r3.Vec) bool {
	g, yaw := &c.regroup, &c.tick.body.Yaw
	if g.reach == nil {
		return false
	}
	now, then := yaw.ApplyInv(r3.Add(s.BaseW, s.Lean)), yaw.ApplyInv(r3.Add(s.BaseW, whole))
	for i := range s.Legs {
		l := &s.Legs[i]
		if !l.Planted() || s.Off>>i&1 != 0 {
			continue
		}
		foot := r3.Sub(yaw.ApplyInv(l.Foot), c.rig.Legs[i].Neutral)
		if over := g.beyond(i, planar(r3.Sub(foot, then))); over > 0 && over > g.beyond(i, planar(r3.Sub(foot, now))) {
			return false
		}
	}
	return true
}

// trailMost is how far from its rest point a foot may be before a body on four
// legs waits for it, U: further behind, the legs that are left come to stand so
// that no lean frees the one that is due.
const trailMost = 0.7

// trails reports whether a leg of the last four is too far behind.
func (c *Controller) trails(s *State, leg int) bool {
	if s.Off == 0 || len(s.Legs)-bits.OnesCount64(s.Off) > leastLegs+1 {
		return false
	}
	d := planar(r3.Sub(s.Legs[leg].Foot, c.tick.rest[leg]))
	most := trailMost * c.steady.sizing.U
	return r2.Dot(d, d) > most*most
}
