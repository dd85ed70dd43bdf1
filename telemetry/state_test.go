package telemetry

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"legctl/control"
	"legctl/control/mode"
	"legctl/geom"
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r3"
)

// output is one tick of the four-legged spider.
func output() *control.Output {
	return &control.Output{
		Tick: 50, Mode: mode.Walk, Gait: 2,
		PoseWB:  geom.Pose{P: r3.Vec{X: 1, Y: 2, Z: 3}, Q: geom.FromRPY(0.1, 0.2, 0.3)},
		Twist:   [3]float64{0.05, 0, 0.1},
		Binding: control.BindJointSpeed, BindLeg: 1, Margin: math.Inf(-1), Kept: 1,
		Events: control.EventGoalReached,
		Set:    rig.Setpoint{Q: []float64{0.1, 0.2, 0.3, math.NaN()}},
		CoMW:   r3.Vec{Z: 0.3},
		Legs: []control.LegOut{
			{Stance: true, Foot: r3.Vec{X: 0.4}}, {Stance: true, Foot: r3.Vec{X: -0.4, Y: 0.4}, Status: 1},
			{Stance: true, Foot: r3.Vec{X: -0.4, Y: -0.4}}, {Slip: 0.01},
		},
	}
}

func TestStateMessage(t *testing.T) {
	var since Since
	since.Add(&control.Output{LiftOff: 1, Events: control.EventWall})
	since.Add(output())
	since.Add(&control.Output{LiftOff: 8})
	obs := &rig.Observation{Has: rig.HasPose, PoseWB: geom.Pose{P: r3.Vec{X: 9}, Q: geom.Identity().Q}, FellSince: 2}
	raw, err := json.Marshal(spider.State(output(), obs, &since, 0.02))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"tick":50,"time":1,`, `"rig":"spider"`, `"mode":"walk"`, `"gait":"tripod"`,
		`"pose":{"x":1,"y":2,"z":3,"roll":0.1`, `"twist":{"vx":0.05,"vy":0,"wz":0.1}`,
		`"binding":"joint_speed","binding_leg":"rf"`, `"margin":null`, `"energy_margin":0.04`,
		`"lh":{"foot"`, `"status":"out_of_reach"`, `"lf_coxa":0.1`, `"rh_coxa":null`,
		`"lift_off":["lf","rh"]`, `"events":["goal_reached","wall"]`, `"observed":{"pose":{"x":9`, `"falls":2`,
	} {
		if !strings.Contains(string(raw), want) {
			t.Errorf("%s is not in\n%s", want, raw)
		}
	}
}

func TestStateWithoutPlant(t *testing.T) {
	raw, err := json.Marshal(spider.State(&control.Output{}, nil, &Since{}, 0.02))
	if err != nil || strings.Contains(string(raw), "observed") || !strings.Contains(string(raw), `"events":[]`) {
		t.Errorf("%v\n%s", err, raw)
	}
}

func TestEventsOnce(t *testing.T) {
	const lasting = control.EventUncomfortable
	out := &control.Output{Tick: 3, Events: lasting | control.EventModeChanged, PoseWB: geom.Identity()}
	if got := spider.Events(out, 0, 0.02); len(got) != 2 || got[0].Event != "mode_changed" || got[1].Event != "uncomfortable" {
		t.Errorf("first tick: %+v", got)
	}
	if got := spider.Events(out, out.Events, 0.02); len(got) != 1 || got[0].Event != "mode_changed" {
		t.Errorf("second tick: %+v", got)
	}
}

func TestAnswer(t *testing.T) {
	rows := []struct {
		name  string
		reply control.Reply
		want  string
	}{
		{"accepted", control.Reply{ID: 4, Kind: control.KindTwist}, `{"id":"x","topic":"twist","accepted":true,"tick":9}`},
		{
			"refused with figures",
			control.Reply{Kind: control.KindHeight, Reason: control.OutOfRange, Value: 2, Bound: 0.3},
			`{"id":"x","topic":"height","accepted":false,"reason":"control: height: out of range: value 2, bound 0.3","value":2,"bound":0.3,"tick":9}`,
		},
		{
			"refused by the mode",
			control.Reply{Kind: control.KindGoto, Reason: control.IllegalMode, Value: float64(mode.Hold)},
			`{"id":"x","topic":"goto","accepted":false,"reason":"control: goto: not legal in this mode (hold); legal now: arm, disarm, rise, sit, pack, estop, stop, gait, height, leg","tick":9}`,
		},
		{
			"refused by the rig",
			control.Reply{Kind: control.KindGait, Reason: control.NotSuited, Value: 1},
			`{"id":"x","topic":"gait","accepted":false,"reason":"control: gait: not suited to this rig: gallop: too slow","tick":9}`,
		},
	}
	n := &Names{Gaits: spider.Gaits, Why: []string{"", "too slow", ""}}
	for _, r := range rows {
		raw, err := json.Marshal(n.Answer(json.RawMessage(`"x"`), &r.reply, 9))
		if err != nil || string(raw) != r.want {
			t.Errorf("%s: %v\n got %s\nwant %s", r.name, err, raw, r.want)
		}
	}
}

func TestRefused(t *testing.T) {
	var req Request
	err := spider.Decode(&req, "twist", make([]byte, MaxPayload+1))
	raw, _ := json.Marshal(Refused(nil, "twist", err))
	want := `{"topic":"twist","accepted":false,"reason":"telemetry: twist: payload of 65537 bytes, at most 65536","value":65537,"bound":65536}`
	if string(raw) != want {
		t.Errorf("got %s", raw)
	}
}
