package rollout_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"legctl/control"
	"legctl/control/mode"
	"legctl/loop"
	"legctl/rig"
	"legctl/rollout"
	"legctl/sim"
	"legctl/telemetry"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestRunWalks(t *testing.T) {
	r := load(t, "phantomx")
	s, err := rollout.Run(t.Context(), rollout.Config{Rig: r, Ticks: ticks(r, 10), Commands: []rollout.Order{twist(0, 0.05, 0, 0)}})
	if err != nil {
		t.Fatal(err)
	}
	if s.MeanSpeed < 0.045 || s.Falls != 0 || s.LimitHits() != 0 || s.MarginNever || s.MarginLeast <= 0 {
		t.Errorf("%+v", s)
	}
	if s.Ticks != ticks(r, 10) || math.Abs(s.Seconds-10) > 1e-9 || s.Gait != "walk" || s.Rig != "phantomx" || !s.Observed {
		t.Errorf("%+v", s)
	}
	if s.Path < s.Distance-1e-9 || math.Abs(s.Away-s.Pose[0]) > 0.01 {
		t.Errorf("path %g, distance %g, away %g, x %g", s.Path, s.Distance, s.Away, s.Pose[0])
	}
	sum := 0.0
	for _, share := range s.Limited {
		sum += share
	}
	if math.Abs(sum-1) > 1e-9 {
		t.Errorf("shares %v sum to %g", s.Limited, sum)
	}
	for leg, n := range s.LiftOffs {
		if n < 3 {
			t.Errorf("leg %s lifted off %d times", leg, n)
		}
	}
	b, err := json.Marshal(s)
	var back rollout.Summary
	if err := errors.Join(err, json.Unmarshal(b, &back)); err != nil || !reflect.DeepEqual(back, s) {
		t.Errorf("a summary does not survive JSON: %v", err)
	}
}

func TestRunTurnsAndStops(t *testing.T) {
	s, err := rollout.Run(t.Context(), walk(t, 6))
	if err != nil {
		t.Fatal(err)
	}
	if s.Turned < 0.1 || s.MeanTurn <= 0 || s.Pose[5] < 0.1 {
		t.Errorf("turned %g rad, mean %g rad/s, yaw %g", s.Turned, s.MeanTurn, s.Pose[5])
	}
	if s.Falls != 0 || s.Refused != 0 {
		t.Errorf("%d falls, %d commands refused", s.Falls, s.Refused)
	}
}

func TestBindingWordsAreThoseOfTelemetry(t *testing.T) {
	r := load(t, "phantomx")
	p := control.DefaultParams(r)
	for b := control.BindNone; b < control.Bindings; b++ {
		tally := rollout.NewTally(r, &p)
		f := control.NewFrame(r)
		f.Out.Mode, f.Out.Binding = mode.Walk, b
		if err := tally.Add(f); err != nil {
			t.Fatal(err)
		}
		s := tally.Summary(0)
		if s.Limited[telemetry.BindingName(b)] != 1 {
			t.Errorf("binding %d: %v, telemetry says %s", b, s.Limited, telemetry.BindingName(b))
		}
	}
}

func TestTallyCounts(t *testing.T) {
	r := load(t, "phantomx")
	p := control.DefaultParams(r)
	tally := rollout.NewTally(r, &p)
	frame := func(change func(f *control.Frame)) {
		f := control.NewFrame(r)
		f.Obs.Has, f.Out.Mode, f.Out.Margin = rig.HasPose, mode.Walk, 0.1
		change(f)
		_ = tally.Add(f)
	}
	frame(func(*control.Frame) {})
	frame(func(f *control.Frame) { f.Obs.PoseWB.P.X, f.Out.Wish, f.Out.Margin = 0.2, [3]float64{1, 0, 0}, 0.05 })
	frame(func(f *control.Frame) { f.Obs.PoseWB.P.X, f.Out.Wish = 0.1, [3]float64{-2, 0, 0} })
	frame(func(f *control.Frame) { f.Out.Margin = math.Inf(-1); f.Out.AngleLimit, f.Out.SpeedLimit = 0b101, 0b10 })
	frame(func(f *control.Frame) { f.Out.LiftOff, f.Obs.FellSince = 0b11, 2 })
	frame(func(f *control.Frame) { f.Out.Mode, f.Out.Reply.Reason = mode.Fault, control.OutOfRange })
	s := tally.Summary(4)
	if math.Abs(s.Distance-0.3) > 1e-12 || math.Abs(s.Path-0.4) > 1e-12 || s.Away != 0 {
		t.Errorf("distance %g, path %g, away %g", s.Distance, s.Path, s.Away)
	}
	want := rollout.Summary{
		Rig: "phantomx", Gait: "walk", Seconds: 6 * p.Dt, Ticks: 6, Late: 4,
		Distance: s.Distance, Path: s.Path, MeanSpeed: s.Distance / (2 * p.Dt), Observed: true,
		Falls: 0, MarginLeast: 0.05, FlightTicks: 1, AngleLimits: 2, SpeedLimits: 1, Refused: 1, FaultTicks: 1,
		Limited: s.Limited, LiftOffs: s.LiftOffs,
	}
	if !reflect.DeepEqual(s, want) {
		t.Errorf("%+v, want %+v", s, want)
	}
	if s.LiftOffs[r.Legs[0].Name] != 1 || s.LiftOffs[r.Legs[2].Name] != 0 {
		t.Errorf("lift-offs %v", s.LiftOffs)
	}
}

