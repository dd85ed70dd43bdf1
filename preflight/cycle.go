package preflight

import (
	"math"

	"legctl/control"
	"legctl/gait"
	"legctl/geom"
	"legctl/ik"
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/gonum/spatial/r3"
)

// cycle is a clocked gait on a rig as geometry: where every foot is at every
// phase under a steady twist, without a controller and without a tick.
type cycle struct {
	r      *rig.Rig
	g      *gait.Gait // as the rig walks it forward; ways has its other tables
	ways   *gait.Compass
	flight gait.Flight
	s      *ik.Solver
	size   control.Sizing
	period float64 // seconds
	reach  float64 // how far a stance foot may go from its neutral place, metres
	lift   float64 // crest of a swing, metres
	floor  float64 // least margin that is kept, metres; -Inf: none
	mean   float64 // least mean margin that is kept, metres; -Inf: none
	com    r2.Vec
	height float64 // of B over the ground, metres

	q, before []float64
	spare     []r2.Vec
	far       float64 // of the farthest neutral foot from the origin of B
	grain     grain
	rate      float64 // share of a joint's speed that is used: a leg that catches up goes faster
}

// grain is how finely a cycle is looked at.
type grain struct {
	stance, swing int // samples
	halvings      int // of a search
	every         int // headings at which mixes are worked out, the others between
	prove         int // headings that are walked as well
}

// fine and coarse: legs of more than coarseJoints joints cost a hundred times
// as much to solve, so less of them is looked at.
var (
	fine   = grain{stance: 10, swing: 40, halvings: 7, every: 1, prove: 1}
	coarse = grain{stance: 6, swing: 20, halvings: 5, every: 2, prove: 4}
)

const (
	coarseJoints = 4
	// cycleReach is the share of the comfort circle a stance may use; the rest
	// is for what the body does meanwhile.
	cycleReach = 0.9
)

// newCycle makes the geometry of gait i of a controller.
func newCycle(c *control.Controller, i int) *cycle {
	r, plan := c.Rig(), &c.Params().Gaits[i]
	z := c.Sizing(i)
	com := rig.CoM(r, r.RestPose(nil))
	k := &cycle{
		r: r, ways: c.Compass(i), flight: c.Fitted(i).Flight, s: ik.NewSolver(r, c.Params().IK), size: z, period: c.Period(i),
		reach: cycleReach * plan.Rules.Comfort * z.U, lift: plan.Rules.Lift * z.U, floor: math.Inf(-1), mean: math.Inf(-1),
		com: r2.Vec{X: com.X, Y: com.Y}, height: r.Height,
		q: r.RestPose(nil), before: r.RestPose(nil), spare: make([]r2.Vec, 0, len(r.Legs)),
	}
	k.g = &k.ways.Tables[0]
	if h := k.g.Shape.Height; h > 0 {
		k.lift = h * z.U
	}
	k.grain, k.rate = fine, 1/gait.DefaultFlow().Rush
	for l := range r.Legs {
		if len(r.Legs[l].Joints) > coarseJoints {
			k.grain = coarse
		}
		n := r.Legs[l].Neutral
		k.far = math.Max(k.far, math.Sqrt(n.X*n.X+n.Y*n.Y))
	}
	switch {
	case c.Static(i) && plan.Rules.Shift == 0:
		k.floor = staticFloor * z.L
	case k.g.Class(r, k.com) == rig.Dynamic:
		k.mean = -staticFloor * z.L // it stays of its class
	}
	return k
}

// table returns the phases used for a twist.
func (k *cycle) table(twist [3]float64) *gait.Gait {
	return k.ways.Table(gait.WayForward.Toward(twist[0], twist[1], twist[2], k.far))
}

// sweep is how far the body goes in a cycle.
func (k *cycle) sweep(twist [3]float64) gait.Sweep {
	return gait.Sweep{twist[0] * k.period, twist[1] * k.period, twist[2] * k.period}
}

// body returns the pose of B t seconds after a moment, seen from B then, at a
// steady twist.
func body(twist [3]float64, t float64) geom.Pose {
	a := twist[2] * t
	sn, cs := math.Sincos(a)
	p := r3.Vec{X: twist[0] * t, Y: twist[1] * t}
	if math.Abs(a) > 1e-9 {
		s, c := sn/twist[2], (1-cs)/twist[2]
		p = r3.Vec{X: s*twist[0] - c*twist[1], Y: c*twist[0] + s*twist[1]}
	}
	return geom.Pose{P: p, Q: geom.AxisAngle(r3.Vec{Z: 1}, a)}
}

