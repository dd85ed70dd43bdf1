package control

import (
	"math"

	"legctl/balance"
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/gonum/spatial/r3"
)

// ring is a support polygon, counter-clockwise, with the inward unit normals of
// its edges. That of edge i, from vertex i to the next, is there once face was
// asked.
type ring struct {
	at, in []r2.Vec
}

func newRing(legs int) ring {
	return ring{at: make([]r2.Vec, 0, legs), in: make([]r2.Vec, 0, legs)}
}

// stand makes r the polygon of the feet that stand (balance.Support).
func (r *ring) stand(feet []r3.Vec, stance []bool) {
	r.at, r.in = balance.Support(r.at, feet, stance), r.in[:0]
}

// face works out the normals.
func (r *ring) face() {
	for i, a := range r.at {
		b := r.at[0]
		if i+1 < len(r.at) {
			b = r.at[i+1]
		}
		d := r2.Sub(b, a)
		l := math.Sqrt(r2.Dot(d, d))
		r.in = append(r.in, r2.Vec{X: -d.Y / l, Y: d.X / l})
	}
}

// ringsKept is how many support polygons are remembered: those of a quadruped
// with each foot lifted, and some to spare.
const ringsKept = 8

// rings are support polygons with the sets of legs, and the feet, they were
// worked out from. Feet that stand stay where they are, so most ticks ask for
// those of the tick before.
type rings struct {
	feet [rig.MaxLegs]r3.Vec
	sets [ringsKept]uint64
	ring [ringsKept]ring
	n    int // how many are valid
	next int // to be overwritten when all are
}

// polygon returns the support polygon in W of the planted legs but those of the
// set without. It must not be changed, and lasts until the next call.
func (c *Controller) polygon(s *State, without uint64) *ring {
	k := &c.tick.rings
	set := uint64(0)
	without |= s.Off | s.Senses.Air
	for i := range s.Legs {
		l := &s.Legs[i]
		if without>>i&1 != 0 || !l.Planted() {
			continue
		}
		set |= 1 << i
		if f := &k.feet[i]; *f != l.Foot {
			*f, k.n = l.Foot, 0
		}
	}
	for j, have := range k.sets[:k.n] {
		if have == set {
			return &k.ring[j]
		}
	}
	return c.tick.fresh(set, len(s.Legs))
}

// fresh works out the polygon of a set of legs, and remembers it.
func (t *tick) fresh(set uint64, legs int) *ring {
	k := &t.rings
	j := k.next
	if k.n < ringsKept {
		j = k.n
		k.n++
	} else {
		k.next = (j + 1) % ringsKept
	}
	for i := range legs {
		t.stance[i] = set>>i&1 != 0
	}
	k.sets[j] = set
	k.ring[j].stand(k.feet[:legs], t.stance[:legs])
	return &k.ring[j]
}

// comPlan returns the centre of mass on the ground plane, W, with the body
// posed as wished in the last tick and moved along with its base since.
func (c *Controller) comPlan(s *State) r2.Vec {
	t := &c.tick
	if s.PoseWB != t.comPose || s.CoMB != t.comB {
		t.comPose, t.comB = s.PoseWB, s.CoMB
		t.comW = s.PoseWB.Apply(s.CoMB)
	}
	return r2.Vec{X: t.comW.X + s.VelW.X*c.params.Dt, Y: t.comW.Y + s.VelW.Y*c.params.Dt}
}

// side is an edge of a polygon as what it asks of a displacement d: n . d >= r,
// with n its inward normal.
type side struct {
	n r2.Vec
	r float64 // metres
}

// sides returns what the edges of a polygon ask of a displacement d, so that
// com + d and com + drift + d are inside by at least margin. They last until the
// next call.
func (t *tick) sides(of *ring, com, drift r2.Vec, margin float64) []side {
	if len(of.in) == 0 {
		of.face()
	}
	out := t.edges[:len(of.at)]
	for i, n := range of.in {
		out[i] = side{n, margin - r2.Dot(n, r2.Sub(com, of.at[i])) - min(0, r2.Dot(n, drift))}
	}
	return out
}

// insideBy returns the shortest displacement that every side allows.
func insideBy(sides []side) (d r2.Vec, ok bool) {
	if holds(sides, r2.Vec{}) {
		return r2.Vec{}, true
	}
	least := math.Inf(1)
	try := func(e r2.Vec) {
		if m := r2.Dot(e, e); m < least && holds(sides, e) {
			d, least = e, m
		}
	}
	for i, a := range sides {
		if a.r > 0 {
			try(r2.Scale(a.r, a.n))
		}
		for _, b := range sides[:i] {
			det := a.n.X*b.n.Y - a.n.Y*b.n.X
			if math.Abs(det) > 1e-9 {
				try(r2.Vec{X: (a.r*b.n.Y - b.r*a.n.Y) / det, Y: (a.n.X*b.r - b.n.X*a.r) / det})
			}
		}
	}
	return d, least < math.Inf(1)
}

// alongHeading is insideBy for displacements along one direction only.
func alongHeading(sides []side, dir r2.Vec) (r3.Vec, bool) {
	lo, hi := math.Inf(-1), math.Inf(1)
	for i := range sides {
		k, r := r2.Dot(sides[i].n, dir), sides[i].r
		switch {
		case math.Abs(k) < 1e-9:
			if r > 0 {
				return r3.Vec{}, false
			}
		case k > 0:
			lo = max(lo, r/k)
		default:
			hi = min(hi, r/k)
		}
	}
	if lo > hi {
		return r3.Vec{}, false
	}
	d := max(lo, min(hi, 0))
	return r3.Vec{X: d * dir.X, Y: d * dir.Y}, true
}

// holds reports whether every side allows d.
func holds(sides []side, d r2.Vec) bool {
	for i := range sides {
		if r2.Dot(sides[i].n, d) < sides[i].r-1e-12 {
			return false
		}
	}
	return true
}
