package preflight

import (
	"fmt"
	"math"
	"slices"

	"legctl/control"
	"legctl/geom"
	"legctl/rig"
)

// Run is what one steady run at one twist showed.
type Run struct {
	Twist    [3]float64 // asked for: vx, vy, wz, B
	Speed    float64    // mean speed along the twist, m/s; rad/s when turning only
	Steady   bool       // no limit hit and no wait for an uncomfortable leg
	Walks    bool       // every leg lifted three times, mean speed >= 0.9 of the twist
	Bind     control.Binding
	Reach    Worst   // foot to the end of its leg's comfort cylinder, share used
	Angle    Worst   // distance to a joint limit, rad
	Rate     Worst   // joint speed over its maximum
	Gap      Gap     // between adjacent legs; of full runs
	Torque   Worst   // static joint torque over its limit; NaN where unknown
	Margin   float64 // least static margin after the first cycle, metres
	Mean     float64 // mean margin, metres
	Duty     float64 // mean share of stance
	Period   float64 // mean time between lift-offs of a leg, s
	Watts    float64 // mean power of the joints by the servo model; NaN: not known or not measured
	Ticks    int
	LiftOffs int // of the leg that lifted least; on a curve, most
}

// Worst is the worst value of a kind and where it occurred.
type Worst struct {
	Value      float64
	Leg, Joint int     // -1 where it does not apply
	Phase      float64 // seconds into the run
}

// walkShare is the share of its speed at which a rig walks (design, "Walks").
const walkShare = 0.9

// lifts is how often every leg must lift before a run counts (design, "Walks").
const lifts = 3

// runner walks one controller again and again.
type runner struct {
	c     *control.Controller
	r     *rig.Rig
	s     *control.State
	out   *control.Output
	plane *geom.Plane
	full  bool    // measure torque too
	stops bool    // the rules stop for an uncomfortable leg
	keeps float64 // share of a twist that a run must have had to be a walk
	begin int     // lift-offs of every leg before a run counts, less one
	load  loads
	bones bones
}

// unbound is a speed that no rule reaches, m/s and rad/s.
const unbound = 1e9

// newRunner makes a controller for one gait of c whose only limits are its own
// rules.
func newRunner(c *control.Controller, gait int) (*runner, error) {
	open := control.AllowedTwist{Turn: unbound}
	for i := range open.Linear {
		open.Linear[i] = unbound
	}
	r, p, z := c.Rig(), *c.Params(), c.Sizing(gait)
	p.Gaits = []control.Plan{p.Gaits[gait]}
	p.Gaits[0].Allowed = &open
	p.Scale = &z
	bare, err := control.New(r, p)
	if err != nil {
		return nil, fmt.Errorf("preflight: gait %q: %w", p.Gaits[0].Name, err)
	}
	return &runner{
		c: bare, r: r, s: &control.NewStates(r, 1)[0], out: &control.NewOutputs(r, 1)[0],
		plane: geom.Level(0), load: newLoads(r), keeps: walkShare,
		stops: p.Gaits[0].Rules.Uncomfortable == 0,
	}, nil
}

// run walks from rest at a twist until every leg has lifted often enough, or
// until a limit is hit when strict.
func (w *runner) run(twist [3]float64, strict bool) Run {
	c, s, out := w.c, w.s, w.out
	res := Run{Twist: twist, Margin: math.Inf(1), Angle: Worst{Value: math.Inf(1)}, Gap: noGap(), Steady: true}
	res.Torque.Leg, res.Rate.Leg, res.Angle.Leg, res.Reach.Leg = -1, -1, -1, -1
	c.Start(s, nil, w.plane, true)
	cmd := &control.Command{Kind: control.KindTwist, Vx: twist[0], Vy: twist[1], Wz: twist[2], TTL: 3600}
	dt, k := c.Params().Dt, c.Sizing(0).K
	most, warm := int(400*k/dt), int(20*k/dt)
	t := tally{count: make([]int, len(w.r.Legs)), start: -1, lifted: least}
	if twist[2] != 0 && (twist[0] != 0 || twist[1] != 0) {
		// On a curve a leg near its centre may have nothing to step for: the leg
		// that lifts most counts there.
		t.lifted = slices.Max[[]int]
	}
	copy(w.load.before, s.Q)
	for tick := 0; tick < most; tick++ {
		c.Step(out, s, cmd, nil, w.plane)
		cmd = nil
		if w.full && tick%everyPower == 0 && t.start >= 0 {
			t.power(w, dt)
		}
		w.observe(&res, tick, dt)
		// A start may wait; rules that only slow down never do.
		waits := out.Events&control.EventUncomfortable != 0 && t.start >= 0 && w.stops
		if out.AngleLimit|out.SpeedLimit|out.Unreached != 0 || waits {
			res.Steady = false
			res.Bind = blame(out)
			if strict {
				break
			}
		}
		if t.note(&res, w, tick, warm); res.LiftOffs >= lifts+1 {
			break
		}
	}
	t.finish(&res, w, dt)
	return res
}

// tally is what a run adds up once it is under way.
type tally struct {
	count  []int // lift-offs of each leg
	lifted func([]int) int
	start  int // tick at which it got under way; -1: not yet
	from   [3]float64

	stood, seen      int
	sum, way, turned float64 // of margins, metres and radians
	watts            float64
	looked           int
}

