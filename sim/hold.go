package sim

import (
	"math"
	"math/bits"

	"legctl/balance"
	"legctl/geom"

	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/gonum/spatial/r3"
)

// holding is what the feet, and a belly on the ground, do for the body.
type holding struct {
	dir     r3.Vec        // of the support, unit, W; zero when it is dropped
	where   balance.Where // the centre of mass to the support polygon
	outside float64       // distance beyond it, metres, >= 0
	away    r3.Vec        // horizontal unit vector from the nearest edge to the centre of mass
	edge    r3.Vec        // nearest point of the boundary, W
	share   float64       // of the feet that stand
}

// support works out the holding for the present anchors, the pose and the
// centre of mass.
func (s *Sim) support() holding {
	com := s.st.PoseWB.Apply(s.comB)
	foot, n := s.supportPoints()
	h := holding{share: float64(n) / float64(len(s.rig.Legs))}
	s.polygon = balance.Support(s.polygon, s.supG, s.stance)
	c := r2.Vec{X: com.X - s.st.PoseWB.P.X, Y: com.Y - s.st.PoseWB.P.Y}
	where, q := balance.Locate(s.polygon, c)
	h.where = where
	if where == balance.None {
		return h
	}
	h.dir = r3.Vec{Z: 1}
	h.edge = r3.Vec{X: q.X + s.st.PoseWB.P.X, Y: q.Y + s.st.PoseWB.P.Y, Z: foot}
	if where == balance.Outside {
		d := r3.Vec{X: c.X - q.X, Y: c.Y - q.Y}
		if out := math.Sqrt(r3.Norm2(d)); out > 0 {
			h.outside, h.away = out, r3.Scale(1/out, d)
		}
	}
	s.lean(&h, com.Z-foot)
	return h
}

// lean sets the direction of the support of a centre of mass at that height
// over the feet.
func (s *Sim) lean(h *holding, height float64) {
	switch {
	case s.par.Support == DiagonalPair:
		if !s.pairStands() {
			h.dir = r3.Vec{}
		}
	case h.outside <= s.r.leeway:
	case h.outside > height: // beyond 45 degrees it would fall anyway
		h.dir = r3.Vec{}
	default:
		d := r3.Vec{X: h.outside * h.away.X, Y: h.outside * h.away.Y, Z: height}
		h.dir = r3.Scale(1/math.Sqrt(r3.Norm2(d)), d)
	}
}

// supportPoints fills supG and stance with the anchors and the points of the
// belly on the ground, and returns the mean height of the feet (of the belly
// points if there are none) and the number of feet.
func (s *Sim) supportPoints() (height float64, feet int) {
	o := s.st.PoseWB.P
	legs := len(s.rig.Legs)
	for i := range legs {
		s.stance[i] = s.st.Planted>>i&1 == 1
		s.supG[i] = r3.Sub(s.st.Feet[i].Anchor, o)
		if s.stance[i] {
			height += s.st.Feet[i].Anchor.Z
			feet++
		}
	}
	lying, low := 0, 0.0
	for i := range bellyPoints {
		at := s.bellyPoint(i)
		s.stance[legs+i] = s.st.Belly>>i&1 == 1
		s.supG[legs+i] = r3.Sub(at, o)
		if s.stance[legs+i] {
			low += at.Z
			lying++
		}
	}
	if feet > 0 {
		return height / float64(feet), feet
	}
	return low / float64(max(lying, 1)), 0
}

// pairStands is the older rule: some leg stands and so do all its diagonal
// neighbours.
func (s *Sim) pairStands() bool {
	for set := s.st.Planted; set != 0; set &= set - 1 {
		i := bits.TrailingZeros64(set)
		if d := s.rig.Groups.Diagonal; i < len(d) && d[i]&^s.st.Planted == 0 {
			return true
		}
	}
	return false
}

// topple starts or goes on with the fall over the nearest support edge: alpha = g
// d / (1.3 h^2). Feet off that edge lose contact, unless their leg presses them
// into the ground. A centre of mass that is held takes the rotation away where
// the body lies on its belly.
func (s *Sim) topple(h *holding) {
	if h.where == balance.None || s.par.Support == DiagonalPair {
		return
	}
	if h.outside <= s.r.leeway {
		if s.st.Belly != 0 {
			s.st.Spin = r3.Vec{}
		}
		return
	}
	height := max(s.st.PoseWB.P.Z+s.comUp()-h.edge.Z, 0.1*s.r.u)
	alpha := s.r.g * h.outside / (1.3 * height * height)
	axis := r3.Vec{X: -h.away.Y, Y: h.away.X} // z x away
	s.st.Spin = r3.Add(s.st.Spin, r3.Scale(min(alpha*s.dt, 1), axis))
	s.unload(h)
}

// unload releases the feet off the edge about which the body tips.
func (s *Sim) unload(h *holding) {
	r := geom.RotOf(s.st.PoseWB.Q)
	over := func(i int) float64 { // the foot over its anchor, under the pose of the last tick
		return s.st.PoseWB.P.Z + r.Apply(s.feetB[i]).Z - s.st.Feet[i].Anchor.Z
	}
	var off uint64
	level, n := 0.0, 0.0
	for set := s.st.Planted; set != 0; set &= set - 1 {
		i := bits.TrailingZeros64(set)
		if r3.Dot(r3.Sub(s.st.Feet[i].Anchor, h.edge), h.away) < -5*s.r.narrow {
			off |= 1 << i
		} else {
			level += over(i)
			n++
		}
	}
	level /= max(n, 1)
	for ; off != 0; off &= off - 1 {
		if i := bits.TrailingZeros64(off); over(i) > level-s.r.lifted {
			s.st.Planted &^= 1 << i
		}
	}
}

// comUp is the height of the centre of mass over the origin of B, W.
func (s *Sim) comUp() float64 { return s.st.PoseWB.Apply(s.comB).Z - s.st.PoseWB.P.Z }
