package gait_test

import (
	"math"
	"testing"

	"legctl/gait"
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/gonum/spatial/r3"
	"pgregory.net/rapid"
)

// spread makes a rig of n rows with feet one length apart.
func spread(n int) *rig.Rig {
	var feet []r3.Vec
	for m := range n {
		x := float64(n-1)/2 - float64(m)
		feet = append(feet, r3.Vec{X: x, Y: .6}, r3.Vec{X: x, Y: -.6})
	}
	return rigOf(false, feet...)
}

// TestCompassRunsFromTheRear: whatever the way, on each line of legs along it a
// leg touches down 1-beta after the one behind it.
func TestCompassRunsFromTheRear(t *testing.T) {
	for n := 2; n <= 4; n++ {
		r := spread(n)
		beta := 1 - 1/float64(2*n)
		g, err := gait.Wave(r, beta)
		if err != nil {
			t.Fatal(err)
		}
		c := gait.NewCompass(r, g, r2.Vec{}, 0.3)
		for _, w := range []struct {
			way    gait.Way
			dx, dy float64
		}{{gait.WayForward, 1, 0}, {gait.WayBack, -1, 0}, {gait.WayLeft, 0, 1}, {gait.WayRight, 0, -1}} {
			g := c.Table(w.way)
			for i := range r.Legs {
				k := ahead(r, i, w.dx, w.dy)
				if k < 0 {
					continue
				}
				if d := gait.Frac(g.Offset[k] - g.Offset[i] - (1 - beta) + 0.5); math.Abs(d-0.5) > 1e-9 {
					t.Errorf("%d rows, way %d: leg %d lands %.3f after leg %d behind it, want %.3f", n, w.way, k, gait.Frac(g.Offset[k]-g.Offset[i]), i, 1-beta)
				}
			}
			if err := g.Validate(); err != nil {
				t.Error(err)
			}
		}
	}
}

// ahead returns the leg next to leg i straight along a direction, or -1.
func ahead(r *rig.Rig, i int, dx, dy float64) int {
	best, at := math.Inf(1), -1
	for k := range r.Legs {
		x, y := r.Legs[k].Neutral.X-r.Legs[i].Neutral.X, r.Legs[k].Neutral.Y-r.Legs[i].Neutral.Y
		along, across := x*dx+y*dy, math.Abs(x*dy-y*dx)
		if across < 1e-9 && along > 1e-9 && along < best {
			best, at = along, k
		}
	}
	return at
}

// TestCompassMargin: the table of a way is never worse than the forward one,
// and backward it is as good as forward.
func TestCompassMargin(t *testing.T) {
	for n := 2; n <= 5; n++ {
		r := spread(n)
		beta := math.Max(1-1/float64(2*n), 0.75)
		g, err := gait.Wave(r, beta)
		if err != nil {
			t.Fatal(err)
		}
		c := gait.NewCompass(r, g, r2.Vec{}, 0.4)
		for w := gait.WayForward; w < gait.WayTurnLeft; w++ {
			s := gait.Along(float64(w)*math.Pi/4, 0.4, beta)
			fixed, _ := g.Margins(r, r2.Vec{}, s)
			got, _ := c.Table(w).Margins(r, r2.Vec{}, s)
			if got < fixed-1e-9 {
				t.Errorf("%d rows, way %d: least margin %.4f, forward's table %.4f", n, w, got, fixed)
			}
		}
		fore, _ := c.Table(gait.WayForward).Margins(r, r2.Vec{}, gait.Along(0, 0.4, beta))
		back, _ := c.Table(gait.WayBack).Margins(r, r2.Vec{}, gait.Along(math.Pi, 0.4, beta))
		if math.Abs(fore-back) > 1e-9 {
			t.Errorf("%d rows: margin %.4f forward, %.4f backward", n, fore, back)
		}
	}
}

// TestCompassOfOthers: a gait that is no wave has one table for every way.
func TestCompassOfOthers(t *testing.T) {
	r := spread(3)
	for _, name := range []string{"tripod", "amble", "bipod"} {
		g, err := gait.Named(r, name)
		if err != nil {
			t.Fatal(err)
		}
		if c := gait.NewCompass(r, g, r2.Vec{}, 0.3); len(c.Tables) != 1 || c.Table(gait.WayLeft).Offset[0] != g.Offset[0] {
			t.Errorf("%s has %d tables", name, len(c.Tables))
		}
	}
}

func TestToward(t *testing.T) {
	deg := math.Pi / 180
	for _, c := range []struct {
		name        string
		now         gait.Way
		angle, turn float64
		want        gait.Way
	}{
		{"ahead", gait.WayForward, 0, 0, gait.WayForward},
		{"kept beyond its sector", gait.WayForward, 30, 0, gait.WayForward},
		{"left at last", gait.WayForward, 34, 0, gait.WayForwardLeft},
		{"kept on the way back", gait.WayForwardLeft, 14, 0, gait.WayForwardLeft},
		{"back again", gait.WayForwardLeft, 11, 0, gait.WayForward},
		{"astern", gait.WayForward, 180, 0, gait.WayBack},
		{"astern, the other side", gait.WayForward, -180, 0, gait.WayBack},
		{"right", gait.WayBack, -90, 0, gait.WayRight},
		{"turning a little", gait.WayForward, 0, 1.5, gait.WayForward},
		{"turning", gait.WayForward, 0, 2.5, gait.WayTurnLeft},
		{"turning on", gait.WayTurnLeft, 0, 1.5, gait.WayTurnLeft},
		{"turning the other way", gait.WayTurnLeft, 0, -1.5, gait.WayTurnRight},
		{"turned enough", gait.WayTurnLeft, 90, 1, gait.WayLeft},
	} {
		sn, cs := math.Sincos(c.angle * deg)
		if got := c.now.Toward(cs, sn, c.turn/0.5, 0.5); got != c.want {
			t.Errorf("%s: way %d, want %d", c.name, got, c.want)
		}
	}
	if got := gait.WayLeft.Toward(0, 0, 0, 1); got != gait.WayLeft {
		t.Errorf("no twist leads to way %d", got)
	}
	if got := gait.WayForward.Toward(0, 0, -1, 1); got != gait.WayTurnRight {
		t.Errorf("a pure turn leads to way %d", got)
	}
	rapid.Check(t, func(t *rapid.T) {
		// A heading that trembles by less than the slack changes the way once.
		now := gait.Way(rapid.IntRange(0, 7).Draw(t, "now"))
		a := rapid.Float64Range(-4, 4).Draw(t, "angle")
		changes := 0
		for range 20 {
			e := a + rapid.Float64Range(-0.08, 0.08).Draw(t, "tremble")
			sn, cs := math.Sincos(e)
			next := now.Toward(cs, sn, 0, 1)
			if next != now {
				changes++
			}
			now = next
		}
		if changes > 1 {
			t.Fatalf("%d changes", changes)
		}
	})
}

func TestCompassDoesNotAllocateInTheTick(t *testing.T) {
	r := spread(3)
	g, err := gait.Wave(r, 5./6)
	if err != nil {
		t.Fatal(err)
	}
	c := gait.NewCompass(r, g, r2.Vec{}, 0.3)
	w := gait.WayForward
	if n := testing.AllocsPerRun(100, func() { w = w.Toward(1, 1, .1, 1); c.Table(w).At(.3, 2) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
