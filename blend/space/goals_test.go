package space_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"legctl/blend/retarget"
	"legctl/blend/space"

	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/gonum/spatial/r3"
)

func TestGoalsThatMoveAreMet(t *testing.T) {
	s := baked(t, loadRig(t, "a1"), walkStyle())
	m := &s.Motions[0]
	speed := m.Clips[1].Loop.Speed()
	for _, v := range []r2.Vec{{X: 0.3 * speed}, {Y: 0.4 * speed}, {X: -0.3 * speed, Y: 0.2 * speed}} {
		p := play(s)
		g := space.Goal{At: r2.Vec{X: 6 * m.Radius, Y: 2 * m.Radius}, Velocity: v, Radius: 0.2 * m.Radius}
		met := false
		for range 4000 {
			p.step(tick)
			g.At = r2.Add(g.At, r2.Scale(tick, v))
			if met = s.Steer(p.st, g, space.Guide{}, tick) == space.Arrived; met {
				break
			}
		}
		if !met {
			t.Errorf("a goal that moves at %v is never met", v)
		}
	}
}

func TestAGoalThatJumpsIsReacquired(t *testing.T) {
	s := baked(t, loadRig(t, "a1"), walkStyle())
	m := &s.Motions[0]
	w := 0.0
	for _, c := range m.Clips {
		w = max(w, math.Abs(c.Loop.Turn()))
	}
	step := m.Clips[1].Loop.Period / float64(len(m.Goals.Starts))
	limit := 1.3*(math.Pi/2)/w + step
	p := play(s)
	far := 100 * m.Radius
	p.chase(space.Goal{At: r2.Vec{X: far}}, space.Guide{}, 3)
	start, took := p.t, math.Inf(1)
	for p.t-start < 10 {
		p.step(tick)
		s.Steer(p.st, space.Goal{At: r2.Vec{X: p.st.Place.At.X, Y: far}}, space.Guide{}, tick)
		if math.Abs(p.st.Place.Yaw-math.Pi/2) < 0.09 {
			took = p.t - start
			break
		}
	}
	t.Logf("90 degrees in %.2f s, limit %.2f s", took, limit)
	if took > limit {
		t.Errorf("re-acquired after %.2f s, want at most %.2f", took, limit)
	}
}

func TestGoalsTooNearAreReachedStraightOnFirst(t *testing.T) {
	s := baked(t, loadRig(t, "a1"), walkStyle())
	r := s.Motions[0].Radius
	said := false
	for deg := -170; deg <= 180; deg += 10 {
		for _, d := range []float64{0.5, 1, 1.5, 1.9} {
			a := float64(deg) * math.Pi / 180
			g := space.Goal{At: r2.Vec{X: d * r * math.Cos(a), Y: d * r * math.Sin(a)}, Radius: 0.15 * r}
			p := play(s)
			ok := false
			for range 6000 {
				p.step(tick)
				o := s.Steer(p.st, g, space.Guide{}, tick)
				said = said || o == space.TooNear
				if ok = o == space.Arrived; ok {
					break
				}
			}
			if !ok {
				t.Errorf("goal at %.1f radii, %d degrees was never reached", d, deg)
			}
		}
	}
	if !said {
		t.Error("nobody said that a goal lies inside the turning circle")
	}
}

