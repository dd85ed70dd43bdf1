package ik

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

const (
	neutralScan = 20 // points tried each way along the line of possible feet
	coarse      = 6  // bearings while searching
)

// Neutral finds a neutral foot for a leg whose file gives none: with the first
// joint at the middle of its range, the point at z = -height, metres below the
// origin of B, where the comfort radius is largest. q, freshly made, holds the
// leg's own angles there, rad. ok is false when the leg reaches nothing at that
// height, leg is out of range or height is not finite.
func Neutral(s *Solver, leg int, height float64) (footB r3.Vec, q []float64, ok bool) {
	if uint(leg) >= uint(len(s.legs)) || height-height != 0 {
		return r3.Vec{}, nil, false
	}
	m := &s.legs[leg]
	from, along, ok := m.line(height)
	if !ok {
		return r3.Vec{}, nil, false
	}
	best, top := 0.0, 0.0
	try := func(x float64) {
		// A hair more than the best so far, so that the first of equals stays.
		v := s.comfort(m, r3.Add(from, r3.Scale(x, along)), coarse, top*(1+1e-4))
		if v > top {
			best, top = x, v
		}
	}
	step := m.length / neutralScan
	yaws := math.Abs(m.axis[0].Z) > 0.5
	for k := range neutralScan + 1 {
		try(step * float64(k))
		if !yaws { // a leg that yaws keeps its foot on the outer side of its hip
			try(-step * float64(k))
		}
	}
	if top <= 0 {
		return r3.Vec{}, nil, false
	}
	for ; step > 1e-5*m.length; step *= 0.5 {
		mid := best
		try(mid + step/2)
		try(mid - step/2)
	}
	footB = r3.Add(from, r3.Scale(best, along))
	all := make([]float64, s.rig.Joints())
	res := s.SolveCold(all, leg, Target{Foot: footB})
	return footB, append([]float64(nil), s.rig.Slice(all, leg)...), res.Residual <= comfortTol*m.length
}

// line returns the horizontal line, at z = -height, along which the foot can
// move with the first joint held at mid range: the leg's plane cut level.
// Where the later joints share no plane it runs from the hip away from the body.
func (m *model) line(height float64) (from, along r3.Vec, ok bool) {
	var p posture
	p.z = m.start
	p.z[0] = 0.5 * (m.limit.lo[0] + m.limit.hi[0])
	m.pose(&p)
	foot, hip := p.p[m.n], p.p[0]
	normal := p.axis[m.n-1]
	for j := 1; j < m.n-1; j++ {
		if norm(r3.Cross(p.axis[j], normal)) > 1e-6 {
			normal = r3.Cross(r3.Sub(foot, hip), r3.Vec{Z: 1})
			break
		}
	}
	level := r3.Cross(normal, r3.Vec{Z: 1})
	if norm(level) < 1e-9 {
		return r3.Vec{}, r3.Vec{}, false // the leg moves level: it has no height to choose
	}
	along = unit(level)
	if r3.Dot(along, r3.Sub(foot, hip)) < 0 {
		along = r3.Scale(-1, along)
	}
	// Down the plane's steepest line from the foot's own point to the height.
	steep := unit(r3.Cross(along, normal))
	if math.Abs(steep.Z) < 1e-9 {
		return r3.Vec{}, r3.Vec{}, false
	}
	from = r3.Add(foot, r3.Scale((-height-foot.Z)/steep.Z, steep))
	// The origin of the line is where it passes the hip.
	from = r3.Add(from, r3.Scale(r3.Dot(r3.Sub(hip, from), along), along))
	return from, along, true
}
