package rollout_test

import (
	"bytes"
	"context"
	"errors"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"legctl/control"
	"legctl/loop"
	"legctl/record"
	"legctl/rollout"
	"legctl/sim"
)

// recorded runs a config into a recording; change may alter a record on its way.
func recorded(t testing.TB, c rollout.Config, change func(tag control.Tag, tick uint64, data []byte)) []byte {
	t.Helper()
	r, err := rollout.New(c)
	if err != nil {
		t.Fatal(err)
	}
	h, err := r.Header(record.Name{Key: "version", Value: "test"})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	w, err := record.NewWriter(&b, h)
	if err != nil {
		t.Fatal(err)
	}
	r.Config.Sinks = []loop.Sink{&filter{Writer: w, change: change}}
	if _, err := r.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// filter alters records.
type filter struct {
	*record.Writer
	change func(tag control.Tag, tick uint64, data []byte)
}

func (f *filter) Put(tag control.Tag, tick uint64, data []byte) error {
	if f.change != nil {
		f.change(tag, tick, data)
	}
	return f.Writer.Put(tag, tick, data)
}

// replay replays bytes.
func replay(t testing.TB, b []byte, o rollout.ReplayOptions) (rollout.Replayed, error) {
	t.Helper()
	r, err := record.NewReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	return rollout.Replay(t.Context(), r, o)
}

// holes is a rig on blocks of which some are taken away as it walks.
func holes(t testing.TB) rollout.Config {
	r := load(t, "phantomx")
	c := rollout.Config{Rig: r, Terrain: on(t, r, "blocks"), Ticks: ticks(r, 4), Commands: []rollout.Order{twist(0.1, 0.05, 0, 0.2)}}
	for i := range int32(12) {
		block := int32(c.Terrain.Count*c.Terrain.Count/2) + 3*i - 18
		c.Events = append(c.Events, rollout.Happening{At: 0.5 + 0.2*float64(i), Event: sim.Event{Kind: sim.EventRemove, Block: block}})
	}
	return c
}

func TestReplayIsTheSame(t *testing.T) {
	blind := walk(t, 3)
	blind.Blind = true
	rows := []struct {
		name string
		c    rollout.Config
	}{{"rough ground", walk(t, 5)}, {"blocks", holes(t)}, {"blind", blind}}
	for _, row := range rows {
		b := recorded(t, row.c, nil)
		for _, o := range []rollout.ReplayOptions{{}, {Sim: true}, {Tolerance: 1e-9}} {
			got, err := replay(t, b, o)
			if err != nil || !got.First.Same() || got.Ticks != row.c.Ticks || got.Cut != nil || got.Lost != 0 {
				t.Errorf("%s, %+v: %+v, %v", row.name, o, got, err)
			}
		}
	}
}

func TestReplayNamesTheFirstDifference(t *testing.T) {
	// The place of a field in the bytes is found by changing it in a frame.
	at := func(set func(f *control.Frame)) int {
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
	r := load(t, "phantomx")
	leg, joint := r.Legs[2].Name, r.Legs[0].Joints[0].Name
	stance := at(func(f *control.Frame) { f.Out.Legs[2].Stance = true })
	kind := at(func(f *control.Frame) { f.Cmd.Kind = control.KindStop })
	contact := at(func(f *control.Frame) { f.Obs.Contact = 1 })
	rows := []struct {
		name  string
		place int  // of the byte
		with  byte // it is changed by
		o     rollout.ReplayOptions
		want  string
	}{
		{"an output", stance, 1, rollout.ReplayOptions{}, "out.legs[" + leg + "].stance"},
		{"a command that was not given", kind, byte(control.KindStop), rollout.ReplayOptions{}, "out.set.q[" + joint + "]"},
		{"an observation, simulated anew", contact, 1, rollout.ReplayOptions{Sim: true}, "obs.contact"},
		{"with a tolerance too", stance, 1, rollout.ReplayOptions{Tolerance: 1e-9}, "out.legs[" + leg + "].stance"},
	}
	for _, row := range rows {
		b := recorded(t, walk(t, 1), func(tag control.Tag, tick uint64, data []byte) {
			if tag == control.TagFrame && tick == 42 {
				data[row.place] ^= row.with
			}
		})
		got, err := replay(t, b, row.o)
		if err != nil || got.First.Tick != 42 || got.First.Field.Field != row.want {
			t.Errorf("%s: %v, %v; want tick 42, %s", row.name, got.First, err, row.want)
		}
	}
}

func TestReplayAfterCutAndGap(t *testing.T) {
	whole := recorded(t, walk(t, 3), nil)
	for _, share := range []int{2, 3, 5} {
		got, err := replay(t, whole[:len(whole)*(share-1)/share], rollout.ReplayOptions{Sim: true})
		if err != nil || !got.First.Same() || got.Cut == nil || got.Ticks == 0 || got.Ticks != got.Cut.Tick+1 {
			t.Errorf("cut at %d/%d: %+v, %v", share-1, share, got, err)
		}
	}
	b := gapped(t)
	got, err := replay(t, b, rollout.ReplayOptions{})
	if err != nil || !got.First.Same() || got.Lost != 5 || got.Ticks == 0 {
		t.Errorf("gap: %+v, %v", got, err)
	}
	if _, err := replay(t, b, rollout.ReplayOptions{Sim: true}); err == nil || !strings.Contains(err.Error(), "5 records are lost before tick 150") {
		t.Errorf("gap, with the simulator: %v", err)
	}
}

// gapped is a recording whose ring was full before tick 150.
func gapped(t *testing.T) []byte {
	t.Helper()
	c := walk(t, 3)
	r, err := rollout.New(c)
	if err != nil {
		t.Fatal(err)
	}
	h, err := r.Header()
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	w, _ := record.NewWriter(&b, h)
	r.Config.Sinks = []loop.Sink{&leaky{Writer: w}}
	if _, err := r.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// leaky loses the frames 145 to 149.
type leaky struct{ *record.Writer }

func (l *leaky) Put(tag control.Tag, tick uint64, data []byte) error {
	if tick >= 145 && tick < 150 {
		return nil
	}
	if tick == 150 && tag == control.TagFrame {
		if err := l.Writer.Put(control.TagGap, tick, []byte{5, 0, 0, 0, 0, 0, 0, 0}); err != nil {
			return err
		}
	}
	return l.Writer.Put(tag, tick, data)
}

func TestReplayOfARunAgainstTheClock(t *testing.T) {
	c := walk(t, 1)
	r, err := rollout.New(c)
	if err != nil {
		t.Fatal(err)
	}
	h, err := r.Header()
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	w, _ := record.NewWriter(&b, h)
	err = loop.Run(t.Context(), r.Cell, loop.Options{
		Dt: h.Dt, Ticks: c.Ticks, Mailbox: r.Mailbox, World: r.Timeline, Sinks: []loop.Sink{w}, Ring: 1024,
	})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := replay(t, b.Bytes(), rollout.ReplayOptions{Sim: true}); err != nil || !got.First.Same() || got.Ticks != c.Ticks {
		t.Errorf("%+v, %v", got, err)
	}
	head := recorded(t, c, nil)
	a, err1 := record.NewReader(bytes.NewReader(head))
	d, err2 := record.NewReader(bytes.NewReader(b.Bytes()))
	diff, err3 := record.Diff(a, d)
	if err := errors.Join(err1, err2, err3); err != nil || !diff.Same() {
		t.Errorf("with and without a clock: %v, %v", diff, err)
	}
}

func TestHeaderBringsTheRunBack(t *testing.T) {
	for _, name := range []string{"phantomx", "a1", "starfish"} {
		r, err := rollout.New(rollout.Config{Rig: load(t, name), Seed: 9})
		if err != nil {
			t.Fatal(err)
		}
		h, err := r.Header()
		if err != nil {
			t.Fatal(err)
		}
		back, err := rollout.Restore(h)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(back.Rig, r.Config.Rig) {
			t.Errorf("%s: the rig differs", name)
		}
		if !reflect.DeepEqual(back.Params, r.Config.Params) {
			t.Errorf("%s: the parameters differ", name)
		}
		if *back.World != *r.Config.World || *back.Scale != *r.Config.Scale || back.Gait != r.Config.Gait || back.Seed != 9 {
			t.Errorf("%s: %+v", name, back)
		}
	}
}

func TestReplayRefusesWhatItCannotTrust(t *testing.T) {
	good, err := rollout.New(walk(t, 1))
	if err != nil {
		t.Fatal(err)
	}
	rows := []struct {
		name   string
		change func(h *record.Header)
		want   string
	}{
		{"no rig", func(h *record.Header) { h.Rig = nil }, "rig in the header"},
		{"an unknown field", func(h *record.Header) { h.Params = []byte(`{"Wings":2}`) }, `unknown field "Wings"`},
		{"fewer legs", func(h *record.Header) { h.Rig = []byte(`{"Name":"x","Legs":[]}`) }, "0 legs and 0 joints, the header says 6 and 18"},
		{"another dt", func(h *record.Header) { h.Dt = 0.5 }, "dt is 0.5 s in the header"},
		{"no terrain", func(h *record.Header) { h.Terrain = nil }, "terrain"},
		{"another layout", func(h *record.Header) { h.State++ }, "another version"},
		{"a broken rig", func(h *record.Header) { h.Rig = bytes.Replace(h.Rig, []byte(`"Mass":`), []byte(`"Mass":-`), 1) }, "rig in the header"},
	}
	for _, row := range rows {
		h, err := good.Header()
		if err != nil {
			t.Fatal(err)
		}
		row.change(h)
		var b bytes.Buffer
		if w, err := record.NewWriter(&b, h); err != nil {
			t.Fatal(err)
		} else if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := replay(t, b.Bytes(), rollout.ReplayOptions{}); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: %v, want %q", row.name, err, row.want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r, _ := record.NewReader(bytes.NewReader(recorded(t, walk(t, 1), nil)))
	if _, err := rollout.Replay(ctx, r, rollout.ReplayOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestReplayOutlivesItsParameters changes the header under a good recording.
func TestReplayOutlivesItsParameters(t *testing.T) {
	c := walk(t, 1)
	c.Gait = "tripod"
	from, err := record.NewReader(bytes.NewReader(recorded(t, c, nil)))
	if err != nil {
		t.Fatal(err)
	}
	h := *from.Header()
	h.Params = regexp.MustCompile(`"Duty":\[[^]]*\]`).ReplaceAll(h.Params, []byte(`"Duty":[0.5]`))
	var b bytes.Buffer
	w, err := record.NewWriter(&b, &h)
	if err != nil {
		t.Fatal(err)
	}
	for rec, err := from.Next(); err == nil; rec, err = from.Next() {
		if err := w.Put(rec.Tag, rec.Tick, rec.Data); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if got, err := replay(t, b.Bytes(), rollout.ReplayOptions{}); err == nil {
		t.Errorf("a phase table for one leg was walked on six: %+v", got)
	}
}
