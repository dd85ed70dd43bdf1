package control_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"legctl/configs"
	"legctl/control"
	"legctl/gait"
	"legctl/geom"
	"legctl/ik"
	"legctl/rig"
	"legctl/sim"
)

// setting is a world to be built: a rig of the shipped files, the rules it
// walks by, and the ground it walks on. The zero size is the reference world.
type setting struct {
	rig    string
	rules  gait.Rules
	dt     float64     // seconds; 0 = one k
	ground geom.Ground // nil = level
	stage  int         // 0 = all; of the ladder -1 is none
	own    bool        // the rig's own length and time unit under its own gravity, not the reference
	ideal  bool        // joints without limits in an own world, too
	leeway float64     // of the simulator, U; 0 = as the rules have it
}

// world is a rig, its controller and the simulator, stepped together.
type world struct {
	t      testing.TB
	rig    *rig.Rig
	c      *control.Controller
	sim    *sim.Sim
	ground geom.Ground
	s      *control.State
	out    *control.Output
	obs    *rig.Observation
	size   control.Sizing
	sized  *gait.Sized
	rules  gait.Rules
	dt     float64
	ticks  []tickLog
}

// sizes keeps what was measured: it takes longer than most tests.
var sizes = map[string]control.Sizing{}

func measured(r *rig.Rig, dt float64) control.Sizing {
	key := fmt.Sprint(r.Name, dt)
	if _, ok := sizes[key]; !ok {
		sizes[key] = control.Measure(r, ik.NewSolver(r, ik.DefaultParams()), dt, false)
	}
	return sizes[key]
}

func shippedRig(t testing.TB, name string) *rig.Rig {
	t.Helper()
	r, err := configs.LoadRig(name)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// idealJoints takes the limits off the joints: the reference world knows no
// servos.
func idealJoints(r *rig.Rig) {
	for i := range r.Legs {
		for j := range r.Legs[i].Joints {
			q := &r.Legs[i].Joints[j]
			q.Speed = 1e4
			q.Min, q.Max = math.Min(q.Min, -math.Pi), math.Max(q.Max, math.Pi)
		}
	}
}

// build makes the world and stands the rig in it.
func build(t testing.TB, o setting) *world {
	t.Helper()
	w := &world{t: t, ground: o.ground, rules: o.rules, dt: o.dt}
	w.rig = shippedRig(t, o.rig)
	if w.ground == nil {
		w.ground = geom.Level(0)
	}
	w.size = control.Sizing{Scale: gait.Reference(w.rig.Height)}
	w.size.L = w.rig.L()
	if o.own {
		w.size = measured(w.rig, o.dt)
	} else {
		w.rig.Gravity = 32
	}
	if !o.own || o.ideal {
		idealJoints(w.rig)
	}
	if w.dt == 0 {
		w.dt = w.size.K
	}
	stage := gait.StageAll
	if o.stage != 0 {
		stage = max(o.stage, 0)
	}
	p := control.Params{
		Dt: w.dt, TTL: 1e3, Near: 2.2, Stage: stage, IK: ik.DefaultParams(),
		Gaits: []control.Plan{{Name: "rules", Rules: o.rules}}, Scale: &w.size,
	}
	var err error
	if w.c, err = control.New(w.rig, p); err != nil {
		t.Fatal(err)
	}
	w.sized = gait.Size(w.rig, o.rules, w.size.Scale, w.dt, stage)
	sp := sim.Default()
	sp.Leeway = o.rules.Leeway
	if o.leeway != 0 {
		sp.Leeway = o.leeway
	}
	w.sim, err = sim.New(w.rig, w.ground, sp, sim.Scale{U: w.size.U, K: w.size.K, Gravity: w.rig.G()}, w.dt, 1)
	if err != nil {
		t.Fatal(err)
	}
	w.s = &control.NewStates(w.rig, 1)[0]
	w.out = &control.NewOutputs(w.rig, 1)[0]
	w.obs = rig.NewObservation(w.rig)
	w.place(0, 0, 0)
	return w
}

// place stands the rig somewhere else, at rest.
func (w *world) place(x, y, yaw float64) {
	w.t.Helper()
	if err := w.sim.Place(x, y, yaw); err != nil {
		w.t.Fatal(err)
	}
	w.observe()
	w.c.Start(w.s, w.obs, w.ground, true)
	w.ticks = w.ticks[:0]
}

func (w *world) observe() {
	if err := w.sim.Observe(context.Background(), w.obs); err != nil {
		w.t.Fatal(err)
	}
}

// step runs one tick with a command, which may be nil, and logs it.
func (w *world) step(cmd *control.Command) *tickLog {
	w.t.Helper()
	w.observe()
	w.c.Step(w.out, w.s, cmd, w.obs, w.ground)
	if cmd != nil && w.out.Reply.Reason != control.Accepted {
		w.t.Fatalf("command %d refused: reason %d, value %g, bound %g", cmd.Kind, w.out.Reply.Reason, w.out.Reply.Value, w.out.Reply.Bound)
	}
	if err := w.sim.Apply(context.Background(), &w.out.Set); err != nil {
		w.t.Fatal(err)
	}
	l := tickLog{
		lift: w.out.LiftOff, touch: w.out.Touchdown, waiting: w.s.Waiting, p: w.sim.Pose(),
		clamped: w.out.AngleLimit | w.out.SpeedLimit | w.out.Unreached,
	}
	for i := range w.s.Legs {
		bit := uint64(1) << i
		leg := &w.s.Legs[i]
		if leg.Moving {
			l.moving |= bit
		} else if leg.Touching {
			l.grounded |= bit
		}
		if leg.Grounded && w.s.Off&bit == 0 {
			l.eligible |= bit
		}
	}
	w.ticks = append(w.ticks, l)
	return &w.ticks[len(w.ticks)-1]
}

// run runs n ticks without a command.
func (w *world) run(n int) {
	w.t.Helper()
	for range n {
		w.step(nil)
	}
}

// twist orders a velocity in U/k, B, and a yaw rate in rad/k.
func (w *world) twist(vx, vy, wz float64) {
	w.t.Helper()
	v := w.size.U / w.size.K
	w.step(&control.Command{Kind: control.KindTwist, Vx: vx * v, Vy: vy * v, Wz: wz / w.size.K, TTL: 1e3})
}

func (w *world) stop() { w.t.Helper(); w.step(&control.Command{Kind: control.KindStop}) }

func (w *world) leg(i int, on bool) {
	w.t.Helper()
	w.step(&control.Command{Kind: control.KindLeg, Leg: int16(i), On: on})
}
