package gait

import (
	"math"

	"legctl/geom"

	"gonum.org/v1/gonum/spatial/r3"
)

// The scan ray, in body heights (gait rules 2.3), and the spread of the eight
// fallback rays, U, where the world has no cells.
const (
	scanUp     = 1.6
	scanDown   = 3.5
	scanSpread = 0.625
	cellInset  = 0.125
	tie        = 1e-9 // U2: squared distances this close are equal: the first ray keeps it
	probeAhead = 1.0  // U: how far ahead "solid ahead" looks
	probeRise  = 0.24 // U: how much higher the ground must be there
)

// Scan looks for ground near the look-ahead point ahead of a leg at rest (gait
// rules 2.4). It casts one ray where that finds good ground, else eight more
// and one that tells whether something solid stands ahead.
func (s *Sized) Scan(g geom.Ground, b *Body, z *Zones, rest, ahead r3.Vec) (r3.Vec, bool) {
	if s.Stage < StageScan {
		return ahead, true
	}
	u := s.Scale.U
	from := r3.Vec{X: ahead.X, Y: ahead.Y, Z: ahead.Z + scanUp*z.Height}
	reach := scanDown * z.Height
	hit, ok := geom.Down(g, from, reach)
	if !s.Rules.Alternatives || s.Stage < StageCandidates {
		return hit, ok
	}
	if dz := hit.Z - ahead.Z; ok && dz >= -s.Rules.ScanBelow*u && dz <= s.Rules.ScanAbove*u {
		return hit, true
	}
	best, found := s.alternative(g, b, from, ahead, reach, hit, ok)
	if !found || !s.InComfort(best, rest, b.P.Z) {
		return r3.Vec{}, false
	}
	return best, true
}

// alternative returns the hit nearest to the preferred point among the main
// one and eight neighbours.
func (s *Sized) alternative(g geom.Ground, b *Body, from, ahead r3.Vec, reach float64, main r3.Vec, ok bool) (r3.Vec, bool) {
	u := s.Scale.U
	prefer := ahead
	if s.Stage >= StageBias && s.Rules.StepUp > 0 && s.solidAhead(g, b, from, ahead, reach) {
		prefer.Z += s.Rules.StepUp * u
	}
	best, found, least := main, ok, math.Inf(1)
	if ok {
		least = r3.Norm2(r3.Sub(main, prefer))
	}
	xs, ys := s.spread(ahead.X), s.spread(ahead.Y)
	for i, x := range xs {
		for j, y := range ys {
			if i == 1 && j == 1 {
				continue
			}
			hit, ok := geom.Down(g, r3.Vec{X: x, Y: y, Z: from.Z}, reach)
			if !ok {
				continue
			}
			if d := r3.Norm2(r3.Sub(hit, prefer)); d < least-tie*u*u {
				best, found, least = hit, true, d
			}
		}
	}
	return best, found
}

// spread returns the three coordinates of the fallback grid round v.
func (s *Sized) spread(v float64) [3]float64 {
	u := s.Scale.U
	if s.Rules.Cells {
		return [3]float64{(math.Floor(v/u) - cellInset) * u, v, (math.Ceil(v/u) + cellInset) * u}
	}
	d := scanSpread * u
	return [3]float64{v - d, v, v + d}
}

// solidAhead reports whether the ground one U ahead of the look-ahead point,
// along the body, stands clearly above it.
func (s *Sized) solidAhead(g geom.Ground, b *Body, from, ahead r3.Vec, reach float64) bool {
	u := s.Scale.U
	p := r3.Vec{X: from.X + probeAhead*u*b.Yaw.X.X, Y: from.Y + probeAhead*u*b.Yaw.X.Y, Z: from.Z}
	hit, ok := geom.Down(g, p, reach)
	return ok && hit.Z-ahead.Z > probeRise*u
}

// Aim chooses the target of a leg (gait rules 2.5). off means the leg is
// disabled: it is carried above the ground.
func (s *Sized) Aim(l *LegState, g geom.Ground, b *Body, z *Zones, rest r3.Vec, off bool) {
	landing := s.Rules.Smooth && l.Moving && l.Grounded && l.Swing > 1-settleShare
	if landing && !off && s.InComfort(l.Target, rest, b.P.Z) {
		return
	}
	s.AimAt(l, g, b, z, rest, s.Ahead(b, z, rest), off)
}

// AimAt is Aim with the look-ahead point given: what a clocked gait wants.
func (s *Sized) AimAt(l *LegState, g geom.Ground, b *Body, z *Zones, rest, ahead r3.Vec, off bool) {
	found, ok := s.Scan(g, b, z, rest, ahead)
	if ok && l.Moving && s.Rules.Smooth && !off {
		if p, firm := s.foothold(g, found); firm && s.InComfort(p, rest, b.P.Z) {
			found = p
		} else {
			ok = false
		}
	}
	switch {
	case off && s.Stage >= StageAll:
		raise := 0.5 * z.Height
		if s.Rules.PivotBody {
			raise = min(raise, s.Lift) // what the comfort cylinder is sure to reach
		}
		t := r3.Add(rest, r3.Scale(raise, b.Rot.Z))
		if ok {
			t.Z = max(t.Z, found.Z+0.1*z.Height)
		}
		l.Target, l.Grounded = t, false
		return
	case ok:
		l.Target, l.Grounded = found, true
	}
	// A foot that found nothing keeps its old target while it can.
	if !l.Grounded || !s.InComfort(l.Target, rest, b.P.Z) {
		l.Target, l.Grounded = ahead, false
	}
}

// Probe reports whether there is ground under a planted foot. It is asked
// again whenever the ground has changed.
func (s *Sized) Probe(g geom.Ground, foot r3.Vec) bool {
	slack := 0.05 * s.Scale.U
	from := r3.Vec{X: foot.X, Y: foot.Y, Z: foot.Z + slack}
	_, ok := geom.Down(g, from, 2*slack)
	return ok
}
