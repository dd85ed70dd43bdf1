package web

import (
	"encoding/json"
	"fmt"
	"image/color"
	"math"
	"slices"

	"legctl/control"
	"legctl/control/mode"
	"legctl/ik"
	"legctl/rig"
	"legctl/telemetry"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// helloMessage is what a viewer hears first, and again with every new scene.
type helloMessage struct {
	Type    string         `json:"type"`
	Version string         `json:"version"`
	Scene   uint32         `json:"scene"`
	About   string         `json:"about"`
	Dt      float64        `json:"dt"`
	Gait    string         `json:"gait"`
	Unit    float64        `json:"unit"`  // U of the gait to begin with, metres: the size of overlays
	Reach   float64        `json:"reach"` // what 32767 is in a frame, metres
	Rig     *rigForm       `json:"rig"`
	Ground  *groundMessage `json:"ground"`
	Gaits   []gaitForm     `json:"gaits"`
	Motions []string       `json:"motions,omitempty"` // of its clips
	Names   nameTables     `json:"names"`
	Stages  *Stages        `json:"stages,omitempty"` // nil: a real rig
	Tunable bool           `json:"tunable"`
	Topics  []string       `json:"topics"`
}

// nameTables translate the numbers of frames.
type nameTables struct {
	Modes    []string `json:"modes"`
	Bindings []string `json:"bindings"`
	Statuses []string `json:"statuses"`
	Events   []string `json:"events"`
	Orders   []string `json:"orders"`
	Alarms   []string `json:"alarms"`
}

// gaitForm is a gait as it is offered.
type gaitForm struct {
	Name  string  `json:"name"`
	Why   string  `json:"why,omitempty"` // why the rig may not walk it
	Speed float64 `json:"speed"`         // straight ahead, m/s; 0: not known
	Turn  float64 `json:"turn"`          // rad/s
}

// rigForm is the body plan for drawing.
type rigForm struct {
	Name   string     `json:"name"`
	Height float64    `json:"height"`
	Length float64    `json:"length"`
	Mass   float64    `json:"mass"`
	Box    [3]float64 `json:"box"` // half extents
	Mid    [3]float64 `json:"mid"`
	Tint   string     `json:"tint,omitempty"`
	Legs   []legForm  `json:"legs"`
}

type legForm struct {
	Name    string      `json:"name"`
	Side    int         `json:"side"`
	Row     int         `json:"row"`
	Foot    [3]float64  `json:"foot"`
	Radius  float64     `json:"radius"`
	Neutral [3]float64  `json:"neutral"`
	Joints  []jointForm `json:"joints"`
}

type jointForm struct {
	Name   string     `json:"name"`
	P      [3]float64 `json:"p"`
	Q      [4]float64 `json:"q"` // w, x, y, z
	Axis   [3]float64 `json:"axis"`
	Min    float64    `json:"min"`
	Max    float64    `json:"max"`
	Speed  float64    `json:"speed"`
	Torque float64    `json:"torque"`
	Radius float64    `json:"radius"`
	Tint   string     `json:"tint,omitempty"`
}

// hello returns the description of a scene as bytes.
func (s *Server) hello(sc *Scene) []byte {
	m := helloMessage{
		Type: "hello", Version: s.opts.Version, Scene: sc.epoch & 0xffff, About: sc.About, Dt: sc.Params.Dt, Gait: sc.Gait,
		Reach: sc.quant.reach, Rig: formOf(sc.Rig), Ground: sc.ground(), Names: tables(), Tunable: sc.Tuner != nil,
		Topics: telemetry.Topics(), Motions: sc.Names.Motions,
	}
	m.Unit = sc.Rig.L() / 3
	if i, ok := sc.Params.Index(sc.Gait); ok && sc.Peek != nil {
		m.Unit, _ = sc.Peek.sizing(i)
	}
	for i := range sc.Params.Gaits {
		m.Gaits = append(m.Gaits, sc.gaitForm(i))
	}
	if sc.World != nil {
		st := sc.World.Stages()
		m.Stages = &st
	}
	raw, err := json.Marshal(&m)
	if err != nil {
		s.warn("the scene could not be described", err)
	}
	return raw
}

// greeting is the hello of the present scene and its latest events, nothing
// before the first.
func (s *Server) greeting() [][]byte {
	sc := s.scene.Load()
	if sc == nil {
		return nil
	}
	sc.reel.mu.Lock()
	past := slices.Clone(sc.reel.past)
	sc.reel.mu.Unlock()
	return append([][]byte{s.hello(sc)}, past...)
}

func (sc *Scene) gaitForm(i int) gaitForm {
	g := &sc.Params.Gaits[i]
	f := gaitForm{Name: g.Name}
	if i < len(sc.Names.Why) {
		f.Why = sc.Names.Why[i]
	}
	if sc.Peek != nil && f.Why == "" {
		_, a := sc.Peek.sizing(i)
		f.Speed, f.Turn = a.Linear[0], a.Turn
	} else if g.Allowed != nil {
		f.Speed, f.Turn = g.Allowed.Linear[0], g.Allowed.Turn
	}
	return f
}

// tables collects the words for the numbers of a frame.
func tables() nameTables {
	var t nameTables
	for m := range mode.Count {
		t.Modes = append(t.Modes, m.String())
	}
	for b := range control.Bindings {
		t.Bindings = append(t.Bindings, telemetry.BindingName(b))
	}
	for st := range ik.Statuses {
		t.Statuses = append(t.Statuses, st.String())
	}
	for _, e := range telemetry.EventNames(^control.Event(0)) {
		if e != "?" { // bits without a meaning yet
			t.Events = append(t.Events, e)
		}
	}
	t.Orders = telemetry.Orders()
	t.Alarms = rig.Alarm(math.MaxUint32).Names()
	slices.Reverse(t.Alarms) // by bit
	return t
}

func formOf(r *rig.Rig) *rigForm {
	f := &rigForm{Name: r.Name, Height: r.Height, Length: r.L(), Mass: r.Mass(), Box: triple(r.Body.Box), Mid: triple(r.Body.Mid), Tint: tint(r.Body.Tint)}
	for i := range r.Legs {
		l := &r.Legs[i]
		lf := legForm{Name: l.Name, Foot: triple(l.Foot), Radius: l.FootRadius, Neutral: triple(l.Neutral)}
		if i < len(r.Groups.Side) {
			lf.Side, lf.Row = int(r.Groups.Side[i]), r.Groups.Row[i]
		}
		for j := range l.Joints {
			k := &l.Joints[j]
			lf.Joints = append(lf.Joints, jointForm{
				Name: k.Name, P: triple(k.Origin.P), Q: four(k.Origin.Q), Axis: triple(k.Axis), Min: k.Min, Max: k.Max,
				Speed: k.Speed, Torque: k.Torque, Radius: k.Link.Radius, Tint: tint(k.Link.Tint),
			})
		}
		f.Legs = append(f.Legs, lf)
	}
	return f
}

func triple(v r3.Vec) [3]float64 { return [3]float64{v.X, v.Y, v.Z} }

func four(q quat.Number) [4]float64 { return [4]float64{q.Real, q.Imag, q.Jmag, q.Kmag} }

// tint writes a colour; an empty one is for the page to choose.
func tint(c color.RGBA) string {
	if c.A == 0 {
		return ""
	}
	return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B)
}
