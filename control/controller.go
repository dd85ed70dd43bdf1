package control

import (
	"errors"
	"fmt"
	"math"

	"legctl/balance"
	"legctl/blend/space"
	"legctl/estimate"
	"legctl/gait"
	"legctl/geom"
	"legctl/ik"
	"legctl/rig"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/gonum/spatial/r3"
)

// Controller is a rig with its parameters, worked out once, and the scratch
// space of one tick. It holds nothing that outlives a Step: everything that
// must is in State. One goroutine at a time.
type Controller struct {
	rig     *rig.Rig
	params  Params
	gaits   []program
	level   *balance.Level
	posture posture
	senses  senseParams
	flow    gait.Flow // how legs come to their phases
	com     r3.Vec    // centre of mass in neutral stance, B, metres
	steady  *program  // leans its body to free one leg after the other
	ladder  []rung    // the gaits of auto, slow first
	surest  int       // the gait to fall back to with legs lost, -1: steady
	planar  bool      // every leg is planar
	regroup regroup   // where legs stand when others are lost
	styler  *styler   // nil: no clips
	clips   *player   // nil: no clips
	mass    float64
	far     float64 // from the origin of B to the farthest neutral foot, metres

	most  []float64 // how far each joint may turn in a tick, rad
	hurry []float64 // and beyond what it counts as too fast

	solver   *ik.Solver
	scratchQ []float64
	tick     tick
}

// program is one gait ready to walk.
type program struct {
	plan    Plan
	sized   *gait.Sized
	sizing  Sizing
	allowed AllowedTwist
	compass gait.Compass // tables of a clocked gait, by way
	shift   []float64    // of each of those tables: how far the reference clip is ahead, cycles
	flight  gait.Flight  // of its body
	bottom  float64      // cycle phase of the deepest point of a push
	fitted  gait.Fitted  // what the rig made of the table
	swing   float64      // seconds a foot is in the air, at least
	period  float64      // of a clocked gait, seconds
	static  bool         // no foot may lift that the margin's floor needs
	refused string       // not empty: why the rig may not walk it
	floor   float64      // static margin, metres
	brake   float64      // m/s2
	climb   float64      // fastest change of body height, m/s
	keep    float64      // share of an old level kept by a tick
	follow  float64      // share of a height error made up in a tick
	lean    float64      // limits of the lean, in metres and seconds
	leanV   float64
	leanA   float64
}

// tick is what the stages of one Step hand to each other.
type tick struct {
	prog    *program
	ground  geom.Ground
	wish    [3]float64 // vx, vy, wz, B
	binding Binding
	bindLeg int16
	body    gait.Body
	zones   gait.Zones
	plain   geom.Pose // of the body, without style
	share   float64   // of the clips' steps that are wanted
	stature float64   // height of B above the ground the body is to have, metres
	rest    [rig.MaxLegs]r3.Vec
	sets    gait.Sets
	cycles  [rig.MaxLegs]gait.LegPhase
	tracks  [rig.MaxLegs]estimate.Track
	period  float64 // of the clock in this tick, seconds
	aimVel  r3.Vec  // the velocity the feet of a clocked gait land for, W
	aimRate float64 // and the yaw rate, rad/s
	feetG   [rig.MaxLegs]r3.Vec
	stance  [rig.MaxLegs]bool
	support []r2.Vec // polygon of the feet that stand in the wish
	rings   rings
	spare   ring // of feet that do not stand
	edges   [rig.MaxLegs]side

	points [rig.MaxLegs]r3.Vec

	// What was already worked out, with what they were worked out from.
	yaw      float64
	yawRot   geom.Rot
	level    [2]float64
	levelYaw float64
	levelQ   quat.Number
	levelRot geom.Rot
	comPose  geom.Pose
	comB     r3.Vec
	comW     r3.Vec
	granted  struct {
		prog  *program
		wish  [3]float64
		share float64
		bind  Binding
	}

	fit      fit
	styleFit styleFit
}

