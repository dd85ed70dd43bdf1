package preflight

import (
	"math"

	"legctl/control"
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r3"
)

// Gap is the least distance between the links of two adjacent legs.
type Gap struct {
	Value float64 // metres between surfaces; below 0 they touch; +Inf: no two legs are adjacent
	Legs  [2]int  // which, -1 = none
	Phase float64 // cycle phase of a clocked gait; seconds into the run for step rules
}

// bones is the scratch space of gaps: for every leg the centres of its joints,
// then its foot, B, and the radius of the capsule from each to the next.
type bones struct {
	points [rig.MaxLegs][rig.MaxJoints + 1]r3.Vec
	frames [rig.MaxJoints]rig.Frame
}

// gap notes the least distance of adjacent legs in the pose of s. Links without
// a radius count as lines; the first link of a leg ends in the body and stays
// out.
func (b *bones) gap(g *Gap, r *rig.Rig, s *control.State, phase float64) {
	for i := range r.Legs {
		l := &r.Legs[i]
		q := r.Slice(s.Q, i)
		rig.Frames(b.frames[:len(l.Joints)], l, q)
		for j := range l.Joints {
			b.points[i][j] = b.frames[j].P
		}
		b.points[i][len(l.Joints)] = rig.LegFoot(l, q)
	}
	for i := range r.Legs {
		for k := range i {
			if r.Groups.Adjacent[i]>>k&1 == 0 {
				continue
			}
			if d := b.between(r, i, k); d < g.Value {
				*g = Gap{d, [2]int{k, i}, phase}
			}
		}
	}
}

// between is the distance of two legs' links.
func (b *bones) between(r *rig.Rig, i, k int) float64 {
	least := math.Inf(1)
	li, lk := &r.Legs[i], &r.Legs[k]
	for m := range li.Joints {
		for n := range lk.Joints {
			d := segments(b.points[i][m], b.points[i][m+1], b.points[k][n], b.points[k][n+1])
			least = math.Min(least, d-li.Joints[m].Link.Radius-lk.Joints[n].Link.Radius)
		}
	}
	return least
}

// segments is the distance between the segments a-b and c-d. Where they are nearly
// parallel it is right to the root of the rounding, about 1e-7 of their lengths.
// Source: Ericson, Real-Time Collision Detection (2005), 5.1.9.
func segments(a, b, c, d r3.Vec) float64 {
	u, v, w := r3.Sub(b, a), r3.Sub(d, c), r3.Sub(a, c)
	uu, vv, uv := r3.Dot(u, u), r3.Dot(v, v), r3.Dot(u, v)
	uw, vw := r3.Dot(u, w), r3.Dot(v, w)
	const tiny = 1e-15 // of the product of the lengths, squared: below it det is rounding
	s := 0.0
	if det := uu*vv - uv*uv; det > tiny*uu*vv {
		s = clamp01((uv*vw - uw*vv) / det)
	}
	t := 0.0
	if vv > 0 {
		t = (uv*s + vw) / vv
	}
	if t < 0 || t > 1 || vv == 0 {
		t = clamp01(t)
		if uu > 0 {
			s = clamp01((uv*t - uw) / uu)
		}
	}
	p := r3.Sub(r3.Add(a, r3.Scale(s, u)), r3.Add(c, r3.Scale(t, v)))
	return math.Sqrt(r3.Norm2(p))
}

func clamp01(x float64) float64 { return math.Max(0, math.Min(1, x)) }
