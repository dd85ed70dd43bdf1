package space

import (
	"legctl/blend"
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/gonum/spatial/r3"
)

// State is where a space is in its playing. Plain data: Copy copies it, Fields
// names it for a record. Make one with NewState.
type State struct {
	Phase   float64             // generic, [0, 1)
	Pace    float64             // passes a second, as played
	Weights [MaxMotions]float64 // of the motions now; the sum is 1
	Target  [MaxMotions]float64 // of the motions, to be reached at the space's rate
	Blend   [MaxMotions]float64 // blend value of each motion now
	Final   [MaxMotions]float64 // to be reached at the space's rate
	Lead    int16               // the dominant motion
	Group   int16               // the group that plays
	Place   blend.Place         // of the root, in the world
	Down    uint64              // bit set of feet that stand
	Touched uint64              // feet that came down in the last step
	Lifted  uint64              // feet that went up in the last step
	Steer   Steering
	Feet    []FootState
}

// FootState is what is remembered of one foot.
type FootState struct {
	Lock  blend.FootLock
	Ease  blend.Ease // what is left of a switch of groups
	Shown r3.Vec     // in the last step, in the root's frame
	Pace  r3.Vec     // m/s
	Mid   float64    // phase of the middle of its stance, as played
	Duty  float64    // share of the pass it stands, as played
	Known bool
}

// Steering is what is remembered of the way to a goal.
type Steering struct {
	Side  int8    // the turn a goal behind is turned to: -1 right, 1 left, 0 none yet
	Away  bool    // going straight on, away from a goal that is too near to turn to
	Since float64 // seconds since the last plan
	Slice int16   // the heel strike planned from
}

// NewState returns a state of a validated space at phase 0, at the origin, with
// all weight on its reference motion, going straight.
func NewState(s *Space) *State {
	st := &State{Feet: make([]FootState, s.Feet())}
	st.Weights[s.Ref], st.Target[s.Ref] = 1, 1
	for i := range s.Motions {
		st.Blend[i] = s.Motions[i].Straight()
		st.Final[i] = st.Blend[i]
	}
	st.Lead, st.Group = int16(s.Ref), int16(s.Motions[s.Ref].Group) //nolint:gosec // at most MaxMotions
	return st
}

// Copy makes dst equal to src, a state of the same space; dst keeps its slice.
func Copy(dst, src *State) {
	feet := dst.Feet
	*dst = *src
	dst.Feet = feet
	copy(dst.Feet, src.Feet)
}

// Fields names the fields of a state for a Coder.
func (s *State) Fields(c *rig.Coder) {
	c.F64("phase", &s.Phase)
	c.F64("pace", &s.Pace)
	c.Floats("weights", s.Weights[:])
	c.Floats("target", s.Target[:])
	c.Floats("blend", s.Blend[:])
	c.Floats("final", s.Final[:])
	c.I16("lead", &s.Lead)
	c.I16("group", &s.Group)
	c.Open("place")
	c.Vec("at", &s.Place.At)
	c.F64("yaw", &s.Place.Yaw)
	c.Close()
	c.U64("down", &s.Down)
	c.U64("touched", &s.Touched)
	c.U64("lifted", &s.Lifted)
	c.Open("steer")
	side := uint8(s.Steer.Side) //nolint:gosec // the same bits
	c.U8("side", &side)
	s.Steer.Side = int8(side) //nolint:gosec // the same bits
	c.Bool("away", &s.Steer.Away)
	c.F64("since", &s.Steer.Since)
	c.I16("slice", &s.Steer.Slice)
	c.Close()
	c.List("feet", len(s.Feet))
	for i := range s.Feet {
		if !c.At(i) {
			break
		}
		f := &s.Feet[i]
		c.Open("lock")
		f.Lock.Fields(c)
		c.Close()
		c.Open("ease")
		f.Ease.Fields(c)
		c.Close()
		c.Vec("shown", &f.Shown)
		c.Vec("pace", &f.Pace)
		c.F64("mid", &f.Mid)
		c.F64("duty", &f.Duty)
		c.Bool("known", &f.Known)
	}
	c.End()
}

// Want sets the weights to be reached, over their sum; negative ones count as
// 0. All zero, or a number that is not finite, changes nothing and is false.
func (s *State) Want(weights []float64) bool {
	sum := 0.0
	for i, w := range weights {
		if i >= MaxMotions || !(w-w == 0) {
			return false
		}
		sum += max(w, 0)
	}
	if !(sum > 0 && sum < largest) {
		return false
	}
	s.Target = [MaxMotions]float64{}
	for i, w := range weights {
		s.Target[i] = max(w, 0) / sum
	}
	return true
}

// InRoot returns a point of the world's ground as seen from the root.
func (s *State) InRoot(p r2.Vec) r2.Vec {
	sin, cos := sincos(s.Place.Yaw)
	d := r2.Vec{X: p.X - s.Place.At.X, Y: p.Y - s.Place.At.Y}
	return r2.Vec{X: cos*d.X + sin*d.Y, Y: -sin*d.X + cos*d.Y}
}

// AppendBinary appends the state to dst: little-endian, behind its layout hash.
// The error is always nil.
func (s *State) AppendBinary(dst []byte) ([]byte, error) {
	var c rig.Coder
	s.Fields(&c)
	c.Write(dst)
	s.Fields(&c)
	return c.Bytes(), nil
}

// UnmarshalBinary reads what AppendBinary wrote, into a state of the same
// space. Other bytes are refused; after an error s holds a mix.
func (s *State) UnmarshalBinary(b []byte) error {
	var c rig.Coder
	s.Fields(&c)
	if c.Read(b) {
		s.Fields(&c)
	}
	return c.Err("space: state")
}
