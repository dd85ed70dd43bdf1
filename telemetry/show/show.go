package show

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"image/color"

	"legctl/control"
	"legctl/record"
	"legctl/rig"
	"legctl/telemetry"

	"gonum.org/v1/gonum/spatial/r3"
)

// Ground is what a run moves on, for drawing. World events change it.
type Ground interface {
	// Mesh returns the ground within half, metres, of centre: points in W, a
	// colour a point, three indices a triangle.
	Mesh(centre r3.Vec, half float64) (points []r3.Vec, tints []color.RGBA, triangles []uint32)
	// Take lets a recorded world event happen and reports whether the ground has
	// changed by it.
	Take(event []byte) (changed bool)
}

// Options say what a Maker shows. Header, Rig and Names are needed.
type Options struct {
	Header *record.Header
	Rig    *rig.Rig
	Names  *telemetry.Names
	Ground Ground     // nil: not drawn
	World  rig.Record // any world event, for the shape of its bytes; nil: they are not decoded
	Rate   float64    // how often, per second of the run, moving things and decoded ticks are shown; 0: DefaultRate
}

// DefaultRate is often enough for eyes and plots. Everything that happens
// between two samples is in the records, and what must not be missed in the log.
const DefaultRate = 50

// Channel is one kind of message a Maker makes.
type Channel struct {
	Topic  string
	Schema string // its name
	JSON   []byte // the schema
	Latest bool   // the last message stays true: late viewers want it
}

// The channels, in the order of Maker.Channels.
const (
	channelRun = iota
	channelTransforms
	channelRig
	channelGround
	channelSupport
	channelFrame
	channelState
	channelWorld
	channelParams
	channelLog
	channels
)

// Maker makes messages of records. One goroutine at a time.
type Maker struct {
	o      Options
	names  *record.Names
	list   [channels]Channel
	quoted []string // names of joints as JSON
	emit   func(channel int, tick uint64, json []byte) error
	every  uint64
	begun  bool

	frame  *control.Frame
	prev   mark   // of the tick before
	state  []byte // of the tick to come, when it will be shown
	pieces []byte // of parameters
	buf    []byte
	err    error // of emit, in one Put

	centre r3.Vec // of the ground that was shown
	half   float64
}

// mark is what the log compares two ticks by.
type mark struct {
	events control.Event
	fell   uint32
	limit  uint64
	faults uint64
	known  bool
}

// groundLengths is how far the ground is shown, in lengths of the longest leg.
const groundLengths = 25

// New returns a Maker that hands its messages to emit, which must not keep
// them.
func New(o Options, emit func(channel int, tick uint64, json []byte) error) *Maker {
	if o.Rate <= 0 {
		o.Rate = DefaultRate
	}
	s := &Maker{
		o: o, names: record.NamesOf(o.Rig), emit: emit, every: max(1, uint64(1/(o.Rate*o.Header.Dt)+0.5)),
		frame: control.NewFrame(o.Rig), half: groundLengths * o.Rig.L(),
	}
	for i := range o.Rig.Legs {
		for j := range o.Rig.Legs[i].Joints {
			q, _ := json.Marshal(o.Rig.Legs[i].Joints[j].Name) // a string always can
			s.quoted = append(s.quoted, string(q))
		}
	}
	s.declare()
	return s
}

// declare fills the table of channels.
func (s *Maker) declare() {
	object := func(title string) []byte { return fmt.Appendf(nil, `{"title":"legctl.%s","type":"object"}`, title) }
	s.list[channelRun] = Channel{Topic: "/legctl/run", Schema: "legctl.Run", JSON: object("Run"), Latest: true}
	s.list[channelTransforms] = wellKnownChannel[FrameTransforms]("/tf", false)
	s.list[channelRig] = wellKnownChannel[Update]("/scene/rig", true)
	s.list[channelGround] = wellKnownChannel[Update]("/scene/ground", true)
	s.list[channelSupport] = wellKnownChannel[Update]("/scene/support", false)
	s.list[channelFrame] = Channel{Topic: "/legctl/frame", Schema: "legctl.Frame", JSON: s.names.Schema(control.TagFrame)}
	s.list[channelState] = Channel{Topic: "/legctl/state", Schema: "legctl.State", JSON: s.names.Schema(control.TagState)}
	s.list[channelWorld] = Channel{Topic: "/legctl/world", Schema: "legctl.World", JSON: object("World")}
	if s.o.World != nil {
		s.list[channelWorld].JSON = s.names.SchemaOf("World", s.o.World)
	}
	s.list[channelParams] = Channel{Topic: "/legctl/params", Schema: "legctl.Params", JSON: object("Params"), Latest: true}
	s.list[channelLog] = wellKnownChannel[Log]("/legctl/log", false)
}

func wellKnownChannel[T any](topic string, latest bool) Channel {
	name, schema := schemaOf[T]()
	return Channel{Topic: topic, Schema: name, JSON: schema, Latest: latest}
}

