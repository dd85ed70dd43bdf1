package clip

import (
	"fmt"
	"math"

	"legctl/geom"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// The sizes a clip may have.
const (
	MaxBones = 4096
	MaxKeys  = 8 << 20 // of all tracks of a clip
	MaxTime  = 1e5     // seconds
)

// largest bounds numbers so that their squares and products are finite.
const largest = 1e30

// Clip is a motion as its author made it. It is read only once made; clips of
// one file share their bones.
type Clip struct {
	Name   string
	Format string // what it was read from: gltf, bvh, a1, keys
	Bones  []Bone // parents before their children
	Tracks []Track
	Begin  float64 // time of the first key, seconds
	Length float64 // from the first key to the last, seconds; 0 for a single pose
	Rate   float64 // keys a second where they are even, else 0
	Keys   int     // of the track that has most

	Contacts []Contact // as declared; nil: to be found out
	Cycles   int       // as declared: the clip is a loop of so many; 0: to be found out
	Units    string    // of its lengths where they are not metres, else ""
}

// Bone is one joint of a skeleton.
type Bone struct {
	Name   string // as in the file; need not be unique
	Parent int    // index of an earlier bone, -1 = none
	Rest   Local  // where nothing moves it

	Skinned int    // vertices that hang on this bone more than on any other
	Low     r3.Vec // the lowest of them in the bone's frame; zero without any
}

// Local is the transform of a bone in its parent's frame: scale, then turn,
// then move. Turn is of unit length.
type Local struct {
	Move    r3.Vec
	Turn    quat.Number
	Stretch r3.Vec
}

// Still is the transform that does nothing.
func Still() Local {
	return Local{Turn: quat.Number{Real: 1}, Stretch: r3.Vec{X: 1, Y: 1, Z: 1}}
}

// Part is what of a bone a track moves.
type Part uint8

// Parts of a bone.
const (
	Move Part = iota
	Turn
	Stretch
)

// How says how to go from one key to the next.
type How uint8

// Ways between keys.
const (
	Linear How = iota // turns along the shorter arc
	Step              // the earlier key holds
	Cubic             // Hermite splines: a key is tangent in, value, tangent out
)

// Track is what happens to one part of one bone. Times ascend strictly,
// seconds. Vecs (Move, Stretch) or Turns has one entry a key, three when How
// is Cubic. Before the first key and after the last, these hold.
type Track struct {
	Bone  int
	Part  Part
	How   How
	Times []float64
	Vecs  []r3.Vec
	Turns []quat.Number
}

// Contact says when a foot is on the ground.
type Contact struct {
	Foot string       // name of a bone, or of a leg
	Down [][2]float64 // from, to, seconds; ascending
}

// End returns the time of the last key, seconds.
func (c *Clip) End() float64 { return c.Begin + c.Length }

// Find returns the index of the first bone with that name.
func (c *Clip) Find(name string) (int, bool) {
	for i := range c.Bones {
		if c.Bones[i].Name == name {
			return i, true
		}
	}
	return 0, false
}

// Validate says what is wrong with a clip, at the first fault: no bones, a
// parent that is not an earlier bone, tracks of bones that do not exist, times
// that do not ascend, numbers that are not finite, too much of anything. It
// also works out Begin, Length, Keys and Rate from the tracks.
func (c *Clip) Validate() error {
	if len(c.Bones) == 0 || len(c.Bones) > MaxBones {
		return fmt.Errorf("clip: %q has %d bones, want 1 to %d", c.Name, len(c.Bones), MaxBones)
	}
	for i := range c.Bones {
		if err := c.checkBone(i); err != nil {
			return err
		}
	}
	if c.Cycles < 0 {
		return fmt.Errorf("clip: %q declares %d cycles, want at least 1, or 0 to have them counted", c.Name, c.Cycles)
	}
	keys := 0
	for i := range c.Tracks {
		if err := c.checkTrack(&c.Tracks[i]); err != nil {
			return fmt.Errorf("clip: %q, track %d: %w", c.Name, i, err)
		}
		if keys += len(c.Tracks[i].Times); keys > MaxKeys {
			return fmt.Errorf("clip: %q has more than %d keys", c.Name, MaxKeys)
		}
	}
	c.measure()
	return nil
}

func (c *Clip) checkBone(i int) error {
	b := &c.Bones[i]
	if b.Parent < -1 || b.Parent >= i {
		return fmt.Errorf("clip: parent of bone %d (%q) is %d, want an earlier bone or -1", i, b.Name, b.Parent)
	}
	if n := quat.Abs(b.Rest.Turn); !bounded(b.Rest.Move) || !bounded(b.Rest.Stretch) || !(math.Abs(n-1) < 1e-6) {
		return fmt.Errorf("clip: rest of bone %d (%q) is %v, want finite numbers and a turn of length 1", i, b.Name, b.Rest)
	}
	return nil
}

func (c *Clip) checkTrack(t *Track) error {
	if t.Bone < 0 || t.Bone >= len(c.Bones) || t.Part > Stretch || t.How > Cubic {
		return fmt.Errorf("part %d of bone %d in way %d, want one that exists", t.Part, t.Bone, t.How)
	}
	if len(t.Times) == 0 {
		return fmt.Errorf("no keys for bone %q, want at least 1", c.Bones[t.Bone].Name)
	}
	for i, x := range t.Times {
		if !(math.Abs(x) <= MaxTime) || i > 0 && x <= t.Times[i-1] {
			return fmt.Errorf("key %d at %v s, want ascending times within %g s", i, x, MaxTime)
		}
	}
	want, got := len(t.Times), len(t.Vecs)
	if t.Part == Turn {
		got = len(t.Turns)
	}
	if t.How == Cubic {
		want *= 3
	}
	if got != want {
		return fmt.Errorf("%d values for %d keys, want %d", got, len(t.Times), want)
	}
	return t.checkValues()
}

func (t *Track) checkValues() error {
	for i, v := range t.Vecs {
		if !bounded(v) {
			return fmt.Errorf("value %d is %v, want finite numbers", i, v)
		}
	}
	for i, q := range t.Turns {
		n := q.Real*q.Real + q.Imag*q.Imag + q.Jmag*q.Jmag + q.Kmag*q.Kmag
		if key := t.How != Cubic || i%3 == 1; !(n < largest) || key && n < 1e-12 {
			return fmt.Errorf("turn %d is %v, want a finite rotation", i, q)
		}
	}
	return nil
}

// measure works out how long the clip is and how even its keys are.
func (c *Clip) measure() {
	c.Begin, c.Length, c.Keys, c.Rate = 0, 0, 0, 0
	last, most := 0.0, -1
	for i := range c.Tracks {
		t := c.Tracks[i].Times
		if i == 0 || t[0] < c.Begin {
			c.Begin = t[0]
		}
		if i == 0 || t[len(t)-1] > last {
			last = t[len(t)-1]
		}
		if len(t) > c.Keys {
			c.Keys, most = len(t), i
		}
	}
	c.Length = last - c.Begin
	if c.Keys < 2 {
		return
	}
	t := c.Tracks[most].Times
	step := (t[len(t)-1] - t[0]) / float64(len(t)-1)
	for i := range t {
		if math.Abs(t[i]-t[0]-float64(i)*step) > 0.01*step {
			return
		}
	}
	c.Rate = 1 / step
}

func bounded(v r3.Vec) bool { return geom.FiniteVec(v) && r3.Norm2(v) < largest }
