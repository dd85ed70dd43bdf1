package calibrate

import (
	"fmt"
	"math"

	"legctl/drivers/servo"
	"legctl/rig"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/spatial/r3"
)

func newJac(jac []r3.Vec) *mat.Dense {
	a := mat.NewDense(3, len(jac), nil)
	for j, v := range jac {
		a.Set(0, j, v.X)
		a.Set(1, j, v.Y)
		a.Set(2, j, v.Z)
	}
	return a
}

// mirrored compares the horns of twin legs: both should sit within two teeth of
// a spline (25 teeth, 14.4 degrees each) of where the rig's file has them, and
// within two teeth of each other.
func mirrored(r *rig.Rig, nominal []servo.Servo, found []servo.Calibrated) []string {
	var out []string
	off := func(i int) float64 { return (found[i].Zero - nominal[i].Zero) / found[i].PerRad }
	const teeth = 2 * 14.4 * math.Pi / 180
	for i := range nominal {
		s := &nominal[i]
		twin := r.Groups.Partner[s.Leg]
		if twin <= s.Leg {
			continue
		}
		name := r.Legs[twin].Name + s.Name[min(len(s.Name), len(r.Legs[s.Leg].Name)):]
		for k := range nominal {
			if nominal[k].Name != name {
				continue
			}
			if d := math.Abs(off(i) - off(k)); d > teeth {
				out = append(out, fmt.Sprintf("%s and %s are mirror images, their horns differ by %.0f degrees (%.0f teeth): if one of the legs stands crooked, turn its horn",
					s.Name, name, d*180/math.Pi, d/(teeth/2)))
			}
		}
	}
	return out
}

// Ranges sets the limits of calibrated servos from the limits of their joints,
// and refuses a servo that cannot reach all of them: its horn has to be turned.
// least is the share of the joint's travel that must be left, 1 for all.
func Ranges(r *rig.Rig, c *servo.Config, found []servo.Calibrated, least float64) error {
	for i := range c.Servos {
		s, k := &c.Servos[i], &found[i]
		lo, hi := s.Offset, s.Offset
		l := &r.Legs[s.Leg]
		for _, t := range s.Terms {
			j := &l.Joints[t.Joint-l.First]
			a, b := t.Factor*j.Min, t.Factor*j.Max
			lo, hi = lo+min(a, b), hi+max(a, b)
		}
		from, to := k.Zero+k.PerRad*lo, k.Zero+k.PerRad*hi
		from, to = min(from, to), max(from, to)
		m, ok := servo.ModelOf(s.Model)
		if !ok {
			return fmt.Errorf("calibrate: %s: model %q is not known", s.Name, s.Model)
		}
		k.Min, k.Max = max(from, min(m.Min, s.Min)), min(to, max(m.Max, s.Max))
		if !(k.Max-k.Min >= least*(to-from)) || len(s.Terms) > 1 && !(k.Min < k.Max) {
			return fmt.Errorf("calibrate: %s: its joint asks for positions %.0f to %.0f, the servo has %.0f to %.0f: take the horn off, turn the servo to %.0f, put the horn back with the joint in the middle of its travel",
				s.Name, from, to, m.Min, m.Max, m.Center)
		}
	}
	return nil
}

// Sweep follows a joint that is moved by hand from stop to stop. The zero value
// has seen nothing.
type Sweep struct {
	Min, Max float64 // native, least and greatest seen
	n        int
	last     float64
	wrapped  bool
}

// Add takes a position. turn is the native units of a whole turn, 0 for servos
// that cannot turn that far.
func (s *Sweep) Add(native, turn float64) {
	if s.n == 0 {
		s.Min, s.Max = native, native
	} else if turn > 0 && math.Abs(native-s.last) > turn/2 {
		s.wrapped = true
	}
	s.Min, s.Max, s.last = min(s.Min, native), max(s.Max, native), native
	s.n++
}

// Range returns what was seen, or why it cannot be used: too little travel, or
// an encoder that jumps from its end to its beginning within it.
func (s *Sweep) Range(name string, least float64) (lo, hi float64, err error) {
	switch {
	case s.wrapped:
		return 0, 0, fmt.Errorf("calibrate: %s: the encoder wraps within the joint's travel: take the horn off, turn it by a half turn, sweep again", name)
	case s.n < 2 || s.Max-s.Min < least:
		return 0, 0, fmt.Errorf("calibrate: %s: moved by %.0f, want at least %.0f: move it from stop to stop", name, s.Max-s.Min, least)
	}
	return s.Min, s.Max, nil
}

// Homing brings an offset into what a Feetech servo can keep, -2047 to 2047, by
// whole turns of 4096: 2114 becomes -1982. What lies half a turn away is -2047,
// one step off.
func Homing(offset int) int {
	o := ((offset+2048)%4096+4096)%4096 - 2048
	return max(o, -2047)
}
