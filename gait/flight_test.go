package gait_test

import (
	"math"
	"strings"
	"testing"

	"legctl/gait"

	"pgregory.net/rapid"
)

// flyers are the quadruped gaits with flight.
func flyers() []string {
	return []string{"running_trot", "flying_trot", "transverse_gallop", "rotary_gallop", "bound", "half_bound", "pronk"}
}

// TestFlightArcs: gravity alone while no foot stands, exactly; height, speed
// and acceleration without a jump; back at the same height after a cycle; feet
// that never pull.
func TestFlightArcs(t *testing.T) {
	r := ladder(2)
	rapid.Check(t, func(t *rapid.T) {
		g, err := gait.Named(r, rapid.SampledFrom(flyers()).Draw(t, "gait"))
		if err != nil {
			t.Fatal(err)
		}
		period := rapid.Float64Range(0.05, 1).Draw(t, "period")
		const grav = 9.81
		f, ok := gait.NewFlight(g, period, grav)
		if !ok {
			t.Fatal("no flight")
		}
		const h = 1e-7
		events := g.Events(nil)
		for _, e := range events {
			za, va, aa, _ := f.At(e - h)
			zb, vb, ab, _ := f.At(e + h)
			if math.Abs(za-zb) > 1e-5*period || math.Abs(va-vb) > 1e-4*grav*period || math.Abs(aa-ab) > 1e-3*grav {
				t.Fatalf("jump at %v: %v %v %v, %v %v %v", e, za, va, aa, zb, vb, ab)
			}
		}
		for k := range 500 {
			at := (float64(k) + 0.37) / 500
			z, v, a, fly := f.At(at)
			if fly != (g.Stance(at) == 0) {
				t.Fatalf("flies %v at %v, the table says %b", fly, at, g.Stance(at))
			}
			if fly && math.Abs(a+grav) > 1e-9 {
				t.Fatalf("acceleration %v in flight", a)
			}
			if !fly && a < -grav*(1+1e-9) {
				t.Fatalf("feet pull: %v at %v", a, at)
			}
			// Speed is the derivative of height, acceleration that of speed.
			z2, v2, _, _ := f.At(at + h)
			if math.Abs((z2-z)/(h*period)-v) > 1e-3*(1+math.Abs(v)) || math.Abs((v2-v)/(h*period)-a) > 1e-3*(1+math.Abs(a)) {
				t.Fatalf("derivatives do not agree at %v", at)
			}
			if z > f.Rise+1e-9 || -z > f.Sink+1e-4*period*period*grav {
				t.Fatalf("height %v outside -%v to %v", z, f.Sink, f.Rise)
			}
		}
	})
}

// TestFlightPronk: the figures of the plainest jump, by hand: half a cycle in
// the air is t = T/2, so u = g t/2 and the top g t^2/8.
func TestFlightPronk(t *testing.T) {
	g, err := gait.Named(ladder(2), "pronk")
	if err != nil {
		t.Fatal(err)
	}
	f, ok := gait.NewFlight(g, 0.4, 10)
	if !ok {
		t.Fatal("no flight")
	}
	for _, c := range []struct {
		what      string
		got, want float64
	}{{"longest flight", f.Longest(), 0.2}, {"time aloft", f.Aloft(), 0.2}, {"top", f.Rise, 0.05}} {
		if math.Abs(c.got-c.want) > 1e-5 {
			t.Errorf("%s %v, want %v", c.what, c.got, c.want)
		}
	}
	if _, v, _, _ := f.At(0.5); math.Abs(v-1) > 1e-12 {
		t.Errorf("takes off at %v m/s, want 1", v)
	}
	// The push turns 1 m/s round in 0.2 s: its mean is 2u/t + g = 20.
	if f.Push < 20 || f.Push > 40 {
		t.Errorf("push %v m/s2", f.Push)
	}
}

func TestNoFlight(t *testing.T) {
	g, err := gait.Named(ladder(2), "trot")
	if err != nil {
		t.Fatal(err)
	}
	f, ok := gait.NewFlight(g, 0.4, 10)
	if z, v, a, fly := f.At(0.3); ok || z != 0 || v != 0 || a != 0 || fly {
		t.Errorf("a trot flies: %v %v %v", z, v, a)
	}
}

// TestFit: what a rig cannot jump is shortened until it can, about mid-stance,
// with the figure named; what it can is left alone.
func TestFit(t *testing.T) {
	r := ladder(2)
	rapid.Check(t, func(t *rapid.T) {
		g, err := gait.Named(r, rapid.SampledFrom(flyers()).Draw(t, "gait"))
		if err != nil {
			t.Fatal(err)
		}
		j := gait.Jump{
			Rate: rapid.Float64Range(0, 2).Draw(t, "rate"),
			Push: rapid.Float64Range(0, 60).Draw(t, "push"),
			Sink: rapid.Float64Range(0, 0.1).Draw(t, "sink"),
		}
		swing := rapid.Float64Range(0.05, 0.6).Draw(t, "swing")
		f, err := gait.Fit(g, swing, 0.03, 9.81, j)
		if err != nil {
			if f.By == gait.BoundNone || !strings.Contains(err.Error(), f.By.String()) {
				t.Fatalf("refused by %v: %v", f.By, err)
			}
			return
		}
		if over(f.Flight.Rate, j.Rate) || over(f.Flight.Push, j.Push) || over(f.Flight.Sink, j.Sink) {
			t.Fatalf("the fitted flight asks for %+v of %+v", f.Flight, j)
		}
		if (f.By == gait.BoundNone) != (f.Raised == 0 && f.Swing == 1) {
			t.Fatalf("bound by %v, raised %v, swing %v", f.By, f.Raised, f.Swing)
		}
		for i := range g.Duty {
			mid := g.Offset[i] + g.Duty[i]/2
			if d := gait.Frac(f.Gait.Offset[i] + f.Gait.Duty[i]/2 - mid + 0.5); math.Abs(d-0.5) > 1e-9 || f.Gait.Duty[i] < g.Duty[i] {
				t.Fatalf("leg %d: duty %v about %v, was %v about %v", i, f.Gait.Duty[i], f.Gait.Offset[i]+f.Gait.Duty[i]/2, g.Duty[i], mid)
			}
			if swung := (1 - f.Gait.Duty[i]) * f.Period; swung < f.Swing*swing-1e-9 {
				t.Fatalf("leg %d swings for %v s, needs %v", i, swung, f.Swing*swing)
			}
		}
	})
}

func over(asked, gives float64) bool { return gives > 0 && asked > gives*(1+1e-9) }

// TestFitRefuses: no flight short enough for a rig that hardly moves, and the
// message says which figure.
func TestFitRefuses(t *testing.T) {
	g, err := gait.Named(ladder(2), "pronk")
	if err != nil {
		t.Fatal(err)
	}
	_, err = gait.Fit(g, 0.5, 0.1, 9.81, gait.Jump{Rate: 0.1})
	if err == nil || !strings.Contains(err.Error(), "pronk: a flight of 0.500 s") || !strings.Contains(err.Error(), "m/s") {
		t.Errorf("error %v", err)
	}
}

func TestFlightDoesNotAllocate(t *testing.T) {
	g, err := gait.Named(ladder(2), "bound")
	if err != nil {
		t.Fatal(err)
	}
	f, _ := gait.NewFlight(g, 0.3, 9.81)
	if n := testing.AllocsPerRun(100, func() { f.At(.7) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