// note adds a tick.
func (t *tally) note(res *Run, w *runner, tick, warm int) {
	s, dt := w.s, w.c.Params().Dt
	for i := range s.Legs {
		t.count[i] += int(w.out.LiftOff >> i & 1)
	}
	if t.start < 0 {
		if tick >= warm && t.lifted(t.count) > w.begin {
			t.from, t.start = [3]float64{s.BaseW.X, s.BaseW.Y, s.Yaw}, tick
			clear(t.count)
		}
		return
	}
	for i := range s.Legs {
		if s.Legs[i].Planted() {
			t.stood++
		}
	}
	t.seen += len(s.Legs)
	t.sum += w.out.Margin
	t.way += math.Sqrt(s.VelW.X*s.VelW.X+s.VelW.Y*s.VelW.Y) * dt
	t.turned += s.YawRate * dt
	res.Margin = math.Min(res.Margin, w.out.Margin)
	res.Ticks = tick - t.start
	res.LiftOffs = t.lifted(t.count)
}

// power adds what the joints draw in a tick.
func (t *tally) power(w *runner, dt float64) {
	if p, known := w.load.power(w.s, w.r, dt); known {
		t.watts, t.looked = t.watts+p, t.looked+1
	}
}

// finish works the means of a run out, and whether it walked.
func (t *tally) finish(res *Run, w *runner, dt float64) {
	twist := res.Twist
	if res.Ticks > 0 {
		seconds := float64(res.Ticks) * dt
		res.Mean, res.Duty = t.sum/float64(res.Ticks+1), float64(t.stood)/float64(t.seen)
		res.Speed = w.meanSpeed(t.from, twist, t.way, t.turned, seconds)
		t.turned /= seconds
		if n := total(t.count); n > 0 {
			res.Period = seconds * float64(len(t.count)) / float64(n)
		}
	}
	res.Watts = t.watts / float64(t.looked)
	want := math.Sqrt(twist[0]*twist[0] + twist[1]*twist[1])
	if want == 0 {
		want = math.Abs(twist[2])
	}
	res.Walks = res.LiftOffs >= lifts && res.Speed >= w.keeps*want && math.Abs(t.turned) >= w.keeps*math.Abs(twist[2])
}

// meanSpeed is the way made over time: straight along the ground, along the
// body's own path where it turns as well, or turning when the twist only turns.
func (w *runner) meanSpeed(from, twist [3]float64, way, turned, seconds float64) float64 {
	s := w.s
	if twist[0] == 0 && twist[1] == 0 {
		return math.Abs(turned) / seconds
	}
	if twist[2] != 0 {
		return way / seconds
	}
	dx, dy := s.BaseW.X-from[0], s.BaseW.Y-from[1]
	return math.Sqrt(dx*dx+dy*dy) / seconds
}

func least(n []int) int { return slices.Min(n) }

func total(n []int) (sum int) {
	for _, v := range n {
		sum += v
	}
	return sum
}

// everyPower is how many ticks apart power is looked at: an odd number, so that
// it does not keep step with a cycle.
const everyPower = 3

// noGap is what no two legs have.
func noGap() Gap { return Gap{Value: math.Inf(1), Legs: [2]int{-1, -1}} }

// phase is where in its cycle a clocked gait is, or the time.
func (w *runner) phase(at float64) float64 {
	if w.c.Params().Gaits[0].Clocked() {
		return w.s.Phase
	}
	return at
}

// blame names the limit that a tick hit.
func blame(out *control.Output) control.Binding {
	switch {
	case out.SpeedLimit != 0:
		return control.BindJointSpeed
	case out.AngleLimit|out.Unreached != 0:
		return control.BindReach
	}
	return control.BindComfort
}

// observe notes the worst of a tick.
func (w *runner) observe(res *Run, tick int, dt float64) {
	s := w.s
	at := float64(tick) * dt
	u := w.c.Sizing(0)
	for i := range w.r.Legs {
		l := &w.r.Legs[i]
		q, old := w.r.Slice(s.Q, i), w.r.Slice(w.load.before, i)
		for j := range l.Joints {
			k := &l.Joints[j]
			if m := math.Min(q[j]-k.Min, k.Max-q[j]); m < res.Angle.Value {
				res.Angle = Worst{m, i, j, at}
			}
			if v := math.Abs(q[j]-old[j]) / dt / k.Speed; v > res.Rate.Value {
				res.Rate = Worst{v, i, j, at}
			}
		}
		foot := s.PoseWB.Inverse().Apply(s.Legs[i].Foot)
		n := l.Neutral
		if d := math.Sqrt((foot.X-n.X)*(foot.X-n.X)+(foot.Y-n.Y)*(foot.Y-n.Y)) / u.Reach; d > res.Reach.Value {
			res.Reach = Worst{d, i, -1, at}
		}
	}
	if w.full && tick%4 == 0 {
		w.load.worst(res, s, w.r, at)
		w.bones.gap(&res.Gap, w.r, s, w.phase(at))
	}
	copy(w.load.before, s.Q)
}
