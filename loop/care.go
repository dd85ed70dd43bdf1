package loop

import (
	"math"
	"sync/atomic"

	"legctl/control"
	"legctl/control/mode"
	"legctl/rig"
)

// Care gives the orders that alarms of the plant, a fall and the end of the run
// call for. It looks at the observation of the last tick and speaks before any
// command that waits; whatever it asks is an ordinary command, so that it is
// recorded, answered by the mode table, and replayed like any other. The zero
// value is ready; fields are set before the run.
type Care struct {
	Crouch float64 // tilt from the support at which the rig lies down, rad; 0: 0.7 (40 degrees)
	Limp   float64 // tilt at which torque goes off, rad; 0: 1.05 (60 degrees)
	Grace  float64 // seconds to sit down in when the run ends; 0: 10
	Dt     float64 // seconds a tick; set by Run

	leaving atomic.Bool
	left    float64 // seconds since
	tilted  int     // ticks in a row
	said    control.Command
	since   float64 // seconds since said was said
}

// remedy is what an alarm calls for, the gravest first.
var remedies = [...]struct {
	alarms rig.Alarm
	order  order
}{
	{rig.AlarmOverheat | rig.AlarmBatteryEmpty | rig.AlarmBus | rig.AlarmBrownout | rig.AlarmWatchdog, orderOff},
	{rig.AlarmStop | rig.AlarmSetpoint, orderHold},
	{rig.AlarmHot | rig.AlarmBatterySit, orderSit},
	{rig.AlarmLost | rig.AlarmReset | rig.AlarmOverload | rig.AlarmStuck | rig.AlarmServo, orderStand},
}

// order is what is to become of a rig.
type order uint8

const (
	orderNone  order = iota
	orderStand       // stop walking
	orderSit         // lie down, then torque off
	orderHold        // emergency stop: joints held
	orderOff         // torque off
)

// again is how long an order that did not take waits before it is repeated.
const again = 0.5 // s

// Leave asks for the way out: stop, sit, limp. Any goroutine may call it.
func (c *Care) Leave() { c.leaving.Store(true) }

// Left reports whether a rig that was asked to leave is limp, or has used up its
// grace.
func (c *Care) Left(m mode.Mode) bool {
	return c.leaving.Load() && (m == mode.Limp || c.left > 2*c.grace())
}

func (c *Care) grace() float64 { return or(c.Grace, 10) }

// or returns v, or its default where it is zero.
func or(v, otherwise float64) float64 {
	if v == 0 {
		return otherwise
	}
	return v
}

// Next writes the order that must come before all others, and reports whether
// there is one. obs is that of the last tick, m the mode after it.
func (c *Care) Next(cmd *control.Command, obs *rig.Observation, m mode.Mode) bool {
	want := max(c.alarmed(obs), c.fallen(obs), c.departing())
	c.since += c.Dt
	if m == mode.Limp || want == orderNone {
		return false
	}
	next, ok := way(want, m)
	if !ok || next == c.said && c.since < again {
		return false
	}
	c.said, c.since = next, 0
	*cmd = next
	return true
}

// alarmed is what the alarms call for.
func (c *Care) alarmed(obs *rig.Observation) (want order) {
	for _, r := range remedies {
		if obs.Alarms&r.alarms != 0 {
			want = max(want, r.order)
		}
	}
	return want
}

// fallen is what the tilt calls for, seen twice in a row.
func (c *Care) fallen(obs *rig.Observation) order {
	tilt := 0.0
	if obs.Has&rig.HasTilt != 0 {
		tilt = math.Acos(math.Cos(obs.Roll) * math.Cos(obs.Pitch))
	}
	if tilt < or(c.Crouch, 0.7) {
		c.tilted = 0
		return orderNone
	}
	c.tilted++
	switch {
	case c.tilted < 2:
		return orderNone
	case tilt < or(c.Limp, 1.05):
		return orderSit
	}
	return orderOff
}

// departing is what the end of the run calls for.
func (c *Care) departing() order {
	if !c.leaving.Load() {
		return orderNone
	}
	if c.left += c.Dt; c.left > c.grace() {
		return orderOff
	}
	return orderSit
}

// way is the command that brings a mode nearer to an order; false: nothing is to
// be done now.
func way(want order, m mode.Mode) (control.Command, bool) {
	to := func(in mode.Input) (control.Command, bool) {
		next, ok := mode.Next(m, in)
		return control.Command{Kind: control.KindMode, Mode: in}, ok && next != m
	}
	switch want {
	case orderOff:
		return to(mode.Disarm)
	case orderHold:
		return to(mode.EStop)
	case orderStand:
		return control.Command{Kind: control.KindStop}, m == mode.Walk
	}
	switch m {
	case mode.Sitting, mode.Packed, mode.Stopped, mode.Fault, mode.Hold:
		return to(mode.Disarm) // down already, or unable to come down by itself
	}
	return to(mode.Sit)
}
