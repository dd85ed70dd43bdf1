package configs

import (
	"cmp"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"

	"legctl/control"
	"legctl/control/mode"
	"legctl/rig"
	"legctl/sim"

	"github.com/goccy/go-yaml/ast"
	"gonum.org/v1/gonum/spatial/r3"
)

// Script is a list of commands and world events by time.
type Script struct {
	Name     string
	Commands []Timed      // by time
	Events   []TimedEvent // by time
}

// Timed is a command and when it is given, seconds from the start.
type Timed struct {
	At      float64
	Command control.Command
}

// TimedEvent is something that happens to the world, seconds from the start.
type TimedEvent struct {
	At    float64
	Event sim.Event
}

// MaxHold is how long, seconds, a scripted twist may last: the longest time to
// live the controller takes.
const MaxHold = 3600.0

// scriptFile is the form of configs/scripts/*.yaml.
type scriptFile struct {
	placed
	Name  val[string] `key:"script" doc:"name of the script"`
	About val[string] `key:"about" doc:"one line for lists"`
	Steps []stepFile  `key:"commands" need:"yes" doc:"timed commands and world events"`
}

// stepFile is one timed entry; besides at and for it says exactly one thing.
// Keys and units are those of the MQTT commands: SI and radians.
type stepFile struct {
	placed
	At     val[spanForm] `key:"at" need:"yes" doc:"when: seconds, or text such as 2s, 1m30s"`
	For    val[spanForm] `key:"for" default:"until the next twist, goto or stop" doc:"twist: how long it lasts"`
	Twist  *twistFile    `key:"twist" doc:"velocity in B"`
	Goto   *gotoFile     `key:"goto" doc:"goal in W"`
	Stop   val[bool]     `key:"stop" doc:"true: twist zero and goal dropped"`
	Gait   val[string]   `key:"gait" doc:"gait by name"`
	Pose   *poseFile     `key:"pose" doc:"offset of the body from its levelled pose"`
	Height val[float64]  `key:"height" in:"[0, 100]" doc:"height of the body over the ground, metres; 0 = the rig's own"`
	Leg    *switchFile   `key:"leg" doc:"a leg on or off"`
	Mode   val[string]   `key:"mode" choices:"arm|disarm|rise|clear" doc:"an order to the mode machine"`
	Push   []float64     `key:"push" in:"[-1000, 1000]" doc:"world event: change of the body's velocity, W, [x, y, z] in m/s"`
	Spin   []float64     `key:"spin" in:"[-1000, 1000]" doc:"world event: change of the body's rotation, W, [x, y, z] in rad/s"`
	Remove val[int]      `key:"remove" in:"[0, 1e9]" doc:"world event: number of the block taken away"`
	Freeze *faultFile    `key:"freeze" doc:"world event: joints hold their angle"`
	Slow   *faultFile    `key:"slow" doc:"world event: joints move at a share of their speed"`
}

// twistFile is a velocity in B.
type twistFile struct {
	placed
	Vx val[float64] `key:"vx" in:"[-100, 100]" default:"0" doc:"forward, m/s"`
	Vy val[float64] `key:"vy" in:"[-100, 100]" default:"0" doc:"left, m/s"`
	Wz val[float64] `key:"wz" in:"[-100, 100]" default:"0" doc:"counter-clockwise, rad/s"`
}

// gotoFile is a goal in W.
type gotoFile struct {
	placed
	X val[float64] `key:"x" in:"[-1e5, 1e5]" need:"yes" doc:"metres"`
	Y val[float64] `key:"y" in:"[-1e5, 1e5]" need:"yes" doc:"metres"`
}

// poseFile is an offset of the body.
type poseFile struct {
	placed
	X     val[float64] `key:"x" in:"[-100, 100]" default:"0" doc:"metres"`
	Y     val[float64] `key:"y" in:"[-100, 100]" default:"0" doc:"metres"`
	Z     val[float64] `key:"z" in:"[-100, 100]" default:"0" doc:"metres"`
	Roll  val[float64] `key:"roll" unit:"rad" in:"[-1.5708, 1.5708]" default:"0" doc:"about x"`
	Pitch val[float64] `key:"pitch" unit:"rad" in:"[-1.5708, 1.5708]" default:"0" doc:"about y, positive nose down"`
	Yaw   val[float64] `key:"yaw" unit:"rad" in:"[-1.5708, 1.5708]" default:"0" doc:"about z"`
}

// switchFile switches a leg.
type switchFile struct {
	placed
	Name val[string] `key:"name" need:"yes" doc:"leg by name"`
	On   val[bool]   `key:"on" need:"yes" doc:"false: the leg is not used"`
}

// faultFile is a servo fault.
type faultFile struct {
	placed
	Leg   val[string]  `key:"leg" default:"all legs" doc:"leg by name"`
	Joint val[int]     `key:"joint" in:"[0, 11]" default:"all joints" doc:"index of the joint in the leg"`
	Value val[float64] `key:"value" in:"[0, 10]" default:"freeze: 1; slow: 0.5" doc:"freeze: 0 frees them again; slow: times their speed"`
}

// spanForm is a time in seconds, written as a number or as text with its unit.
type spanForm struct{ s float64 }

func (s *spanForm) decode(d *decoder, n ast.Node, p pos, _ float64) {
	v, ok := plainNumber(n)
	if t, text := n.(*ast.StringNode); text {
		if span, err := time.ParseDuration(strings.TrimSpace(t.Value)); err == nil {
			v, ok = span.Seconds(), true
		}
	}
	switch {
	case !ok:
		d.add(p, "%s, want seconds or text such as 2s or 1m30s", kind(n))
	case v < 0 || v > 1e6:
		d.add(p, "%.6g s is outside [0, 1e6] s", v)
	default:
		s.s = v
	}
}

// LoadScript returns a script by the name of a shipped one or by path. Legs
// and gaits are named in the file: r and gaits turn the names into indices.
func LoadScript(name string, r *rig.Rig, gaits []string) (Script, error) {
	file, data, err := read("scripts", name)
	if err != nil {
		return Script{}, err
	}
	return ParseScript(file, data, r, gaits)
}

// Scripts returns the names of the shipped scripts, sorted.
func Scripts() []string { return shipped("scripts") }

// ParseScript returns the script a file describes, sorted by time; entries of
// one time keep their order.
func ParseScript(file string, data []byte, r *rig.Rig, gaits []string) (Script, error) {
	rep, root := parse(file, data)
	if root == nil {
		return Script{}, rep.err()
	}
	f := new(scriptFile)
	d := decoder{report: rep}
	d.mapping(root, reflect.ValueOf(f).Elem(), at(root, ""))
	b := scriptBuilder{report: rep, rig: r, gaits: gaits, out: Script{Name: f.Name.V}}
	for i := range f.Steps {
		b.step(&f.Steps[i])
	}
	if err := rep.err(); err != nil {
		return Script{}, err
	}
	b.finish()
	return b.out, nil
}

// scriptBuilder turns entries into commands and events.
type scriptBuilder struct {
	*report
	rig   *rig.Rig
	gaits []string
	out   Script
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
		add(control.Command{Kind: control.KindGoto, X: g.X.V, Y: g.Y.V})
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
	if f.Mode.Set {
		add(control.Command{Kind: control.KindMode, Mode: modes[f.Mode.V]})
	}
	return out
}

var modes = map[string]mode.Input{"arm": mode.Arm, "disarm": mode.Disarm, "rise": mode.Rise, "clear": mode.Clear}

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
