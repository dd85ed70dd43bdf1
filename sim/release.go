package sim

import (
	"math"
	"math/bits"

	"legctl/geom"

	"gonum.org/v1/gonum/spatial/r3"
)

// lifting is the height of every anchored foot over its anchor, as the new
// joint angles would have it if the body had stayed where the old ones put it
// (whether or not it has sunk there yet).
type lifting struct {
	n    int
	leg  [64]uint8
	x, y [64]float64 // of the foot, from the body, W axes
	h    [64]float64
}

// release lets go of the feet that the joints pull off the ground. The joints
// alone cannot say whether a foot went up or the body went down with the other
// feet, so a plane is fitted to the heights: what is common to all feet is a
// motion of the body, what stands out of it upwards is a foot that lifts. A
// plane that would turn the body faster than Params.Tilt is not believed; then
// the highest feet lift as well. If all feet rise faster than the body can
// fall after them, all lift.
func (s *Sim) release() {
	var l lifting
	guess := s.st.PoseWB
	r := geom.RotOf(guess.Q)
	for set := s.st.Planted; set != 0; set &= set - 1 {
		i := bits.TrailingZeros64(set)
		v := r.Apply(s.feetB[i])
		l.add(i, v, guess.P.Z+s.st.Sag+v.Z-s.st.Feet[i].Anchor.Z)
	}
	for l.n > 0 {
		if l.lowest() > (s.r.slow+max(0, -s.st.Fall))*s.dt {
			s.st.Planted = 0
			return
		}
		if !s.letGo(&l) {
			return
		}
	}
}

func (l *lifting) add(leg int, v r3.Vec, h float64) {
	l.leg[l.n], l.x[l.n], l.y[l.n], l.h[l.n] = uint8(leg), v.X, v.Y, h
	l.n++
}

func (l *lifting) lowest() float64 {
	least := math.Inf(1)
	for _, h := range l.h[:l.n] {
		least = min(least, h)
	}
	return least
}

// letGo releases the feet that stand out most and reports whether there were
// any.
func (s *Sim) letGo(l *lifting) bool {
	base := max(0, l.lowest())
	p := l.plane()
	tilted := p.b*p.b+p.c*p.c > s.r.tilt*s.r.tilt
	var out [64]bool
	most := 0.0
	for i := range l.n {
		h := l.h[i] - base
		out[i] = h > s.r.lifted && (tilted || l.h[i]-p.at(l.x[i], l.y[i]) > s.r.lifted/4)
		if out[i] {
			most = max(most, h)
		}
	}
	kept := 0
	for i := range l.n {
		if out[i] && l.h[i]-base >= most/2 {
			s.st.Planted &^= 1 << l.leg[i]
			continue
		}
		l.leg[kept], l.x[kept], l.y[kept], l.h[kept] = l.leg[i], l.x[i], l.y[i], l.h[i]
		kept++
	}
	some := kept < l.n
	l.n = kept
	return some
}

// plane is h = a + b (x - x0) + c (y - y0).
type plane struct{ a, b, c, x0, y0 float64 }

func (p *plane) at(x, y float64) float64 { return p.a + p.b*(x-p.x0) + p.c*(y-p.y0) }

// plane fits the heights by least squares; a slope that the feet do not
// determine is the smallest.
func (l *lifting) plane() plane {
	var p plane
	k := 1 / float64(l.n)
	for i := range l.n {
		p.x0 += k * l.x[i]
		p.y0 += k * l.y[i]
		p.a += k * l.h[i]
	}
	var xx, xy, yy, xh, yh float64
	for i := range l.n {
		x, y, h := l.x[i]-p.x0, l.y[i]-p.y0, l.h[i]-p.a
		xx, xy, yy, xh, yh = xx+x*x, xy+x*y, yy+y*y, xh+x*h, yh+y*h
	}
	ridge := 1e-9 * (xx + yy)
	xx, yy = xx+ridge, yy+ridge
	if det := xx*yy - xy*xy; det > 0 {
		p.b, p.c = (xh*yy-yh*xy)/det, (yh*xx-xh*xy)/det
	}
	return p
}
