package control

import (
	"math"

	"legctl/gait"
	"legctl/ik"
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r3"
)

// Sizing is the scale of a rig's world and what set it (design, section 4).
type Sizing struct {
	gait.Scale
	Reach   float64 // R: radius of the comfort cylinder of the smallest leg, metres
	Spacing float64 // N: distance of the two nearest neutral feet, metres
	USetBy  string  // "reach" or "spacing"
	ULeg    int     // leg with the smallest reach

	KF      float64 // time unit from gravity alone, seconds
	KJoint  float64 // from joint speeds
	KStatic float64 // of a static quadruped; 0 for others
	KTick   float64 // from the tick
	KSetBy  string  // "gravity", "joint", "static" or "tick"
	KLeg    int     // with "joint": the leg and joint that need longest
	KJointI int
}

// The numbers of the design's section 4.
const (
	reachPerU    = 1.5  // R = 1.5 U
	spacingPerU  = 2.4  // N = 2.4 U
	fallNumber   = 0.08 // kF = sqrt(0.08 U/g)
	staticNumber = 0.64 // k = 0.64 sqrt(h/g)
	stepBack     = -1.2 // the nominal step, U
	stepAhead    = 0.48
	stepLift     = 0.35
	speedShare   = 0.8 // of a joint's speed it may use
	tickShare    = 2   // k >= 2 dt
)

// Measure works out the length and time unit of a rig. static asks for the
// slower time of a quadruped that keeps its margin at all times.
func Measure(r *rig.Rig, s *ik.Solver, dt float64, static bool) Sizing {
	z := Sizing{Reach: math.Inf(1), Spacing: math.Inf(1), ULeg: -1, KLeg: -1}
	z.H, z.L = r.Height, r.L()
	for i := range r.Legs {
		if c := ik.Comfort(s, i, r.Legs[i].Neutral); c < z.Reach {
			z.Reach, z.ULeg = c, i
		}
		for j := range r.Legs[:i] {
			d := math.Sqrt(r3.Norm2(r3.Sub(r.Legs[i].Neutral, r.Legs[j].Neutral)))
			z.Spacing = math.Min(z.Spacing, d)
		}
	}
	z.U, z.USetBy = z.Reach/reachPerU, "reach"
	if n := z.Spacing / spacingPerU; n < z.U {
		z.U, z.USetBy = n, "spacing"
	}
	z.KF = math.Sqrt(fallNumber * z.U / r.G())
	z.KTick = tickShare * dt
	z.KJoint, z.KLeg, z.KJointI = jointTime(r, s, z.U)
	return z.paced(r, static)
}

// paced returns the sizing with the time unit of a static or another gait.
func (z Sizing) paced(r *rig.Rig, static bool) Sizing {
	z.KStatic = 0
	if static && len(r.Legs) == 4 {
		z.KStatic = staticNumber * math.Sqrt(z.H/r.G())
	}
	z.K, z.KSetBy = z.KF, "gravity"
	for _, c := range []struct {
		k  float64
		by string
	}{{z.KJoint, "joint"}, {z.KStatic, "static"}, {z.KTick, "tick"}} {
		if c.k > z.K {
			z.K, z.KSetBy = c.k, c.by
		}
	}
	return z
}

// jointTime returns the k at which the nominal step of every leg in eight
// bearings uses speedShare of the fastest joint's speed, and which joint that is.
func jointTime(r *rig.Rig, s *ik.Solver, u float64) (k float64, leg, joint int) {
	leg, joint = -1, -1
	q := r.RestPose(nil)
	bearings := 8
	for i := range r.Legs {
		for b := range bearings {
			sn, cs := math.Sincos(2 * math.Pi * float64(b) / float64(bearings))
			if r.Legs[i].Planar && b%4 != 0 {
				continue // a planar leg steps fore and aft only
			}
			need, j := stepTime(r, s, q, i, r3.Vec{X: cs * u, Y: sn * u}, u)
			if need > k {
				k, leg, joint = need, i, j
			}
		}
	}
	return k, leg, joint
}

// stepTime is jointTime for one leg and one bearing, dir being one U along it.
func stepTime(r *rig.Rig, s *ik.Solver, q []float64, leg int, dir r3.Vec, u float64) (k float64, joint int) {
	const samples = 48
	l := &r.Legs[leg]
	from := r3.Add(l.Neutral, r3.Scale(stepBack, dir))
	to := r3.Add(l.Neutral, r3.Scale(stepAhead, dir))
	// The swing's own length in k: see gait.Sized.Begin.
	swing := math.Max(stepAhead-stepBack, 3*stepLift) / gait.Walk().FootSpeed
	var before [rig.MaxJoints]float64
	part := r.Slice(q, leg)
	for n := 0; n <= samples; n++ {
		f := float64(n) / samples
		p := gait.SwingPoint(from, to, l.Neutral.Z+stepLift*u, f)
		if n == 0 {
			s.SolveCold(q, leg, ik.Target{Foot: p})
		} else {
			s.Solve(q, leg, ik.Target{Foot: p})
		}
		for j := range part {
			if n > 0 && l.Joints[j].Mimic < 0 {
				rate := math.Abs(part[j]-before[j]) * samples / swing // rad/k
				if need := rate / (speedShare * l.Joints[j].Speed); need > k {
					k, joint = need, j
				}
			}
			before[j] = part[j]
		}
	}
	return k, joint
}
