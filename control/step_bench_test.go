package control_test

import (
	"testing"

	"legctl/configs"
	"legctl/control"
	"legctl/geom"
	"legctl/rig"
)

// bench is a rig walking on flat ground at its allowed speed, without a plant.
type bench struct {
	c   *control.Controller
	s   *control.State
	out *control.Output
	g   geom.Ground
}

func newBench(t testing.TB, name, gait string, closed bool) *bench {
	t.Helper()
	r, err := configs.LoadRig(name)
	if err != nil {
		t.Fatal(err)
	}
	p := control.DefaultParams(r)
	p.IK.Closed = closed
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
	v := c.Allowed(i).Linear[0]
	b.c.Step(b.out, b.s, &control.Command{Kind: control.KindTwist, Vx: v, TTL: 3600}, nil, b.g)
	if b.out.Reply.Reason != control.Accepted {
		t.Fatalf("twist refused: %+v", b.out.Reply)
	}
	return b
}

func (b *bench) step() {
	b.s.TTL = 3600
	b.c.Step(b.out, b.s, nil, nil, b.g)
}

// walks are the ticks that speed and allocation claims are made about.
var walks = []struct {
	name, rig, gait string
	closed          bool
}{
	{"hexapod/fabrik", "phantomx", "walk", false},
	{"hexapod/closed", "phantomx", "walk", true},
	{"quadruped/fabrik", "a1", "walk", false},
	{"quadruped/closed", "a1", "walk", true},
	{"crawl/closed", "a1", "crawl", true},
	{"tripod/closed", "phantomx", "tripod", true},
	{"octopod/fabrik", "octopod", "walk", false},
}

func BenchmarkStep(b *testing.B) {
	for _, w := range walks {
		b.Run(w.name, func(b *testing.B) {
			x := newBench(b, w.rig, w.gait, w.closed)
			b.ReportAllocs()
			for b.Loop() {
				x.step()
			}
		})
	}
}

// TestStepAllocates nothing, whatever the gait, the legs or the command.
func TestStepAllocates(t *testing.T) {
	for _, w := range walks {
		t.Run(w.name, func(t *testing.T) {
			x := newBench(t, w.rig, w.gait, w.closed)
			obs := rig.NewObservation(x.c.Rig())
			cmds := []control.Command{
				{Kind: control.KindPose, RPY: vec(0.02, 0.05, 0), Offset: vec(0.005, 0, 0)},
				{Kind: control.KindLeg, Leg: 1},
				{Kind: control.KindLeg, Leg: 1, On: true},
				{Kind: control.KindGoto, X: 1, Y: 1},
				{Kind: control.KindStop},
				{Kind: control.KindTwist, Vx: 0.02},
			}
			n := 0
			got := testing.AllocsPerRun(600, func() {
				var cmd *control.Command
				if n%100 == 0 {
					cmd = &cmds[n/100%len(cmds)]
				}
				obs.Has, obs.PoseWB = rig.HasPose, x.s.PoseWB
				obs.PoseWB.P.X += 1e-4
				x.c.Step(x.out, x.s, cmd, obs, x.g)
				n++
			})
			if got != 0 {
				t.Errorf("%v allocations a tick, want 0", got)
			}
		})
	}
}
