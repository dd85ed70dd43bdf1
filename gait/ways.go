package gait

import (
	"math"

	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r2"
)

// Way is where the body goes, as a gait that cares for it sees it: one of eight
// directions of travel, or turning on the spot.
type Way uint8

// The ways: travel at 45 degrees times the number, counter-clockwise from
// forward, then turning. The zero value is WayForward.
const (
	WayForward Way = iota
	WayForwardLeft
	WayLeft
	WayBackLeft
	WayBack
	WayBackRight
	WayRight
	WayForwardRight
	WayTurnLeft
	WayTurnRight
	Ways
)

const (
	wayStep  = math.Pi / 4
	waySlack = 10 * math.Pi / 180 // beyond the edge of its sector before a way is left
	turnIn   = 2.0                // turning way: feet move by turning this much faster than by travel
	turnOut  = 1.25
)

// Toward returns the way of a twist (vx, vy in B, m/s; wz, rad/s), given the
// way of the tick before: a way is kept until the heading is 10 degrees beyond
// its sector, and turning until travel is nearly as fast as the feet at radius
// far, metres, turn. No twist keeps the way.
func (now Way) Toward(vx, vy, wz, far float64) Way {
	v := math.Sqrt(vx*vx + vy*vy)
	turn := math.Abs(wz) * far
	if !(v > 0) && !(turn > 0) {
		return now
	}
	least := turnIn
	if now >= WayTurnLeft {
		least = turnOut
	}
	if turn >= least*v {
		if wz > 0 {
			return WayTurnLeft
		}
		return WayTurnRight
	}
	angle := math.Atan2(vy, vx)
	if now < WayTurnLeft {
		off := math.Abs(angle - float64(now)*wayStep)
		if off > math.Pi {
			off = math.Abs(math.Remainder(off, 2*math.Pi))
		}
		if off <= wayStep/2+waySlack {
			return now
		}
	}
	return Way(int(math.Floor(angle/wayStep+0.5)+8) % 8)
}

// Compass holds a gait's table for every way, over one list of tables: a wave
// that runs from the rear in the direction of travel has up to six, all other
// gaits one. Make it once with NewCompass.
type Compass struct {
	Tables []Gait     // the first is the gait itself
	At     [Ways]int8 // index into Tables
}

// Table returns the table of a way; Ways and beyond give the first.
func (c *Compass) Table(w Way) *Gait {
	if w >= Ways {
		w = 0
	}
	return &c.Tables[c.At[w]]
}

// NewCompass works out the tables of a gait on a rig. Only waves depend on the
// way (Wave says which they are). For each way the orders tried are: from rear
// to front and from front to rear on both sides; across, with the trailing side
// before the leading one and the rows in either turn; and, for turning, the
// sides in opposite directions. The one with the largest least margin at that
// way and stroke (metres of foot sweep while standing) is taken, but the order
// that runs from the rear of the way keeps its place unless another has a
// twentieth more. com is the centre of mass, B.
func NewCompass(r *rig.Rig, g *Gait, com r2.Vec, stroke float64) Compass {
	c := Compass{Tables: []Gait{*g}}
	beta, ok := g.wave(r)
	if !ok {
		return c
	}
	var orders []Gait
	for o := range waveOrders {
		orders = append(orders, waveInOrder(r, g, beta, o))
	}
	spare := make([]r2.Vec, 0, len(r.Legs))
	place := map[int]int8{orderFore: 0}
	for w := range Ways {
		best := usual(w)
		least := orders[best].least(r, com, w.sweep(r, stroke, beta), spare)
		least += better * math.Abs(least)
		for o := range waveOrders {
			if l := orders[o].least(r, com, w.sweep(r, stroke, beta), spare); l > least+alike {
				best, least = o, l
			}
		}
		if _, in := place[best]; !in {
			place[best] = int8(len(c.Tables))
			c.Tables = append(c.Tables, orders[best])
		}
		c.At[w] = place[best]
	}
	return c
}

