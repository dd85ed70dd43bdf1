package gait_test

import (
	"math"
	"testing"

	"legctl/gait"

	"pgregory.net/rapid"
)

// drawGait draws any table for n legs whose duties are at most 0.95.
func drawGait(t *rapid.T, n int, name string) *gait.Gait {
	g := &gait.Gait{Name: name}
	for range n {
		g.Duty = append(g.Duty, rapid.Float64Range(0.2, 0.95).Draw(t, name+" duty"))
		g.Offset = append(g.Offset, rapid.Float64Range(0, 0.999).Draw(t, name+" offset"))
	}
	return g
}

// TestFlowConverges: from any table at any phase to any other, within the
// stated cycles, never backward, never in a jump, no swing shorter than 0.8 of
// its own and no stance longer than the slowest rate makes it.
func TestFlowConverges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 8).Draw(t, "legs")
		from, to := drawGait(t, n, "from"), drawGait(t, n, "to")
		step := rapid.Float64Range(0.001, 0.02).Draw(t, "step")
		clock := rapid.Float64Range(0, 0.999).Draw(t, "clock")
		f := gait.DefaultFlow()
		legs := make([]gait.LegPhase, n)
		for i := range legs {
			f.Enter(&legs[i], from, i, clock)
		}
		if rapid.Bool().Draw(t, "aligned") {
			clock = gait.Align(to, legs, 0)
		}
		watch := make([]watched, n)
		for i := range watch {
			watch[i].start(&legs[i])
		}
		for k := 0; float64(k)*step < f.Cycles; k++ {
			clock = gait.Frac(clock + step)
			for i := range legs {
				was := legs[i]
				ev := f.Tick(&legs[i], to, i, clock, step, true)
				watch[i].tick(t, &f, was, legs[i], ev, step)
			}
		}
		for i := range legs {
			if e := legs[i].Late(to, i, clock); math.Abs(e) > 0.01 || math.Abs(legs[i].Duty-to.Duty[i]) > 1e-9 {
				t.Fatalf("leg %d after %v cycles: late %v, duty %v, want %v", i, f.Cycles, e, legs[i].Duty, to.Duty[i])
			}
		}
	})
}

// watched follows one leg through its stances and swings.
type watched struct {
	since float64 // cycles of the clock in this stance or swing; negative: begun before
	whole bool
}

func (w *watched) start(*gait.LegPhase) { *w = watched{} }

func (w *watched) tick(t *rapid.T, f *gait.Flow, was, now gait.LegPhase, ev gait.LegEvent, step float64) {
	by := gait.Frac(now.Phase - was.Phase)
	if by < f.Slow*step-1e-12 || by > f.Fast*step+f.Shift*step+1e-12 {
		if ev != gait.LegLands || by > f.Rush*step {
			t.Fatalf("phase went %v in a tick of %v (%+v to %+v)", by, step, was, now)
		}
	}
	w.since += step
	switch ev {
	case gait.LegLifts:
		if was.Stance() == now.Stance() {
			t.Fatalf("lifted from %+v to %+v", was, now)
		}
		if most := was.Duty / f.Slow; w.whole && w.since > most+2*step+f.Shift*(w.since) {
			t.Fatalf("stance of %v cycles, its own is %v", w.since, was.Duty)
		}
		w.since, w.whole = 0, true
	case gait.LegLands:
		if least := 0.8 * (1 - was.Duty); w.whole && w.since < least-2*step {
			t.Fatalf("swing of %v cycles, its own is %v", w.since, 1-was.Duty)
		}
		w.since, w.whole = 0, true
	default:
		if was.Stance() != now.Stance() {
			t.Fatalf("from %+v to %+v without an event", was, now)
		}
		if !was.Stance() && was.Duty != now.Duty {
			t.Fatal("duty changed in swing")
		}
	}
}

