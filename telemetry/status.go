package telemetry

import (
	"math"
	"math/bits"
	"time"

	"legctl/control"
	"legctl/rig"
)

// Status is the message on legctl/<rig>/status: what a dashboard shows of a
// rig. It is retained, sent when one of its words changes and now and then
// besides.
type Status struct {
	Tick        uint64   `json:"tick" doc:"number of the tick"`
	Time        Num      `json:"time" unit:"s" doc:"since the start"`
	Rig         string   `json:"rig" doc:"name of the rig"`
	Mode        string   `json:"mode" doc:"of the mode machine"`
	Gait        string   `json:"gait" doc:"by name"`
	Binding     string   `json:"binding" doc:"what keeps the body slower than asked"`
	Speed       Num      `json:"speed" unit:"m/s" doc:"of the body along the ground"`
	Wish        Num      `json:"wish" unit:"m/s" doc:"speed asked for"`
	Margin      Num      `json:"margin" unit:"m" doc:"static stability margin; null with no foot down"`
	Battery     *Num     `json:"battery,omitempty" unit:"V" doc:"left out where it is not measured"`
	Temperature *Num     `json:"temperature,omitempty" unit:"degC" doc:"of the hottest servo; left out where it is not measured"`
	Load        *Num     `json:"load,omitempty" doc:"of the servo that works most, share of its torque; left out where it is not measured"`
	Alarms      []string `json:"alarms" doc:"of plant and servos, the gravest first"`
	Faults      []string `json:"faults" doc:"legs with a fault"`
	Falls       uint32   `json:"falls" doc:"since the start"`
	Lease       string   `json:"lease,omitempty" doc:"who holds the lease"`
	Dropped     uint64   `json:"dropped" doc:"messages that were lost on their way to the broker"`
}

// Status makes the message of one tick; obs may be nil. Nothing of out or obs is
// kept.
func (n *Names) Status(out *control.Output, obs *rig.Observation, dt float64) *Status {
	s := &Status{
		Tick: out.Tick, Time: Num(float64(out.Tick) * dt), Rig: n.Rig,
		Mode: out.Mode.String(), Gait: n.Gait(out.Gait), Binding: BindingName(out.Binding),
		Speed: along(out.Twist), Wish: along(out.Wish), Margin: Num(out.Margin),
		Alarms: []string{}, Faults: []string{},
	}
	if obs == nil {
		return s
	}
	s.Falls = obs.FellSince
	if obs.Battery != 0 {
		s.Battery = ptr(obs.Battery)
	}
	if obs.Has&rig.HasServos != 0 {
		s.Temperature, s.Load = extremes(obs.Servos)
	}
	s.Alarms = append(s.Alarms, Alarms(obs).Names()...)
	s.Faults = append(s.Faults, bitNames(n.Legs, obs.Faults)...)
	return s
}

// Alarms returns the alarms of a plant and of all its servos together.
func Alarms(obs *rig.Observation) rig.Alarm {
	all := obs.Alarms
	if obs.Has&rig.HasServos != 0 {
		for i := range obs.Servos {
			all |= obs.Servos[i].Alarms
		}
	}
	return all
}

// Hottest returns the highest temperature of servos, Celsius; 0 where none is
// known.
func Hottest(servos []rig.Sense) (celsius float64) {
	for i := range servos {
		celsius = max(celsius, servos[i].Celsius)
	}
	return celsius
}

// extremes returns the highest temperature and the largest load; nil where no
// servo knows it.
func extremes(servos []rig.Sense) (celsius, load *Num) {
	most := 0.0
	for i := range servos {
		most = max(most, math.Abs(servos[i].Load))
	}
	if hot := Hottest(servos); hot != 0 {
		celsius = ptr(hot)
	}
	if most != 0 {
		load = ptr(most)
	}
	return celsius, load
}

func ptr(v float64) *Num {
	n := Num(v)
	return &n
}

func along(t [3]float64) Num { return Num(math.Sqrt(t[0]*t[0] + t[1]*t[1])) }

// Words is the part of a Status whose change is news. It is comparable.
type Words struct {
	mode, gait, binding uint64
	alarms              rig.Alarm
	faults              uint64
	falls               uint32
}

// WordsOf returns the words of one tick; obs may be nil. The binding limit
// counts by kind only: which leg sets it flickers.
func WordsOf(out *control.Output, obs *rig.Observation) Words {
	w := Words{mode: uint64(out.Mode), gait: uint64(out.Gait), binding: uint64(out.Binding)}
	if obs != nil {
		w.alarms, w.faults, w.falls = Alarms(obs), obs.Faults, obs.FellSince
	}
	return w
}

