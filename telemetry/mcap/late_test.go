package mcap_test

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"legctl/control"
	"legctl/loop"
	"legctl/record"
	"legctl/rollout"
	"legctl/telemetry/mcap"
)

// fastRun is a hexapod that walks at 1 kHz, by the clock, and what came of it.
func fastRun(t testing.TB, ticks uint64, file string) *loop.Stats {
	t.Helper()
	p := *run(t, 1).Config.Params
	p.Dt = 0.001
	base := run(t, 1).Config
	r, err := rollout.New(rollout.Config{
		Rig: base.Rig, Params: &p, Terrain: base.Terrain, Seed: 3,
		Commands: []rollout.Order{{At: 0.1, Command: control.Command{Kind: control.KindTwist, Vx: 0.05, Wz: 0.2, TTL: 3600}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	o := loop.Options{Dt: p.Dt, Ticks: ticks, Mailbox: r.Mailbox, World: r.Timeline, Stats: new(loop.Stats), Snapshot: 1}
	if file != "" {
		w, err := mcap.Create(file, options(t, r))
		if err != nil {
			t.Fatal(err)
		}
		o.Sinks = []loop.Sink{w}
	}
	if err := loop.Run(t.Context(), r.Cell, o); err != nil {
		t.Fatal(err)
	}
	return o.Stats
}

// TestRecordingAtOneKilohertz records by the clock and finds every tick in the
// file, whatever the machine does meanwhile. With LEGCTL_SOAK set it is the whole
// comparison: five pairs of a minute, with and without a recorder, and no more
// late ticks with it.
func TestRecordingAtOneKilohertz(t *testing.T) {
	if testing.Short() {
		t.Skip("runs by the clock for seconds")
	}
	pairs, ticks := 1, uint64(2_000)
	soak := os.Getenv("LEGCTL_SOAK") != ""
	if soak {
		pairs, ticks = 5, 60_000
	}
	file := filepath.Join(t.TempDir(), "run.mcap")
	var with, without []uint64
	for range pairs {
		a, b := fastRun(t, ticks, ""), fastRun(t, ticks, file)
		without, with = append(without, a.Skipped.Load()), append(with, b.Skipped.Load())
		if n := b.Dropped(); n > 0 {
			t.Errorf("%d records did not reach the recorder", n)
		}
		size := int64(0)
		if st, err := os.Stat(file); err == nil {
			size = st.Size()
		}
		t.Logf("late: %d without, %d with; lateness p99 %v and %v; work p50 %v and %v; %d bytes a tick", a.Skipped.Load(), b.Skipped.Load(),
			a.Lateness.Quantile(0.99), b.Lateness.Quantile(0.99), a.Work.Quantile(0.5), b.Work.Quantile(0.5), size/int64(ticks))
	}
	slices.Sort(with)
	slices.Sort(without)
	if soak && with[pairs/2] > without[pairs/2] {
		t.Errorf("late ticks: %v with a recorder, %v without", with, without)
	}
	from, err := record.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	got, err := rollout.Replay(t.Context(), from, rollout.ReplayOptions{})
	if err != nil || !got.First.Same() || got.Ticks != ticks || got.Cut != nil {
		t.Errorf("%+v, %v", got, err)
	}
	if err := from.Close(); err != nil {
		t.Error(err)
	}
}

// BenchmarkTick is what the recorder does a tick, beside the tick: at 1 kHz a
// fiftieth of the ticks are shown to viewers too.
func BenchmarkTick(b *testing.B) {
	r := run(b, 1)
	for _, row := range []struct {
		name string
		rate float64
	}{{"50 Hz for viewers", 50}, {"1 Hz for viewers", 1}} {
		b.Run(row.name, func(b *testing.B) {
			o := options(b, r)
			o.Header.Dt, o.Rate = 0.001, row.rate
			w, err := mcap.New(io.Discard, o)
			if err != nil {
				b.Fatal(err)
			}
			f := control.NewFrame(r.Config.Rig)
			s := &control.NewStates(r.Config.Rig, 1)[0]
			var frame, state []byte
			b.ReportAllocs()
			for tick := uint64(0); b.Loop(); tick++ {
				f.Out.Tick, s.Tick = tick, tick
				for i := range f.Obs.Q {
					f.Obs.Q[i] += 1e-3 * float64(i)
				}
				frame, _ = f.AppendBinary(frame[:0])
				state, _ = s.AppendBinary(state[:0])
				_ = w.Put(control.TagState, tick, state) // io.Discard takes everything
				_ = w.Put(control.TagFrame, tick, frame)
			}
			b.SetBytes(int64(len(frame) + len(state)))
		})
	}
}
