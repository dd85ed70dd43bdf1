package configs

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"legctl/control"
	"legctl/control/mode"
	"legctl/rig"
	"legctl/sim"

	"gonum.org/v1/gonum/spatial/r3"
)

// scriptBuilder turns entries into commands and events.
type scriptBuilder struct {
	*report
	rig   *rig.Rig
	gaits []string

	motions []string
	out     Script
}

// step adds one entry.
func (b *scriptBuilder) step(f *stepFile) {
	at := f.At.V.s
	commands, events := b.commands(f), b.events(f)
	if n := len(commands) + len(events); n != 1 {
		b.add(f.at, "entry says %d things, want exactly one command or event", n)
		return
	}
	for _, c := range commands {
		b.out.Commands = append(b.out.Commands, Timed{At: at, Command: c})
	}
	for _, e := range events {
		b.out.Events = append(b.out.Events, TimedEvent{At: at, Event: e})
	}
	if f.For.Set && f.Twist == nil {
		b.add(f.For.at, "only a twist lasts for a time")
	} else if f.For.V.s > MaxHold {
		b.add(f.For.at, "%.6g s, want at most %g s", f.For.V.s, MaxHold)
	}
}

// commands returns every command an entry gives.
func (b *scriptBuilder) commands(f *stepFile) []control.Command {
	var out []control.Command
	add := func(c control.Command) { out = append(out, c) }
	if t := f.Twist; t != nil {
		add(control.Command{Kind: control.KindTwist, Vx: t.Vx.V, Vy: t.Vy.V, Wz: t.Wz.V, TTL: f.For.V.s})
	}
	if g := f.Goto; g != nil {
		add(control.Command{Kind: control.KindGoto, X: g.X.V, Y: g.Y.V, By: drivers[g.By.V]})
	}
	if y := f.Style; y != nil {
		c := control.Command{Kind: control.KindStyle, Over: y.Over.V.s}
		for i := range y.Weights {
			c.Weights[b.named(y.Weights[i].Motion, "motion of the rig's clips", b.motions)] = y.Weights[i].Share.V
		}
		add(c)
	}
	if f.Stop.V {
		add(control.Command{Kind: control.KindStop})
	} else if f.Stop.Set {
		b.add(f.Stop.at, "false says nothing, want true or no key")
		add(control.Command{})
	}
	if f.Gait.Set {
		add(control.Command{Kind: control.KindGait, Gait: uint16(b.named(f.Gait, "gait", b.gaits))})
	}
	if p := f.Pose; p != nil {
		add(control.Command{
			Kind: control.KindPose, Offset: r3.Vec{X: p.X.V, Y: p.Y.V, Z: p.Z.V},
			RPY: r3.Vec{X: p.Roll.V, Y: p.Pitch.V, Z: p.Yaw.V},
		})
	}
	if f.Height.Set {
		add(control.Command{Kind: control.KindHeight, Height: f.Height.V})
	}
	if l := f.Leg; l != nil {
		add(control.Command{Kind: control.KindLeg, Leg: int16(b.leg(l.Name)), On: l.On.V})
	}
	if by, is := drivers[f.Mode.V]; f.Mode.Set && is {
		add(control.Command{Kind: control.KindDrive, By: by})
	} else if f.Mode.Set {
		add(control.Command{Kind: control.KindMode, Mode: modes[f.Mode.V]})
	}
	return out
}

var modes = orders()

var drivers = map[string]control.Driver{"gait": control.DriverGait, "clips": control.DriverClips}

func orders() map[string]mode.Input {
	m := map[string]mode.Input{}
	for _, in := range mode.Orders {
		m[in.String()] = in
	}
	return m
}

// events returns every world event an entry gives.
func (b *scriptBuilder) events(f *stepFile) []sim.Event {
	var out []sim.Event
	for _, v := range []struct {
		v    []float64
		kind sim.EventKind
	}{{f.Push, sim.EventPush}, {f.Spin, sim.EventSpin}} {
		if v.v == nil {
			continue
		}
		if len(v.v) != 3 {
			b.add(f.at, "a list of %d numbers, want [x, y, z]", len(v.v))
			v.v = make([]float64, 3)
		}
		out = append(out, sim.Event{Kind: v.kind, Vec: r3.Vec{X: v.v[0], Y: v.v[1], Z: v.v[2]}})
	}
	if f.Remove.Set {
		out = append(out, sim.Event{Kind: sim.EventRemove, Block: int32(f.Remove.V)})
	}
	if f.Freeze != nil {
		out = append(out, b.fault(f.Freeze, sim.EventFreeze, 1))
	}
	if f.Slow != nil {
		out = append(out, b.fault(f.Slow, sim.EventSlow, 0.5))
	}
	return out
}

func (b *scriptBuilder) fault(f *faultFile, kind sim.EventKind, def float64) sim.Event {
	e := sim.Event{Kind: kind, Leg: -1, Joint: int32(f.Joint.or(-1)), Value: f.Value.or(def)}
	if f.Leg.Set {
		e.Leg = int32(b.leg(f.Leg))
		if n := len(b.rig.Legs[e.Leg].Joints); int(e.Joint) >= n {
			b.add(f.Joint.at, "%d is no joint of leg %s, want 0 to %d", e.Joint, f.Leg.V, n-1)
		}
	}
	return e
}

func (b *scriptBuilder) leg(v val[string]) int {
	var names []string
	for i := range b.rig.Legs {
		names = append(names, b.rig.Legs[i].Name)
	}
	return b.named(v, "leg of "+b.rig.Name, names)
}

// named returns the index of a name, or 0 with an issue.
func (b *scriptBuilder) named(v val[string], what string, names []string) int {
	i, ok := indexOf(names, v.V)
	if !ok {
		b.add(v.at, "%q is no %s, known: %s", clip(v.V), what, strings.Join(names, ", "))
	}
	return i
}

// finish sorts and gives every twist without an end the time to the next one.
func (b *scriptBuilder) finish() {
	c := b.out.Commands
	slices.SortStableFunc(c, func(a, b Timed) int { return cmp.Compare(a.At, b.At) })
	slices.SortStableFunc(b.out.Events, func(a, b TimedEvent) int { return cmp.Compare(a.At, b.At) })
	end := math.Inf(1)
	for i := len(c) - 1; i >= 0; i-- {
		m := &c[i].Command
		if m.Kind == control.KindTwist && m.TTL == 0 {
			// One tick more than needed: the next command, not time, ends it.
			m.TTL = math.Min(MaxHold, end-c[i].At+1)
		}
		switch m.Kind {
		case control.KindTwist, control.KindGoto, control.KindStop:
			end = c[i].At
		}
	}
}