// New works out a controller for a validated rig. The error names every gait
// of Params whose numbers cannot be used; a gait that merely does not suit the
// rig is kept and refused when asked for (Offers says why).
func New(r *rig.Rig, p Params) (*Controller, error) {
	if !(p.Dt > 0 && p.Dt <= 0.1) {
		return nil, fmt.Errorf("control: dt is %g s, must be in (0, 0.1]", p.Dt)
	}
	if len(p.Gaits) == 0 {
		return nil, errors.New("control: no gaits, at least 1 is needed")
	}
	level, err := balance.NewLevel(r)
	if err != nil {
		return nil, err
	}
	c := &Controller{rig: r, params: p, level: level, planar: true, mass: r.Mass()}
	c.solver = ik.NewSolver(r, p.IK)
	c.scratchQ = r.RestPose(nil)
	c.posture = newPosture(r, c.solver)
	c.senses, c.flow = newSenseParams(r), gait.DefaultFlow()
	c.com = rig.CoM(r, c.scratchQ)
	for i := range r.Legs {
		c.planar = c.planar && r.Legs[i].Planar
		for j := range r.Legs[i].Joints {
			most := r.Legs[i].Joints[j].Speed * p.Dt
			c.most, c.hurry = append(c.most, most), append(c.hurry, most*speedSlack)
		}
		n := r.Legs[i].Neutral
		c.far = math.Max(c.far, math.Sqrt(n.X*n.X+n.Y*n.Y))
	}
	c.tick.support = make([]r2.Vec, 0, rig.MaxLegs)
	c.tick.spare = newRing(len(r.Legs))
	for i := range c.tick.rings.ring {
		c.tick.rings.ring[i] = newRing(len(r.Legs))
	}
	measured := p.Scale
	if measured == nil {
		z := Measure(r, c.solver, p.Dt, false)
		measured = &z
	}
	for _, plan := range p.Gaits {
		prog, err := c.program(plan, *measured)
		if err != nil {
			return nil, err
		}
		c.gaits = append(c.gaits, prog)
	}
	if err := c.takeSpace(p.Space); err != nil {
		return nil, err
	}
	c.makeLadder()
	if err := c.makeSteady(*measured); err != nil {
		return nil, err
	}
	c.newRegroup()
	return c, nil
}

// takeSpace makes the clips ready that belong to the rig.
func (c *Controller) takeSpace(sp *space.Space) error {
	if sp == nil {
		return nil
	}
	if len(sp.Legs) != len(c.rig.Legs) {
		return fmt.Errorf("control: space %q has clips for %d legs, the rig %q has %d", sp.Name, len(sp.Legs), c.rig.Name, len(c.rig.Legs))
	}
	for i, name := range sp.Legs {
		if name != c.rig.Legs[i].Name {
			return fmt.Errorf("control: leg %d of space %q is %q, of the rig %q: it was built for another rig", i, sp.Name, name, c.rig.Legs[i].Name)
		}
	}
	if l := c.rig.L(); math.Abs(sp.Length-l) > sizeSlack*l {
		return fmt.Errorf("control: space %q is for legs of %.3g m, those of the rig are %.3g m: build it for this rig", sp.Name, sp.Length, l)
	}
	var err error
	if c.styler, err = newStyler(sp); err != nil {
		return err
	}
	for i := range c.gaits {
		if g := &c.gaits[i]; g.plan.Clocked() {
			g.shift = c.styler.shifts(g.compass.Tables)
		}
	}
	c.clips = newPlayer(sp)
	return nil
}

// sizeSlack is by how much of its length the legs of a space may differ from the
// rig's.
const sizeSlack = 0.01

// program sizes one gait for the rig.
func (c *Controller) program(plan Plan, sizing Sizing) (program, error) {
	if err := plan.Rules.Validate(); err != nil {
		return program{}, fmt.Errorf("control: gait %q: %w", plan.Name, err)
	}
	plan.Rules = plan.Rules.For(len(c.rig.Legs))
	if c.params.Scale == nil {
		sizing = sizing.paced(c.rig, plan.Rules.Shift > 0)
	}
	return c.sizedProgram(plan, sizing)
}

