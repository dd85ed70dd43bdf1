package configs

import (
	"math"

	"legctl/ik"
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r3"
)

// The heights tried for a file that gives none, in units of L: a scan, then
// halved steps round the best.
const (
	heightFrom   = 0.15
	heightTo     = 0.75
	heightScan   = 12
	heightHalves = 4
	heightLegs   = 4    // unlike legs asked
	bellyRoom    = 0.15 // under the body's box
)

// neutrals places the feet the file leaves open where the comfort radius is
// largest at mid hip yaw (design, section 4), and picks the height where that
// radius, of the smallest leg, is largest when the file has none.
func (b *rigBuilder) neutrals() {
	open := false
	for i := range b.from {
		open = open || !b.from[i].given
	}
	if !open {
		return
	}
	b.startAngles()
	s := ik.NewSolver(b.r, ik.DefaultParams())
	if !b.f.Height.Set {
		h, ok := b.bestHeight(s)
		if !ok {
			b.add(b.f.at, "no height at which every leg can stand was found; give height_m and neutral_m")
			return
		}
		b.r.Height = h
		b.assume("height_m %.4g: where the comfort radius is largest", h)
	}
	for i := range b.from {
		if b.from[i].given {
			continue
		}
		if b.from[i].image || (b.f.Ring != nil && i > 0) {
			b.repeat(i)
			continue
		}
		foot, q, ok := ik.Neutral(s, i, b.r.Height)
		if !ok {
			b.add(b.place(i, b.from[i].mount), "leg %s reaches no ground %.4g m below the body; change height_m or its limits", b.r.Legs[i].Name, b.r.Height)
			continue
		}
		l := &b.r.Legs[i]
		l.Neutral = r3.Vec{X: foot.X, Y: foot.Y, Z: -b.r.Height}
		for j := range q {
			l.Joints[j].Rest = clamp(q[j], l.Joints[j].Min, l.Joints[j].Max)
		}
		b.from[i].bend = true
		b.assume("leg %s: neutral_m [%.4g, %.4g], where the comfort radius is largest", l.Name, foot.X, foot.Y)
	}
}

// repeat gives a leg the foot of one like it, at the same angles: the mirror
// image of the leg before it, or, on a ring, the first leg's foot turned round.
func (b *rigBuilder) repeat(i int) {
	of := i - 1
	if b.f.Ring != nil {
		of = 0
	}
	l, like := &b.r.Legs[i], &b.r.Legs[of]
	for j := range l.Joints {
		l.Joints[j].Rest = like.Joints[j].Rest
	}
	l.Neutral = rig.LegFoot(l, restOf(l))
	l.Neutral.Z = -b.r.Height
	b.from[i].bend = b.from[of].bend
}

// bestHeight scans heights. Legs alike in everything but place give the same
// answer, so only the first of each chain is asked, and a few chains at most.
func (b *rigBuilder) bestHeight(s *ik.Solver) (float64, bool) {
	asked := make(map[float64]bool)
	var legs []int
	for i := range b.r.Legs {
		l := &b.r.Legs[i]
		if len(legs) < heightLegs && !asked[l.Length+l.Joints[0].Origin.P.Z] {
			asked[l.Length+l.Joints[0].Origin.P.Z] = true
			legs = append(legs, i)
		}
	}
	value := func(h float64) float64 {
		least := math.Inf(1)
		for _, i := range legs {
			foot, _, ok := ik.Neutral(s, i, h)
			if !ok {
				return 0
			}
			least = math.Min(least, ik.Comfort(s, i, foot))
		}
		return least
	}
	long := b.r.L()
	// Enough room under the belly to step over what lies there.
	low := math.Max(heightFrom*long, b.r.Body.Box.Z-b.r.Body.Mid.Z+bellyRoom*long)
	best, top, step := 0.0, 0.0, math.Max(0, heightTo*long-low)/heightScan
	for k := range heightScan + 1 {
		h := low + float64(k)*step
		if v := value(h); v > top {
			best, top = h, v
		}
	}
	for range heightHalves {
		step /= 2
		if v := value(best + step); v > top {
			best, top = best+step, v
		} else if v := value(math.Max(low, best-step)); v > top {
			best, top = math.Max(low, best-step), v
		}
	}
	return best, top > 0
}

// startAngles gives legs whose file says nothing about their bend a start the
// solver can tell a branch from: a template bends its hinges down by a third of
// a turn, any other leg stands in the middle of its limits.
func (b *rigBuilder) startAngles() {
	for i := range b.r.Legs {
		l, from := &b.r.Legs[i], &b.from[i]
		for j := range l.Joints {
			k := &l.Joints[j]
			switch {
			case b.template(i):
				bend := 2 * math.Pi / 3 / float64(max(1, len(l.Joints)-2))
				if j == 1 {
					bend = -math.Pi / 6
				}
				if j > 0 {
					k.Rest = clamp(bend, k.Min, k.Max)
				}
			case !from.bend && k.Mimic < 0:
				k.Rest = (k.Min + k.Max) / 2
			}
		}
	}
}
