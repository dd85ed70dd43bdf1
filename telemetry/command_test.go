package telemetry

import (
	"errors"
	"math"
	"strings"
	"testing"

	"legctl/control"
	"legctl/control/mode"

	"gonum.org/v1/gonum/spatial/r3"
)

var spider = &Names{
	Rig: "spider", Legs: []string{"lf", "rf", "lh", "rh"}, Motions: []string{"walk", "jog"},
	Joints: []string{"lf_coxa", "rf_coxa", "lh_coxa", "rh_coxa"}, Gaits: []string{"walk", "gallop", "tripod"},
}

func TestDecode(t *testing.T) {
	rows := []struct {
		name, topic, payload string
		want                 control.Command
		id                   string
	}{
		{"one key of a twist", "twist", `{"vx":0.1}`, control.Command{Kind: control.KindTwist, Vx: 0.1}, ""},
		{
			"whole twist", "twist", `{"id":7,"vx":-1e-1,"vy":2,"wz":3,"ttl":0.25}`,
			control.Command{Kind: control.KindTwist, Vx: -0.1, Vy: 2, Wz: 3, TTL: 0.25},
			"7",
		},
		{"goto", "goto", ` {"x": 2, "y": 1, "id": "a b"} `, control.Command{Kind: control.KindGoto, X: 2, Y: 1}, `"a b"`},
		{"stop with nothing", "stop", ``, control.Command{Kind: control.KindStop}, ""},
		{"stop with an object", "stop", `{}`, control.Command{Kind: control.KindStop}, ""},
		{"gait by name", "gait", `{"gait":"gallop"}`, control.Command{Kind: control.KindGait, Gait: 1}, ""},
		{
			"pose", "pose", `{"z":0.01,"pitch":0.1}`,
			control.Command{Kind: control.KindPose, Offset: r3.Vec{Z: 0.01}, RPY: r3.Vec{Y: 0.1}},
			"",
		},
		{"height", "height", `{"height":0.12}`, control.Command{Kind: control.KindHeight, Height: 0.12}, ""},
		{"leg off, other letter case", "leg", `{"leg":"LH","on":false}`, control.Command{Kind: control.KindLeg, Leg: 2}, ""},
		{"leg on", "leg", `{"leg":"rf","on":true}`, control.Command{Kind: control.KindLeg, Leg: 1, On: true}, ""},
		{"mode", "mode", `{"mode":"rise"}`, control.Command{Kind: control.KindMode, Mode: mode.Rise}, ""},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			var got Request
			if err := spider.Decode(&got, r.topic, []byte(r.payload)); err != nil {
				t.Fatal(err)
			}
			if got.Cmd != r.want || string(got.ID) != r.id {
				t.Errorf("got %+v id %s, want %+v id %s", got.Cmd, got.ID, r.want, r.id)
			}
		})
	}
}

func TestDecodeRefuses(t *testing.T) {
	rows := []struct{ name, topic, payload, says string }{
		{"unknown key, near", "twist", `{"vxx":1}`, `did you mean "vx"`},
		{"wrong unit", "pose", `{"pitch_deg":5}`, `did you mean "pitch"`},
		{"unknown key, far", "goto", `{"bananas":1}`, "known: x, y, by, id"},
		{"letter case of a key", "twist", `{"VX":1}`, `did you mean "vx"`},
		{"key of another topic", "stop", `{"vx":1}`, "known: id"},
		{"NaN", "twist", `{"vx":NaN}`, "not JSON"},
		{"NaN in quotes", "twist", `{"vx":"NaN"}`, "want a number in m/s"},
		{"infinite", "twist", `{"vx":1e999}`, "not finite"},
		{"null", "twist", `{"vx":null}`, "want a number"},
		{"nested", "twist", `{"vx":{"v":1}}`, "want a number"},
		{"twice", "twist", `{"vx":1,"vx":2}`, "stands twice"},
		{"missing", "goto", `{"x":1}`, `"y" is missing`},
		{"goto with nothing", "goto", ``, `"x" is missing`},
		{"array", "twist", `[1,2]`, "not a JSON object"},
		{"number", "twist", `1`, "not a JSON object"},
		{"text", "twist", `hello`, "not a JSON object"},
		{"cut off", "twist", `{"vx":1`, "ends too early"},
		{"cut off in a value", "twist", `{"vx":`, "ends too early"},
		{"more behind", "twist", `{"vx":1}{"vx":2}`, "goes on after"},
		{"rubbish behind", "twist", `{"vx":1} x`, "goes on after"},
		{"deep", "twist", strings.Repeat("[", MaxPayload), "not a JSON object"},
		{"deep in a value", "twist", `{"vx":` + strings.Repeat("[", MaxPayload-20) + `}`, "not JSON"},
		{"oversize", "twist", strings.Repeat("[", 200<<10), "at most 65536"},
		{"unknown gait", "gait", `{"gait":"galop"}`, `did you mean "gallop"`},
		{"gait as number", "gait", `{"gait":1}`, "name in quotes"},
		{"unknown leg", "leg", `{"leg":"xx7","on":true}`, "known: lf, rf, lh, rh"},
		{"on as word", "leg", `{"leg":"lf","on":"off"}`, "want true or false"},
		{"on as null", "leg", `{"leg":"lf","on":null}`, "want true or false"},
		{"mode by fact", "mode", `{"mode":"settled"}`, "unknown mode"},
		{"style without weights", "style", `{}`, `"weights" is missing`},
		{"style of a number", "style", `{"weights":0.5}`, `want {"name":share`},
		{"style of no motion", "style", `{"weights":{"hop":0.5}}`, "known: walk, jog"},
		{"style near a motion", "style", `{"weights":{"jg":0.5}}`, `did you mean "jog"`},
		{"style of a word", "style", `{"weights":{"jog":"half"}}`, "want a number"},
		{"no driver", "goto", `{"x":1,"y":2,"by":"legs"}`, "known: gait, clips"},
		{"topic", "twists", `{}`, `did you mean "twist"`},
		{"empty topic", "", `{}`, "unknown topic"},
		{"id as object", "stop", `{"id":{}}`, "id: want a string or a number"},
		{"long id", "stop", `{"id":"` + strings.Repeat("x", 200) + `"}`, "at most 128"},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			var got Request
			err := spider.Decode(&got, r.topic, []byte(r.payload))
			var ref *Refusal
			if !errors.As(err, &ref) {
				t.Fatalf("taken: %+v, %v", got.Cmd, err)
			}
			if !strings.Contains(err.Error(), r.says) {
				t.Errorf("%q does not say %q", err, r.says)
			}
			if len(err.Error()) > 300 {
				t.Errorf("message of %d bytes", len(err.Error()))
			}
		})
	}
}