// Channels returns the channels; emit gets indices into this list.
func (s *Maker) Channels() []Channel { return s.list[:] }

// Put makes the messages of one record. They come before the frame of their tick
// and behind its state. The error is that of emit, or says that the record does
// not fit the rig.
func (s *Maker) Put(tag control.Tag, tick uint64, data []byte) error {
	s.err = nil
	if !s.begun {
		s.begin(tick)
	}
	switch tag {
	case control.TagState:
		if tick%s.every == 0 {
			s.state = append(s.state[:0], data...)
		}
	case control.TagEvent:
		return s.putEvent(tick, data)
	case control.TagParams:
		s.putParams(tick, data)
	case control.TagFrame:
		return s.putFrame(tick, data)
	case control.TagGap:
		s.pieces = s.pieces[:0]
		if len(data) == 8 {
			s.line(tick, LevelWarning, "gap", fmt.Sprintf("%d records did not get here in time", binary.LittleEndian.Uint64(data)))
		}
	}
	return s.err
}

// send hands a message on and keeps the first error.
func (s *Maker) send(channel int, tick uint64, json []byte) {
	if s.err == nil {
		s.err = s.emit(channel, tick, json)
	}
}

// sendAny is send for anything that has a JSON form.
func (s *Maker) sendAny(channel int, tick uint64, v any) {
	b, err := json.Marshal(v)
	if err != nil {
		err = fmt.Errorf("show: %s of tick %d: %w", s.list[channel].Topic, tick, err)
	}
	if s.err == nil {
		s.err = err
	}
	s.send(channel, tick, b)
}

// now returns the time of a tick.
func (s *Maker) now(tick uint64) Time { return TimeOf(record.Nanos(tick, s.o.Header.Dt)) }

// begin shows what does not move.
func (s *Maker) begin(tick uint64) {
	s.begun = true
	s.sendAny(channelRun, tick, runOf(s.o.Header))
	s.sendAny(channelRig, tick, body(s.o.Rig, s.now(tick)))
	s.showGround(tick)
}

// run is the header for people.
type run struct {
	Names   map[string]string `json:"names"`
	Dt      float64           `json:"dt"`
	Seed    uint64            `json:"seed"`
	Frame   string            `json:"frame_layout"`
	State   string            `json:"state_layout"`
	Rig     json.RawMessage   `json:"rig,omitempty"`
	Params  json.RawMessage   `json:"params,omitempty"`
	World   json.RawMessage   `json:"world,omitempty"`
	Terrain string            `json:"terrain,omitempty"`
}

func runOf(h *record.Header) run {
	r := run{Names: map[string]string{}, Dt: h.Dt, Seed: h.Seed, Frame: fmt.Sprintf("%#016x", h.Frame), State: fmt.Sprintf("%#016x", h.State)}
	for _, n := range h.Names {
		r.Names[n.Key] = n.Value
	}
	for _, p := range []struct {
		to   *json.RawMessage
		from []byte
	}{{&r.Rig, h.Rig}, {&r.Params, h.Params}, {&r.World, h.World}} {
		if json.Valid(p.from) {
			*p.to = p.from
		}
	}
	r.Terrain = h.Get("terrain")
	return r
}

// showGround shows the ground about s.centre.
func (s *Maker) showGround(tick uint64) {
	if s.o.Ground == nil {
		return
	}
	points, tints, triangles := s.o.Ground.Mesh(s.centre, s.half)
	e := newEntity(s.now(tick), World, "ground")
	surface := Surface{Pose: still, Points: make([]Vector, len(points)), Colors: []Color{}, Indices: triangles}
	one := true
	for i := range points {
		surface.Points[i] = vectorOf(points[i])
		one = one && tints[i] == tints[0]
	}
	if len(tints) > 0 {
		surface.Color = colorOf(tints[0])
	}
	if !one {
		for i := range tints {
			surface.Colors = append(surface.Colors, colorOf(tints[i]))
		}
	}
	e.Triangles = append(e.Triangles, surface)
	s.sendAny(channelGround, tick, Update{Deletions: []Deletion{}, Entities: []Entity{e}})
}

// putEvent shows a world event and what it did to the ground.
func (s *Maker) putEvent(tick uint64, data []byte) error {
	if s.o.World != nil {
		b, err := s.names.AppendAny(s.buf[:0], s.o.World, data)
		if s.buf = b; err != nil {
			return err
		}
		s.send(channelWorld, tick, b)
	}
	if s.o.Ground != nil && s.o.Ground.Take(data) {
		s.showGround(tick)
	}
	return s.err
}

// putParams shows parameters once all their pieces are there: each begins with
// a byte that says whether it is the last.
func (s *Maker) putParams(tick uint64, data []byte) {
	if len(data) == 0 {
		return
	}
	s.pieces = append(s.pieces, data[1:]...)
	if data[0] == 0 {
		return
	}
	if json.Valid(s.pieces) {
		s.send(channelParams, tick, s.pieces)
	}
	s.pieces = s.pieces[:0]
}
