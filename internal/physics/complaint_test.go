package physics

import (
	"context"
	"math"
	"testing"

	"legctl/control"
	"legctl/rig"
	"legctl/rollout"
)

// Complaints people have about other robots, by their number in the notes on
// controllers: what walks in the simulator must walk in physics.

// short walks a few seconds of the tripod.
func short(t *testing.T, speed float64, change func(*control.Params)) Result {
	t.Helper()
	r := load(t, "phantomx")
	p := params(t, r, "tripod")
	if change != nil {
		change(p)
	}
	k := Walk{Rig: r, Params: p, Gait: "tripod", Speed: speed, Seconds: 4}
	got, err := k.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// TestComplaint08_BothPlantsMove drives the project's own simulator and MuJoCo
// by one controller through one interface: the way must be alike.
func TestComplaint08_BothPlantsMove(t *testing.T) {
	engine(t)
	got := short(t, 0.05, nil)
	r := load(t, "phantomx")
	p := params(t, r, "tripod")
	var ours float64
	_, err := rollout.Run(context.Background(), rollout.Config{
		Rig: r, Params: p, Gait: "tripod", Ticks: 400,
		Commands: []rollout.Order{{Command: control.Command{ID: 1, Kind: control.KindTwist, Vx: 0.05, TTL: 10}}},
		Each: func(o *rollout.Rollout) error {
			ours = o.Sim.Pose().P.X
			return nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(got.Way-ours) > 0.15*ours || ours < 0.12 {
		t.Errorf("%.3f m in MuJoCo, %.3f m in the simulator", got.Way, ours)
	}
}

// TestComplaint11_HigherStepHolds lifts the feet half as high again: what stands
// on the screen must stand in physics.
func TestComplaint11_HigherStepHolds(t *testing.T) {
	engine(t)
	got := short(t, 0.05, func(p *control.Params) { p.Gaits[0].Rules.Lift *= 1.5 })
	if got.Fell || got.Tilt > 0.1 || got.Share() < 0.8 || got.Share() > 1.2 {
		t.Errorf("with a step of 1.5 times the height: %v", got)
	}
}

// TestComplaint13_BackwardsIsAsGood walks ahead and backwards.
func TestComplaint13_BackwardsIsAsGood(t *testing.T) {
	engine(t)
	ahead, back := short(t, 0.05, nil), short(t, -0.05, nil)
	if math.Abs(ahead.Way+back.Way) > 0.1*ahead.Way || math.Abs(ahead.Slip-back.Slip) > 0.25*ahead.Slip {
		t.Errorf("ahead: %v\nback:  %v", ahead, back)
	}
	if ahead.Slip > 0.3*ahead.Way {
		t.Errorf("feet slid %.0f %% of the way", 100*ahead.Slip/ahead.Way)
	}
}

// TestComplaint50_NeutralStaysPut stands for 4 s without a twist.
func TestComplaint50_NeutralStaysPut(t *testing.T) {
	engine(t)
	got := short(t, 0, nil)
	if math.Abs(got.Way)+math.Abs(got.Sideways) > 0.002 || math.Abs(got.Turned) > 0.005 {
		t.Errorf("stood for 4 s: %v", got)
	}
}

// TestComplaint58_NothingShakes watches the joints before any command: they hold
// still.
func TestComplaint58_NothingShakes(t *testing.T) {
	engine(t)
	r := load(t, "phantomx")
	w, err := New(r, Walk{}.Physics, 0.01)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	sp := rig.NewSetpoint(r)
	worst := 0.0
	was := make([]float64, r.Joints())
	for k := range 200 {
		if err := w.Apply(context.Background(), sp); err != nil {
			t.Fatal(err)
		}
		for i, q := range w.Now().Q {
			if k > 100 {
				worst = max(worst, math.Abs(q-was[i]))
			}
			was[i] = q
		}
	}
	if worst > 1e-4 {
		t.Errorf("joints shake by %v rad a tick", worst)
	}
}
