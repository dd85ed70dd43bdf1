package control_test

import (
	"context"
	"fmt"
	"math"
	mathbits "math/bits"
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

// tickLog is what a tick did.
type tickLog struct {
	lift, touch uint64 // bit sets of legs
	moving      uint64 // in swing at the end of the tick
	grounded    uint64 // planted at the end of the tick
	eligible    uint64 // neither disabled nor without ground
	waiting     bool
	p           geom.Pose // fact
	clamped     uint64
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

// inK is how many ticks n k last, rounded to the nearest.
func (w *world) inK(n float64) int { return int(math.Round(n * w.size.K / w.dt)) }

// lifts returns the ticks in which a leg lifted, from tick from on.
func (w *world) lifts(leg, from int) []int {
	return w.when(leg, from, func(l *tickLog) uint64 { return l.lift })
}

// touches returns the ticks in which a leg touched down.
func (w *world) touches(leg, from int) []int {
	return w.when(leg, from, func(l *tickLog) uint64 { return l.touch })
}

func (w *world) when(leg, from int, set func(*tickLog) uint64) []int {
	var list []int
	for k := from; k < len(w.ticks); k++ {
		if set(&w.ticks[k])>>leg&1 == 1 {
			list = append(list, k)
		}
	}
	return list
}

// stride is how a rig steps in the steady state: times in ticks of the log.
type stride struct {
	period      float64 // mean over legs
	least, most int     // single periods
	swingLeast  int
	swingMost   int
	duty        float64
	speed       float64 // mean, U/k
}

// strides measures the ticks from from on.
func (w *world) strides(from int) stride {
	w.t.Helper()
	st := stride{least: math.MaxInt, swingLeast: math.MaxInt}
	sum, n, air := 0, 0, 0
	for i := range w.rig.Legs {
		lifts := w.lifts(i, from)
		for k := 1; k < len(lifts); k++ {
			p := lifts[k] - lifts[k-1]
			st.least, st.most = min(st.least, p), max(st.most, p)
			sum += p
			n++
		}
		for _, l := range lifts {
			for k := l; k < len(w.ticks); k++ {
				if w.ticks[k].touch>>i&1 == 1 {
					st.swingLeast, st.swingMost = min(st.swingLeast, k-l), max(st.swingMost, k-l)
					break
				}
			}
		}
	}
	for k := from; k < len(w.ticks); k++ {
		air += len(w.rig.Legs) - mathbits.OnesCount64(w.ticks[k].grounded)
	}
	if n == 0 {
		w.t.Fatal("no leg stepped twice")
	}
	span := len(w.ticks) - from
	st.period = float64(sum) / float64(n)
	st.duty = 1 - float64(air)/float64(span*len(w.rig.Legs))
	a, b := w.ticks[from].p.P, w.ticks[len(w.ticks)-1].p.P
	way := math.Hypot(b.X-a.X, b.Y-a.Y)
	st.speed = way / w.size.U / (float64(span-1) * w.dt / w.size.K)
	return st
}

// any returns the union of the sets of all ticks.
func (w *world) any(set func(*tickLog) uint64) uint64 {
	all := uint64(0)
	for k := range w.ticks {
		all |= set(&w.ticks[k])
	}
	return all
}