// sizedProgram is program in a known size.
func (c *Controller) sizedProgram(plan Plan, sizing Sizing) (program, error) {
	rules := &plan.Rules
	if !(sizing.U > 0) || math.IsInf(sizing.U, 1) {
		return program{}, fmt.Errorf("control: rig %q: length unit U is %g m, must be > 0: the neutral feet are at or beyond the end of reach", c.rig.Name, sizing.U)
	}
	u, k := sizing.U, sizing.K
	g := program{
		plan: plan, sizing: sizing,
		sized: gait.Size(c.rig, *rules, sizing.Scale, c.params.Dt, c.params.Stage),
		floor: rules.Floor * sizing.L,
		brake: rules.Brake * u / (k * k),
		climb: rules.Climb * u / k,
		keep:  balance.Residual(c.params.Dt, k),
		// The original makes up 0.25 of a height error in each of its ticks.
		follow: 1 - math.Exp(math.Log(1-0.25)*c.params.Dt/k),
		lean:   rules.Shift * u, leanV: rules.ShiftRate * u / k, leanA: rules.ShiftRamp * u / (k * k),
	}
	if g.static = rules.Gate && !plan.Clocked(); plan.Clocked() {
		g.refused = c.fit(&g)
	}
	if g.refused == "" {
		g.refused = c.suits(&g)
	}
	g.allowed = c.neutralTwist(&g)
	if plan.Allowed != nil {
		g.allowed = *plan.Allowed
	}
	return g, nil
}

// Limits of what a rig may be offered (design section 4, known figures).
const (
	gallopSlowness = 1.2 // gallop only where k <= 1.2 kF
	dynamicFall    = 1.5 // dynamic walk only where 6 k sqrt(g/h) <= 1.5
	dynamicTime    = 6
)

// suits returns why a rig may not walk a gait, or nothing.
func (c *Controller) suits(g *program) string {
	z := &g.sizing
	if z.KF == 0 {
		return "" // a world of the caller's own making: see Params.Scale
	}
	if legs := len(c.rig.Legs); legs < leastLegs {
		return fmt.Sprintf("%d point feet never make a support polygon, at least %d are needed to stand between steps", legs, leastLegs)
	}
	if g.plan.Rules.Gallop && z.K > gallopSlowness*z.KF {
		return fmt.Sprintf("k is %.2f kF, must be <= %g: its joints are too slow to gallop", z.K/z.KF, gallopSlowness)
	}
	dynamic := g.plan.Rules.Class(len(c.rig.Legs)) == rig.Dynamic && !g.plan.Rules.Gallop
	if g.plan.Clocked() {
		dynamic = !g.static
	}
	if dynamic {
		if f := dynamicTime * z.K * math.Sqrt(c.rig.G()/z.H); f > dynamicFall {
			return fmt.Sprintf("6 k sqrt(g/h) is %.2f, must be <= %g: it would fall over before its next step", f, dynamicFall)
		}
	}
	return ""
}

// clockedReach is the share of the comfort circle a stance sweep may use.
const clockedReach = 0.9

// neutralTwist is the allowed twist without a preflight sweep: the rule's own
// speed for every foot, as far as the leg can go that way.
func (c *Controller) neutralTwist(g *program) AllowedTwist {
	var a AllowedTwist
	speed := g.sized.Speed
	bind := BindRule
	if g.plan.Clocked() {
		// The stance sweep fits into the comfort zone.
		most := 0.0
		for _, d := range g.compass.Tables[0].Duty {
			most = math.Max(most, d)
		}
		if v := 2 * clockedReach * g.sized.Comfort / (most * g.period); v < speed {
			speed, bind = v, BindReach
		}
	}
	for i := range a.Linear {
		a.Linear[i], a.LinearBind[i] = speed, bind
		if c.planar && i%(Headings/2) != 0 {
			a.Linear[i], a.LinearBind[i] = 0, BindPlanar
		}
	}
	a.Turn, a.TurnBind = math.Min(g.sized.TurnSpeed, speed/c.far), bind
	return a
}

// Offers reports whether the rig may walk gait i, and why not.
func (c *Controller) Offers(i int) (ok bool, why string) {
	if i < 0 || i >= len(c.gaits) {
		return false, "no such gait"
	}
	return c.gaits[i].refused == "", c.gaits[i].refused
}

// Sizing returns the scale in which gait i is walked.
func (c *Controller) Sizing(i int) Sizing { return c.gaits[i].sizing }

// Allowed returns the allowed twist of gait i.
func (c *Controller) Allowed(i int) AllowedTwist { return c.gaits[i].allowed }

// Rig returns the rig the controller was made for.
func (c *Controller) Rig() *rig.Rig { return c.rig }

// Params returns the parameters the controller was made with.
func (c *Controller) Params() *Params { return &c.params }

// Best returns the first gait of Params the rig may walk, or -1.
func (c *Controller) Best() int {
	for i := range c.gaits {
		if c.gaits[i].refused == "" {
			return i
		}
	}
	return -1
}