// alike is the difference of margins, metres, or of phases, that is none;
// better the share by which another order must be better than the usual one.
const (
	alike  = 1e-9
	better = 0.05
)

// usual is the order that runs from the rear of a way.
func usual(w Way) int {
	switch w {
	case WayLeft:
		return orderLeft
	case WayBackLeft, WayBack, WayBackRight:
		return orderBack
	case WayRight:
		return orderRight
	case WayTurnLeft:
		return orderTurn
	case WayTurnRight:
		return orderTurnBack
	}
	return orderFore
}

// sweep is the body's way in one cycle for a stroke of the feet.
func (w Way) sweep(r *rig.Rig, stroke, beta float64) Sweep {
	if w < WayTurnLeft {
		return Along(float64(w)*wayStep, stroke, beta)
	}
	far := 0.0
	for i := range r.Legs {
		n := r.Legs[i].Neutral
		far = math.Max(far, math.Sqrt(n.X*n.X+n.Y*n.Y))
	}
	turn := stroke / beta / far
	if w == WayTurnRight {
		turn = -turn
	}
	return Sweep{0, 0, turn}
}

// wave reports whether g is the wave of its duty factor on the rig.
func (g *Gait) wave(r *rig.Rig) (beta float64, ok bool) {
	if len(g.Duty) == 0 || len(g.Duty) != len(r.Legs) {
		return 0, false
	}
	beta = g.Duty[0]
	want, err := Wave(r, beta)
	if err != nil {
		return 0, false
	}
	for i := range g.Duty {
		d := Frac(g.Offset[i] - want.Offset[i] + 0.5)
		if g.Duty[i] != beta || math.Abs(d-0.5) > alike {
			return 0, false
		}
	}
	// With half the cycle in the air it is the alternating gait, the same in
	// every direction.
	return beta, beta != 0.5
}

// The orders a wave may run in.
const (
	orderFore       = iota // rear to front: forward
	orderBack              // front to rear: backward
	orderLeft              // the right side before the left, rows from front to rear
	orderLeftAgain         // the same, rows from rear to front
	orderRight             // the left side before the right
	orderRightAgain        //
	orderTurn              // left side front to rear, right side rear to front
	orderTurnBack          //
	waveOrders
)

// waveInOrder returns the wave of g's name in an order.
func waveInOrder(r *rig.Rig, g *Gait, beta float64, order int) Gait {
	n := rowCount(r)
	out := *g
	out.Offset = make([]float64, len(g.Offset))
	for i := range out.Offset {
		m, left := r.Groups.Row[i], r.Groups.Side[i] > 0
		out.Offset[i] = orderOffset(order, m, n, left, beta)
	}
	return out
}

// orderOffset is the touchdown of row m of n. Along the body each leg touches
// down 1-beta after the one behind it and half a cycle from its partner. Across,
// the leading leg of a row comes 1-beta after its partner, and rows are spread
// evenly over the cycle.
func orderOffset(order, m, n int, left bool, beta float64) float64 {
	back := n - 1 - m
	half := 0.5
	if left {
		half = 0
	}
	across := func(leads bool, row int) float64 {
		o := float64(row) / float64(n)
		if !leads {
			o += beta
		}
		return Frac(o)
	}
	switch order {
	case orderBack:
		return Frac(float64(back)*beta + half)
	case orderLeft:
		return across(left, m)
	case orderLeftAgain:
		return across(left, back)
	case orderRight:
		return across(!left, m)
	case orderRightAgain:
		return across(!left, back)
	case orderTurn, orderTurnBack:
		if left == (order == orderTurn) {
			m = back
		}
		return Frac(float64(m)*beta + half)
	}
	return Frac(float64(m)*beta + half)
}

func rowCount(r *rig.Rig) int {
	n := 0
	for _, m := range r.Groups.Row {
		n = max(n, m+1)
	}
	return n
}
