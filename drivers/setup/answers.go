package setup

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"legctl/drivers/calibrate"
	"legctl/drivers/servo"
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r3"
)

// FromAnswers calibrates from what was written down. Positions that were not
// are read from the robot by m, which may be nil when all are there. Nothing
// moves.
func FromAnswers(r *rig.Rig, c *servo.Config, a *servo.Answers, m *Mover) (*calibrate.Result, error) {
	if a.Rig != r.Name {
		return nil, fmt.Errorf("setup: the answers are about rig %s, this is %s", a.Rig, r.Name)
	}
	signs := make([]int8, len(c.Servos))
	var errs []error
	for name, way := range a.Moved {
		i := c.Index(name)
		if i < 0 {
			errs = append(errs, fmt.Errorf("setup: %q is no servo of rig %s", name, r.Name))
			continue
		}
		var err error
		signs[i], err = sign(r, &c.Servos[i], way)
		errs = append(errs, err)
	}
	var ms []calibrate.Measure
	count := map[string]int{}
	for _, t := range a.Touched {
		count[t.Leg]++
		x := calibrate.Measure{Name: fmt.Sprintf("%s on mark %d", t.Leg, count[t.Leg]), Foot: &r3.Vec{X: t.Foot[0], Y: t.Foot[1], Z: t.Foot[2]}, Sigma: t.Sigma}
		errs = append(errs, place(r, c, &x, t.Leg, t.Native, m))
		ms = append(ms, x)
	}
	for k, p := range a.Posed {
		x := calibrate.Measure{Name: fmt.Sprintf("pose %d of %s", k+1, p.Leg), Sigma: p.Sigma}
		errs = append(errs, place(r, c, &x, p.Leg, p.Native, m), angles(r, &x, p.Angles))
		ms = append(ms, x)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return Finish(r, c, ms, signs)
}

// place fills in the leg of a measure and where its servos were.
func place(r *rig.Rig, c *servo.Config, x *calibrate.Measure, leg string, at map[string]float64, m *Mover) error {
	n, ok := r.Find(leg)
	if !ok {
		return fmt.Errorf("setup: %q is no leg of rig %s", leg, r.Name)
	}
	x.Leg = n
	if len(at) == 0 {
		if m == nil {
			return fmt.Errorf("setup: %s: no positions written down, and no robot to read them from", x.Name)
		}
		var err error
		x.Native, err = m.Positions(n)
		return err
	}
	x.Native = make([]float64, len(c.Servos))
	for i := range x.Native {
		x.Native[i] = math.NaN()
	}
	for name, v := range at {
		i := c.Index(name)
		if i < 0 {
			return fmt.Errorf("setup: %s: %q is no servo of rig %s", x.Name, name, r.Name)
		}
		x.Native[i] = v
	}
	return nil
}

// angles fills in the joints of a pose, in the order of the leg.
func angles(r *rig.Rig, x *calibrate.Measure, given map[string]float64) error {
	l := &r.Legs[x.Leg]
	for name, v := range given {
		j := slices.IndexFunc(l.Joints, func(k rig.Joint) bool { return k.Name == name })
		if j < 0 {
			return fmt.Errorf("setup: %s: %q is no joint of leg %s", x.Name, name, l.Name)
		}
		x.Angles = append(x.Angles, calibrate.Angle{Joint: l.First + j, Value: v})
	}
	slices.SortFunc(x.Angles, func(a, b calibrate.Angle) int { return a.Joint - b.Joint })
	return nil
}

// Calibration puts a result and the identities of the servos into what is
// stored.
func Calibration(r *rig.Rig, c *servo.Config, got *calibrate.Result, who []servo.Identity, date string) *servo.Calibration {
	k := &servo.Calibration{Rig: r.Name, Protocol: c.Protocol, Date: date, OscHz: slices.Clone(c.Pulses.OscHz), Servos: slices.Clone(got.Servos)}
	for i := range k.Servos {
		for _, w := range who {
			if w.ID == k.Servos[i].ID {
				k.Servos[i].Number, k.Servos[i].Firmware = w.Number, w.Firmware
			}
		}
	}
	return k
}