// TestFlowSteady: on its own table a leg runs at the clock's rate and its
// events come when the table says.
func TestFlowSteady(t *testing.T) {
	g, err := gait.Wave(ladder(3), 2./3)
	if err != nil {
		t.Fatal(err)
	}
	f := gait.DefaultFlow()
	const step = 0.01
	for leg := range g.Duty {
		var p gait.LegPhase
		clock := 0.3
		f.Enter(&p, g, leg, clock)
		for range 1000 {
			before, _ := g.At(clock, leg)
			clock = gait.Frac(clock + step)
			after, share := g.At(clock, leg)
			ev := f.Tick(&p, g, leg, clock, step, true)
			near := share < 1e-6 || share > 1-1e-6
			if p.Stance() != after && !near || math.Abs(p.Share()-share) > 1e-6 && !near {
				t.Fatalf("leg %d at %v: %+v, the table says %v %v", leg, clock, p, after, share)
			}
			if before != after && ev == gait.LegGoes && !near {
				t.Fatalf("leg %d at %v: no event", leg, clock)
			}
		}
	}
}

// TestFlowWaits: a leg that may not lift stands at the end of its stance, and
// catches up when it may.
func TestFlowWaits(t *testing.T) {
	g, err := gait.Tripod(ladder(3))
	if err != nil {
		t.Fatal(err)
	}
	f := gait.DefaultFlow()
	var p gait.LegPhase
	clock, waited := 0.0, 0
	f.Enter(&p, g, 0, clock)
	for k := range 1000 {
		clock = gait.Frac(clock + 0.01)
		may := k >= 130
		if ev := f.Tick(&p, g, 0, clock, 0.01, may); ev == gait.LegWaits {
			waited++
			if !p.Stance() || p.Share() < 0.9 {
				t.Fatalf("waits at %+v", p)
			}
		}
	}
	if waited < 20 {
		t.Fatalf("waited %d ticks", waited)
	}
	if e := p.Late(g, 0, clock); math.Abs(e) > 0.001 {
		t.Errorf("%v late after catching up", e)
	}
}

// TestAlign: a table shifted by any phase is found exactly.
func TestAlign(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGait(t, 6, "g")
		clock := rapid.Float64Range(0, 0.999).Draw(t, "clock")
		f := gait.DefaultFlow()
		legs := make([]gait.LegPhase, 6)
		for i := range legs {
			f.Enter(&legs[i], g, i, clock)
		}
		if d := gait.Frac(gait.Align(g, legs, 0) - clock + 0.5); math.Abs(d-0.5) > 1e-9 {
			t.Fatalf("aligned at %v, want %v", gait.Align(g, legs, 0), clock)
		}
	})
	if got := gait.Align(&gait.Gait{}, nil, 0); got != 0 {
		t.Errorf("no legs align at %v", got)
	}
}

// TestCycle: the period leaves every leg its swing while duties change.
func TestCycle(t *testing.T) {
	g := &gait.Gait{Period: 3}
	legs := []gait.LegPhase{{Duty: 0.5}, {Duty: 0.75}, {Duty: 1}}
	if got := gait.Cycle(g, legs, 0.2, 0.1); math.Abs(got-0.8) > 1e-12 {
		t.Errorf("cycle %v s, want 0.8", got)
	}
	if got := gait.Cycle(g, legs, 0.01, 0.1); math.Abs(got-0.3) > 1e-12 {
		t.Errorf("cycle %v s, want the gait's own 0.3", got)
	}
}

func TestFlowDoesNotAllocate(t *testing.T) {
	g, err := gait.Tripod(ladder(3))
	if err != nil {
		t.Fatal(err)
	}
	f := gait.DefaultFlow()
	legs := make([]gait.LegPhase, 6)
	clock := 0.0
	n := testing.AllocsPerRun(100, func() {
		clock = gait.Frac(clock + 0.01)
		for i := range legs {
			f.Tick(&legs[i], g, i, clock, 0.01, true)
		}
		gait.Align(g, legs, 0)
		gait.Cycle(g, legs, 0.1, 0.1)
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}
