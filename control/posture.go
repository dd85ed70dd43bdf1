package control

import (
	"math"
	"slices"

	"legctl/ik"
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r3"
)

// posture holds the joint angles a rig passes through between lying and
// standing. They are worked out from the rig, so no rig file has to list them.
type posture struct {
	packed []float64 // legs folded, nothing below the belly
	seated []float64 // feet in place under a body that is down
	raised []float64 // the feet of seated, lifted
	sit    float64   // height of B above the ground when down, metres
	belly  float64   // height of B above the ground with the belly on it
	spring float64   // fastest speed of the body over standing feet near its stand, m/s
	climb  float64   // fastest change of height no joint is too slow for, m/s
	steps  int       // of a sequence: two for each group of legs
	group  []int     // by leg: which group lifts it
}

// sequenceShare is the part of its speed a joint uses in a sequence: a rig that
// packs or rises must not look as if it attacked somebody.
const sequenceShare = 0.4

// sitSteps is how finely the way from the ground to the stand is looked at.
const sitSteps = 24

// newPosture works out the postures of a rig. Where a leg cannot keep its
// neutral foot with the belly on the ground, the rig sits as low as it can.
func newPosture(r *rig.Rig, s *ik.Solver) posture {
	p := posture{
		packed: r.RestPose(nil), seated: r.RestPose(nil), raised: r.RestPose(nil),
		belly: r.Body.Box.Z - r.Body.Mid.Z, group: make([]int, len(r.Legs)),
	}
	for i := range r.Legs {
		fold(r, i, r.Slice(p.packed, i), -p.belly)
		p.group[i] = int(r.Groups.Colour[i])
		if len(r.Legs) <= 4 { // lifting two would tip a body that is not quite down
			p.group[i] = slices.Index(r.Groups.Order, i)
		}
		p.steps = max(p.steps, 2*(p.group[i]+1))
	}
	p.descend(r, s)
	lift := p.sit / 2
	for i := range r.Legs {
		n := r.Legs[i].Neutral
		for part := lift; part > lift/8; part /= 2 {
			n.Z = part - p.sit
			q := r.Slice(p.raised, i)
			copy(q, r.Slice(p.seated, i))
			if s.Solve(p.raised, i, ik.Target{Foot: n}).Status == ik.Reached {
				break
			}
			copy(q, r.Slice(p.seated, i))
		}
	}
	return p
}

// descend follows the feet while the body goes down from its stand, as far as
// every leg reaches, and notes the fastest joint on the way.
func (p *posture) descend(r *rig.Rig, s *ik.Solver) {
	low := math.Min(p.belly, r.Height)
	step := (r.Height - low) / sitSteps
	p.sit, p.climb, p.spring = r.Height, math.Inf(1), math.Inf(1)
	q := r.RestPose(nil)
	for n := 1; n <= sitSteps && step > 0; n++ {
		h := r.Height - float64(n)*step
		for i := range r.Legs {
			foot := r.Legs[i].Neutral
			foot.Z = -h
			if s.Solve(q, i, ik.Target{Foot: foot}).Status != ik.Reached && !r.Legs[i].Planar {
				return
			}
		}
		for i := range r.Legs {
			before, now := r.Slice(p.seated, i), r.Slice(q, i)
			for j := range now {
				if d := math.Abs(now[j] - before[j]); d > 0 {
					v := r.Legs[i].Joints[j].Speed * step / d
					p.climb = math.Min(p.climb, sequenceShare*v)
					if n <= sitSteps/4 {
						p.spring = math.Min(p.spring, v)
					}
				}
			}
		}
		copy(p.seated, q)
		p.sit = h
	}
	if math.IsInf(p.climb, 1) {
		p.climb = r.Height // a second for the whole way; nothing moves
	}
}

// foldSamples is how many angles of a joint are tried, foldRounds how often.
const (
	foldSamples = 25
	foldRounds  = 4
)

// fold writes to q the angles that draw a leg in most: joint after joint the
// angle is taken for which the leg stays least far out, nothing of it lying
// below the belly (at height floor in B). Joints that copy others follow.
func fold(r *rig.Rig, leg int, q []float64, floor float64) {
	l := &r.Legs[leg]
	for range foldRounds {
		for j := range l.Joints {
			k := &l.Joints[j]
			if k.Mimic >= 0 {
				continue
			}
			best, least := q[j], math.Inf(1)
			for n := range foldSamples {
				// A hair inside the limits: a servo must not lean on its stop.
				q[j] = k.Min + (k.Max-k.Min)*(0.01+0.98*float64(n)/(foldSamples-1))
				follow(l, q)
				if c := spread(l, q, floor); c < least {
					best, least = q[j], c
				}
			}
			q[j] = best
			follow(l, q)
		}
	}
}

// follow sets the joints of a leg that copy another.
func follow(l *rig.Leg, q []float64) {
	for j := range l.Joints {
		if k := &l.Joints[j]; k.Mimic >= 0 {
			q[j] = k.Factor*q[k.Mimic] + k.Offset
		}
	}
}

// belowCost makes a centimetre under the belly worse than any way out.
const belowCost = 20

// spread is how far a leg stands out: the sum of the distances of its knees and
// foot from the middle of the body, and much for each metre below floor.
func spread(l *rig.Leg, q []float64, floor float64) float64 {
	var frames [rig.MaxJoints]rig.Frame
	rig.Frames(frames[:len(l.Joints)], l, q)
	sum := 0.0
	cost := func(p r3.Vec, radius float64) {
		sum += math.Sqrt(p.X*p.X+p.Y*p.Y) + belowCost*max(0, floor+radius-p.Z)
	}
	for j := range l.Joints {
		cost(frames[j].P, l.Joints[j].Link.Radius)
	}
	last := &frames[len(l.Joints)-1]
	cost(r3.Add(last.P, last.R.Apply(l.Foot)), l.FootRadius)
	return sum
}