// Info is the message on legctl/<rig>/info, the birth of a rig: what it is.
// Retained.
type Info struct {
	Rig      string             `json:"rig" doc:"name of the rig"`
	Version  string             `json:"version" doc:"of the program"`
	Period   Num                `json:"dt" unit:"s" doc:"length of a tick"`
	Legs     []string           `json:"legs" doc:"in order"`
	Joints   []string           `json:"joints" doc:"in order of the joint angles"`
	Gaits    []string           `json:"gaits" doc:"that the rig may walk"`
	Commands []string           `json:"commands" doc:"the words that may follow cmd/"`
	Rates    map[string]float64 `json:"rates" doc:"messages a second at most, by topic"`
	Spool    bool               `json:"spool" doc:"whether durable messages wait on disk while the broker is away"`
}

// Info makes the birth message. dt is the length of a tick, seconds.
func (n *Names) Info(version string, dt float64, rates map[string]float64, spool bool) *Info {
	return &Info{
		Rig: n.Rig, Version: version, Period: Num(dt), Legs: n.Legs, Joints: n.Joints,
		Gaits: n.Offered(), Commands: Topics(), Rates: rates, Spool: spool,
	}
}

// Offered returns the gaits the rig may walk.
func (n *Names) Offered() []string {
	list := []string{}
	for i, g := range n.Gaits {
		if i >= len(n.Why) || n.Why[i] == "" {
			list = append(list, g)
		}
	}
	return list
}

// LeaseState is the message on legctl/<rig>/lease. Retained.
type LeaseState struct {
	Holder string `json:"holder" doc:"who may command; empty: everybody"`
	TTL    Num    `json:"ttl" unit:"s" doc:"how long the lease lasts without a sign of life; 0: nobody holds it"`
}

// LeaseStateOf makes the message after a change.
func LeaseStateOf(c LeaseChange) LeaseState { return LeaseState{Holder: c.To, TTL: Num(c.TTL)} }

// Summary is the message on legctl/<rig>/summary: how a run went, sent once at
// its end, durable.
type Summary struct {
	Seq      uint64 `json:"seq" doc:"counts the durable messages of this rig"`
	Rig      string `json:"rig" doc:"name of the rig"`
	Ended    string `json:"ended" doc:"when, RFC 3339"`
	Ticks    uint64 `json:"ticks" doc:"done"`
	Seconds  Num    `json:"seconds" unit:"s" doc:"ticks times their length"`
	Walked   Num    `json:"walked" unit:"s" doc:"in mode walk"`
	Path     Num    `json:"path" unit:"m" doc:"length of the intended way of the body"`
	Margin   *Num   `json:"margin,omitempty" unit:"m" doc:"the smallest while feet stood; left out when none ever did"`
	Falls    uint32 `json:"falls" doc:"counted by the plant"`
	Clamps   uint64 `json:"clamps" doc:"leg-ticks in which an angle or speed was clamped"`
	Missed   uint64 `json:"missed" doc:"leg-ticks in which a foot was not reached"`
	Refused  uint64 `json:"refused" doc:"commands"`
	Accepted uint64 `json:"accepted" doc:"commands"`
	Faults   uint64 `json:"faults" doc:"ticks in mode fault"`
}

// Tally counts ticks into a Summary. The zero value is empty.
type Tally struct {
	sum   Summary
	least float64
	stood bool
	x, y  float64
	begun bool
}

// Add counts one tick of dt seconds; obs may be nil.
func (t *Tally) Add(out *control.Output, obs *rig.Observation, dt float64) {
	s := &t.sum
	s.Ticks++
	s.Seconds += Num(dt)
	if t.begun {
		s.Path += along([3]float64{out.PoseWB.P.X - t.x, out.PoseWB.P.Y - t.y})
	}
	t.x, t.y, t.begun = out.PoseWB.P.X, out.PoseWB.P.Y, true
	switch out.Mode.String() {
	case "walk":
		s.Walked += Num(dt)
	case "fault":
		s.Faults++
	}
	if !math.IsInf(out.Margin, 0) && !math.IsNaN(out.Margin) && (!t.stood || out.Margin < t.least) {
		t.least, t.stood = out.Margin, true
	}
	s.Clamps += uint64(bits.OnesCount64(out.AngleLimit) + bits.OnesCount64(out.SpeedLimit))
	s.Missed += uint64(bits.OnesCount64(out.Unreached))
	switch {
	case out.Reply.Kind == control.KindNone:
	case out.Reply.Reason == control.Accepted:
		s.Accepted++
	default:
		s.Refused++
	}
	if obs != nil {
		s.Falls = obs.FellSince
	}
}

// Summary returns the message, ended at now.
func (t *Tally) Summary(name string, now time.Time) *Summary {
	s := t.sum
	s.Rig, s.Ended = name, now.UTC().Format(time.RFC3339)
	if t.stood {
		s.Margin = ptr(t.least)
	}
	return &s
}
