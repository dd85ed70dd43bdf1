package control_test

import (
	"math"
	"testing"

	"legctl/control"
	"legctl/gait"
	"legctl/geom"

	"gonum.org/v1/gonum/spatial/r3"
)

// Tests of faults of the original that no property covers, by their numbers in
// section 9.1 of the step-rule notes.

// trapdoor is level ground with a square hole that can be opened.
type trapdoor struct {
	at, half square
	open     bool
}

type square struct{ x, y float64 }

func (g *trapdoor) Version() uint64 {
	if g.open {
		return 2
	}
	return 1
}

func (g *trapdoor) Cast(from, dir r3.Vec, most float64) (geom.Hit, bool) {
	if g.open && math.Abs(from.X-g.at.x) < g.half.x && math.Abs(from.Y-g.at.y) < g.half.y {
		return geom.Hit{}, false
	}
	return geom.Level(0).Cast(from, dir, most)
}

// TestFault6VanishedGround takes the ground away under one foot of a rig that
// stands: the foot is lost at once, looks for other ground and stands there.
func TestFault6VanishedGround(t *testing.T) {
	for _, name := range walking {
		r := shippedRig(t, name)
		n := r.Legs[2].Neutral
		g := &trapdoor{at: square{n.X, n.Y}, half: square{0.3, 0.3}}
		w := build(t, setting{rig: name, rules: gait.ReferenceWalk(), ground: g, leeway: 10})
		w.run(5)
		g.open = true
		w.step(nil)
		if w.out.Events&control.EventFootLost == 0 || w.s.Legs[2].Planted() {
			t.Errorf("%s: foot lost: %v, still planted: %v", name, w.out.Events&control.EventFootLost != 0, w.s.Legs[2].Planted())
		}
		w.run(20)
		quiet := len(w.ticks)
		w.run(100)
		if late := w.lifts(2, quiet); len(late) > 0 {
			t.Errorf("%s: the foot still steps in ticks %v", name, late)
		}
		f := w.s.Legs[2].Foot
		if _, ok := g.Cast(r3.Vec{X: f.X, Y: f.Y, Z: 1}, r3.Vec{Z: -1}, 2); !ok || !w.s.Legs[2].Planted() {
			t.Errorf("%s: the foot is at %v, planted %v", name, f, w.s.Legs[2].Planted())
		}
	}
}

// TestFault10OddLegs gallops on five legs: nobody has a partner, all lead.
func TestFault10OddLegs(t *testing.T) {
	w := build(t, setting{rig: "starfish", rules: gait.ReferenceGallop(), dt: 0.02, own: true, ideal: true, leeway: 10})
	w.twist(0.2, 0, 0)
	w.run(w.inK(150))
	for i := range w.rig.Legs {
		if n := len(w.lifts(i, w.inK(30))); n < 5 {
			t.Errorf("leg %d stepped %d times in 120 k", i, n)
		}
	}
}

// TestFault13Height: legs that are off or hang over nothing have no say in the
// height of the body.
func TestFault13Height(t *testing.T) {
	w := build(t, setting{rig: "octopod", rules: gait.ReferenceWalk(), leeway: 10})
	for _, leg := range []int{1, 4, 6} {
		w.leg(leg, false)
	}
	w.run(60)
	for _, l := range w.ticks {
		if z := l.p.P.Z; math.Abs(z-1.1) > 1e-6 {
			t.Fatalf("the body stands at %.6f, want 1.1", z)
		}
	}
	step := &counted{from: -99, to: 99, z: 0.2}
	w = build(t, setting{rig: "octopod", rules: gait.ReferenceWalk(), leeway: 10, ground: step})
	w.leg(0, false)
	w.run(60)
	if z := w.sim.Pose().P.Z; math.Abs(z-1.3) > 1e-6 {
		t.Errorf("on ground at 0.2 the body stands at %.6f, want 1.3", z)
	}
}

// TestFault11Reach: a planted foot the leg cannot hold is where the leg really
// ends, so that what is drawn and what is planned stay together.
func TestFault11Reach(t *testing.T) {
	w := build(t, setting{rig: "octopod", rules: gait.ReferenceWalk()})
	w.s.Legs[3].Foot.Y -= 6
	w.s.Legs[2].Moving = true // so that its neighbour must stand
	w.c.Step(w.out, w.s, nil, nil, w.ground)
	hip := w.s.PoseWB.Apply(w.rig.Legs[3].Joints[0].Origin.P)
	f := w.s.Legs[3].Foot
	if d := math.Hypot(f.X-hip.X, f.Y-hip.Y); d > w.rig.Legs[3].Length {
		t.Errorf("the foot stands %.2f m from its hip, the leg is %.2f m long", d, w.rig.Legs[3].Length)
	}
	if w.out.Unreached>>3&1 == 0 {
		t.Error("nobody was told")
	}
}
