package rollout_test

import (
	"context"
	"fmt"
	"math/bits"
	"testing"

	"legctl/control"
	"legctl/loop"
	"legctl/rig"
	"legctl/rollout"
	"legctl/sim/terrain"

	"gonum.org/v1/gonum/spatial/r3"
)

// sagging is a plant whose servos give way to the weight they carry: each joint
// by its static torque, sagAtLimit at its limit. It tells no contacts, only
// joint angles, as a bus of servos with feedback does.
type sagging struct {
	loop.Plant
	r     *rig.Rig
	truth uint64 // which feet stand
	cols  [rig.MaxJoints]r3.Vec
}

// sagAtLimit is about half of what the compliance slope of an AX-12 gives.
const sagAtLimit = 0.08

func (p *sagging) Observe(ctx context.Context, obs *rig.Observation) error {
	if err := p.Plant.Observe(ctx, obs); err != nil {
		return err
	}
	p.truth = obs.Contact
	n := max(1, bits.OnesCount64(p.truth))
	force := p.r.Mass() * p.r.G() / float64(n)
	for i := range p.r.Legs {
		if p.truth>>i&1 == 0 {
			continue
		}
		l, q := &p.r.Legs[i], p.r.Slice(obs.Q, i)
		rig.Jacobian(p.cols[:len(l.Joints)], l, q)
		for j := range l.Joints {
			if limit := l.Joints[j].Torque; limit > 0 {
				q[j] += sagAtLimit * force * p.cols[j].Z / limit
			}
		}
	}
	obs.Has &^= rig.HasContact
	return nil
}

// felt is what became of a blind walk.
type felt struct {
	way            float64 // metres
	falls          uint32
	early, missed  int // looks at feet that had met the ground in their swing, and were not felt
	swung, phantom int // looks at feet in the middle of a swing, and were felt
}

// feelWalk walks blind for some seconds by a rig whose servos lag and have play.
func feelWalk(t *testing.T, name, gait string, ground terrain.Spec, lag float64, press bool) felt {
	t.Helper()
	r := load(t, name)
	p := control.DefaultParams(r)
	p.Press = press
	c, err := control.New(r, p)
	if err != nil {
		t.Fatal(err)
	}
	g, ok := p.Index(gait)
	if !ok {
		t.Fatalf("%s has no gait %s", name, gait)
	}
	world := rollout.DefaultWorld(&p.Gaits[g], len(r.Legs))
	world.Servo.Lag, world.Servo.Backlash, world.Servo.Step = lag, 0.005, 0.0015
	const seconds = 12
	var out felt
	run, err := rollout.New(rollout.Config{
		Controller: c, Gait: gait, World: &world, Terrain: ground, Blind: true, Seed: 3, Ticks: uint64(seconds / p.Dt),
		Commands: []rollout.Order{{At: 1, Command: control.Command{Kind: control.KindTwist, Vx: 0.6 * c.Allowed(g).Linear[0], TTL: seconds}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	plant := &sagging{Plant: run.Cell.Plant, r: r}
	run.Cell.Plant = plant
	begin := run.Sim.Pose().P
	run.Config.Each = func(run *rollout.Rollout) error {
		s := run.Cell.State
		for i := range s.Legs {
			l := &s.Legs[i]
			on := s.Feet[i].Contact.Touch
			switch down := plant.truth>>i&1 != 0; {
			case down && l.Moving && l.Swing > 0.6:
				if out.early++; !on {
					out.missed++
				}
			case !down && l.Moving && l.Swing > 0.4:
				if out.swung++; on {
					out.phantom++
				}
			}
		}
		return nil
	}
	if _, err := run.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	end := run.Sim.Pose().P
	out.way, out.falls = end.X-begin.X, run.Cell.Frame.Obs.FellSince
	return out
}

func share(n, of int) float64 { return float64(n) / float64(max(1, of)) }

// TestFeetFeltByPush walks robots whose servos tell their positions blind, with and
// without their feet felt by push: with it they come as far, further over ground
// that is not what they believe, and hardly a foot is felt that is in the air.
func TestFeetFeltByPush(t *testing.T) {
	for _, tt := range []struct{ rig, gait string }{
		{"phantomx", "walk"}, {"lx16a_hexapod", "walk"}, {"xl430_octopod", "walk"}, {"sts3215_quadruped", "crawl"},
	} {
		l := load(t, tt.rig).L()
		for _, g := range []struct {
			name  string
			spec  terrain.Spec
			least float64 // of the way without
		}{
			{"flat", terrain.Spec{Kind: "flat"}, 0.97},
			{"rough", terrain.Spec{Kind: "rough", Amplitude: 0.06 * l, Cell: l, Seed: 2}, 0.97},
			{"ledge", terrain.Spec{Kind: "ledge", Start: 0.3, Height: 0.08 * l}, 0.97},
		} {
			for _, lag := range []float64{0.03, 0.05} {
				name := fmt.Sprintf("%s %s lag %.2f", tt.rig, g.name, lag)
				without, with := feelWalk(t, tt.rig, tt.gait, g.spec, lag, false), feelWalk(t, tt.rig, tt.gait, g.spec, lag, true)
				missed, phantom := share(with.missed, with.early), share(with.phantom, with.swung)
				t.Logf("%s: missed %.3f of %d, false %.3f; %.3f -> %.3f m", name, missed, with.early, phantom, without.way, with.way)
				if phantom > 0.02 || with.way < g.least*without.way || with.falls > without.falls {
					t.Errorf("%s: false %.3f, %.2f of the way, %d falls", name, phantom, with.way/without.way, with.falls)
				}
			}
		}
	}
}
