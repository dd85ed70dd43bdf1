package preflight

import (
	"math"
	"slices"
	"strings"
	"testing"

	"legctl/configs"
	"legctl/control"
	"legctl/rig"
)

func load(t *testing.T, name string) *rig.Rig {
	t.Helper()
	r, err := configs.LoadRig(name)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestComplaint06_EveryRunHasItsMargin: no figure of a rig is given without the
// margin of the centre of mass in its support, and a body whose mass lies
// outside its feet is never called fine.
func TestComplaint06_EveryRunHasItsMargin(t *testing.T) {
	r := load(t, "phantomx")
	p := control.DefaultParams(r)
	i, _ := p.Index("tripod")
	p.Gaits = p.Gaits[i : i+1]
	rep, err := Check(r, p)
	if err != nil {
		t.Fatal(err)
	}
	for _, run := range rep.Gaits[0].Runs {
		if !(run.Margin > 0) || run.Mean < run.Margin {
			t.Errorf("twist %v: margin least %v, mean %v", run.Twist, run.Margin, run.Mean)
		}
	}
	// A load far in front of the feet.
	heavy := load(t, "phantomx")
	heavy.Body.CoM.X += 0.4
	k, err := control.New(heavy, p)
	if err != nil {
		t.Fatal(err)
	}
	if k.Static(0) {
		t.Error("a tripod whose body would tip over its front feet is called static")
	}
}

// TestComplaint11_ReachAndTorqueBeforeAHigherStep: asking for a higher step is
// answered before it is taken: the allowed speed falls, and at last there is
// none.
func TestComplaint11_ReachAndTorqueBeforeAHigherStep(t *testing.T) {
	last, closed := math.Inf(1), false
	for _, height := range []float64{0.35, 0.8, 1.6, 3} {
		r := load(t, "phantomx")
		plan, err := configs.LoadGait("tripod", r)
		if err != nil {
			t.Fatal(err)
		}
		plan.Phase.Shape.Height = height
		p := control.DefaultParams(r)
		p.Gaits = []control.Plan{plan}
		c, err := control.New(r, p)
		if err != nil {
			t.Fatal(err)
		}
		a := c.Allowed(0)
		k := newCycle(c, 0)
		k.open(&a)
		k.fill(&a, true)
		if a.Linear[0] > last+1e-9 {
			t.Errorf("a step of %v U is allowed %v m/s, a lower one %v", height, a.Linear[0], last)
		}
		last = a.Linear[0]
		if last == 0 {
			closed = true
			if a.LinearBind[0] != control.BindJointSpeed && a.LinearBind[0] != control.BindReach {
				t.Errorf("a step of %v U is refused by %v", height, a.LinearBind[0])
			}
		}
	}
	if !closed {
		t.Errorf("a step of 3 U is allowed %v m/s", last)
	}
}

// TestComplaint41_EveryGaitHasASpeed: each gait a rig may walk has a speed in
// m/s, in both directions, and a turning rate.
func TestComplaint41_EveryGaitHasASpeed(t *testing.T) {
	r := load(t, "a1")
	p := control.DefaultParams(r)
	p.Gaits = slices.DeleteFunc(p.Gaits, func(g control.Plan) bool { return g.Rules.Shift > 0 }) // slow to walk
	all, err := Compare(r, p)
	if err != nil {
		t.Fatal(err)
	}
	offered := 0
	for i := range all {
		g := &all[i]
		if g.Refused != "" {
			continue
		}
		offered++
		if !(g.Speed > 0) || !(g.Turn > 0) || !(g.Limit.Linear[control.Headings/2] > 0) || !(g.Period > 0) {
			t.Errorf("%s: %v m/s, %v rad/s, cycle %v s", g.Name, g.Speed, g.Turn, g.Period)
		}
		if len(g.Margins) != len(g.Diagram.Bits) || len(g.Margins) == 0 {
			t.Errorf("%s: %d margins at %d moments", g.Name, len(g.Margins), len(g.Diagram.Bits))
		}
	}
	if offered < 10 { // five of the catalogue would pitch over
		t.Errorf("%d gaits offered to a1, want 10 or more", offered)
	}
}

// TestComplaint47_ParametersAreCheckedAgainstTheWorkspace: a gait whose feet
// would have to go where legs do not reach is not walked there: its speed is
// what reach allows, and the limit has a name.
func TestComplaint47_ParametersAreCheckedAgainstTheWorkspace(t *testing.T) {
	c := controllerOf(t, "phantomx", "wave")
	a, err := Allowed(c, 0)
	if err != nil {
		t.Fatal(err)
	}
	share, bind := a.Limit(10, 0, 0)
	if share >= 0.01 || bind != control.BindReach && bind != control.BindJointSpeed {
		t.Errorf("10 m/s: share %v, bound by %v", share, bind)
	}
	w, err := newRunner(c, 0)
	if err != nil {
		t.Fatal(err)
	}
	if res := w.run([3]float64{share * 10, 0, 0}, false); !res.Steady || res.Rate.Value > 1 {
		t.Errorf("at the allowed speed: %+v", res)
	}
}

// TestComplaint56_AnyDirection: every rig whose legs turn sideways is allowed to
// go in every direction, and to turn while it goes.
func TestComplaint56_AnyDirection(t *testing.T) {
	for _, row := range []struct{ rig, gait string }{{"phantomx", "tripod"}, {"a1", "walking_trot"}, {"phoenix", "ripple"}} {
		a, err := Allowed(controllerOf(t, row.rig, row.gait), 0)
		if err != nil {
			t.Fatal(err)
		}
		most := 0.0
		for _, v := range a.Linear {
			most = math.Max(most, v)
		}
		for i, v := range a.Linear {
			if v < 0.4*most {
				t.Errorf("%s %s: %v m/s at heading %d, %v at the best", row.rig, row.gait, v, i, most)
			}
			if f := a.Mix[i][6]; f < 0.5 {
				t.Errorf("%s %s: heading %d with turning has %v of the budget", row.rig, row.gait, i, f)
			}
		}
	}
}

// TestComplaint59_TooTallOrTooFast: a rig that is made to stand taller than its
// legs reach is refused before its first stand, by name, and one whose joints
// are slower goes slower.
func TestComplaint59_TooTallOrTooFast(t *testing.T) {
	r := load(t, "phantomx")
	for i := range r.Legs {
		r.Legs[i].Neutral.Z -= 0.2
	}
	r.Height += 0.2
	p := control.DefaultParams(r)
	p.Gaits = p.Gaits[:1]
	rep, err := Check(r, p)
	if err == nil {
		if len(rep.Faults) == 0 {
			t.Error("feet 0.2 m below their reach: no fault")
		}
	} else if !strings.Contains(err.Error(), "reach") {
		t.Errorf("refused with %v", err)
	}
	fast := speedOf(t, load(t, "phantomx"))
	slow := load(t, "phantomx")
	for i := range slow.Legs {
		for j := range slow.Legs[i].Joints {
			slow.Legs[i].Joints[j].Speed /= 3
		}
	}
	if v := speedOf(t, slow); v > 0.5*fast {
		t.Errorf("with a third of the joint speed %v m/s, before %v", v, fast)
	}
}

// speedOf is the allowed speed of the tripod of a rig.
func speedOf(t *testing.T, r *rig.Rig) float64 {
	t.Helper()
	plan, err := configs.LoadGait("tripod", r)
	if err != nil {
		t.Fatal(err)
	}
	p := control.DefaultParams(r)
	p.Gaits = []control.Plan{plan}
	c, err := control.New(r, p)
	if err != nil {
		t.Fatal(err)
	}
	a, err := Allowed(c, 0)
	if err != nil {
		t.Fatal(err)
	}
	return a.Linear[0]
}
