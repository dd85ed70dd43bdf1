package configs

import (
	"strings"
	"testing"

	"legctl/blend/space"
	"legctl/control"
	"legctl/control/mode"
	"legctl/rig"
	"legctl/sim"

	"gonum.org/v1/gonum/spatial/r3"
)

func phantomx(t *testing.T) *rig.Rig {
	t.Helper()
	r, err := LoadRig("phantomx")
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestScript(t *testing.T) {
	r := phantomx(t)
	s, err := ParseScript("s.yaml", []byte(`script: s
commands:
  - {at: 4, stop: true}
  - {at: 1s, twist: {vx: 0.1, wz: -0.2}}
  - {at: 1500ms, gait: wave}
  - {at: 2s, twist: {vy: 0.05}, for: 500ms}
  - {at: 5s, goto: {x: 1, y: -2}}
  - {at: 6, pose: {z: 0.01, pitch_deg: 90}}
  - {at: 7, height: 0.1}
  - {at: 8, leg: {name: rm, on: false}}
  - {at: 9, mode: disarm}
  - {at: 3, push: [0.1, 0, 0.2]}
  - {at: 2, slow: {leg: lf, value: 0.3}}
  - {at: 10, freeze: {leg: rr, joint: 1}}
  - {at: 11, remove: 7}
  - {at: 12, twist: {vx: 1}}
  - {at: 13, style: {weights: [{motion: jog, share: 0.5}], over: 2s}}
  - {at: 14, mode: clips}
  - {at: 11.5, goto: {x: 3, y: 1, by: clips}}
`), r, []string{"walk", "wave"}, []string{"walk", "jog"})
	if err != nil {
		t.Fatal(err)
	}
	want := []Timed{
		{1, control.Command{Kind: control.KindTwist, Vx: 0.1, Wz: -0.2, TTL: 2}},
		{1.5, control.Command{Kind: control.KindGait, Gait: 1}},
		{2, control.Command{Kind: control.KindTwist, Vy: 0.05, TTL: 0.5}},
		{4, control.Command{Kind: control.KindStop}},
		{5, control.Command{Kind: control.KindGoto, X: 1, Y: -2}},
		{6, control.Command{Kind: control.KindPose, Offset: r3.Vec{Z: 0.01}, RPY: r3.Vec{Y: 1.5707963267948966}}},
		{7, control.Command{Kind: control.KindHeight, Height: 0.1}},
		{8, control.Command{Kind: control.KindLeg, Leg: 3}},
		{9, control.Command{Kind: control.KindMode, Mode: mode.Disarm}},
		{11.5, control.Command{Kind: control.KindGoto, X: 3, Y: 1, By: control.DriverClips}},
		{12, control.Command{Kind: control.KindTwist, Vx: 1, TTL: MaxHold}},
		{13, control.Command{Kind: control.KindStyle, Weights: [space.MaxMotions]float64{1: 0.5}, Over: 2}},
		{14, control.Command{Kind: control.KindDrive, By: control.DriverClips}},
	}
	if len(s.Commands) != len(want) {
		t.Fatalf("%d commands, want %d", len(s.Commands), len(want))
	}
	for i := range want {
		if s.Commands[i] != want[i] {
			t.Errorf("command %d is %+v, want %+v", i, s.Commands[i], want[i])
		}
	}
	events := []TimedEvent{
		{2, sim.Event{Kind: sim.EventSlow, Leg: 0, Joint: -1, Value: 0.3}},
		{3, sim.Event{Kind: sim.EventPush, Vec: r3.Vec{X: 0.1, Z: 0.2}}},
		{10, sim.Event{Kind: sim.EventFreeze, Leg: 5, Joint: 1, Value: 1}},
		{11, sim.Event{Kind: sim.EventRemove, Block: 7}},
	}
	if len(s.Events) != len(events) {
		t.Fatalf("%d events, want %d", len(s.Events), len(events))
	}
	for i := range events {
		if s.Events[i] != events[i] {
			t.Errorf("event %d is %+v, want %+v", i, s.Events[i], events[i])
		}
	}
}

// TestBadOthers is TestBadInput for the other kinds of file: want is
// "line:col: ... what" in one of the issues.
func TestBadOthers(t *testing.T) {
	r := phantomx(t)
	script := func(s string) error {
		_, err := ParseScript("f", []byte("commands:\n"+s), r, []string{"walk"}, nil)
		return err
	}
	gaits := func(s string) error {
		_, err := ParseGait("f", []byte("gait: g\n"+s), r)
		return err
	}
	ground := func(s string) error {
		_, err := ParseTerrain("f", []byte("terrain: t\n"+s), 0.05)
		return err
	}
	world := func(s string) error {
		_, err := ParseWorld("f", []byte("world: w\nrig: a1\n"+s))
		return err
	}
	for _, row := range []struct {
		name  string
		parse func(string) error
		text  string
		want  string
	}{
		{"two things at once", script, "  - {at: 1, stop: true, gait: walk}\n", "f:2:5: commands[0]: entry says 2 things, want exactly one"},
		{"nothing to do", script, "  - {at: 1}\n", "entry says 0 things"},
		{"no time", script, "  - {stop: true}\n", "key at is missing"},
		{"bad time", script, "  - {at: soon, stop: true}\n", "f:2:10: commands[0].at: text, want seconds or text such as 2s"},
		{"negative time", script, "  - {at: -1, stop: true}\n", "-1 s is outside [0, 1e6] s"},
		{"unknown gait", script, "  - {at: 1, gait: canter}\n", `f:2:19: commands[0].gait: "canter" is no gait, known: walk`},
		{"unknown leg", script, "  - {at: 1, leg: {name: xx, on: true}}\n", `"xx" is no leg of phantomx, known: lf, rf, lm, rm, lr, rr`},
		{"unknown joint", script, "  - {at: 1, freeze: {leg: lf, joint: 5}}\n", "5 is no joint of leg lf, want 0 to 2"},
		{"too fast", script, "  - {at: 1, twist: {vx: 1000}}\n", "1000 is outside [-100, 100]"},
		{"NaN", script, "  - {at: 1, twist: {vx: .nan}}\n", "not a finite number"},
		{"short push", script, "  - {at: 1, push: [1]}\n", "a list of 1 numbers, want [x, y, z]"},
		{"stop false", script, "  - {at: 1, stop: false}\n", "false says nothing"},
		{"lasting stop", script, "  - {at: 1, stop: true, for: 2s}\n", "only a twist lasts for a time"},
		{"too long", script, "  - {at: 1, twist: {vx: 1}, for: 2h}\n", "7200 s, want at most 3600 s"},
		{"unknown command", script, "  - {at: 1, twst: {vx: 1}}\n", "unknown key; did you mean twist?"},

		{"unknown rule", gaits, "rules: {sped: 1}\n", "f:2:9: rules.sped: unknown key; did you mean speed?"},
		{"rule out of bounds", gaits, "rules: {speed: 99}\n", "f:2:16: rules.speed: gait: speed is 99, must be in [0, 10]"},
		{"rule NaN", gaits, "rules: {speed: .nan}\n", "not a finite number"},
		{"rule of a wrong kind", gaits, "rules: {gallop: 1}\n", "a number, want true or false"},
		{"rule twice", gaits, "rules: {lift: 1, lift: 1}\n", "given twice"},
		{"unknown base", gaits, "base: run\n", `"run" is unknown`},
		{"no phases", gaits, "phases: {duty: 0.5}\n", "0 ways to say the phases"},
		{"no duty", gaits, "phases: {alternating: true}\n", "key duty is missing"},
		{"offset of one", gaits, "phases: {duty: 0.5, left: [1], right: [0]}\n", "1 is outside [0, 1)"},
		{"too few rows", gaits, "phases: {duty: 0.5, left: [0, 0.5], right: [0.5, 0]}\n", "does not suit rig phantomx"},
		{"too many rows", gaits, "phases: {duty: 0.5, left: [0, 0, 0, 0], right: [0, 0, 0, 0]}\n", "has 3 rows of legs, want 4"},
		{"wave of too short a duty", gaits, "phases: {wave: true, duty: 0.2}\n", "does not suit rig phantomx: wave: duty factor 0.2"},
		{"bad gait name", func(s string) error { _, err := ParseGait("f", []byte(s), nil); return err }, "gait: My Gait\n", `bad name "My Gait"`},

		{"unknown kind", ground, "kind: stair\n", `"stair" is unknown; did you mean stairs?`},
		{"no kind", ground, "", "key kind is missing"},
		{"both spellings", ground, "kind: stairs\nrise_m: 1\nrise_u: 1\n", "given twice, first as rise_m"},
		{"steps without depth", ground, "kind: stairs\nrun_m: 0\n", "terrain: stairs run is 0, must be other than 0"},
		{"too steep", ground, "kind: slope\nangle_deg: 85\n", "85 is outside (-80, 80) in degrees"},
		{"half a step", ground, "kind: stairs\ncount: 2.5\n", "want a whole number"},

		{"unknown sim key", world, "sim: {bouncy: 1}\n", "f:3:7: sim.bouncy: unknown key; did you mean bounce?"},
		{"sim bound", world, "sim: {bounce: 2}\n", "f:3:15: sim.bounce: sim: bounce is 2, must be from 0 to 1"},
		{"servo bound", world, "sim: {servo: {lag: 99}}\n", "sim: servo lag is 99"},
		{"support", world, "sim: {support: tripod}\n", `"tripod" is unknown`},
	} {
		t.Run(row.name, func(t *testing.T) {
			err := row.parse(row.text)
			if err == nil || !strings.Contains(err.Error(), row.want) {
				t.Errorf("got %v\nwant %s", err, row.want)
			}
		})
	}
}

func TestGaitRules(t *testing.T) {
	p, err := ParseGait("g.yaml", []byte("gait: slow\nbase: walk\nrules: {speed: 0.05, gallop: false, same_pair: 4}\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if p.Rules.Speed != 0.05 || p.Rules.SamePair != 4 || p.Rules.Comfort != bases["walk"]().Comfort {
		t.Errorf("rules %+v", p.Rules)
	}
}

func TestTerrainUnits(t *testing.T) {
	s, err := ParseTerrain("t.yaml", []byte("terrain: t\nkind: stairs\nrise_u: 0.5\nrun_m: 0.2\naxis_deg: 90\ncount: 7\n"), 0.1)
	if err != nil {
		t.Fatal(err)
	}
	if s.Rise != 0.05 || s.Run != 0.2 || s.Count != 7 || s.Axis < 1.5707 || s.Axis > 1.5709 {
		t.Errorf("%+v", s)
	}
}

func TestWorld(t *testing.T) {
	w, err := ParseWorld("w.yaml", []byte("world: w\nrig: a1\nseed: 9\nsim: {support: diagonal_pair, servo: {limited: true, lag: 0.05}}\n"))
	if err != nil {
		t.Fatal(err)
	}
	if w.Terrain != "flat" || w.Seed != 9 || w.Sim.Support != sim.DiagonalPair || !w.Sim.Servo.Limited || w.Sim.Servo.Lag != 0.05 || w.Sim.Bounce != 0.5 {
		t.Errorf("%+v", w)
	}
}