func TestClipsThatCannotTurnRefuse(t *testing.T) {
	r := loadRig(t, "a1")
	l, _, err := retarget.Bake(r, walkStyle(), 0)
	if err != nil {
		t.Fatal(err)
	}
	p := retarget.PlanFor(r, "straight")
	p.Motions = []space.PlanMotion{{Name: "walk", Loops: []*space.Loop{l}}}
	s, rep, err := space.Build(p, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(rep.Warnings) == 0 {
		t.Error("no warning of a space that cannot turn")
	}
	st := space.NewState(s)
	if o := s.Steer(st, space.Goal{At: r2.Vec{Y: 3}}, space.Guide{}, tick); o != space.CantTurn {
		t.Errorf("a goal to the side: %v", o)
	}
	if o := s.Steer(st, space.Goal{At: r2.Vec{X: 3}}, space.Guide{}, tick); o != space.Heading {
		t.Errorf("a goal ahead: %v", o)
	}
	if o := s.Steer(st, space.Goal{At: r2.Vec{X: math.NaN()}}, space.Guide{}, tick); o != space.BadGoal {
		t.Errorf("a goal that is no number: %v", o)
	}
}

func TestAnUnstableHorizonIsRefused(t *testing.T) {
	s := baked(t, loadRig(t, "a1"), walkStyle())
	g := s.Motions[0].Goals
	if g.Horizon < 1.5*g.Gap-1e-9 {
		t.Errorf("horizon %v with gaps of %v", g.Horizon, g.Gap)
	}
	if _, err := space.NewGoals(s, 0, space.GoalOptions{Horizon: 1.2 * g.Gap}); err == nil {
		t.Error("a horizon of 1.2 gaps was taken")
	}
	bad := *g
	bad.Horizon = g.Gap
	if bad.Check() == nil {
		t.Error("a table with a horizon of one gap was taken")
	}
}

func TestAWideTurningCircleWarns(t *testing.T) {
	r := loadRig(t, "a1")
	p := retarget.PlanFor(r, "wide")
	var loops []*space.Loop
	for _, a := range []float64{-0.08, 0, 0.08} {
		l, _, err := retarget.Bake(r, walkStyle(), a)
		if err != nil {
			t.Fatal(err)
		}
		loops = append(loops, l)
	}
	p.Motions = []space.PlanMotion{{Name: "walk", Loops: loops}}
	_, rep, err := space.Build(p, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(rep.Warnings) == 0 {
		t.Error("no warning of a radius of many body lengths")
	}
}

func TestMismatchedClipsAreRefused(t *testing.T) {
	four, _, err := retarget.Bake(loadRig(t, "a1"), walkStyle(), 0)
	if err != nil {
		t.Fatal(err)
	}
	six, _, err := retarget.Bake(loadRig(t, "hexapod"), walkStyle(), 0)
	if err != nil {
		t.Fatal(err)
	}
	p := retarget.PlanFor(loadRig(t, "a1"), "x")
	for _, motions := range [][]space.PlanMotion{
		{{Name: "a", Loops: []*space.Loop{four, six}}}, {{Name: "a", Loops: []*space.Loop{four}}, {Name: "b", Loops: []*space.Loop{six}}},
		{{Name: "a", Loops: []*space.Loop{four, four}}}, {{Name: "a"}}, nil,
	} {
		p.Motions = motions
		if _, _, err := space.Build(p, nil); err == nil {
			t.Errorf("%d motions of mismatched clips were built", len(motions))
		}
	}
}

func TestThreeBehavioursPlayTogether(t *testing.T) {
	jog := &retarget.Style{Name: "jog", Duty: .5, Stride: .75, Period: 3.6, Lift: .2}
	for _, name := range []string{"a1", "hexapod", "octopod", "biped"} {
		s := baked(t, loadRig(t, name), walkStyle(), jog, runStyle())
		p := play(s)
		rng := rand.New(rand.NewPCG(8, 9))
		for k := range 2000 {
			if k%150 == 0 {
				p.st.Want([]float64{rng.Float64(), rng.Float64(), rng.Float64()})
			}
			p.step(tick)
			s.Lock(&p.pose, p.st, tick)
			sum := 0.0
			for i := range s.Motions {
				sum += p.st.Weights[i]
			}
			if math.Abs(sum-1) > 1e-9 {
				t.Fatalf("%s: weights sum to %v", name, sum)
			}
			for f, v := range p.pose.Feet {
				if !(r3.Norm(v) < 10*s.Length) {
					t.Fatalf("%s: foot %d at %v", name, f, v)
				}
			}
		}
	}
}
