package control_test

import (
	"math"
	"testing"

	"legctl/blend/retarget"
	"legctl/blend/space"
	"legctl/configs"
	"legctl/control"
	"legctl/geom"
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r3"
)

// usualSpace bakes the space every rig has without files.
func usualSpace(t testing.TB, r *rig.Rig) *space.Space {
	t.Helper()
	rc, err := configs.UsualRecipe(r.Name)
	if err != nil {
		t.Fatal(err)
	}
	made, err := retarget.Make(rc, r, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return made.Space
}

// newStyled is a bench of a rig with its usual space, standing.
func newStyled(t testing.TB, name, gait string) *bench {
	t.Helper()
	r, err := configs.LoadRig(name)
	if err != nil {
		t.Fatal(err)
	}
	p := control.DefaultParams(r)
	p.Space = usualSpace(t, r)
	c, err := control.New(r, p)
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{c: c, s: &control.NewStates(r, 1)[0], out: &control.NewOutputs(r, 1)[0], g: geom.Level(0)}
	c.Start(b.s, nil, b.g, true)
	i, ok := c.Params().Index(gait)
	if !ok {
		t.Fatalf("rig %s has no gait %s", name, gait)
	}
	b.s.Gait = uint16(i)
	return b
}

func (b *bench) tell(t testing.TB, cmd *control.Command) {
	t.Helper()
	b.c.Step(b.out, b.s, cmd, nil, b.g)
	if b.out.Reply.Reason != control.Accepted {
		t.Fatalf("refused: %+v", b.out.Reply)
	}
}

// weights names motions of the usual space.
func (b *bench) weights(t testing.TB, w map[string]float64) (all [space.MaxMotions]float64) {
	t.Helper()
	for name, v := range w {
		i, ok := b.c.Params().Space.Find(name)
		if !ok {
			t.Fatalf("no motion %q", name)
		}
		all[i] = v
	}
	return all
}

// TestStyleLeavesFootfallsAlone walks with and without a style side by side: the
// same legs lift and land in the same ticks at the same places, no foot goes into
// the ground or is anywhere but on its spot when it lands, and in between swing and
// body are different.
func TestStyleLeavesFootfallsAlone(t *testing.T) {
	for _, row := range []struct{ rig, gait string }{{"phantomx", "walk"}, {"phantomx", "tripod"}, {"a1", "trot"}, {"octopod", "walk"}, {"starfish", "walk"}} {
		for _, name := range []string{"sneak", "limp", "run"} {
			plain, styled := newStyled(t, row.rig, row.gait), newStyled(t, row.rig, row.gait)
			r := plain.c.Rig()
			styled.tell(t, &control.Command{Kind: control.KindStyle, Weights: styled.weights(t, map[string]float64{name: 1})})
			plain.tell(t, &control.Command{Kind: control.KindStop})
			twist := &control.Command{Kind: control.KindTwist, Vx: plain.c.Allowed(int(plain.s.Gait)).Linear[0], TTL: 3600}
			plain.tell(t, twist)
			styled.tell(t, twist)
			swing, body := 0.0, 0.0
			for n := range int(4 / plain.c.Params().Dt) {
				plain.step()
				styled.step()
				if plain.out.LiftOff != styled.out.LiftOff || plain.out.Touchdown != styled.out.Touchdown {
					t.Fatalf("%s %s %s, tick %d: legs %b lift and %b land, without style %b and %b", row.rig, row.gait, name, n,
						styled.out.LiftOff, styled.out.Touchdown, plain.out.LiftOff, plain.out.Touchdown)
				}
				body = max(body, r3.Norm(r3.Sub(plain.s.PoseWB.P, styled.s.PoseWB.P)))
				for i := range r.Legs {
					real := styled.s.PoseWB.Apply(rig.Foot(r, i, styled.s.Q))
					want := plain.s.Legs[i].Foot
					d := r3.Norm(r3.Sub(real, want))
					if plain.s.Legs[i].Moving {
						swing = max(swing, d)
					} else if d > 1e-6*r.L() {
						t.Fatalf("%s %s %s, tick %d: standing foot %d is %.3g L off its place", row.rig, row.gait, name, n, i, d/r.L())
					}
					if real.Z < -1e-6*r.L() {
						t.Fatalf("%s %s %s, tick %d: foot %d is %.3g L below ground", row.rig, row.gait, name, n, i, -real.Z/r.L())
					}
				}
			}
			if swing < 0.01*r.L() || body < 0.001*r.L() {
				t.Errorf("%s %s %s: swings differ by %.4f L, body by %.4f L, scale %.2f: no style to be seen", row.rig, row.gait, name, swing/r.L(), body/r.L(), styled.out.StyleScale)
			}
		}
	}
}

// TestStyleGivesWay: joints that are too slow for a strut take less of it, and say
// how much; after the first steps no joint is at its limit.
func TestStyleGivesWay(t *testing.T) {
	b := newStyled(t, "phantomx", "walk")
	b.tell(t, &control.Command{Kind: control.KindStyle, Weights: b.weights(t, map[string]float64{"strut": 1})})
	b.tell(t, &control.Command{Kind: control.KindTwist, Vx: b.c.Allowed(int(b.s.Gait)).Linear[0], TTL: 3600})
	least, late := 1.0, 0
	dt := b.c.Params().Dt
	for n := range int(20 / dt) {
		b.step()
		least = min(least, b.out.StyleScale)
		if n > int(10/dt) && b.out.SpeedLimit|b.out.AngleLimit|b.out.Unreached != 0 {
			late++
		}
	}
	if least >= 1 || least < 0.3 {
		t.Errorf("share of the style kept is %.2f, want less than 1 and most of it", least)
	}
	if late > 0 {
		t.Errorf("%d ticks at a limit after 10 s", late)
	}
}

// TestStyleKeepsTheFloor: where the body of a static gait may not go for its
// margin, the style stays behind and the commanded pose is kept.
func TestStyleKeepsTheFloor(t *testing.T) {
	b := newStyled(t, "a1", "crawl")
	b.tell(t, &control.Command{Kind: control.KindStyle, Weights: b.weights(t, map[string]float64{"creep": 0.5, "sneak": 0.5})})
	b.tell(t, &control.Command{Kind: control.KindTwist, Vx: b.c.Allowed(int(b.s.Gait)).Linear[0], TTL: 3600})
	for n := range int(40 / b.c.Params().Dt) {
		b.step()
		if b.out.Margin < 0.02*b.c.Rig().L()-1e-9 {
			t.Fatalf("tick %d: margin %.4f L, floor 0.02", n, b.out.Margin/b.c.Rig().L())
		}
	}
}

// TestStyleWeights: weights move at the space's rate and no faster, together, and
// as slowly as asked; (0,0,.5,.5) to (.4,.6,0,0) takes six steps of a tenth.
func TestStyleWeights(t *testing.T) {
	r, err := configs.LoadRig("a1")
	if err != nil {
		t.Fatal(err)
	}
	p := control.DefaultParams(r)
	p.Dt, p.Space = 1.0/30, usualSpace(t, r)
	c, err := control.New(r, p)
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{c: c, s: &control.NewStates(r, 1)[0], out: &control.NewOutputs(r, 1)[0], g: geom.Level(0)}
	c.Start(b.s, nil, b.g, true)
	want := func(over float64, w ...float64) {
		cmd := &control.Command{Kind: control.KindStyle, Over: over}
		copy(cmd.Weights[:], w)
		b.tell(t, cmd)
	}
	arrived := func(w ...float64) bool {
		for i, v := range w {
			if math.Abs(b.s.Style.Weights[i]-v) > 1e-12 {
				return false
			}
		}
		return true
	}
	ticks := func(w ...float64) int {
		for n := 1; n < 1000; n++ {
			if arrived(w...) {
				return n
			}
			was := b.s.Style.Weights
			b.step()
			for i := range was {
				if d := math.Abs(b.s.Style.Weights[i] - was[i]); d > 0.1+1e-12 {
					t.Fatalf("weight %d moved by %.3f in a tick", i, d)
				}
			}
		}
		return 1000
	}
	want(0, 0, 0, 0.5, 0.5)
	ticks(0, 0, 0.5, 0.5)
	want(0, 0.4, 0.6, 0, 0)
	if n := ticks(0.4, 0.6, 0, 0); n != 6 {
		t.Errorf("%d ticks, want 6", n)
	}
	want(2, 0, 0, 1)
	if n := ticks(0, 0, 1); n != 60 {
		t.Errorf("over 2 s: %d ticks, want 60", n)
	}
	want(0.01, 0, 0, 0)
	if n := ticks(0, 0, 0); n != 10 {
		t.Errorf("faster than the rate: %d ticks, want 10", n)
	}
}

// TestStyleRefusals: what cannot be is refused with the value and its bound.
func TestStyleRefusals(t *testing.T) {
	b, bare := newStyled(t, "a1", "trot"), newBench(t, "a1", "trot", true)
	style := func(over float64, w ...float64) *control.Command {
		c := &control.Command{Kind: control.KindStyle, Over: over}
		copy(c.Weights[:], w)
		return c
	}
	for _, row := range []struct {
		name   string
		on     *bench
		cmd    *control.Command
		reason control.Reason
	}{
		{"style without clips", bare, style(0, 1), control.NotSuited},
		{"clips without clips", bare, &control.Command{Kind: control.KindDrive, By: control.DriverClips}, control.NotSuited},
		{"goto by clips without clips", bare, &control.Command{Kind: control.KindGoto, X: 1, By: control.DriverClips}, control.NotSuited},
		{"follow by clips without clips", bare, &control.Command{Kind: control.KindFollow, X: 1, By: control.DriverClips}, control.NotSuited},
		{"no driver", b, &control.Command{Kind: control.KindDrive}, control.Unknown},
		{"unknown driver", b, &control.Command{Kind: control.KindDrive, By: control.Drivers}, control.Unknown},
		{"more than all", b, style(0, 0.6, 0.6), control.OutOfRange},
		{"negative", b, style(0, -0.1), control.OutOfRange},
		{"not a number", b, style(0, math.NaN()), control.NotFinite},
		{"no time", b, style(math.Inf(1), 1), control.NotFinite},
		{"time before", b, style(-1, 1), control.OutOfRange},
	} {
		row.on.c.Step(row.on.out, row.on.s, row.cmd, nil, row.on.g)
		if got := row.on.out.Reply.Reason; got != row.reason {
			t.Errorf("%s: %v, want %v", row.name, got, row.reason)
		}
		if row.on.s.Style.Live || row.on.s.Drive.By != control.DriverGait || row.on.s.HasGoal {
			t.Errorf("%s: something was taken of a refused command", row.name)
		}
	}
}

// TestSpaceOfAnotherRig is refused when the controller is made.
func TestSpaceOfAnotherRig(t *testing.T) {
	a1, err := configs.LoadRig("a1")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"phantomx", "mini_cheetah", "spotmicro"} {
		r, err := configs.LoadRig(name)
		if err != nil {
			t.Fatal(err)
		}
		p := control.DefaultParams(r)
		p.Space = usualSpace(t, a1)
		if _, err := control.New(r, p); err == nil {
			t.Errorf("%s takes the clips of the A1", name)
		}
	}
}
