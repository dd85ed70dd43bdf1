package configs

import (
	"math"

	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r3"
)

// settleTolerance is how near, in leg lengths, the rest pose must come to the
// neutral foot: a tenth of what rig.Validate accepts.
const settleTolerance = 1e-10

// settle turns the rest angles of a leg so that its foot meets the neutral
// foot, within limits, starting at the rest angles given. It returns the
// distance left, metres. Levenberg (1944) and Marquardt (1963) in the free
// joints; those held at a limit rejoin as soon as the step leads inward.
func settle(l *rig.Leg, goal r3.Vec) float64 {
	s := settler{l: l, goal: goal, q: make([]float64, len(l.Joints))}
	for j := range l.Joints {
		s.q[j] = clamp(l.Joints[j].Rest, l.Joints[j].Min, l.Joints[j].Max)
	}
	s.couple(s.q)
	off := s.distance(s.q)
	damp := 1e-3
	for range 300 {
		if off < settleTolerance*0.01*l.Length || damp > 1e9 {
			break
		}
		try := s.step(damp)
		if d := s.distance(try); d < off {
			s.q, off = try, d
			damp = max(damp*0.1, 1e-15)
		} else {
			damp *= 10
		}
	}
	for j := range l.Joints {
		l.Joints[j].Rest = s.q[j]
	}
	return off
}

// settler is one running settle.
type settler struct {
	l    *rig.Leg
	goal r3.Vec
	q    []float64
}

func (s *settler) distance(q []float64) float64 {
	return r3.Norm(r3.Sub(s.goal, rig.LegFoot(s.l, q)))
}

// couple sets every mimic joint by the joint it copies.
func (s *settler) couple(q []float64) {
	for j := range s.l.Joints {
		if k := &s.l.Joints[j]; k.Mimic >= 0 {
			q[j] = k.Factor*q[k.Mimic] + k.Offset
		}
	}
}

// step returns the angles after one damped step: J' (J J' + damp tr I)^-1 e.
func (s *settler) step(damp float64) []float64 {
	cols := make([]r3.Vec, len(s.q))
	foot := rig.Jacobian(cols, s.l, s.q)
	rig.FoldMimic(cols, s.l)
	e := r3.Sub(s.goal, foot)
	s.hold(cols, e)
	var a [3][3]float64
	for _, c := range cols {
		v := [3]float64{c.X, c.Y, c.Z}
		for i := range 3 {
			for k := range 3 {
				a[i][k] += v[i] * v[k]
			}
		}
	}
	tr := a[0][0] + a[1][1] + a[2][2] + 1e-300
	for i := range 3 {
		a[i][i] += damp * tr
	}
	y := cramer(&a, e)
	try := make([]float64, len(s.q))
	for j, c := range cols {
		k := &s.l.Joints[j]
		try[j] = clamp(s.q[j]+clamp(r3.Dot(c, y), -0.5, 0.5), k.Min, k.Max)
	}
	s.couple(try)
	return try
}

// hold clears the columns of joints that the error drives into their limit.
func (s *settler) hold(cols []r3.Vec, e r3.Vec) {
	for j := range cols {
		k, g := &s.l.Joints[j], r3.Dot(cols[j], e)
		if (s.q[j] <= k.Min && g < 0) || (s.q[j] >= k.Max && g > 0) {
			cols[j] = r3.Vec{}
		}
	}
}

// cramer solves the 3x3 system a x = b.
func cramer(a *[3][3]float64, b r3.Vec) r3.Vec {
	x, y, z := column(a, 0), column(a, 1), column(a, 2)
	d := r3.Dot(x, r3.Cross(y, z))
	if d == 0 {
		return r3.Vec{}
	}
	return r3.Vec{
		X: r3.Dot(b, r3.Cross(y, z)) / d,
		Y: r3.Dot(x, r3.Cross(b, z)) / d,
		Z: r3.Dot(x, r3.Cross(y, b)) / d,
	}
}

func column(a *[3][3]float64, k int) r3.Vec { return r3.Vec{X: a[0][k], Y: a[1][k], Z: a[2][k]} }

func clamp(v, lo, hi float64) float64 { return math.Max(lo, math.Min(hi, v)) }

// kneesUp settles a leg whose file gives no bend: of a small lattice of starts
// the pose that reaches the goal with its joints highest is kept; if none
// reaches it, the nearest.
func kneesUp(l *rig.Leg, goal r3.Vec) float64 {
	var kept []float64
	best, height, reached := 0.0, 0.0, false
	for code := range 27 {
		lattice(l, code)
		off := settle(l, goal)
		good, h := off <= settleTolerance*l.Length, jointHeight(l)
		better := kept == nil || (good && !reached)
		switch {
		case better:
		case good:
			better = h > height+1e-9*l.Length
		default:
			better = !reached && off < best
		}
		if better {
			kept, best, height, reached = restOf(l), off, h, good
		}
	}
	for j := range l.Joints {
		l.Joints[j].Rest = kept[j]
	}
	return best
}

// lattice sets rest to the middle of the limits, the first three joints to the
// middle or a quarter either way, as the digits of code to the base 3 say.
func lattice(l *rig.Leg, code int) {
	for j := range l.Joints {
		k := &l.Joints[j]
		share := 0.5
		if j < 3 {
			share = [3]float64{0.5, 0.25, 0.75}[code%3]
			code /= 3
		}
		k.Rest = k.Min + share*(k.Max-k.Min)
	}
}

func restOf(l *rig.Leg) []float64 {
	q := make([]float64, len(l.Joints))
	for j := range l.Joints {
		q[j] = l.Joints[j].Rest
	}
	return q
}

// jointHeight is the sum of the heights of a leg's joints at rest.
func jointHeight(l *rig.Leg) float64 {
	frames := make([]rig.Frame, len(l.Joints))
	rig.Frames(frames, l, restOf(l))
	h := 0.0
	for j := range frames {
		h += frames[j].P.Z
	}
	return h
}

// arch sets the rest of a segment template: equal bends at every hinge between
// segments, so that each interior joint stands above the line from hip to
// foot, and the hip turned until the foot is where it should be. goal is in B.
func arch(l *rig.Leg, goal r3.Vec) {
	hinges := l.Joints[2:]
	first := &l.Joints[0]
	d := r3.Sub(goal, first.Origin.P)
	chord := r3.Norm(d)
	if len(hinges) == 0 {
		l.Joints[1].Rest = math.Atan2(-d.Z, math.Hypot(d.X, d.Y))
		return
	}
	lo, hi := 0.0, math.Pi
	for range 60 {
		mid := (lo + hi) / 2
		if x, z := archEnd(l, mid); math.Hypot(x, z) > chord {
			lo = mid
		} else {
			hi = mid
		}
	}
	for j := range hinges {
		hinges[j].Rest = lo
	}
	x, z := archEnd(l, lo)
	down := math.Atan2(-d.Z, math.Hypot(d.X, d.Y))
	l.Joints[1].Rest = down - math.Atan2(-z, x)
}

// archEnd returns the foot in the plane of a leg whose hinges all bend by b.
func archEnd(l *rig.Leg, b float64) (x, z float64) {
	angle := 0.0
	for j := 1; j < len(l.Joints); j++ {
		v := l.Foot
		if j+1 < len(l.Joints) {
			v = l.Joints[j+1].Origin.P
		}
		s, c := math.Sincos(angle)
		x, z = x+c*v.X, z-s*v.X
		angle += b
	}
	return x, z
}
