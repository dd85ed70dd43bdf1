package loop_test

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

	"legctl/control"
	"legctl/loop"
	"legctl/rig"
)

var arm = control.Command{Kind: control.KindMode}

func TestCycleOrderAndTorque(t *testing.T) {
	p, c := &plant{}, &script{}
	x := cell(p, c)
	for _, armed := range []bool{false, true, true, false, false} {
		c.armed = armed
		if err := loop.Cycle(t.Context(), x); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{
		"observe", "limp",
		"observe", "enable 3", "apply 1",
		"observe", "apply 2",
		"observe", "limp", "enable 0",
		"observe", "limp",
	}
	if !reflect.DeepEqual(p.log, want) {
		t.Errorf("calls %q, want %q", p.log, want)
	}
	if x.Tick != 5 {
		t.Errorf("tick %d, want 5", x.Tick)
	}
}

func TestCycleReportsFailuresAsFaults(t *testing.T) {
	rows := []struct {
		name   string
		call   string
		faults []uint64 // seen by the controller in ticks 0, 1, 2
		has    rig.Has  // in tick 1
		log    string   // what tick 1 asked of the plant
	}{
		{"nothing", "", []uint64{0, 0, 0}, rig.HasQ, "observe enable 3 apply 1"},
		{"observe", "observe", []uint64{3, 3, 3}, 0, "observe enable 3 apply 1"},
		{"enable", "enable 3", []uint64{0, 0, 3}, rig.HasQ, "observe enable 3 limp"},
		{"apply", "apply 1", []uint64{0, 0, 3}, rig.HasQ, "observe enable 3 apply 1"},
	}
	for _, row := range rows {
		broken := errors.New("broken")
		p := &plant{fail: map[string]error{row.call: broken}}
		c := &script{keep: true}
		x := cell(&observed{p}, c)
		for tick := range 3 {
			p.log = p.log[:0]
			x.Frame.Cmd = control.Command{}
			if tick == 1 {
				x.Frame.Cmd = arm
			}
			err := loop.Cycle(t.Context(), x)
			failed := len(row.call) > 0 && contains(p.log, row.call)
			if errors.Is(err, broken) != failed {
				t.Errorf("%s, tick %d: error %v after %q", row.name, tick, err, p.log)
			}
			if c.obs[tick].Faults != row.faults[tick] {
				t.Errorf("%s, tick %d: faults %b, want %b", row.name, tick, c.obs[tick].Faults, row.faults[tick])
			}
			if tick == 1 && strings.Join(p.log, " ") != row.log {
				t.Errorf("%s: %q, want %q", row.name, p.log, row.log)
			}
		}
		if c.obs[1].Has != row.has {
			t.Errorf("%s: has %b, want %b", row.name, c.obs[1].Has, row.has)
		}
		if x.Frame.Obs.Faults != c.obs[2].Faults {
			t.Errorf("%s: the frame does not hold what the controller saw", row.name)
		}
	}
}

// observed fills in what a real plant would.
type observed struct{ *plant }

func (p *observed) Observe(ctx context.Context, o *rig.Observation) error {
	o.Has, o.Faults = rig.HasQ, 0
	return p.plant.Observe(ctx, o)
}

func contains(log []string, call string) bool {
	for _, s := range log {
		if s == call {
			return true
		}
	}
	return false
}

func TestCycleKeepsTheCommand(t *testing.T) {
	c := &script{keep: true}
	x := cell(&plant{}, c)
	x.Frame.Cmd = control.Command{ID: 7, Kind: control.KindTwist, Vx: 0.1}
	if err := loop.Cycle(t.Context(), x); err != nil {
		t.Fatal(err)
	}
	if c.seen[0].Vx != 0.1 || x.Frame.Cmd.ID != 7 || x.Frame.Out.Reply.ID != 7 {
		t.Errorf("saw %+v, kept %+v, replied %+v", c.seen[0], x.Frame.Cmd, x.Frame.Out.Reply)
	}
}

func TestTickerDoesNotAllocate(t *testing.T) {
	c := &script{armed: true}
	out := &ringOutlet{loop.NewRing(64, 4096)}
	tk := loop.NewTicker(cell(&quiet{}, c), 0.1, 4)
	tk.World, tk.Out, tk.Mailbox = world{}, out, new(loop.Mailbox)
	n := testing.AllocsPerRun(200, func() {
		if err := tk.Do(t.Context()); err != nil {
			t.Error(err)
		}
		for out.ring.Take(func(control.Tag, uint64, []byte) {}) {
		}
	})
	if n != 0 {
		t.Errorf("%v allocations a tick", n)
	}
}

type ringOutlet struct{ ring *loop.Ring }

func (o *ringOutlet) Put(tag control.Tag, tick uint64, data []byte) { o.ring.Put(tag, tick, data) }

func TestTickerRecordsInOrder(t *testing.T) {
	out := &ringOutlet{loop.NewRing(64, 4096)}
	tk := loop.NewTicker(cell(&quiet{}, &script{}), 0.1, 2)
	tk.World, tk.Out = world{1: "push", 3: "bad"}, out
	var got []string
	names := map[control.Tag]string{control.TagFrame: "frame", control.TagState: "state", control.TagEvent: "event"}
	for tick := range uint64(4) {
		err := tk.Do(t.Context())
		if (err != nil) != (tick == 3) {
			t.Errorf("tick %d: %v", tick, err)
		}
		for out.ring.Take(func(tag control.Tag, at uint64, _ []byte) {
			got = append(got, names[tag])
			if at != tick {
				t.Errorf("%s of tick %d says %d", names[tag], tick, at)
			}
		}) {
		}
	}
	want := "state frame event frame state frame frame"
	if s := strings.Join(got, " "); s != want {
		t.Errorf("%s, want %s", s, want)
	}
}

// hexapod is a rig of the usual size, as far as the loop looks at one.
func hexapod() *rig.Rig {
	r := &rig.Rig{Legs: make([]rig.Leg, 6)}
	for i := range r.Legs {
		r.Legs[i].Joints, r.Legs[i].First = make([]rig.Joint, 3), 3*i
	}
	return r
}

// BenchmarkTicker is what the loop adds to a tick of a hexapod: observing,
// applying, and a frame into the ring of one sink.
func BenchmarkTicker(b *testing.B) {
	out := &ringOutlet{loop.NewRing(64, 4096)}
	tk := loop.NewTicker(loop.NewCell(hexapod(), &quiet{}, &script{armed: true}, nil), 0.02, 50)
	tk.Out, tk.Mailbox = out, new(loop.Mailbox)
	take := func(control.Tag, uint64, []byte) {}
	b.ReportAllocs()
	for b.Loop() {
		_ = tk.Do(b.Context())
		for out.ring.Take(take) {
		}
	}
}
