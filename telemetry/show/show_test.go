package show_test

import (
	"encoding/json"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"
	"testing"

	"legctl/configs"
	"legctl/control"
	"legctl/geom"
	"legctl/record"
	"legctl/rig"
	"legctl/telemetry"
	"legctl/telemetry/show"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// heard are the messages of a Maker by topic.
type heard map[string][]string

// plane is a ground that counts how often it is drawn; an event of one byte
// changes it.
type plane struct{ centres []r3.Vec }

func (p *plane) Mesh(centre r3.Vec, half float64) ([]r3.Vec, []color.RGBA, []uint32) {
	p.centres = append(p.centres, centre)
	tint := color.RGBA{R: 255, A: 255}
	return []r3.Vec{{}, {X: half}, {Y: half}}, []color.RGBA{tint, tint, {G: 255, A: 255}}, []uint32{0, 1, 2}
}

func (p *plane) Take(event []byte) bool { return len(event) == 1 }

// newMaker returns a Maker of a hexapod at 100 ticks a second and a frame to feed
// it.
func newMaker(t testing.TB, o show.Options) (*show.Maker, heard, *control.Frame) {
	t.Helper()
	r, err := configs.LoadRig("phantomx")
	if err != nil {
		t.Fatal(err)
	}
	h := &record.Header{Dt: 0.01, Rig: []byte(`{"Name":"x"}`), Params: []byte("no JSON")}
	h.Describe(r)
	o.Header, o.Rig, o.Names = h, r, telemetry.NamesOf(r, []string{"walk"})
	got := heard{}
	var list []show.Channel
	m := show.New(o, func(channel int, tick uint64, text []byte) error {
		if !json.Valid(text) {
			t.Fatalf("tick %d, %s: %s", tick, list[channel].Topic, text)
		}
		got[list[channel].Topic] = append(got[list[channel].Topic], string(text))
		return nil
	})
	list = m.Channels()
	return m, got, control.NewFrame(r)
}

// feed puts a frame.
func feed(t testing.TB, m *show.Maker, tick uint64, f *control.Frame) {
	t.Helper()
	f.Out.Tick = tick
	b, _ := f.AppendBinary(nil)
	if err := m.Put(control.TagFrame, tick, b); err != nil {
		t.Fatal(err)
	}
}

func TestRates(t *testing.T) {
	for rate, want := range map[float64]int{0: 100, 50: 100, 100: 200, 1000: 200, 10: 20, 0.5: 1} {
		m, got, f := newMaker(t, show.Options{Rate: rate})
		for tick := range uint64(200) {
			feed(t, m, tick, f)
		}
		if n := len(got["/tf"]); n != want || len(got["/legctl/frame"]) != want || len(got["/scene/rig"]) != 1 {
			t.Errorf("%g Hz: %d transforms, want %d", rate, n, want)
		}
	}
}

func TestLogSaysWhatBegins(t *testing.T) {
	m, got, f := newMaker(t, show.Options{Rate: 1})
	rows := []struct {
		name string
		set  func()
		want string // "" nothing
	}{
		{"quiet", func() {}, ""},
		{"an old fall", func() { f.Obs.FellSince = 0 }, ""},
		{"a fall", func() { f.Obs.FellSince = 1 }, `"level":4,"message":"fall: the body or a link touched the ground"`},
		{"a clamp", func() { f.Out.SpeedLimit = 1 }, `limit: a joint was clamped, ` + "rf"},
		{"it lasts", func() {}, ""},
		{"a fault of two legs", func() { f.Obs.Faults = 3 }, `"level":4,"message":"fault: reported by the driver, `},
		{"tilt", func() { f.Out.Events = control.EventTilt }, `"level":3,"message":"tilt, `},
		{"still tilted", func() {}, ""},
		{"refused", func() { f.Out.Reply = control.Reply{Kind: control.KindGait, Reason: control.Unknown} }, `gait refused: unknown`},
	}
	for tick, row := range rows {
		before := len(got["/legctl/log"])
		row.set()
		feed(t, m, uint64(tick+1), f)
		fresh := got["/legctl/log"][before:]
		if row.want == "" && len(fresh) > 0 || row.want != "" && (len(fresh) != 1 || !strings.Contains(fresh[0], strings.TrimSuffix(row.want, "rf"))) {
			t.Errorf("%s: %q, want %s", row.name, fresh, row.want)
		}
		f.Out.Reply = control.Reply{}
	}
}

func TestGroundFollowsAndChanges(t *testing.T) {
	g := &plane{}
	m, got, f := newMaker(t, show.Options{Ground: g, Rate: 100})
	feed(t, m, 0, f)
	var u show.Update
	if err := json.Unmarshal([]byte(got["/scene/ground"][0]), &u); err != nil {
		t.Fatal(err)
	}
	half := u.Entities[0].Triangles[0].Points[1].X
	if n := len(u.Entities[0].Triangles[0].Colors); n != 3 {
		t.Errorf("%d colours of a ground with two", n)
	}
	f.Obs.Has, f.Obs.PoseWB = rig.HasPose, geom.Pose{P: r3.Vec{X: 0.4 * half}, Q: quat.Number{Real: 1}}
	feed(t, m, 1, f)
	f.Obs.PoseWB.P.X = 0.6 * half
	feed(t, m, 2, f)
	feed(t, m, 3, f)
	for _, event := range []string{"no", "y"} {
		if err := m.Put(control.TagEvent, 4, []byte(event)); err != nil {
			t.Fatal(err)
		}
	}
	want := []r3.Vec{{}, {X: 0.6 * half}, {X: 0.6 * half}}
	if !slices.Equal(g.centres, want) || len(got["/scene/ground"]) != 3 {
		t.Errorf("drawn about %v, want %v", g.centres, want)
	}
}

func TestParametersArePutTogether(t *testing.T) {
	m, got, _ := newMaker(t, show.Options{})
	for _, piece := range []string{"\x00{\"a\":", "\x011}", "", "\x01no JSON"} {
		if err := m.Put(control.TagParams, 5, []byte(piece)); err != nil {
			t.Fatal(err)
		}
	}
	if fmt.Sprint(got["/legctl/params"]) != `[{"a":1}]` {
		t.Errorf("%q", got["/legctl/params"])
	}
	if run := got["/legctl/run"][0]; !strings.Contains(run, `"rig":{"Name":"x"}`) || strings.Contains(run, "no JSON") {
		t.Errorf("%s", run)
	}
}

func TestGapsAreTold(t *testing.T) {
	m, got, _ := newMaker(t, show.Options{})
	if err := m.Put(control.TagGap, 5, []byte{7, 0, 0, 0, 0, 0, 0, 0}); err != nil {
		t.Fatal(err)
	}
	if log := got["/legctl/log"]; len(log) != 1 || !strings.Contains(log[0], "7 records did not get here") {
		t.Errorf("%q", log)
	}
}

// TestWhatCannotBeDrawnIsLeftOut: a pose that is no number, and angles.
func TestWhatCannotBeDrawnIsLeftOut(t *testing.T) {
	m, got, f := newMaker(t, show.Options{Rate: 100})
	f.Out.PoseWB.P.X = math.NaN()
	feed(t, m, 0, f)
	f.Out.PoseWB.P.X = 0
	f.Out.Set.Q[3] = math.Inf(1)
	feed(t, m, 1, f)
	if len(got["/tf"]) != 1 || len(got["/legctl/frame"]) != 2 {
		t.Errorf("%d transforms, %d frames", len(got["/tf"]), len(got["/legctl/frame"]))
	}
	if err := m.Put(control.TagFrame, 2, []byte("no frame")); err == nil {
		t.Error("bytes that are no frame were shown")
	}
}

// TestWellKnownSchemas: the names of messages and fields by which viewers know
// what to draw.
func TestWellKnownSchemas(t *testing.T) {
	m, _, _ := newMaker(t, show.Options{})
	fields := map[string]string{
		"/tf":            "foxglove.FrameTransforms transforms: child_frame_id parent_frame_id rotation timestamp translation",
		"/scene/rig":     "foxglove.SceneUpdate entities: arrows cubes cylinders frame_id frame_locked id lifetime lines metadata models spheres texts timestamp triangles",
		"/scene/ground":  "foxglove.SceneUpdate deletions: id timestamp type",
		"/scene/support": "foxglove.SceneUpdate entities: arrows cubes cylinders frame_id frame_locked id lifetime lines metadata models spheres texts timestamp triangles",
	}
	for _, c := range m.Channels() {
		want, ok := fields[c.Topic]
		if !ok {
			continue
		}
		var s struct {
			Title      string
			Properties map[string]struct {
				Items struct{ Properties map[string]any }
			}
		}
		if err := json.Unmarshal(c.JSON, &s); err != nil {
			t.Fatal(err)
		}
		name, list, _ := strings.Cut(want, " ")
		list, _, _ = strings.Cut(list, ":")
		var keys []string
		for k := range s.Properties[list].Items.Properties {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		if got := name + " " + list + ": " + strings.Join(keys, " "); s.Title != name || c.Schema != name || got != want {
			t.Errorf("%s (%s): %s, want %s", c.Topic, s.Title, got, want)
		}
	}
}

func TestAlong(t *testing.T) {
	for _, v := range []r3.Vec{{Z: 1}, {Z: -2}, {X: 3}, {Y: -1}, {X: 1, Y: 2, Z: 3}, {X: 1e-9, Z: -1}} {
		got := geom.Rotate(show.Along(v), r3.Vec{Z: 1})
		if d := r3.Norm(r3.Sub(got, r3.Unit(v))); !(d < 1e-6) {
			t.Errorf("along %v: %v", v, got)
		}
	}
}