func TestNewRefuses(t *testing.T) {
	r := load(t, "phantomx")
	badWorld := sim.Default()
	badWorld.Bounce = 2
	bad := control.DefaultParams(r)
	bad.Dt = -1
	rows := []struct {
		name string
		c    rollout.Config
		want string
	}{
		{"no rig", rollout.Config{}, "no rig"},
		{"unknown gait", rollout.Config{Rig: r, Gait: "waltz"}, `gait "waltz" is not known, one of ["walk"`},
		{"unsuited gait", rollout.Config{Rig: r, Gait: "gallop"}, `may not walk "gallop": k is`},
		{"parameters", rollout.Config{Rig: r, Params: &bad}, "dt is -1 s"},
		{"world", rollout.Config{Rig: r, World: &badWorld}, "bounce is 2"},
		{"a rig that may not walk", rollout.Config{Rig: load(t, "biped")}, "may walk none of its"},
	}
	for _, row := range rows {
		if _, err := rollout.Run(t.Context(), row.c); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: %v, want %q", row.name, err, row.want)
		}
	}
	c := rollout.Config{Rig: r}
	c.Terrain.Kind = "moon"
	if _, err := rollout.New(c); err == nil || !strings.Contains(err.Error(), `"moon" is not known`) {
		t.Errorf("terrain: %v", err)
	}
}

func TestEachEndsARun(t *testing.T) {
	broken := errors.New("broken")
	for _, row := range []struct{ give, want error }{{rollout.ErrEnough, nil}, {broken, broken}} {
		c := walk(t, 2)
		c.Each = func(r *rollout.Rollout) error {
			if r.Cell.Tick == 7 {
				return row.give
			}
			return nil
		}
		if s, err := rollout.Run(t.Context(), c); !errors.Is(err, row.want) || s.Ticks != 7 {
			t.Errorf("%v: %d ticks, %v", row.give, s.Ticks, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	c := walk(t, 2)
	c.Each = func(r *rollout.Rollout) error {
		if r.Cell.Tick == 5 {
			cancel()
		}
		return nil
	}
	if s, err := rollout.Run(ctx, c); !errors.Is(err, context.Canceled) || s.Ticks != 5 {
		t.Errorf("%d ticks, %v", s.Ticks, err)
	}
}

func TestImpossibleEventsAreErrors(t *testing.T) {
	c := walk(t, 2)
	c.Events = []rollout.Happening{{At: 0.5, Event: sim.Event{Kind: sim.EventRemove, Block: 3}}}
	if _, err := rollout.Run(t.Context(), c); err == nil || !strings.Contains(err.Error(), "event at 0.5 s") {
		t.Errorf("%v", err)
	}
}

func TestTimelineKeepsWhatTheMailboxCannotTake(t *testing.T) {
	var box loop.Mailbox
	var orders []rollout.Order
	for i := range loop.MailboxSize + 3 {
		orders = append(orders, rollout.Order{At: 0.2, Command: control.Command{ID: uint64(i + 1), Kind: control.KindStop}})
	}
	orders = append(orders, rollout.Order{At: 0, Command: control.Command{ID: 1000, Kind: control.KindStop}})
	tl := rollout.NewTimeline(orders, nil, 0.1, &box, nil)
	var got []uint64
	for tick := range uint64(100) {
		if err := tl.Due(tick, nil); err != nil {
			t.Fatal(err)
		}
		var c control.Command
		if box.Take(&c, tick, 0.1); c.ID != 0 {
			got = append(got, c.ID)
		}
	}
	if len(got) != len(orders) || got[0] != 1000 || got[1] != 1 || got[len(got)-1] != loop.MailboxSize+3 || tl.Left() != 0 {
		t.Errorf("%d of %d came: %v", len(got), len(orders), got)
	}
}

// TestBlindWalksOnASlope asks for 0.9 of the wish once the whole rig is on the
// slope: where the ground bends, a blind rig loses way (see underfoot).
func TestBlindWalksOnASlope(t *testing.T) {
	rows := []struct {
		name  string
		angle float64 // degrees
	}{{"flat", 0}, {"uphill", 10}, {"downhill", -10}}
	for _, row := range rows {
		r := load(t, "phantomx")
		spec := on(t, r, "slope")
		spec.Start, spec.Angle = 0, row.angle*math.Pi/180
		middle := 0.0
		c := rollout.Config{
			Rig: r, Terrain: spec, Blind: true, Ticks: ticks(r, 20), Commands: []rollout.Order{twist(0.1, 0.05, 0, 0)},
		}
		c.Each = func(r *rollout.Rollout) error {
			if r.Cell.Tick == c.Ticks/2 {
				middle = r.Tally.Summary(0).Distance
			}
			return nil
		}
		s, err := rollout.Run(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		want := 0.9 * 0.05 * 10 * math.Cos(spec.Angle)
		if s.Falls != 0 || s.LimitHits() != 0 || s.Distance-middle < want {
			t.Errorf("%s: %g m in the second half, want %g; %+v", row.name, s.Distance-middle, want, s)
		}
	}
}
