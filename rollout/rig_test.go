package rollout_test

import (
	"math"
	"testing"

	"legctl/configs"
	"legctl/control"
	"legctl/loop"
	"legctl/rig"
	"legctl/rollout"
	"legctl/sim"
	"legctl/sim/terrain"
)

var (
	_ loop.Plant   = (*sim.Sim)(nil)
	_ loop.Stepper = (*control.Controller)(nil)
	_ loop.World   = (*rollout.Timeline)(nil)
)

// load returns a shipped rig.
func load(t testing.TB, name string) *rig.Rig {
	t.Helper()
	r, err := configs.LoadRig(name)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// unit returns the length unit in which a rig walks.
func unit(t testing.TB, r *rig.Rig) float64 {
	t.Helper()
	c, err := control.New(r, control.DefaultParams(r))
	if err != nil {
		t.Fatal(err)
	}
	return c.Sizing(max(0, c.Best())).U
}

// on returns a terrain in the size of a rig.
func on(t testing.TB, r *rig.Rig, kind string) terrain.Spec {
	t.Helper()
	s, ok := terrain.Default(kind, unit(t, r))
	if !ok {
		t.Fatalf("no terrain %q", kind)
	}
	return s
}

// ticks returns the number of ticks in a time.
func ticks(r *rig.Rig, seconds float64) uint64 {
	return uint64(math.Round(seconds / control.DefaultParams(r).Dt))
}

// twist is a velocity that stays until the next one.
func twist(at, vx, vy, wz float64) rollout.Order {
	return rollout.Order{At: at, Command: control.Command{Kind: control.KindTwist, Vx: vx, Vy: vy, Wz: wz, TTL: 3600}}
}

// walk is a phantomx that walks ahead, turns, is pushed and stops.
func walk(t testing.TB, seconds float64) rollout.Config {
	r := load(t, "phantomx")
	return rollout.Config{
		Rig: r, Terrain: on(t, r, "rough"), Ticks: ticks(r, seconds), Seed: 3,
		Commands: []rollout.Order{
			twist(0.1, 0.05, 0, 0),
			twist(2, 0.05, 0, 0.3),
			{At: 3, Command: control.Command{Kind: control.KindPose, ID: 7}},
			{At: 4, Command: control.Command{Kind: control.KindStop}},
		},
		Events: []rollout.Happening{{At: 1.5, Event: sim.Event{Kind: sim.EventSlow, Leg: 2, Joint: -1, Value: 0.5}}},
	}
}
