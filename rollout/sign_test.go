package rollout_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"legctl/control"
	"legctl/control/mode"
	"legctl/loop"
	"legctl/record"
	"legctl/rollout"
	"legctl/sim"

	"gonum.org/v1/gonum/spatial/r3"
)

// tuned is a recording with every state, in which the parameters change at tick
// 120 and, with them, blocks go.
func tuned(t testing.TB) []byte {
	t.Helper()
	c := holes(t)
	r, err := rollout.New(c)
	if err != nil {
		t.Fatal(err)
	}
	h, err := r.Header()
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	w, err := record.NewWriter(&b, h)
	if err != nil {
		t.Fatal(err)
	}
	p := *r.Config.Params
	p.Gaits = slices.Clone(p.Gaits)
	for i := range p.Gaits {
		p.Gaits[i].Rules.Lift *= 1.2
		p.Gaits[i].Rules.Speed *= 0.8
	}
	other, err := control.New(c.Rig, p)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(&p)
	if err != nil {
		t.Fatal(err)
	}
	var swap loop.Swap
	tick := loop.NewTicker(r.Cell, h.Dt, 1)
	tick.World, tick.Mailbox, tick.Swap, tick.Out = r.Timeline, r.Mailbox, &swap, &outlet{t, w}
	for i := range c.Ticks {
		if i == 120 {
			swap.Put(other, text, nil)
		}
		if err := tick.Do(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(r.Sim.Close(), w.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// outlet puts records into a recording.
type outlet struct {
	t testing.TB
	w *record.Writer
}

func (o *outlet) Put(tag control.Tag, tick uint64, data []byte) {
	if err := o.w.Put(tag, tick, data); err != nil {
		o.t.Fatal(err)
	}
}

// cutOf cuts ticks out of a recording.
func cutOf(t testing.TB, b []byte, first, last uint64) []byte {
	t.Helper()
	from, err := record.NewReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if _, err := record.Cut(&out, from, record.Piece{First: first, Last: last}); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestReplayOfParametersAndOfPieces(t *testing.T) {
	b := tuned(t)
	for _, o := range []rollout.ReplayOptions{{}, {Sim: true}, {All: true}, {Tolerance: 1e-9}} {
		got, err := replay(t, b, o)
		if err != nil || !got.First.Same() || got.Differ != 0 || got.Ticks != 400 {
			t.Errorf("%+v: %+v, %v", o, got, err)
		}
	}
	for _, w := range [][2]uint64{{0, 50}, {119, 121}, {120, 120}, {121, 121}, {300, 399}} {
		got, err := replay(t, cutOf(t, b, w[0], w[1]), rollout.ReplayOptions{})
		if err != nil || !got.First.Same() || got.Ticks != w[1]-w[0]+1 {
			t.Errorf("ticks %v: %+v, %v", w, got, err)
		}
	}
	_, err := replay(t, cutOf(t, b, 300, 310), rollout.ReplayOptions{Sim: true})
	if err == nil || !strings.Contains(err.Error(), "begins with tick 300, the simulator cannot") {
		t.Errorf("a piece, with the simulator: %v", err)
	}
	// The parameters matter: without them a piece behind the change differs.
	lost := without(t, cutOf(t, b, 130, 399), control.TagParams)
	if got, err := replay(t, lost, rollout.ReplayOptions{}); err != nil || got.First.Same() {
		t.Errorf("without the parameters: %+v, %v", got, err)
	}
}

// without drops the records of a tag.
func without(t testing.TB, b []byte, tag control.Tag) []byte {
	t.Helper()
	from, err := record.NewReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	w, err := record.NewWriter(&out, from.Header())
	if err != nil {
		t.Fatal(err)
	}
	for rec, err := from.Next(); err == nil; rec, err = from.Next() {
		if rec.Tag != tag {
			(&outlet{t, w}).Put(rec.Tag, rec.Tick, rec.Data)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestReplayCountsDifferences: with every state recorded, one wrong tick is one
// tick that differs.
func TestReplayCountsDifferences(t *testing.T) {
	c := walk(t, 2)
	c.Snapshot = 1
	at := fieldAt(t, func(f *control.Frame) { f.Out.Legs[3].Stance = true })
	b := recorded(t, c, func(tag control.Tag, tick uint64, data []byte) {
		if tag == control.TagFrame && (tick == 42 || tick == 99) {
			data[at] ^= 1
		}
	})
	got, err := replay(t, b, rollout.ReplayOptions{All: true})
	if err != nil || got.Differ != 2 || got.First.Tick != 42 || got.Ticks != c.Ticks {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := replay(t, b, rollout.ReplayOptions{}); err != nil || got.Differ != 1 || got.Ticks != 43 {
		t.Errorf("until the first: %+v, %v", got, err)
	}
}

// fieldAt returns the first byte of a frame that set changes.
func fieldAt(t testing.TB, set func(f *control.Frame)) int {
	t.Helper()
	f := control.NewFrame(load(t, "phantomx"))
	a, _ := f.AppendBinary(nil)
	set(f)
	b, _ := f.AppendBinary(nil)
	for i := range a {
		if a[i] != b[i] {
			return i
		}
	}
	t.Fatal("nothing changed")
	return 0
}

func TestSigns(t *testing.T) {
	frame := func(set func(f *control.Frame)) *control.Frame {
		f := control.NewFrame(load(t, "phantomx"))
		set(f)
		return f
	}
	quiet := frame(func(*control.Frame) {})
	rows := []struct {
		name        string
		sign        rollout.Sign
		before, now *control.Frame
		want        bool
	}{
		{"nothing is looked for", rollout.Sign{}, quiet, frame(func(f *control.Frame) { f.Obs.FellSince = 1; f.Out.Events = 1 }), false},
		{"a fall", rollout.Sign{Fall: true}, quiet, frame(func(f *control.Frame) { f.Obs.FellSince = 1 }), true},
		{"falls before the first tick", rollout.Sign{Fall: true}, nil, frame(func(f *control.Frame) { f.Obs.FellSince = 1 }), false},
		{"a clamp", rollout.Sign{Limit: true}, quiet, frame(func(f *control.Frame) { f.Out.SpeedLimit = 4 }), true},
		{"a clamp that lasts", rollout.Sign{Limit: true}, frame(func(f *control.Frame) { f.Out.AngleLimit = 1 }), frame(func(f *control.Frame) { f.Out.SpeedLimit = 4 }), false},
		{"a fault", rollout.Sign{Fault: true}, quiet, frame(func(f *control.Frame) { f.Obs.Faults = 2 }), true},
		{"the mode of faults", rollout.Sign{Fault: true}, quiet, frame(func(f *control.Frame) { f.Out.Mode = mode.Fault }), true},
		{"an event", rollout.Sign{Events: control.EventTilt}, quiet, frame(func(f *control.Frame) { f.Out.Events = control.EventTilt }), true},
		{"another event", rollout.Sign{Events: control.EventWall}, quiet, frame(func(f *control.Frame) { f.Out.Events = control.EventTilt }), false},
	}
	for _, row := range rows {
		if got := row.sign.Begins(row.before, row.now); got != row.want {
			t.Errorf("%s: %v", row.name, got)
		}
	}
}

// frozen is a run whose leg is frozen as it walks and that is then thrown to the
// ground.
func frozen(t testing.TB) []byte {
	t.Helper()
	c := walk(t, 4)
	c.Snapshot = 1
	c.Events = []rollout.Happening{
		{At: 1, Event: sim.Event{Kind: sim.EventFreeze, Leg: 1, Joint: -1, Value: 1}},
		{At: 2, Event: sim.Event{Kind: sim.EventPush, Leg: -1, Joint: -1, Vec: r3.Vec{Z: -8}}},
	}
	return recorded(t, c, nil)
}

// TestAsTest writes tests of the pieces that show events and runs them, in a
// folder of their own, as whoever asked for them would.
func TestAsTest(t *testing.T) {
	b := frozen(t)
	dir, err := os.MkdirTemp(".", "_astest")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Mkdir(filepath.Join(dir, "testdata"), 0o755); err != nil {
		t.Fatal(err)
	}
	signs := map[string]rollout.Sign{"Fall": {Fall: true}, "Mode": {Events: control.EventModeChanged}}
	for word, sign := range signs {
		from, _ := record.NewReader(bytes.NewReader(b))
		at, err := rollout.Find(from, sign, 1)
		if err != nil {
			t.Fatal(err)
		}
		c := rollout.TestCase{Package: "astest_test", Name: "Test" + word, Data: "testdata/" + word + ".mcap", Word: word, Sign: sign, Tick: at, First: at - 1}
		src, err := c.Source(from.Header())
		if err != nil {
			t.Fatal(err)
		}
		piece := cutOf(t, b, at-1, at)
		if len(piece) > 200_000 {
			t.Errorf("%s: a piece of two ticks has %d bytes", word, len(piece))
		}
		wrong := c
		wrong.Name, wrong.Tick = "TestWrong"+word, at-1 // the sign is not there: this one must fail
		bad, err := wrong.Source(from.Header())
		if err != nil {
			t.Fatal(err)
		}
		for name, data := range map[string][]byte{
			strings.ToLower(word) + "_test.go": src, "wrong_" + strings.ToLower(word) + "_test.go": bad, "testdata/" + word + ".mcap": piece,
		} {
			if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	out, err := exec.Command("go", "vet", "./"+dir).CombinedOutput()
	if err != nil {
		t.Fatalf("go vet: %v\n%s", err, out)
	}
	out, _ = exec.Command("go", "test", "-count=1", "-v", "./"+dir).CombinedOutput()
	for word := range signs {
		for _, want := range []string{"--- PASS: Test" + word + " ", "--- FAIL: TestWrong" + word + " "} {
			if !strings.Contains(string(out), want) {
				t.Errorf("no %q in\n%s", want, out)
			}
		}
	}
}

func TestFindSaysWhenThereIsNothing(t *testing.T) {
	from, _ := record.NewReader(bytes.NewReader(recorded(t, walk(t, 1), nil)))
	_, err := rollout.Find(from, rollout.Sign{Fall: true}, 0)
	if !errors.Is(err, rollout.ErrNoSign) || !strings.Contains(err.Error(), "rollout.Sign{Fall: true} from tick 0") {
		t.Errorf("%v", err)
	}
	if s := fmt.Sprintf("%#v", rollout.Sign{Limit: true, Events: 6}); s != "rollout.Sign{Limit: true, Events: 0x6}" {
		t.Error(s)
	}
}