// stand returns the foot of a leg t seconds after the middle of its stance, B.
func (k *cycle) stand(twist [3]float64, leg int, t float64) r3.Vec {
	return body(twist, t).Inverse().Apply(k.r.Legs[leg].Neutral)
}

// foot returns where a leg's foot is, B, at a share of its stance or swing, at
// a steady twist. g is the table in use.
func (k *cycle) foot(g *gait.Gait, twist [3]float64, leg int, stance bool, share float64) r3.Vec {
	p := k.level(g, twist, leg, stance, share)
	phase := g.Offset[leg] + share*g.Duty[leg]
	if !stance {
		phase = g.LiftOff(leg) + share*(1-g.Duty[leg])
	}
	z, _, _, _ := k.flight.At(phase)
	p.Z -= z
	return p
}

// level is foot for a body that keeps its height.
func (k *cycle) level(g *gait.Gait, twist [3]float64, leg int, stance bool, share float64) r3.Vec {
	down := g.Duty[leg] * k.period
	if stance {
		return k.stand(twist, leg, (share-0.5)*down)
	}
	up := k.period - down
	// In the world the swing goes from one standing foot to the next; seen from
	// the body as it is at lift-off, then from the body as it is now.
	from := k.stand(twist, leg, down/2)
	to := body(twist, up).Apply(k.stand(twist, leg, -down/2))
	w := gait.Swing{From: from, To: to, Lift: k.lift, Time: up, Curve: g.Shape.Curve}
	w.Bow = gait.Bow(k.r.Legs[leg].Neutral, g.Shape.Width*k.size.U)
	return body(twist, share*up).Inverse().Apply(w.At(share))
}

// solve finds the angles of a leg for its foot, B, from those it has.
func (k *cycle) solve(leg int, foot r3.Vec) ik.Result {
	return k.s.Solve(k.q, leg, ik.Target{Foot: foot})
}

// sustains reports whether the twist can be kept up by reach, joint limits,
// joint speeds and, for static gaits, margin; if not, what binds.
func (k *cycle) sustains(twist [3]float64) (bool, control.Binding) {
	g := k.table(twist)
	for leg := range k.r.Legs {
		if b := k.leg(g, twist, leg); b != control.BindNone {
			return false, b
		}
	}
	if k.floor > math.Inf(-1) || k.mean > math.Inf(-1) {
		if least, mean := g.Margins(k.r, k.com, k.sweep(twist)); least < k.floor || mean < k.mean {
			return false, control.BindMargin
		}
	}
	return true, control.BindNone
}

// leg walks one leg through a cycle.
func (k *cycle) leg(g *gait.Gait, twist [3]float64, leg int) control.Binding {
	l := &k.r.Legs[leg]
	down := g.Duty[leg] * k.period
	for _, t := range [2]float64{-down / 2, down / 2} {
		p := k.stand(twist, leg, t)
		dx, dy := p.X-l.Neutral.X, p.Y-l.Neutral.Y
		if dx*dx+dy*dy > k.reach*k.reach*(1+1e-9) {
			return control.BindReach
		}
	}
	res := k.s.SolveCold(k.q, leg, ik.Target{Foot: k.foot(g, twist, leg, true, 0)})
	if !k.reached(l, res) {
		return control.BindReach
	}
	if b := k.part(g, twist, leg, true, k.grain.stance, down/float64(k.grain.stance)); b != control.BindNone || g.Duty[leg] >= 1 {
		return b
	}
	return k.part(g, twist, leg, false, k.grain.swing, (k.period-down)/float64(k.grain.swing))
}

// part walks one leg through its stance or swing in n samples dt apart.
func (k *cycle) part(g *gait.Gait, twist [3]float64, leg int, stance bool, n int, dt float64) control.Binding {
	l := &k.r.Legs[leg]
	q, old := k.r.Slice(k.q, leg), k.r.Slice(k.before, leg)
	for i := 1; i <= n; i++ {
		copy(old, q)
		res := k.solve(leg, k.foot(g, twist, leg, stance, float64(i)/float64(n)))
		if !k.reached(l, res) {
			return control.BindReach
		}
		for j := range q {
			if math.Abs(q[j]-old[j]) > k.rate*l.Joints[j].Speed*dt {
				return control.BindJointSpeed
			}
		}
	}
	return control.BindNone
}

// reached reports whether a foot is where it should be; a planar leg's may be off
// to the side.
func (k *cycle) reached(l *rig.Leg, res ik.Result) bool {
	return res.Status == ik.Reached || l.Planar && res.Residual < cycleSlip*l.Length
}

// cycleSlip is how far a planar leg's foot may be off its path, of its length.
const cycleSlip = 0.02
