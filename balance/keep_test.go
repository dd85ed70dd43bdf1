package balance_test

import (
	"math"
	"testing"

	"legctl/balance"
	"legctl/geom"

	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/gonum/spatial/r3"
	"pgregory.net/rapid"
)

// upTo fits every factor in its parts and counts the questions.
type upTo struct {
	parts [][2]float64
	asked int
	last  float64 // largest factor found to fit
}

func (u *upTo) Fits(f float64) bool {
	u.asked++
	for _, p := range u.parts {
		if f >= p[0] && f <= p[1] {
			u.last = max(u.last, f)
			return true
		}
	}
	return false
}

func TestKeepNamed(t *testing.T) {
	for _, c := range []struct {
		name   string
		parts  [][2]float64
		steps  int
		factor float64
		within float64
		ok     bool
		asked  int
	}{
		{"all fits", [][2]float64{{0, 1}}, 0, 1, 0, true, 1},
		{"nothing fits", nil, 0, 0, 0, false, 2},
		{"only none fits", [][2]float64{{0, 0}}, 0, 0, 0, true, 12},
		{"a third fits", [][2]float64{{0, 1. / 3}}, 0, 1. / 3, 1. / 1024, true, 12},
		{"a third fits, finer", [][2]float64{{0, 1. / 3}}, 20, 1. / 3, 1e-6, true, 22},
		{"not even none", [][2]float64{{.2, .8}}, 0, 0, 0, false, 2},
		{"two parts: the end of one", [][2]float64{{0, .2}, {.4, .7}}, 0, .7, 1. / 1024, true, 12},
	} {
		u := &upTo{parts: c.parts}
		f, ok := balance.Keep(u, c.steps)
		if ok != c.ok || math.Abs(f-c.factor) > c.within || u.asked != c.asked {
			t.Errorf("%s: %v %v after %d questions, want %v %v after %d", c.name, f, ok, u.asked, c.factor, c.ok, c.asked)
		}
	}
}

func TestKeepProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		end := rapid.Float64Range(0, .999).Draw(t, "end")
		u := &upTo{parts: [][2]float64{{0, end}}}
		f, ok := balance.Keep(u, 0)
		if !ok || f > end || f < end-1./1024 {
			t.Fatalf("%v %v, want up to %v", f, ok, end)
		}
		if f != u.last {
			t.Fatalf("%v was returned, the largest found to fit is %v", f, u.last)
		}
		more := &upTo{parts: [][2]float64{{0, end + .001}}}
		if g, _ := balance.Keep(more, 0); g < f {
			t.Fatalf("more room gives less: %v after %v", g, f)
		}
	})
}

// lean is what a controller would pass: feet that must stay in reach and a
// margin that must stay above its floor.
type lean struct {
	offset balance.Offset
	hull   []r2.Vec
	floor  float64
}

func (l *lean) Fits(f float64) bool {
	at := l.offset.Part(f).Pose(geom.Identity()).P
	return balance.Margin(l.hull, r2.Vec{X: at.X, Y: at.Y}) >= l.floor
}

func TestKeepMarginWithoutAllocation(t *testing.T) {
	l := &lean{
		offset: balance.Offset{Move: r3.Vec{X: .3}, Turn: r3.Vec{Z: .2}},
		hull:   []r2.Vec{{X: -.2, Y: -.1}, {X: .2, Y: -.1}, {X: .2, Y: .1}, {X: -.2, Y: .1}},
		floor:  .02,
	}
	var f float64
	if n := testing.AllocsPerRun(50, func() { f, _ = balance.Keep(l, 0) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if want := .18 / .3; f > want || f < want-1./1024 {
		t.Errorf("kept %v, want just under %v", f, want)
	}
}

func TestOffset(t *testing.T) {
	o := balance.Offset{Move: r3.Vec{X: .1}, Turn: r3.Vec{Y: .2}}
	if (balance.Offset{}) != o.Part(0) || !o.Part(0).IsZero() || o.IsZero() || o.Part(1) != o {
		t.Error("Part does not scale")
	}
	base := geom.Pose{P: r3.Vec{Z: 1}, Q: geom.FromRPY(0, 0, math.Pi/2)}
	if p := o.Pose(base).P; r3.Norm(r3.Sub(p, r3.Vec{Y: .1, Z: 1})) > 1e-12 {
		t.Errorf("offset goes to %v, want along the axes of the levelled pose", p)
	}
	if _, pitch, _ := geom.RPY(o.Pose(geom.Identity()).Q); math.Abs(pitch-.2) > 1e-12 {
		t.Errorf("pitch %v", pitch)
	}
}
