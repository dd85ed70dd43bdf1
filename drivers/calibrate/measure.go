package calibrate

import (
	"fmt"
	"math"

	"legctl/drivers/servo"
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r3"
)

// Measure is what was measured with one leg, and where its servos were.
type Measure struct {
	Name   string
	Leg    int
	Native []float64 // one entry for each servo of the config; only the leg's are looked at
	Foot   *r3.Vec   // B, metres; nil when no foot was measured
	Angles []Angle   // of joints of the leg that are known
	Sigma  float64   // how well it is known, metres or radians; 0: 2 mm, 1 degree
}

// Angle is a joint at a known angle.
type Angle struct {
	Joint int // index in q
	Value float64
}

// Default accuracies of a beginner's measurement.
const (
	footSigma  = 0.002
	angleSigma = math.Pi / 180
)

func (m *Measure) sigma(def float64) float64 {
	if m.Sigma > 0 {
		return m.Sigma
	}
	return def
}

// equations is how many numbers a measure says.
func (m *Measure) equations() int {
	n := len(m.Angles)
	if m.Foot != nil {
		n += 3
	}
	return n
}

// check refuses a measure that cannot be used.
func (m *Measure) check(r *rig.Rig, servos []servo.Servo) error {
	if m.Leg < 0 || m.Leg >= len(r.Legs) {
		return fmt.Errorf("calibrate: %s: leg %d, want 0 to %d", m.Name, m.Leg, len(r.Legs)-1)
	}
	if len(m.Native) != len(servos) {
		return fmt.Errorf("calibrate: %s: %d positions, want one for each of %d servos", m.Name, len(m.Native), len(servos))
	}
	for i := range servos {
		if v := m.Native[i]; servos[i].Leg == m.Leg && (v != v || math.IsInf(v, 0)) {
			return fmt.Errorf("calibrate: %s: no position of %s: read it again", m.Name, servos[i].Name)
		}
	}
	l := &r.Legs[m.Leg]
	for _, a := range m.Angles {
		if a.Joint < l.First || a.Joint >= l.First+len(l.Joints) || a.Value != a.Value {
			return fmt.Errorf("calibrate: %s: joint %d at %v rad, want a joint of %s at a finite angle", m.Name, a.Joint, a.Value, l.Name)
		}
	}
	if f := m.Foot; f != nil {
		reach := r3.Norm(r3.Sub(*f, l.Joints[0].Origin.P))
		if !(reach <= 1.05*l.Length+0.01) {
			hint := "measure again, x forward, y left, z up from the body's origin"
			if other := r3.Norm(r3.Sub(r3.Vec{X: f.X, Y: -f.Y, Z: f.Z}, l.Joints[0].Origin.P)); other <= l.Length {
				hint = "with the other sign of y it fits: left and right are mixed up"
			}
			return fmt.Errorf("calibrate: %s: the mark is %.0f mm from the hip of %s, its leg is %.0f mm long: %s", m.Name, reach*1e3, l.Name, l.Length*1e3, hint)
		}
	}
	return nil
}

// Marks proposes where to put the foot of a leg: n points, at most 6, on the
// plane of the neutral feet, lifted by lift metres, spread so that every joint
// shows. They lie within the leg's reach in its neutral bend.
func Marks(r *rig.Rig, leg, n int, lift float64) []r3.Vec {
	l := &r.Legs[leg]
	out := r3.Sub(l.Neutral, l.Joints[0].Origin.P)
	out.Z = 0
	d := 0.15 * l.Length
	if s := r3.Norm(out); s > 1e-9 {
		out = r3.Scale(d/s, out)
	} else {
		out = r3.Vec{Y: d}
	}
	side := r3.Vec{X: -out.Y, Y: out.X}
	steps := [][2]float64{{0, 0}, {1, 0}, {0, 1}, {-1, -0.5}, {0.5, -1}, {1, 1}}
	var marks []r3.Vec
	for _, s := range steps[:min(max(n, 1), len(steps))] {
		p := r3.Add(l.Neutral, r3.Add(r3.Scale(s[0], out), r3.Scale(s[1], side)))
		p.Z += lift
		marks = append(marks, p)
	}
	return marks
}
