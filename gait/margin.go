package gait

import (
	"math"
	"slices"

	"legctl/geom"
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r2"
)

// Sweep is how far the body goes in one cycle, B: metres along x and y, and
// radians of yaw.
type Sweep [3]float64

// Along returns the sweep of a unit stroke: a foot of duty factor beta moves
// stroke metres against the direction angle (B) while it stands.
func Along(angle, stroke, beta float64) Sweep {
	sn, cs := math.Sincos(angle)
	return Sweep{cs * stroke / beta, sn * stroke / beta, 0}
}

// FootAt returns where a leg's foot is at a cycle phase, B, seen from above,
// and whether it stands: it sweeps against the body, centred on its neutral
// foot, at even speed. In swing it is where it will land.
func (g *Gait) FootAt(r *rig.Rig, sweep Sweep, phase float64, leg int) (foot r2.Vec, stance bool) {
	stance, f := g.At(phase, leg)
	if !stance {
		f = 0
	}
	n := r.Legs[leg].Neutral
	d := g.Duty[leg] * (0.5 - f)
	turn := d * sweep[2]
	sn, cs := math.Sincos(turn)
	return r2.Vec{
		X: cs*n.X - sn*n.Y + d*sweep[0],
		Y: sn*n.X + cs*n.Y + d*sweep[1],
	}, stance
}

// MarginAt returns the static stability margin at a cycle phase, metres: the
// signed distance of com (B) from the edge of the polygon of the feet that
// stand, -Inf with none. spare is scratch space, kept by the caller.
func (g *Gait) MarginAt(r *rig.Rig, com r2.Vec, sweep Sweep, phase float64, spare []r2.Vec) float64 {
	spare = spare[:0]
	for i := range r.Legs {
		if p, down := g.FootAt(r, sweep, phase, i); down {
			spare = append(spare, p)
		}
	}
	return signedMargin(geom.Hull(spare, spare), com)
}

func signedMargin(hull []r2.Vec, com r2.Vec) float64 {
	if len(hull) == 0 {
		return math.Inf(-1)
	}
	side, _, d := geom.Place(hull, com)
	if side < 0 {
		return -d
	}
	return d
}

// nearEvent is how near to a lift-off or touchdown a margin is looked at.
const nearEvent = 1e-9

// Margins returns the least and the mean margin over a cycle, metres. Between
// events margins change almost evenly, so both sides of every event and eight
// points between do. A flight makes both -Inf.
func (g *Gait) Margins(r *rig.Rig, com r2.Vec, sweep Sweep) (least, mean float64) {
	const between = 8
	events := g.Events(nil)
	spare := make([]r2.Vec, 0, len(r.Legs))
	least = math.Inf(1)
	for i, a := range events {
		b := 1 + events[0]
		if i+1 < len(events) {
			b = events[i+1]
		}
		sum := 0.0
		for k := range between + 1 {
			at := a + (b-a)*float64(k)/between
			at = math.Min(math.Max(at, a+nearEvent), b-nearEvent)
			m := g.MarginAt(r, com, sweep, at, spare)
			least = math.Min(least, m)
			if k == 0 || k == between {
				m /= 2
			}
			sum += m / between
		}
		mean += sum * (b - a)
	}
	return least, mean
}

// least is the least margin alone, looked for at both sides of every event.
func (g *Gait) least(r *rig.Rig, com r2.Vec, sweep Sweep, spare []r2.Vec) float64 {
	least := math.Inf(1)
	for _, e := range g.Events(nil) {
		least = math.Min(least, g.MarginAt(r, com, sweep, e-nearEvent, spare))
		least = math.Min(least, g.MarginAt(r, com, sweep, e+nearEvent, spare))
	}
	return least
}

// Events appends the cycle phases at which some leg touches down or lifts off,
// sorted, each once, to dst.
func (g *Gait) Events(dst []float64) []float64 {
	for i := range g.Offset {
		if g.Duty[i] < 1 {
			dst = append(dst, g.Offset[i], g.LiftOff(i))
		}
	}
	if len(dst) == 0 {
		dst = append(dst, 0)
	}
	slices.Sort(dst)
	return slices.CompactFunc(dst, func(a, b float64) bool { return math.Abs(b-a) < nearEvent })
}

// Flown returns the share of the cycle in which no foot stands, [0, 1].
func (g *Gait) Flown() float64 {
	f := 0.0
	for _, s := range g.spans() {
		if s.fly {
			f += s.length
		}
	}
	return f
}

// staticShare is the margin of a static gait, L (design, section 4).
const staticShare = 0.02

// Class says how the gait keeps a rig's balance when its feet stand at their
// neutral places: ballistic with a flight or a mean margin below minus the
// static floor of 0.02 L, static with that floor kept at all times, else
// dynamic. com is the centre of mass, B. A long stride may lower the class;
// preflight measures that.
func (g *Gait) Class(r *rig.Rig, com r2.Vec) rig.Class {
	if g.Flown() > 0 {
		return rig.Ballistic
	}
	floor := staticShare * r.L()
	least, mean := g.Margins(r, com, Sweep{})
	switch {
	case least >= floor:
		return rig.Static
	case mean >= -floor:
		return rig.Dynamic
	}
	return rig.Ballistic
}
