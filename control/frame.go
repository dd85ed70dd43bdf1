package control

import (
	"legctl/blend/space"
	"legctl/gait"
	"legctl/geom"
	"legctl/rig"
)

// Frame is one tick as it is recorded and sent on: what went in and what came
// out. With the state before it, a frame can be computed again.
type Frame struct {
	Cmd Command         // the order of this tick; Kind None: nothing
	Obs rig.Observation // as Step saw it
	Out Output
}

// Tag says what the bytes of a record in a ring or a file are.
type Tag uint8

// The tags. Zero is not one, so that a zeroed record is noticed.
const (
	TagFrame  Tag = 1 + iota // a Frame; ticks count from 0
	TagState                 // the State before the tick; of tick 0: how all began
	TagEvent                 // a world event, between TagState and TagFrame of its tick
	TagGap                   // records were lost here: how many, as a little-endian uint64
	TagEnd                   // no more records: the count of those before, as a uint64
	TagParams                // new Params from this tick on, as JSON in pieces: the first byte of each is 1 for the last, else 0
	Tags
)

// NewStates returns n states for a rig, limp, at its rest pose, their slices
// cut from one block each for legs and for joints.
func NewStates(r *rig.Rig, n int) []State {
	nl, nq := len(r.Legs), r.Joints()
	states := make([]State, n)
	legs, feet, q := make([]gait.LegState, n*nl), make([]FootSense, n*nl), make([]float64, n*nq)
	play := make([]space.FootState, n*nl)
	for i := range states {
		s := &states[i]
		s.PoseWB = geom.Identity()
		s.Legs, s.Feet, s.Q, s.Drive.Play.Feet = cut(legs, i, nl), cut(feet, i, nl), cut(q, i, nq), cut(play, i, nl)
		r.RestPose(s.Q)
	}
	return states
}

// NewOutputs returns n outputs for a rig, limp, at its rest pose, their slices
// cut from one block each for legs and for joints.
func NewOutputs(r *rig.Rig, n int) []Output {
	nl, nq := len(r.Legs), r.Joints()
	outs := make([]Output, n)
	legs, q := make([]LegOut, n*nl), make([]float64, n*nq)
	for i := range outs {
		o := &outs[i]
		o.PoseWB, o.BindLeg = geom.Identity(), -1
		o.Legs, o.Set.Q, o.Set.Limp = cut(legs, i, nl), cut(q, i, nq), true
		r.RestPose(o.Set.Q)
	}
	return outs
}

// cut returns piece i of n elements, which cannot grow into the next.
func cut[T any](block []T, i, n int) []T { return block[i*n : (i+1)*n : (i+1)*n] }

// Copy makes dst equal to src. Both must be made for the same rig; dst keeps
// its own slices.
func Copy(dst, src *State) {
	legs, feet, q, play := dst.Legs, dst.Feet, dst.Q, dst.Drive.Play.Feet
	copy(play, src.Drive.Play.Feet)
	copy(legs, src.Legs)
	copy(feet, src.Feet)
	copy(q, src.Q)
	*dst = *src
	dst.Legs, dst.Feet, dst.Q, dst.Drive.Play.Feet = legs, feet, q, play
}

// NewFrame returns an empty frame with room for the rig.
func NewFrame(r *rig.Rig) *Frame {
	return &Frame{Obs: *rig.NewObservation(r), Out: NewOutputs(r, 1)[0]}
}

// Fields names the fields of a frame for a rig.Coder.
func (f *Frame) Fields(c *rig.Coder) {
	c.Open("cmd")
	f.Cmd.Fields(c)
	c.Close()
	c.Open("obs")
	f.Obs.Fields(c)
	c.Close()
	c.Open("out")
	f.Out.Fields(c)
	c.Close()
}

// AppendBinary appends the frame to dst: little-endian, behind its layout
// hash. The error is always nil.
func (f *Frame) AppendBinary(dst []byte) ([]byte, error) {
	var c rig.Coder
	f.Fields(&c)
	c.Write(dst)
	f.Fields(&c)
	return c.Bytes(), nil
}

// UnmarshalBinary reads what AppendBinary wrote, into a frame made for the same
// rig (NewFrame). Other bytes are refused; after an error f holds a mix.
func (f *Frame) UnmarshalBinary(b []byte) error {
	var c rig.Coder
	f.Fields(&c)
	if c.Read(b) {
		f.Fields(&c)
	}
	return c.Err("control: frame")
}
