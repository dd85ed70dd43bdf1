package mcap_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"legctl/configs"
	"legctl/control"
	"legctl/loop"
	"legctl/record"
	"legctl/rig"
	"legctl/rollout"
	"legctl/sim"
	"legctl/sim/terrain"
	"legctl/telemetry"
	"legctl/telemetry/mcap"
	"legctl/telemetry/show"

	format "github.com/foxglove/mcap/go/mcap"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
	"pgregory.net/rapid"
)

// run is a hexapod on blocks of which some go as it walks.
func run(t testing.TB, seconds float64) *rollout.Rollout {
	t.Helper()
	r, err := configs.LoadRig("phantomx")
	if err != nil {
		t.Fatal(err)
	}
	ground, _ := terrain.Default("blocks", 0.1)
	c := rollout.Config{Rig: r, Terrain: ground, Seed: 3, Snapshot: 1, Ticks: uint64(math.Round(seconds * 100))}
	c.Commands = []rollout.Order{{At: 0.1, Command: control.Command{Kind: control.KindTwist, Vx: 0.05, Wz: 0.2, TTL: 3600}}}
	for i := range int32(4) {
		e := sim.Event{Kind: sim.EventRemove, Block: 70 + i}
		c.Events = append(c.Events, rollout.Happening{At: 0.3 + 0.4*float64(i), Event: e})
	}
	out, err := rollout.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// options are what the recorder of a run needs.
func options(t testing.TB, r *rollout.Rollout) mcap.Options {
	t.Helper()
	h, err := r.Header(record.Name{Key: "program", Value: "test"})
	if err != nil {
		t.Fatal(err)
	}
	g, err := rollout.NewScenery(h)
	if err != nil {
		t.Fatal(err)
	}
	var gaits []string
	for i := range r.Config.Params.Gaits {
		gaits = append(gaits, r.Config.Params.Gaits[i].Name)
	}
	return mcap.Options{Options: show.Options{
		Header: h, Rig: r.Config.Rig, Names: telemetry.NamesOf(r.Config.Rig, gaits), Ground: g, World: new(sim.Event),
	}}
}

// recorded records a run.
func recorded(t testing.TB, seconds float64) []byte {
	t.Helper()
	r := run(t, seconds)
	var b bytes.Buffer
	w, err := mcap.New(&b, options(t, r))
	if err != nil {
		t.Fatal(err)
	}
	r.Config.Sinks = []loop.Sink{w}
	if _, err := r.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// said is a message as the official library reads it.
type said struct {
	topic, schema string
	text          []byte // the schema
	nanos         uint64
	data          []byte
}

// read reads a file with the library of the format's makers.
func read(t testing.TB, b []byte) []said {
	t.Helper()
	r, err := format.NewReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	it, err := r.Messages()
	if err != nil {
		t.Fatal(err)
	}
	var all []said
	for {
		s, c, m, err := it.NextInto(nil)
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, said{c.Topic, s.Name, s.Data, m.LogTime, m.Data})
	}
}

func TestEveryMessageFitsItsSchema(t *testing.T) {
	schemas, counts := map[string]*jsonschema.Schema{}, map[string]int{}
	for _, m := range read(t, recorded(t, 2)) {
		counts[m.topic]++
		if m.topic == record.Topic {
			continue
		}
		s := schemas[m.topic]
		if s == nil {
			doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(m.text))
			if err != nil {
				t.Fatal(err)
			}
			c := jsonschema.NewCompiler()
			if err := c.AddResource("x", doc); err != nil {
				t.Fatal(err)
			}
			if s, err = c.Compile("x"); err != nil {
				t.Fatal(err)
			}
			schemas[m.topic] = s
		}
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(m.data))
		if err != nil {
			t.Fatalf("%s: %v: %s", m.topic, err, m.data)
		}
		if err := s.Validate(v); err != nil {
			t.Fatalf("%s: %v", m.topic, err)
		}
	}
	want := map[string]int{
		record.Topic: 1 + 2*200 + 4, "/tf": 100, "/scene/rig": 1, "/scene/ground": 1 + 4, "/scene/support": 100,
		"/legctl/run": 1, "/legctl/frame": 100, "/legctl/state": 100, "/legctl/world": 4,
	}
	for topic, n := range want {
		if counts[topic] != n {
			t.Errorf("%s: %d messages, want %d", topic, counts[topic], n)
		}
	}
	if counts["/legctl/log"] == 0 {
		t.Error("nothing was logged")
	}
}

// TestTransformsAreKinematics: the chain of frames ends where forward kinematics
// has the feet.
func TestTransformsAreKinematics(t *testing.T) {
	r := run(t, 1)
	b := recorded(t, 1)
	from, err := record.NewReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	frames := map[uint64]*control.Frame{}
	for rec, err := from.Next(); err == nil; rec, err = from.Next() {
		if rec.Tag == control.TagFrame {
			f := control.NewFrame(r.Config.Rig)
			if err := f.UnmarshalBinary(rec.Data); err != nil {
				t.Fatal(err)
			}
			frames[record.Nanos(rec.Tick, 0.01)] = f
		}
	}
	n := 0
	for _, m := range read(t, b) {
		if m.topic != "/tf" {
			continue
		}
		var tf show.FrameTransforms
		if err := json.Unmarshal(m.data, &tf); err != nil {
			t.Fatal(err)
		}
		n++
		f := frames[m.nanos]
		at := map[string]show.FrameTransform{}
		for _, x := range tf.Transforms {
			at[x.Child] = x
		}
		for i := range r.Config.Rig.Legs {
			l := &r.Config.Rig.Legs[i]
			p := l.Foot
			for name := l.Joints[len(l.Joints)-1].Name; name != show.World; name = at[name].Parent {
				p = apply(at[name], p)
			}
			want := f.Obs.PoseWB.Apply(rig.Foot(r.Config.Rig, i, f.Obs.Q))
			if d := r3.Norm(r3.Sub(p, want)); !(d < 1e-6) {
				t.Fatalf("%d ns, foot %s: %v, kinematics say %v", m.nanos, l.Name, p, want)
			}
		}
	}
	if n != 50 {
		t.Errorf("%d sets of transforms", n)
	}
}

