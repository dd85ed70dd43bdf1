package sim

import (
	"math/bits"

	"legctl/geom"

	"gonum.org/v1/gonum/spatial/r3"
)

// maxTilt is the cosine of the tilt from the support plane that is a fall: 60
// degrees.
const maxTilt = 0.5

// watch counts falls: the belly or a link on the ground, or the body tilted
// beyond 60 degrees from what it stands on. One fall lasts until none of these
// has held for a while. With all torque off, or told that it may lie, lying
// down is what was asked for.
func (s *Sim) watch(limp, lie bool) {
	st := &s.st
	st.Touch = st.Belly != 0 || s.linkTouches() || s.tilted()
	if !st.Touch {
		if st.Calm += s.dt; st.Calm > s.r.calm {
			st.Down = false
		}
		return
	}
	st.Calm = 0
	if limp || lie || st.Enabled == 0 { // asked for: not a fall, nor the start of one
		st.Down = true
	}
	if !st.Down {
		st.Down = true
		st.Falls++
	}
}

// linkTouches reports whether a joint or the middle of a link is within its
// radius of the ground.
func (s *Sim) linkTouches() bool {
	r := geom.RotOf(s.st.PoseWB.Q)
	for i := range s.checks {
		c := &s.checks[i]
		p := r3.Add(s.st.PoseWB.P, r.Apply(c.at))
		if _, ok := s.ground.Cast(p, r3.Vec{Z: -1}, c.radius); ok {
			return true
		}
	}
	return false
}

// tilted compares the body's up with the mean normal under the standing feet,
// or the vertical with none.
func (s *Sim) tilted() bool {
	up := geom.Rotate(s.st.PoseWB.Q, r3.Vec{Z: 1})
	var n r3.Vec
	for set := s.st.Planted; set != 0; set &= set - 1 {
		n = r3.Add(n, s.st.Feet[bits.TrailingZeros64(set)].Normal)
	}
	if n.Z <= 0 {
		n = r3.Vec{Z: 1}
	}
	d := r3.Dot(up, n)
	return d < 0 || d*d < maxTilt*maxTilt*r3.Norm2(n)
}
