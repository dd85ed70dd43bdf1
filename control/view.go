package control

import (
	"legctl/control/mode"

	"gonum.org/v1/gonum/spatial/r3"
)

// View is what a drawing of a tick shows besides its Output: the zones and
// rays of the step rules, metres, W. Legs is grown when too short.
type View struct {
	Trigger         float64 // radius of the trigger zone
	TriggerVertical float64 // half its height
	Comfort         float64 // radius of the comfort zone
	Level           [2]float64
	Yaw             float64 // preferred axes: levelled and heading, rad
	Legs            []LegView
}

// LegView is the part of a View that belongs to one leg, W, metres.
type LegView struct {
	Rest          r3.Vec  // centre of the trigger zone
	ScanFrom      r3.Vec  // start of the scan ray
	ScanReach     float64 // how far down it goes
	ComfortMid    float64 // height of the middle of the comfort zone
	ComfortHalf   float64 // half its height
	Uncomfortable bool    // the foot is planted outside the comfort zone
	Off           bool    // switched off
}

// View works out what a drawing of the tick that left state s and output out
// behind shows. It uses the scratch space of c like Step, so it is called on a
// controller that is not in the loop. ok is false in modes without steps.
func (c *Controller) View(dst *View, s *State, out *Output) (ok bool) {
	t := &c.tick
	t.prog, t.wish = c.chosen(s), out.Wish
	c.describeBody(s)
	g := t.prog.sized
	dst.Trigger, dst.TriggerVertical, dst.Comfort = t.zones.Trigger, t.zones.TriggerVertical, g.Comfort
	dst.Level, dst.Yaw = s.Level, s.Yaw
	dst.Legs = dst.Legs[:0]
	for i := range s.Legs {
		rest := g.Rest(&t.body, &t.zones, i)
		l := LegView{Rest: rest, Off: s.Off>>i&1 != 0}
		l.ScanFrom, l.ScanReach = g.ScanRay(&t.zones, g.Ahead(&t.body, &t.zones, rest))
		l.ComfortMid, l.ComfortHalf = g.ComfortZone(rest, s.BaseW.Z)
		l.Uncomfortable = s.Legs[i].Planted() && !g.InComfort(s.Legs[i].Foot, rest, s.BaseW.Z)
		dst.Legs = append(dst.Legs, l)
	}
	return s.Mode == mode.Stand || s.Mode == mode.Walk
}