func TestRefusalKeepsID(t *testing.T) {
	var got Request
	if err := spider.Decode(&got, "twist", []byte(`{"id":"q1","speed":1}`)); err == nil || string(got.ID) != `"q1"` {
		t.Errorf("id %s, err %v", got.ID, err)
	}
}

// FuzzDecode: whatever arrives, Decode neither panics nor lets a number through
// that is not finite or a name that is not in the tables.
func FuzzDecode(f *testing.F) {
	for _, name := range append(Topics(), "") {
		f.Add(name, []byte(`{"vx":0.1,"id":1}`))
	}
	f.Add("pose", []byte(`{"z":1e308,"pitch":-0}`))
	f.Fuzz(func(t *testing.T, name string, payload []byte) {
		var r Request
		if spider.Decode(&r, name, payload) != nil {
			return
		}
		c := &r.Cmd
		for _, v := range []float64{c.Vx, c.Vy, c.Wz, c.TTL, c.X, c.Y, c.Height, c.Offset.X, c.Offset.Y, c.Offset.Z, c.RPY.X, c.RPY.Y, c.RPY.Z} {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				t.Fatalf("%s %q: %v got through", name, payload, v)
			}
		}
		if c.Kind == control.KindNone || int(c.Gait) >= len(spider.Gaits) || int(c.Leg) >= len(spider.Legs) || c.Leg < 0 {
			t.Fatalf("%s %q: %+v", name, payload, c)
		}
	})
}

// TestModeWords: the mode topic takes orders and drivers; style takes the motions of
// the rig's clips.
func TestModeWords(t *testing.T) {
	for _, r := range []struct {
		topic, payload string
		want           control.Command
	}{
		{"mode", `{"mode":"clips"}`, control.Command{Kind: control.KindDrive, By: control.DriverClips}},
		{"mode", `{"mode":"gait"}`, control.Command{Kind: control.KindDrive, By: control.DriverGait}},
		{"mode", `{"mode":"sit"}`, control.Command{Kind: control.KindMode, Mode: mode.Sit}},
		{"goto", `{"x":1,"y":2,"by":"clips"}`, control.Command{Kind: control.KindGoto, X: 1, Y: 2, By: control.DriverClips}},
		{"follow", `{"x":1,"y":2,"vx":0.1,"vy":-0.1,"ttl":2}`, control.Command{Kind: control.KindFollow, X: 1, Y: 2, Vx: 0.1, Vy: -0.1, TTL: 2}},
		{"style", `{"weights":{"jog":0.7,"walk":0.3},"over":2}`, control.Command{Kind: control.KindStyle, Weights: [8]float64{0.3, 0.7}, Over: 2}},
		{"style", `{"weights":{}}`, control.Command{Kind: control.KindStyle}},
	} {
		var got Request
		if err := spider.Decode(&got, r.topic, []byte(r.payload)); err != nil || got.Cmd != r.want {
			t.Errorf("%s %s: %+v, %v", r.topic, r.payload, got.Cmd, err)
		}
	}
}
