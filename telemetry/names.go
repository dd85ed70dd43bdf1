package telemetry

import (
	"fmt"
	"math/bits"
	"strings"

	"legctl/control"
	"legctl/control/mode"
	"legctl/rig"
)

// Names translates the indices of one rig to names and back. It is read-only
// after NamesOf and may be shared.
type Names struct {
	Rig    string
	Legs   []string // by leg index
	Joints []string // by index into q
	Gaits  []string // by index into control.Params.Gaits
	// Motions are the names of the clips, by index into the motions of
	// control.Params.Space; none without one.
	Motions []string
	Why     []string // by gait: why the rig is not offered it, "" = it is; nil: not known

	legOf []int // by joint: its leg
	first []int // by leg: its first joint
}

// NamesOf collects the names of a rig and of the gaits it is offered, in the
// order of control.Params.Gaits.
func NamesOf(r *rig.Rig, gaits []string) *Names {
	n := &Names{Rig: r.Name, Gaits: gaits}
	for i := range r.Legs {
		n.Legs = append(n.Legs, r.Legs[i].Name)
		n.first = append(n.first, len(n.Joints))
		for j := range r.Legs[i].Joints {
			n.Joints = append(n.Joints, r.Legs[i].Joints[j].Name)
			n.legOf = append(n.legOf, i)
		}
	}
	return n
}

var bindingNames = [control.Bindings]string{
	"none", "rule", "acceleration", "reach", "joint_speed", "comfort",
	"margin", "gate", "wall", "planar", "feet", "clips",
}

var reasonNames = [control.Reasons]string{
	"accepted", "not finite", "out of range", "unknown",
	"not legal in this mode", "too few legs would stay", "not suited to this rig",
	"the leg is off", "another leg is being moved by hand",
}

var kindNames = [control.Kinds]string{
	"none", "twist", "goto", "stop", "gait", "pose", "height", "leg", "mode", "cruise", "foot", "joint",
	"style", "drive", "follow",
}

// eventNames has one name a bit of control.Event, lowest first.
var eventNames = [...]string{
	"mode_changed", "command_stale", "goal_reached", "foot_lost", "uncomfortable",
	"off_ground", "wall", "tilt", "observation_refused",
	"leg_lost", "early_touchdown", "sensor", "lying_down", "driver_changed",
}

// statusNames has one name an ik.Status.
var statusNames = [...]string{"reached", "out_of_reach", "at_limit", "stalled", "invalid"}

// pick returns names[i], or a plain question mark for a value nobody named: a
// message must never fail because a table is older than the core.
func pick[T ~uint8 | ~uint16](names []string, i T) string {
	if int(i) < len(names) {
		return names[i]
	}
	return "?"
}

// BindingName returns the word for a limit, such as joint_speed.
func BindingName(b control.Binding) string { return pick(bindingNames[:], b) }

// ReasonName returns why a command was refused, in words.
func ReasonName(r control.Reason) string { return pick(reasonNames[:], r) }

// KindName returns the topic word of a kind of command.
func KindName(k control.Kind) string { return pick(kindNames[:], k) }

// EventNames returns the words for the bits of e, lowest bit first; nil for 0.
func EventNames(e control.Event) []string {
	return bitNames(eventNames[:], uint64(e))
}

// bitNames returns the names of the bits of set.
func bitNames(names []string, set uint64) []string {
	var out []string
	for s := set; s != 0; s &= s - 1 {
		out = append(out, pick(names, uint8(bits.TrailingZeros64(s))))
	}
	return out
}

// Leg returns the name of a leg, "" for an index outside the rig (-1: none).
func (n *Names) Leg(i int) string {
	if i < 0 || i >= len(n.Legs) {
		return ""
	}
	return n.Legs[i]
}

// Gait returns the name of a gait, "?" for an index outside the table.
func (n *Names) Gait(i uint16) string { return pick(n.Gaits, i) }

// find returns the index of a name, letter case ignored.
func find(names []string, name string) (int, bool) {
	for i, s := range names {
		if strings.EqualFold(s, name) {
			return i, true
		}
	}
	return 0, false
}

// ValidRig reports whether a rig name may stand in a topic: [a-z0-9][a-z0-9_-]*.
// A space would be dropped in silence by the embedded broker, a slash would make
// two levels, + and # are wildcards.
func ValidRig(name string) bool {
	for i, c := range []byte(name) {
		word := c >= 'a' && c <= 'z' || c >= '0' && c <= '9'
		if !word && (i == 0 || c != '_' && c != '-') {
			return false
		}
	}
	return name != ""
}

// CheckTopic says what is wrong with the topic legctl/<rig>/cmd/<word>: white
// space and wildcards are dropped or refused by brokers without a word.
func CheckTopic(rig, word string) error {
	if !ValidRig(rig) {
		return fmt.Errorf("telemetry: rig name %q, want [a-z0-9][a-z0-9_-]*: it stands in topics", clip(rig))
	}
	for _, level := range strings.Split(word, "/") {
		if !ValidRig(level) {
			return fmt.Errorf("telemetry: topic %q: level %q, want [a-z0-9][a-z0-9_-]*", clip(word), clip(level))
		}
	}
	return nil
}

// Bindings returns every word for a limit.
func Bindings() []string { return append([]string{}, bindingNames[:]...) }

// Modes returns every word for a mode.
func Modes() []string {
	var list []string
	for m := mode.Mode(0); m < mode.Count; m++ {
		list = append(list, m.String())
	}
	return list
}
