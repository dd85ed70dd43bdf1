package space

import (
	"fmt"
	"math"

	"legctl/blend"
)

// The sizes a space may have.
const (
	MaxMotions = 8
	MaxClips   = 16 // of a motion space
	live       = 2 * MaxMotions
)

// Space is a behavioural motion space: one or several motion spaces, such as
// walk and run, registered with each other. It is read only once made; Build
// makes it and Decode reads it. All blending happens over one generic phase, in
// [0, 1), that of the reference clip of motion Ref.
type Space struct {
	Name    string
	Legs    []string // names, in the order of the feet
	Length  float64  // of the longest leg, metres
	Body    float64  // length of the body: of its feet's rows, metres
	Motions []Motion
	Ref     int
	Advance blend.Advance // whose time passes: the heaviest motion's, or the mean
	Rate    float64       // how fast weights and blend values move, units a second
	Notes   []string      // what an operator should know

	c *compiled
}

// Motion is a motion space: clips of one gait that differ in how they turn,
// the hardest right turn first.
type Motion struct {
	Name   string
	Clips  []Clip
	Ref    int    // the reference clip: the straightest
	Group  int    // motions of different groups are never blended, but switched
	Link   Link   // how it is registered with the space's reference
	Cross  Warp   // generic phase to the phase of the reference clip
	Goals  *Goals // where its blends lead
	Radius float64
}

// Clip is a loop of a motion space and where it lies in it.
type Clip struct {
	Loop  *Loop
	Value float64 // blend value, 0 hardest right to 1 hardest left
	Curve Warp    // phase of the reference clip to its own
	// Direct is generic phase to the clip's own where it was registered with a
	// clip of the space's reference that turns like it; empty: Curve after the
	// motion's Cross.
	Direct Warp
}

// Link says how a motion is brought into step with the space.
type Link uint8

// Ways to bring two gaits into step.
const (
	ByCurve Link = iota // one monotone curve: the same order of footfalls
	ByLegs              // each leg by its own key times: another order
	ByFade              // not at all: a switch with inertia
)

// String returns the name of the link.
func (l Link) String() string {
	switch l {
	case ByCurve:
		return "curve"
	case ByLegs:
		return "legs"
	case ByFade:
		return "fade"
	}
	return "unknown"
}

// Feet returns the number of feet.
func (s *Space) Feet() int { return len(s.Legs) }

// Find returns the index of a motion by name.
func (s *Space) Find(name string) (int, bool) {
	for i := range s.Motions {
		if s.Motions[i].Name == name {
			return i, true
		}
	}
	return 0, false
}

// Straight returns the blend value of a motion that goes straightest.
func (m *Motion) Straight() float64 { return m.Clips[m.Ref].Value }

// Validate says what is wrong with a space, at the first fault, and makes it
// ready to play. What it accepts, a tick need not check again.
func (s *Space) Validate() error {
	if n := len(s.Motions); n < 1 || n > MaxMotions || s.Ref < 0 || s.Ref >= n {
		return fmt.Errorf("space: %q has %d motions, reference %d, want 1 to %d and one of them", s.Name, n, s.Ref, MaxMotions)
	}
	if len(s.Legs) == 0 || len(s.Legs) > MaxFeet || !(s.Length > 0 && s.Length < 1e3) || !(s.Body >= 0 && s.Body < 1e3) || !(s.Rate > 0 && s.Rate < 1e3) || s.Advance > blend.Dominant {
		return fmt.Errorf("space: %q has %d legs of %v m, body %v m, rate %v/s, want 1 to %d legs and all above 0", s.Name, len(s.Legs), s.Length, s.Body, s.Rate, MaxFeet)
	}
	first := s.Motions[0].firstLoop()
	for i := range s.Motions {
		m := &s.Motions[i]
		if err := m.check(s, first); err != nil {
			return fmt.Errorf("space: motion %q: %w", m.Name, err)
		}
	}
	s.c = compile(s)
	return nil
}

func (m *Motion) firstLoop() *Loop {
	if len(m.Clips) == 0 {
		return nil
	}
	return m.Clips[0].Loop
}

func (m *Motion) check(s *Space, first *Loop) error {
	if n := len(m.Clips); n < 1 || n > MaxClips || m.Ref < 0 || m.Ref >= n || m.Link > ByFade || m.Group < 0 || m.Group >= MaxMotions || !(m.Radius >= 0) {
		return fmt.Errorf("%d clips, reference %d, link %d, group %d, radius %v, want 1 to %d clips and one of them", n, m.Ref, m.Link, m.Group, m.Radius, MaxClips)
	}
	if err := m.Cross.Check(); err != nil {
		return err
	}
	for i := range m.Clips {
		c := &m.Clips[i]
		if c.Loop == nil {
			return fmt.Errorf("clip %d has no loop", i)
		}
		if err := c.Loop.Validate(); err != nil {
			return err
		}
		if err := sameFeet(first, c.Loop); err != nil {
			return err
		}
		if c.Loop.Feet() != len(s.Legs) {
			return fmt.Errorf("clip %q has %d feet, the space %d legs", c.Loop.Name, c.Loop.Feet(), len(s.Legs))
		}
		for _, w := range []*Warp{&c.Curve, &c.Direct} {
			if err := w.Check(); err != nil {
				return err
			}
		}
		if !(c.Value >= 0 && c.Value <= 1) || i > 0 && c.Value <= m.Clips[i-1].Value {
			return fmt.Errorf("clip %q at blend value %v, want ascending values from 0 to 1", c.Loop.Name, c.Value)
		}
	}
	if m.Goals != nil {
		return m.Goals.Check()
	}
	return nil
}

// curveOf returns the curve from generic phase to the phase of a clip.
func (s *Space) curveOf(motion, clip int) Warp {
	m := &s.Motions[motion]
	if d := m.Clips[clip].Direct; len(d.X) > 0 {
		return d
	}
	return m.Cross.Then(m.Clips[clip].Curve)
}

// bracket returns the clips about a blend value and the share of the second.
func (m *Motion) bracket(value float64) (a, b int, share float64) {
	n := len(m.Clips)
	if n == 1 || !(value > m.Clips[0].Value) {
		return 0, 0, 0
	}
	if value >= m.Clips[n-1].Value {
		return n - 1, n - 1, 0
	}
	k := 1
	for value > m.Clips[k].Value {
		k++
	}
	lo, hi := m.Clips[k-1].Value, m.Clips[k].Value
	return k - 1, k, (value - lo) / (hi - lo)
}

// weightOf returns w or 0 where it is too small to matter.
func weightOf(w float64) float64 {
	if w < 1e-9 || math.IsNaN(w) {
		return 0
	}
	return w
}

// PhaseOf returns the phase of a clip at a generic phase of any pass, not
// wrapped. It panics, as a slice does, on a clip that does not exist.
func (s *Space) PhaseOf(motion, clip int, u float64) float64 {
	w := s.curveOf(motion, clip)
	return w.At(u)
}
