package telemetry

import (
	"errors"

	"legctl/control"
	"legctl/control/mode"
)

// topic is what one word after cmd/ takes. Decoding, JSON schemas, documents,
// and a command of legctl that was not written by hand all come from its row.
type topic struct {
	name   string
	kind   control.Kind // KindNone: answered before any tick
	doc    string       // a sentence without its full stop
	free   bool         // needs no lease, whoever holds it
	fields []field
}

// topics is the whole table.
var topics = [...]topic{
	{"twist", control.KindTwist, "Walk with a velocity: a stream, which goes stale after its ttl", false, []field{
		number("vx", "m/s", "forward", func(c *control.Command) *float64 { return &c.Vx }),
		number("vy", "m/s", "left", func(c *control.Command) *float64 { return &c.Vy }),
		number("wz", "rad/s", "counter-clockwise", func(c *control.Command) *float64 { return &c.Wz }),
		number("ttl", "s", "how long the twist stays good, counted from receipt; left out: the rig's own", func(c *control.Command) *float64 { return &c.TTL }),
		vector("linear", "m/s", "ROS's form of vx and vy; z must be 0", linearOf),
		vector("angular", "rad/s", "ROS's form of wz; x and y must be 0", angularOf),
	}},
	{"goto", control.KindGoto, "Walk to a place in the world; ends by arrival, stop or twist", false, []field{
		number("x", "m", "in W", func(c *control.Command) *float64 { return &c.X }).must(),
		number("y", "m", "in W", func(c *control.Command) *float64 { return &c.Y }).must(),
		name("by", "who takes the rig there, from now on: the gait, or clips; left out: as it is", driverOf, func(*Names) []string { return Drivers() }).maybe(),
	}},
	{"follow", control.KindFollow, "Go after a goal that moves: a stream, which goes stale after its ttl", false, []field{
		number("x", "m", "in W", func(c *control.Command) *float64 { return &c.X }).must(),
		number("y", "m", "in W", func(c *control.Command) *float64 { return &c.Y }).must(),
		number("vx", "m/s", "how fast the goal moves, in W", func(c *control.Command) *float64 { return &c.Vx }),
		number("vy", "m/s", "likewise", func(c *control.Command) *float64 { return &c.Vy }),
		number("ttl", "s", "how long the goal stays good, counted from receipt; left out: the rig's own", func(c *control.Command) *float64 { return &c.TTL }),
		name("by", "who takes the rig there, from now on: the gait, or clips; left out: as it is", driverOf, func(*Names) []string { return Drivers() }).maybe(),
	}},
	{"style", control.KindStyle, "Lay the way of clips over the gait, and mix the clips that drive", false, []field{
		sharesOf("weights", "of the rig's motions, each and their sum from 0 to 1; what is left out is 0", weightOf, func(n *Names) []string { return n.Motions }),
		number("over", "s", "how long the change takes, never faster than the clips' own rate; left out: at that rate", func(c *control.Command) *float64 { return &c.Over }),
	}},
	{"stop", control.KindStop, "Stop: twist zero, goal dropped, then stand; anybody may, whoever holds the lease", true, nil},
	{"gait", control.KindGait, "Choose a gait", false, []field{
		name("gait", "by name, or auto to have it chosen by speed", gaitOf, func(n *Names) []string { return append([]string{auto}, n.Gaits...) }),
	}},
	{"pose", control.KindPose, "Offset the body from its levelled pose; what is left out is 0", false, []field{
		number("x", "m", "forward", func(c *control.Command) *float64 { return &c.Offset.X }),
		number("y", "m", "left", func(c *control.Command) *float64 { return &c.Offset.Y }),
		number("z", "m", "up", func(c *control.Command) *float64 { return &c.Offset.Z }),
		number("roll", "rad", "about x", func(c *control.Command) *float64 { return &c.RPY.X }),
		number("pitch", "rad", "about y, positive nose down", func(c *control.Command) *float64 { return &c.RPY.Y }),
		number("yaw", "rad", "about z", func(c *control.Command) *float64 { return &c.RPY.Z }),
	}},
	{"height", control.KindHeight, "Set the height of the body over the ground, and how wide it stands", false, []field{
		number("height", "m", "0 is the rig's own", func(c *control.Command) *float64 { return &c.Height }).must(),
		number("width", "1", "factor on the neutral feet's distance from the middle; left out: as it is", func(c *control.Command) *float64 { return &c.Width }),
	}},
	{"leg", control.KindLeg, "Switch a leg on or off", false, []field{
		name("leg", "by name", legOf, func(n *Names) []string { return n.Legs }),
		toggle("on", "false takes the leg out of the gait", func(c *control.Command, v bool) { c.On = v }),
	}},
	{"cruise", control.KindCruise, "Keep walking with a velocity, or with the present one if none is given, without a stream", false, []field{
		number("vx", "m/s", "forward", func(c *control.Command) *float64 { return &c.Vx }),
		number("vy", "m/s", "left", func(c *control.Command) *float64 { return &c.Vy }),
		number("wz", "rad/s", "counter-clockwise", func(c *control.Command) *float64 { return &c.Wz }),
		number("ttl", "s", "for how long; left out: an hour", func(c *control.Command) *float64 { return &c.TTL }),
	}},
	{"foot", control.KindFoot, "Move one foot by hand while the others stand; stop gives the leg back", false, []field{
		name("leg", "by name", legOf, func(n *Names) []string { return n.Legs }),
		number("x", "m", "forward of its neutral place", func(c *control.Command) *float64 { return &c.Offset.X }),
		number("y", "m", "left of it", func(c *control.Command) *float64 { return &c.Offset.Y }),
		number("z", "m", "above it", func(c *control.Command) *float64 { return &c.Offset.Z }),
	}},
	{"joint", control.KindJoint, "Move one joint of a leg by hand while the others stand; stop gives the leg back", false, []field{
		name("joint", "by name", jointOf, func(n *Names) []string { return n.Joints }),
		number("angle", "rad", "where it is to go", func(c *control.Command) *float64 { return &c.Angle }).must(),
	}},
	{"mode", control.KindMode, "Give an order to the mode machine, or say who moves the rig, clips or the gait; disarm and estop are taken from anybody, whoever holds the lease", false, []field{
		name("mode", "the order", modeOf, func(*Names) []string { return ModeWords() }),
	}},
	{"lease", control.KindNone, "Take, keep or give back the lease: while somebody holds it, others may only stop and disarm", true, []field{
		word("action", "what to do; renew keeps it, take takes it from whoever holds it", LeaseActions(), func(r *Request) *string { return &r.Ask.Action }).must(),
		word("holder", "who asks, 1 to 64 printable characters", nil, func(r *Request) *string { return &r.Ask.Holder }).must(),
		amount("ttl", "s", "how long it lasts without a renewal or a command of its holder; left out: 2", func(r *Request) *float64 { return &r.Ask.TTL }),
	}},
	{"watch", control.KindNone, "Ask for a topic in CBOR as well, on <topic>/cbor, for a while", true, []field{
		word("topic", "which", Streams(), func(r *Request) *string { return &r.Watch.Topic }).must(),
		word("format", "the form", []string{"cbor"}, func(r *Request) *string { return &r.Watch.Format }).must(),
		amount("ttl", "s", "for how long, at most 3600; left out: 60", func(r *Request) *float64 { return &r.Watch.TTL }),
	}},
}

