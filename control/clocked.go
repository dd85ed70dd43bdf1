package control

import (
	"fmt"
	"math"

	"legctl/gait"
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/gonum/spatial/r3"
)

// clockedSwing is the peak speed of the C2 swing, 15/8 of its mean, over that
// of the rules' eased swing, 5/4, less the share that the body's own motion
// takes off it.
const clockedSwing = 1.35

// staticFloor is the margin, in L, that a static gait keeps at all times
// (design, section 4).
const staticFloor = 0.02

// fit works a phase table out for the rig: how long its swing takes, what is
// left of its flight, its orders by way, and whether it is static. It returns
// why the rig cannot do it, or nothing.
func (c *Controller) fit(g *program) string {
	rules, z := &g.plan.Rules, &g.sizing
	// One swing lasts what the nominal step needs at foot speed, and longer by
	// what the peak of its curve exceeds that of the rules'.
	swing := clockedSwing * (stepAhead - stepBack) / rules.FootSpeed * z.K
	fitted, err := gait.Fit(g.plan.Phase, swing, z.K, c.rig.G(), c.jump(g))
	if err != nil {
		g.compass, g.period, g.swing = gait.Compass{Tables: []gait.Gait{*g.plan.Phase}}, g.plan.Phase.Time(swing, z.K), swing
		return err.Error()
	}
	g.fitted, g.flight, g.period, g.swing = fitted, fitted.Flight, fitted.Period, swing*fitted.Swing
	g.bottom = bottomOf(&g.flight)
	com := planar(c.com)
	stroke := 2 * clockedReach * g.sized.Comfort
	g.compass = gait.NewCompass(c.rig, &fitted.Gait, com, stroke)
	most := mostAstray
	if g.flight.Rise > 0 {
		most = flyAstray
	}
	if out := astray(c.rig, &fitted.Gait, com); out > most*z.L {
		return fmt.Sprintf("its feet would stand %.2f L away from under the centre of mass, must be <= %g L: it would pitch over", out/z.L, most)
	}
	least, _ := fitted.Gait.Margins(c.rig, com, gait.Along(0, stroke, fitted.Gait.MostDuty()))
	g.static = rules.Shift > 0 || least >= staticFloor*z.L
	return ""
}

// jump is what the rig can do to leave the ground: how fast and how hard its
// standing legs push the body up from neutral stance, and how deep it may sink.
// Joint speed and torque bound it by the leg's Jacobian; unknown torques do not.
func (c *Controller) jump(g *program) gait.Jump {
	j := gait.Jump{Rate: speedShare * c.posture.spring, Sink: max(0, c.rig.Height-c.posture.sit)}
	force, known := 0.0, true
	var cols [rig.MaxJoints]r3.Vec
	q := c.rig.RestPose(nil)
	for i := range c.rig.Legs {
		l := &c.rig.Legs[i]
		n := len(l.Joints)
		rig.Jacobian(cols[:n], l, c.rig.Slice(q, i))
		rig.FoldMimic(cols[:n], l)
		push := math.Inf(1)
		for k := range l.Joints {
			up := math.Abs(cols[k].Z)
			if l.Joints[k].Torque > 0 && up > 0 {
				push = min(push, l.Joints[k].Torque/up)
			} else if up > 0 {
				known = false
			}
		}
		force += push
	}
	if known && !math.IsInf(force, 1) {
		j.Push = force * pushing(g.plan.Phase) / float64(len(c.rig.Legs)) / c.mass
	}
	return j
}

// pushing is the least number of feet that stand while any does.
func pushing(tab *gait.Gait) float64 {
	least := len(tab.Duty)
	for _, e := range tab.Events(nil) {
		n := 0
		for i := range tab.Duty {
			if down, _ := tab.At(e+1e-6, i); down {
				n++
			}
		}
		if n > 0 {
			least = min(least, n)
		}
	}
	return float64(least)
}

// Fitted returns what the rig made of the phase table of gait i: the table with
// its flight shortened, and the figure that asked for it. It is the zero value
// for step rules.
func (c *Controller) Fitted(i int) gait.Fitted { return c.gaits[i].fitted }

// Static reports whether gait i keeps the floor of the static margin at all
// times: by its rules' gate, by its table or by leaning.
func (c *Controller) Static(i int) bool { return c.gaits[i].static }

// bottomOf returns the phase at which the body is deepest.
func bottomOf(f *gait.Flight) float64 {
	const samples = 256
	best, least := 0.0, 0.0
	for n := range samples {
		p := float64(n) / samples
		if z, _, _, fly := f.At(p); !fly && z < least {
			best, least = p, z
		}
	}
	return best
}

// mostAstray is how far, L, the centre of mass may be outside the feet that stand
// at neutral stance, and flyAstray how far when the body takes off from them.
// Beyond it gaits pitch over in the physics the tests hold them against (bound,
// half-bound, gallops; docs/physics.md).
const (
	mostAstray = 0.32
	flyAstray  = 0.2
)

// astray is the greatest distance, metres, of the centre of mass from the
// polygon of the feet that stand, over the cycle; flight does not count.
func astray(r *rig.Rig, tab *gait.Gait, com r2.Vec) float64 {
	worst := 0.0
	spare := make([]r2.Vec, 0, len(r.Legs))
	for _, e := range tab.Events(nil) {
		if m := tab.MarginAt(r, com, gait.Sweep{}, e+1e-6, spare); !math.IsInf(m, -1) {
			worst = max(worst, -m)
		}
	}
	return worst
}
