package rig

import (
	"image/color"

	"legctl/geom"

	"gonum.org/v1/gonum/spatial/r3"
)

// The sizes a rig may have.
const (
	MinLegs   = 2
	MaxLegs   = 64
	MaxJoints = 12 // a leg
)

// Gravity is the acceleration of free fall, m/s2, where nothing else is said.
const Gravity = 9.81

// Rig is a body plan. It is made by configs or an importer, finished by
// Validate, and never changes after that.
type Rig struct {
	Name    string
	Gravity float64 // m/s2; 0 means the constant Gravity
	Height  float64 // origin of B above flat ground in neutral stance, metres
	Body    Body
	Legs    []Leg
	Groups  Groups   // derived by Validate
	Assumed []string // what the file left open and which value was taken
	Class   Class    // which of the rule parameters it walks with
	Refused string   // not empty: the file expects check to refuse it, with this reason

	// Asymmetric allows left and right legs that do not mirror each other.
	Asymmetric bool
}

// Class says how a rig keeps its balance while walking.
type Class uint8

// Classes of a rig, a gait or a clip (design, section 4).
const (
	Static    Class = iota // margin at its floor at all times
	Dynamic                // margin averaged over a cycle >= 0
	Ballistic              // flight, or a negative cycle mean
)

// Body is the trunk: one rigid link.
type Body struct {
	Mass float64    // kg, > 0
	CoM  r3.Vec     // B, metres
	Box  r3.Vec     // half extents, metres, about Mid
	Mid  r3.Vec     // centre of the box, B, metres
	Tint color.RGBA // colour when drawn
}

// Leg is a chain of hinges from the body to a foot.
type Leg struct {
	Name       string
	Joints     []Joint // 1 to MaxJoints, from the body outward
	Foot       r3.Vec  // contact point, in the frame of the last joint's link, metres
	FootRadius float64 // metres, >= 0
	Neutral    r3.Vec  // neutral foot, B, metres; Z is -Rig.Height
	First      int     // index of the leg's first joint in q; set by Validate
	Length     float64 // stretched length, metres; set by Validate
	Planar     bool    // foot Jacobian has rank < 3 at Rest; set by Validate
}

// Joint is one hinge and the link that moves with it. At q = 0 its frame is
// Origin in the frame of the joint before it (of B for the first).
type Joint struct {
	Name     string    // unique in the rig, such as lf_coxa
	Origin   geom.Pose // in the frame of the joint before it
	Axis     r3.Vec    // unit, in its own frame
	Min, Max float64   // rad, Min < Max
	Speed    float64   // rad/s, > 0
	Torque   float64   // Nm, > 0; 0 = unknown
	Rest     float64   // rad, the angle in neutral stance; fixes the bend
	Mimic    int       // joint of the same leg this one copies; -1 = none
	Factor   float64   // with Mimic: q = Factor q[Mimic] + Offset
	Offset   float64   // rad
	Link     Link
}

// Link is the rigid part that moves with a joint, in that joint's frame.
type Link struct {
	Mass   float64    // kg, >= 0
	CoM    r3.Vec     // metres
	Radius float64    // of the capsule from this joint to the next (or the foot), metres
	Tint   color.RGBA // colour when drawn
}

// Groups are the relations between legs that step rules and gaits are written
// in (design, section 5). Every slice has one entry a leg.
type Groups struct {
	Side     []int8   // +1 left, -1 right, 0 centre or ring
	Row      []int    // 0 is the front; ring: index by azimuth
	Partner  []int    // the other leg of the pair, -1 = none
	Adjacent []uint64 // bit set of adjacent legs
	Diagonal []uint64 // bit set of same-colour legs in neighbouring rows
	Colour   []uint8  // of the adjacency graph, 0 first
	Dominant []bool   // the lower colour of a pair; a leg without partner is dominant
	Order    []int    // legs in update order: colour, then row, then left
	Ring     bool     // grouped by azimuth
}

// Joints returns the number of joints of the whole rig.
func (r *Rig) Joints() int {
	n := 0
	for i := range r.Legs {
		n += len(r.Legs[i].Joints)
	}
	return n
}

// G returns the gravity that acts on the rig, m/s2.
func (r *Rig) G() float64 {
	if r.Gravity > 0 {
		return r.Gravity
	}
	return Gravity
}

// L returns the stretched length of the longest leg, metres: the unit in which
// margins and residuals are stated.
func (r *Rig) L() float64 {
	l := 0.0
	for i := range r.Legs {
		l = max(l, r.Legs[i].Length)
	}
	return l
}

// Slice returns the part of q that belongs to a leg. It panics when q is
// shorter than Joints, like any slice expression.
func (r *Rig) Slice(q []float64, leg int) []float64 {
	l := &r.Legs[leg]
	return q[l.First : l.First+len(l.Joints)]
}

// Find returns the index of the leg with that name.
func (r *Rig) Find(name string) (int, bool) {
	for i := range r.Legs {
		if r.Legs[i].Name == name {
			return i, true
		}
	}
	return 0, false
}

// RestPose writes the neutral joint angles of the whole rig to dst and returns
// it; dst may be nil and is grown when too short.
func (r *Rig) RestPose(dst []float64) []float64 {
	dst = dst[:0]
	for i := range r.Legs {
		for j := range r.Legs[i].Joints {
			dst = append(dst, r.Legs[i].Joints[j].Rest)
		}
	}
	return dst
}
