package ik

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// shape is what a leg's axes allow a solver to take for granted.
type shape uint8

const (
	anyShape  shape = iota // nothing: three-dimensional sweeps and steps
	flatPair               // two parallel hinges: the foot moves in one plane
	flatChain              // three or more parallel hinges
	turnPair               // a first hinge (yaw or roll) square to two parallel ones
	turnChain              // a first hinge square to three or more parallel ones
)

// plane describes a leg whose hinges, but perhaps the first, are parallel: a
// flat chain in a plane that the first hinge, the turn, carries round.
//
// Its frame has origin at the first joint. x runs along the turn's axis, z
// along the flat hinges, y = z cross x; a positive turn of a flat hinge whose
// sign is + leads from x to y. Without a turn x is any direction in the plane.
type plane struct {
	origin     r3.Vec // B
	x, y, z    r3.Vec // B, at turn angle 0
	turn       bool
	firstFlat  int     // index of the first flat hinge: 1 with a turn, else 0
	m          int     // count of flat hinges
	side       float64 // z of the foot
	bx, by     float64 // first flat hinge
	far        float64 // +1 or -1: the sign of the foot's y in the rest pose
	bend       float64 // pairs: the sign of the knee's turn on the bend's branch
	sign       [maxJoints]float64
	length     [maxJoints]float64
	ang        [maxJoints]float64 // of the links at q = 0, from x towards y, rad
	cosA, sinA [maxJoints]float64
	inverse    [maxJoints]float64 // 1 / length
	boxes      [2]box             // of sign x angle of the flat hinges: on the branch, and all
	rest       [maxJoints]float64 // likewise
	start      [maxJoints]float64
	weight     [maxJoints]float64
	axis2      float64 // squared distance within which there is no bearing
	outer      float64 // reach of the flat chain, metres
	inner      float64
	moment     flatMoment
}

const square = 1e-9 // axes are parallel or square to this, rad

// detect finds the leg's shape. Mimic joints and feet or hinges without a
// lever leave it anyShape.
func (m *model) detect() {
	if m.free != m.n || m.n < 2 {
		return
	}
	pl := &m.plane
	b := m.axis[m.n-1]
	first := 0
	if norm(r3.Cross(m.axis[0], b)) > square {
		first = 1
		if math.Abs(r3.Dot(m.axis[0], b)) > square {
			return
		}
	}
	for j := first; j < m.n; j++ {
		if norm(r3.Cross(m.axis[j], b)) > square {
			return
		}
	}
	count := m.n - first
	if count < 2 {
		return
	}
	pl.turn, pl.firstFlat, pl.m = first == 1, first, count
	pl.frame(m, b)
	for i := range count {
		if pl.length[i] < 1e-9*m.length {
			return
		}
	}
	m.kind = shapeOf(pl.turn, count)
}

func shapeOf(turn bool, count int) shape {
	switch {
	case turn && count == 2:
		return turnPair
	case turn:
		return turnChain
	case count == 2:
		return flatPair
	}
	return flatChain
}

// frame fills the axes, links and signs; b is the direction of the flat hinges.
func (pl *plane) frame(m *model, b r3.Vec) {
	pl.origin = m.at[0]
	pl.z = b
	if pl.turn {
		pl.x = m.axis[0]
	} else {
		pl.x = unit(perpendicular(b))
	}
	pl.y = r3.Cross(pl.z, pl.x)
	f := pl.firstFlat
	pl.bx, pl.by, _ = pl.local(m.at[f])
	_, _, pl.side = pl.local(m.at[m.n])
	for i := range pl.m {
		j := f + i
		v := r3.Sub(m.at[j+1], m.at[j])
		x, y := r3.Dot(v, pl.x), r3.Dot(v, pl.y)
		pl.length[i] = math.Sqrt(x*x + y*y)
		pl.inverse[i] = 1 / max(pl.length[i], shortest)
		pl.ang[i] = math.Atan2(y, x)
		pl.sinA[i], pl.cosA[i] = math.Sincos(pl.ang[i])
		pl.sign[i] = 1
		if r3.Dot(m.axis[j], b) < 0 {
			pl.sign[i] = -1
		}
	}
}

// local returns a point of B in the frame of the plane at turn angle 0.
func (pl *plane) local(p r3.Vec) (x, y, z float64) {
	px, py, pz := p.X-pl.origin.X, p.Y-pl.origin.Y, p.Z-pl.origin.Z
	return px*pl.x.X + py*pl.x.Y + pz*pl.x.Z, px*pl.y.X + py*pl.y.Y + pz*pl.y.Z, px*pl.z.X + py*pl.z.Y + pz*pl.z.Z
}

// settleShape fills what depends on limits, bend and rest pose.
func (m *model) settleShape() {
	if m.kind == anyShape {
		return
	}
	pl := &m.plane
	for i := range pl.m {
		k := pl.firstFlat + i
		for n, b := range [2]*box{&m.branch, &m.limit} {
			lo, hi := b.lo[k], b.hi[k]
			if pl.sign[i] < 0 {
				lo, hi = -hi, -lo
			}
			pl.boxes[n].lo[i], pl.boxes[n].hi[i] = lo, hi
		}
		pl.rest[i], pl.start[i], pl.weight[i] = pl.sign[i]*m.rest[k], pl.sign[i]*m.start[k], m.weight[k]
	}
	top := 0.0
	for _, l := range pl.length[:pl.m] {
		pl.outer += l
		top = max(top, l)
	}
	pl.inner = max(0, 2*top-pl.outer)
	pl.axis2 = onAxis * onAxis * m.length * m.length
	pl.far = 1
	if pl.turn && pl.restFar() < 0 {
		pl.far = -1
	}
	pl.bend = 1
	knee := 0.5*(pl.boxes[0].lo[1]+pl.boxes[0].hi[1]) + pl.ang[1] - pl.ang[0]
	if math.Sin(knee) < 0 {
		pl.bend = -1
	}
	pl.moment = newFlatMoment(m)
}

// restFar is the y of the foot in the rest pose.
func (pl *plane) restFar() float64 {
	y, psi := pl.by, 0.0
	for i := range pl.m {
		psi += pl.start[i]
		y += pl.length[i] * math.Sin(psi+pl.ang[i])
	}
	return y
}
