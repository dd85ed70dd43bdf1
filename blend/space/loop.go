package space

import (
	"fmt"
	"math"

	"legctl/blend"
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r3"
)

// The sizes a loop may have.
const (
	MaxFrames = 8192
	MaxFeet   = rig.MaxLegs
	MaxCycles = 16
)

// Loop is a rig's clip: one or several cycles of steps that repeat. Plain
// data, read only once made; Validate says what it has to be.
type Loop struct {
	Name   string
	Period float64 // seconds of one pass
	Cycles int     // steps every foot takes in a pass
	// Frames are at even phases from 0 to 1. The last repeats the pose of the
	// first and is only an end to interpolate to. Root holds what the root did
	// since the frame before; Feet and Body are in the root's frame.
	Frames   []blend.Pose
	Stances  [][]Stance // of each foot: Cycles of them, in the order of the pass
	Class    rig.Class
	Playback bool // flight slower than gravity allows: to look at only
}

// Stance is a stretch in which a foot stands: from phase Touch, in [0, 1), for
// a share Duty of the pass, in (0, 1].
type Stance struct {
	Touch, Duty float64
}

// Mid returns the phase in the middle of the stance, in [0, 1).
func (s Stance) Mid() float64 { return wrap01(s.Touch + s.Duty/2) }

// Lift returns the phase at which the foot lifts off, in [0, 1).
func (s Stance) Lift() float64 { return wrap01(s.Touch + s.Duty) }

// wrap01 returns the part of a phase within its pass.
func wrap01(phase float64) float64 {
	f := phase - math.Floor(phase)
	if f >= 1 { // a tiny negative phase
		return 0
	}
	return f
}

// wrapHalf returns a difference of phases the short way, in [-1/2, 1/2).
func wrapHalf(d float64) float64 { return wrap01(d+0.5) - 0.5 }

// Intervals returns the number of frames of a pass.
func (l *Loop) Intervals() int { return len(l.Frames) - 1 }

// Feet returns the number of feet.
func (l *Loop) Feet() int { return len(l.Stances) }

// Step returns what the root does in one pass.
func (l *Loop) Step() blend.RootMotion {
	var sum blend.RootMotion
	for k := 1; k < len(l.Frames); k++ {
		sum = sum.Then(l.Frames[k].Root)
	}
	return sum
}

// Speed returns the mean speed of the root along its path, m/s.
func (l *Loop) Speed() float64 {
	sum := 0.0
	for k := 1; k < len(l.Frames); k++ {
		sum += math.Sqrt(r3.Norm2(l.Frames[k].Root.Move))
	}
	return sum / l.Period
}

// Turn returns the mean yaw rate, rad/s.
func (l *Loop) Turn() float64 { return l.Step().Yaw / l.Period }

// Radius returns the radius of the circle the root runs on, metres; infinite
// on a straight line.
func (l *Loop) Radius() float64 {
	if w := math.Abs(l.Turn()); w > 1e-9 {
		return l.Speed() / w
	}
	return math.Inf(1)
}

// Flight returns the share of a pass in which no foot stands.
func (l *Loop) Flight() float64 {
	n, up := l.Intervals(), 0
	for k := range n {
		down := false
		for f := range l.Stances {
			down = down || l.Down(f, (float64(k)+0.5)/float64(n))
		}
		if !down {
			up++
		}
	}
	return float64(up) / float64(n)
}

// Down reports whether a foot stands at a phase.
func (l *Loop) Down(foot int, phase float64) bool {
	for _, s := range l.Stances[foot] {
		if wrap01(phase-s.Touch) < s.Duty {
			return true
		}
	}
	return false
}

// Validate says what is wrong with a loop, at the first fault.
func (l *Loop) Validate() error {
	if n := len(l.Frames); n < 3 || n > MaxFrames+1 || !(l.Period > 0 && l.Period < 1e6) {
		return fmt.Errorf("space: loop %q of %d frames in %v s, want 3 to %d and a time > 0", l.Name, n, l.Period, MaxFrames+1)
	}
	if l.Cycles < 1 || l.Cycles > MaxCycles || l.Class > rig.Ballistic {
		return fmt.Errorf("space: loop %q of %d cycles, class %d, want 1 to %d and a class that exists", l.Name, l.Cycles, l.Class, MaxCycles)
	}
	shape := l.Frames[0].Shape()
	if len(l.Stances) == 0 || len(l.Stances) > MaxFeet || shape.Feet != len(l.Stances) {
		return fmt.Errorf("space: loop %q has %d feet with stances of %d, want 1 to %d and as many", l.Name, shape.Feet, len(l.Stances), MaxFeet)
	}
	if _, err := blend.NewCycle(l.Frames, l.Period); err != nil {
		return fmt.Errorf("space: loop %q: %w", l.Name, err)
	}
	for k := range l.Frames {
		if m := l.Frames[k].Root; !(r3.Norm2(m.Move) < 1e6) || !(math.Abs(m.Yaw) < math.Pi) {
			return fmt.Errorf("space: loop %q: the root moves %v in frame %d, want less than 1 km and half a turn", l.Name, m, k)
		}
	}
	for f, stances := range l.Stances {
		if err := checkStances(stances, l.Cycles); err != nil {
			return fmt.Errorf("space: loop %q, foot %d: %w", l.Name, f, err)
		}
	}
	return nil
}

func checkStances(s []Stance, cycles int) error {
	if len(s) != cycles {
		return fmt.Errorf("%d stances, want %d, one a cycle", len(s), cycles)
	}
	sum := 0.0
	for i, x := range s {
		if !(x.Touch >= 0 && x.Touch < 1) || !(x.Duty > 0 && x.Duty <= 1) {
			return fmt.Errorf("stance %d from phase %v for %v of the pass, want [0, 1) and (0, 1]", i, x.Touch, x.Duty)
		}
		next := s[(i+1)%len(s)].Touch
		if gap := wrap01(next - x.Touch); len(s) > 1 && gap < x.Duty-1e-9 {
			return fmt.Errorf("stance %d from phase %v for %v reaches into the next at %v", i, x.Touch, x.Duty, next)
		}
		sum += x.Duty
	}
	if sum > 1+1e-9 {
		return fmt.Errorf("stands for %v of a pass, want at most 1", sum)
	}
	return nil
}

// sameFeet says whether two loops can be blended.
func sameFeet(a, b *Loop) error {
	if s, t := a.Frames[0].Shape(), b.Frames[0].Shape(); s != t {
		return fmt.Errorf("space: %q has %d feet, %d joints, %d angles, %q has %d, %d, %d: want one skeleton", a.Name, s.Feet, s.Joints, s.Angles, b.Name, t.Feet, t.Joints, t.Angles)
	}
	if a.Cycles != b.Cycles {
		return fmt.Errorf("space: %q has %d cycles and %q %d: want the same number of steps", a.Name, a.Cycles, b.Name, b.Cycles)
	}
	return nil
}

// Cloud returns the feet of a loop as points, with their contacts.
func (l *Loop) Cloud() *Cloud {
	c := &Cloud{}
	for range l.Stances {
		c.Weights = append(c.Weights, 1)
	}
	n := l.Intervals()
	for k := range n {
		c.Points = append(c.Points, l.Frames[k].Feet)
		row := make([]bool, l.Feet())
		for f := range row {
			row[f] = l.Down(f, (float64(k)+0.5)/float64(n))
		}
		c.Ground = append(c.Ground, row)
	}
	return c
}