// Topics returns the words that may follow legctl/<rig>/cmd/, in table order.
func Topics() []string {
	names := make([]string, 0, len(topics))
	for i := range topics {
		names = append(names, topics[i].name)
	}
	return names
}

// Streams returns the topics a rig publishes that can be watched.
func Streams() []string { return []string{"state", "status", "event"} }

// auto is the word for the gait the controller chooses by speed.
const auto = "auto"

func gaitOf(n *Names, c *control.Command, s string) error {
	if s == auto {
		c.Gait = control.GaitAuto
		return nil
	}
	i, ok := find(n.Gaits, s)
	if !ok {
		return unknown("gait", s, n.Gaits)
	}
	c.Gait = uint16(i)
	return nil
}

// jointOf finds a joint of the rig by name, and with it its leg.
func jointOf(n *Names, c *control.Command, s string) error {
	i, ok := find(n.Joints, s)
	if !ok {
		return unknown("joint", s, n.Joints)
	}
	c.Leg, c.Joint = int16(n.legOf[i]), int16(i-n.first[n.legOf[i]])
	return nil
}

func legOf(n *Names, c *control.Command, s string) error {
	i, ok := find(n.Legs, s)
	if !ok {
		return unknown("leg", s, n.Legs)
	}
	c.Leg = int16(i)
	return nil
}

// Orders returns the words the mode topic takes.
func Orders() []string {
	var names []string
	for _, in := range mode.Orders {
		names = append(names, in.String())
	}
	return names
}

// drivers are who may move a rig, by name.
var drivers = [...]struct {
	name string
	by   control.Driver
}{{"gait", control.DriverGait}, {"clips", control.DriverClips}}

// Drivers returns the words for who moves a rig.
func Drivers() []string {
	var names []string
	for _, d := range drivers {
		names = append(names, d.name)
	}
	return names
}

// DriverName returns the word for who moves the rig.
func DriverName(d control.Driver) string {
	for i := range drivers {
		if drivers[i].by == d {
			return drivers[i].name
		}
	}
	return "?"
}

// ModeWords returns the words the mode topic takes: orders and drivers.
func ModeWords() []string { return append(Orders(), Drivers()...) }

func driverOf(_ *Names, c *control.Command, s string) error {
	i, ok := find(Drivers(), s)
	if !ok {
		return unknown("driver", s, Drivers())
	}
	c.By = drivers[i].by
	return nil
}

// weightOf finds a motion of the rig's clips by name.
func weightOf(n *Names, c *control.Command, s string, v float64) error {
	if len(n.Motions) == 0 {
		return errors.New("this rig has no clips: start it with a motion space")
	}
	i, ok := find(n.Motions, s)
	if !ok || i >= len(c.Weights) {
		return unknown("motion", s, n.Motions)
	}
	c.Weights[i] = v
	return nil
}

func modeOf(n *Names, c *control.Command, s string) error {
	if driverOf(n, c, s) == nil {
		c.Kind = control.KindDrive
		return nil
	}
	i, ok := find(Orders(), s)
	if !ok {
		return unknown("mode", s, ModeWords())
	}
	c.Mode = mode.Orders[i]
	return nil
}
