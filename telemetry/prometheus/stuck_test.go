package prometheus

import (
	"strings"
	"testing"
	"time"

	"legctl/control"
	"legctl/telemetry"
)

// TestStuck: a loop that hangs is reported, one that is paused is not.
func TestStuck(t *testing.T) {
	paused := false
	e := New("")
	e.Begin(&telemetry.Names{Rig: "ant"}, Sources{Paused: func() bool { return paused }})
	e.Tick(&control.Output{Tick: 4}, nil, 0.01)
	if h, _ := e.look(time.Now()); len(h.Reasons) > 0 {
		t.Errorf("just ticked: %v", h.Reasons)
	}
	later := time.Now().Add(2 * Stuck)
	if h, _ := e.look(later); len(h.Reasons) != 1 || !strings.Contains(h.Reasons[0], "hangs") || h.Tick != 4 {
		t.Errorf("hangs: %+v", h)
	}
	paused = true
	if h, _ := e.look(later); len(h.Reasons) > 0 {
		t.Errorf("paused: %v", h.Reasons)
	}
}

func BenchmarkTick(b *testing.B) {
	e := New("")
	e.Begin(&telemetry.Names{Rig: "ant", Legs: make([]string, 6), Joints: make([]string, 18)}, Sources{})
	out := &control.Output{Legs: make([]control.LegOut, 6)}
	out.Set.Q = make([]float64, 18)
	b.ReportAllocs()
	for b.Loop() {
		e.Tick(out, nil, 0.01)
	}
}