// apply brings a point from a frame into its parent.
func apply(f show.FrameTransform, p r3.Vec) r3.Vec {
	q := quat.Number{Real: f.Rotation.W, Imag: f.Rotation.X, Jmag: f.Rotation.Y, Kmag: f.Rotation.Z}
	v := quat.Mul(quat.Mul(q, quat.Number{Imag: p.X, Jmag: p.Y, Kmag: p.Z}), quat.Conj(q))
	return r3.Vec{X: f.Translation.X + v.Imag, Y: f.Translation.Y + v.Jmag, Z: f.Translation.Z + v.Kmag}
}

// TestCutsAreRepairedAndReplayed is for a hundred places, and the official
// library reads what comes out.
func TestCutsAreRepairedAndReplayed(t *testing.T) {
	whole := recorded(t, 3)
	begun := bytes.Index(whole, []byte("\x04\x00\x00\x00zstd")) + 40_000 // the header is behind it
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(begun, len(whole)-1).Draw(rt, "bytes")
		var out bytes.Buffer
		done, err := record.Repair(&out, bytes.NewReader(whole[:n]))
		if err != nil || done.Whole {
			rt.Fatalf("cut at %d: %+v, %v", n, done, err)
		}
		if again, err := record.Repair(io.Discard, bytes.NewReader(out.Bytes())); err != nil || !again.Whole {
			rt.Fatalf("cut at %d, again: %+v, %v", n, again, err)
		}
		if len(read(t, out.Bytes())) < int(done.Records) {
			rt.Fatalf("cut at %d: messages are missing", n)
		}
		if n%10 == 0 { // replaying all of them takes long
			from, err := record.NewReader(&out)
			if err != nil {
				rt.Fatal(err)
			}
			got, err := rollout.Replay(t.Context(), from, rollout.ReplayOptions{})
			if err != nil || !got.First.Same() || got.Cut != nil {
				rt.Fatalf("cut at %d: %+v, %v", n, got, err)
			}
		}
	})
}

func TestChunksLastHalfASecond(t *testing.T) {
	r, err := format.NewReader(bytes.NewReader(recorded(t, 3)))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	info, err := r.Info()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range info.ChunkIndexes {
		if d := c.MessageEndTime - c.MessageStartTime; d > 5e8 || c.Compression != format.CompressionZSTD {
			t.Errorf("a chunk of %d ns, packed by %q", d, c.Compression)
		}
	}
	if n := len(info.ChunkIndexes); n < 6 || n > 8 {
		t.Errorf("%d chunks", n)
	}
}

// TestTheSameRunIsTheSameFile: nothing of the clock is in it.
func TestTheSameRunIsTheSameFile(t *testing.T) {
	if a, b := recorded(t, 1), recorded(t, 1); !bytes.Equal(a, b) {
		t.Errorf("%d and %d bytes", len(a), len(b))
	}
}

// full is a disk with room for so many bytes.
type full struct {
	bytes.Buffer
	left int
}

func (f *full) Write(b []byte) (int, error) {
	if f.left -= len(b); f.left < 0 {
		return 0, errors.New("no space left on device")
	}
	return f.Buffer.Write(b)
}

func (f *full) Truncate(size int64) error {
	f.Buffer.Truncate(int(size))
	return nil
}

func TestAFullDiskEndsTheRecordingAndNotTheRun(t *testing.T) {
	r := run(t, 3)
	o := options(t, r)
	var told []string
	o.Warn = func(err error) { told = append(told, err.Error()) }
	disk := &full{left: 200_000}
	w, err := mcap.New(disk, o)
	if err != nil {
		t.Fatal(err)
	}
	r.Config.Sinks = []loop.Sink{w}
	sum, err := r.Run(t.Context())
	if err == nil || !strings.Contains(err.Error(), "no space left") || sum.Ticks != 300 {
		t.Errorf("%d ticks, %v", sum.Ticks, err)
	}
	if len(told) != 1 || !strings.Contains(told[0], "no space left") {
		t.Errorf("told %q", told)
	}
	var out bytes.Buffer
	done, err := record.Repair(&out, bytes.NewReader(disk.Bytes()))
	if err != nil || done.Records < 100 || done.Dropped != 0 {
		t.Errorf("what was written: %+v, %v", done, err)
	}
	read(t, out.Bytes())
}

// TestARecordThatCannotBeShownIsRecorded puts what is no frame of this rig.
func TestARecordThatCannotBeShownIsRecorded(t *testing.T) {
	r := run(t, 1)
	var b bytes.Buffer
	w, err := mcap.New(&b, options(t, r))
	if err != nil {
		t.Fatal(err)
	}
	for tick := range uint64(3) {
		if err := w.Put(control.TagFrame, tick, []byte("no frame")); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err == nil || !strings.Contains(err.Error(), "tick 0 cannot be shown") {
		t.Errorf("closed with %v", err)
	}
	n := slices.IndexFunc(read(t, b.Bytes()), func(m said) bool { return bytes.Contains(m.data, []byte("no frame")) })
	if n < 0 {
		t.Error("the record is lost")
	}
}
