package control_test

import (
	"math"
	"testing"

	"legctl/control"
	"legctl/gait"
	"legctl/geom"

	"gonum.org/v1/gonum/spatial/r3"
)

// onStage builds an octopod that follows the rules up to a stage.
func onStage(t *testing.T, stage int, g geom.Ground) *world {
	if stage == gait.StageNone {
		stage = -1
	}
	return build(t, setting{rig: "octopod", rules: gait.ReferenceWalk(), stage: stage, ground: g, leeway: 10})
}

// intent runs n ticks without the simulator: the body is where it is wished.
func (w *world) intent(cmd *control.Command, n int) {
	w.c.Step(w.out, w.s, cmd, nil, w.ground)
	for range n {
		w.c.Step(w.out, w.s, nil, nil, w.ground)
	}
}

func ahead(v float64) *control.Command {
	return &control.Command{Kind: control.KindTwist, Vx: v / 0.05, TTL: 1e3}
}

// counted is level ground with a strip of another height, that counts rays. A
// height that is not a number is a hole.
type counted struct {
	from, to, z float64
	rays        int
}

func (g *counted) Version() uint64 { return 0 }

func (g *counted) Cast(from, dir r3.Vec, most float64) (geom.Hit, bool) {
	g.rays++
	z := 0.0
	if from.X >= g.from && from.X < g.to {
		z = g.z
	}
	if !(from.Z-z <= most) || dir.Z != -1 {
		return geom.Hit{}, false
	}
	return geom.Hit{Point: r3.Vec{X: from.X, Y: from.Y, Z: math.Min(from.Z, z)}, Normal: r3.Vec{Z: 1}}, true
}

// ladder is what each stage of the teaching ladder adds, as a question to a
// world that follows the rules up to it.
var ladder = []struct {
	stage int
	adds  string
	shows func(t *testing.T, stage int) bool
}{
	{gait.StageStep, "feet step to their targets", func(t *testing.T, stage int) bool {
		w := onStage(t, stage, nil)
		w.intent(ahead(0.15), 60)
		return w.s.Legs[0].SinceLift < 60
	}},
	{gait.StageAlternate, "only while the adjacent legs stand", func(t *testing.T, stage int) bool {
		w := onStage(t, stage, nil)
		w.intent(ahead(0.15), 0)
		for range 60 {
			w.intent(nil, 0)
			for i := range w.s.Legs {
				if w.s.Legs[i].Moving && w.s.Legs[i^1].Moving {
					return false
				}
			}
		}
		return true
	}},
	{gait.StageTrigger, "the trigger zone shrinks at rest", func(t *testing.T, stage int) bool {
		w := onStage(t, stage, nil)
		w.intent(nil, 0)
		w.s.Legs[2].Foot.X -= 0.3
		w.intent(nil, 1)
		return w.s.Legs[2].SinceLift < 9
	}},
	{gait.StageRotation, "turning has inertia", func(t *testing.T, stage int) bool {
		w := onStage(t, stage, nil)
		w.intent(&control.Command{Kind: control.KindTwist, Wz: 0.15 / 0.05, TTL: 1e3}, 0)
		return w.s.YawRate < 0.9 // rad/s; the rules allow this rig 1.1
	}},
	{gait.StageComfort, "the body waits for a leg too far behind", func(t *testing.T, stage int) bool {
		w := onStage(t, stage, nil)
		w.intent(ahead(0.15), 0)
		for range 30 {
			w.pin(2, 1.3)
			w.intent(nil, 0)
		}
		return w.out.Twist[0] == 0
	}},
	{gait.StageScan, "feet look for the ground", func(t *testing.T, stage int) bool {
		w := onStage(t, stage, &counted{from: 2, to: 9, z: 0.3})
		w.intent(ahead(0.15), 40)
		return w.s.Legs[0].Target.Z > 0.2
	}},
	{gait.StageHeight, "the body follows the ground", func(t *testing.T, stage int) bool {
		w := onStage(t, stage, &counted{from: 2, to: 99, z: 0.3})
		w.intent(ahead(0.15), 60)
		return w.s.PoseWB.P.Z > 1.2
	}},
	{gait.StageCandidates, "eight more rays", func(t *testing.T, stage int) bool {
		g := &counted{from: 1.4, to: 2.6, z: math.NaN()}
		w := onStage(t, stage, g)
		w.intent(ahead(0.15), 5)
		g.rays = 0
		w.intent(nil, 0)
		return g.rays > 8*2
	}},
	{gait.StageBias, "prefer the step up", func(t *testing.T, stage int) bool {
		g := &counted{from: 1.4, to: 2.6, z: math.NaN()}
		w := onStage(t, stage, g)
		w.intent(ahead(0.15), 5)
		g.rays = 0
		w.intent(nil, 0)
		return g.rays%10 == 0 || g.rays > 9*2+8
	}},
	{gait.StageAll, "look-ahead", func(t *testing.T, stage int) bool {
		w := onStage(t, stage, nil)
		w.intent(ahead(0.15), 40)
		return w.s.Legs[0].Target.X-w.s.PoseWB.P.X-w.rig.Legs[0].Neutral.X > 0.4
	}},
	{gait.StageAll, "disabled legs hang", func(t *testing.T, stage int) bool {
		w := onStage(t, stage, nil)
		w.intent(&control.Command{Kind: control.KindLeg, Leg: 3}, 40)
		return w.s.Legs[3].Foot.Z > 0.1
	}},
	{gait.StageAll, "cooldowns", func(t *testing.T, stage int) bool {
		w := onStage(t, stage, nil)
		w.intent(ahead(0.15), 0)
		for range 60 {
			w.intent(nil, 0)
			if w.out.LiftOff != 0 {
				return w.out.LiftOff&(w.out.LiftOff-1) == 0 || w.out.LiftOff&0b1001 != 0b1001
			}
		}
		return false
	}},
}

// TestRulesStages: every stage shows its own addition and the one before it
// does not; what was added stays.
func TestRulesStages(t *testing.T) {
	for _, r := range ladder {
		if r.shows(t, r.stage-1) {
			t.Errorf("stage %d already shows what %d adds: %s", r.stage-1, r.stage, r.adds)
		}
		for _, stage := range []int{r.stage, gait.StageAll} {
			if !r.shows(t, stage) {
				t.Errorf("stage %d does not show: %s", stage, r.adds)
			}
		}
	}
}

// TestGravityIsTheSimulators: stage 8 of the ladder adds nothing to the rules;
// the simulator has it at every stage.
func TestGravityIsTheSimulators(t *testing.T) {
	var trace [2][]r3.Vec
	for k, stage := range []int{gait.StageHeight, gait.StageGravity} {
		w := onStage(t, stage, &bumps{1, 1})
		w.twist(0.15, 0, 0.01)
		for range 100 {
			w.step(nil)
			trace[k] = append(trace[k], w.sim.Pose().P)
		}
	}
	for i := range trace[0] {
		if trace[0][i] != trace[1][i] {
			t.Fatalf("tick %d: %v and %v", i, trace[0][i], trace[1][i])
		}
	}
	w := onStage(t, gait.StageNone, nil)
	p := w.sim.Pose()
	p.P.Z += 3
	if err := w.sim.Reset(p); err != nil {
		t.Fatal(err)
	}
	w.run(10)
	if fell := p.P.Z - w.sim.Pose().P.Z; fell < 1 {
		t.Errorf("fell %g U in 10 ticks", fell)
	}
}
