package setup

import (
	"context"
	"errors"
	"fmt"
	"math"

	"legctl/drivers/calibrate"
	"legctl/drivers/servo"
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r3"
)

// Dialog asks the operator. An error, such as one for Ctrl-C, ends a session.
type Dialog interface {
	// Say shows something.
	Say(text string)
	// Choose asks for one of some options and returns its index.
	Choose(question string, options ...string) (int, error)
}

// Session calibrates one robot. It belongs to one goroutine.
type Session struct {
	Rig    *rig.Rig
	Config *servo.Config
	Mover  *Mover
	Dialog Dialog
	Marks  int     // of each leg; 0: 4
	Lift   float64 // height of the marks over the plane of the neutral feet, metres
}

// Directions returns in words which way the foot of a servo's leg moves when the
// servo's position grows, if it is built in as the config says, and the opposite.
// They are seen at the rest pose: outward and inward from the hip, up and down,
// else forward and back, or left and right, of the body.
func Directions(r *rig.Rig, s *servo.Servo) (plus, minus string) {
	l := &r.Legs[s.Leg]
	q := r.RestPose(nil)[l.First : l.First+len(l.Joints)]
	jac := make([]r3.Vec, len(l.Joints))
	rig.Jacobian(jac, l, q)
	rig.FoldMimic(jac, l)
	first := s.Terms[0]
	for _, t := range s.Terms {
		if l.Joints[t.Joint-l.First].Name == s.Name {
			first = t
		}
	}
	d := r3.Scale(1/(first.Factor*s.PerRad), jac[first.Joint-l.First])
	out := r3.Sub(rig.LegFoot(l, q), l.Joints[0].Origin.P)
	out.Z = 0
	if n := r3.Norm(out); n > 1e-9 {
		out = r3.Scale(1/n, out)
	}
	radial, round := r3.Dot(d, out), r3.Dot(d, r3.Vec{X: -out.Y, Y: out.X})
	a := [3]float64{math.Abs(radial), math.Abs(round), math.Abs(d.Z)}
	switch {
	case a[0] >= a[1] && a[0] >= a[2]:
		return pick(radial, "outward", "inward")
	case a[2] >= a[1]:
		return pick(d.Z, "up", "down")
	case math.Abs(d.X) >= 0.5*math.Abs(d.Y):
		return pick(d.X, "forward", "back")
	}
	return pick(d.Y, "left", "right")
}

// pick orders two words by a sign.
func pick(v float64, plus, minus string) (string, string) {
	if v < 0 {
		return minus, plus
	}
	return plus, minus
}

// sign turns an answer into the direction of a servo.
func sign(r *rig.Rig, s *servo.Servo, answer string) (int8, error) {
	plus, minus := Directions(r, s)
	switch answer {
	case plus:
		return 1, nil
	case minus:
		return -1, nil
	}
	return 0, fmt.Errorf("setup: %s moved %q, want %s or %s", s.Name, answer, plus, minus)
}

// Run asks everything and returns the calibration. Whatever happens, it ends
// with torque off.
func (s *Session) Run(ctx context.Context) (_ *calibrate.Result, err error) {
	defer func() { err = errors.Join(err, s.Mover.Off()) }()
	s.Mover.Wide = true
	signs, err := s.directions(ctx)
	if err != nil {
		return nil, err
	}
	var ms []calibrate.Measure
	for leg := range s.Rig.Legs {
		some, err := s.touches(ctx, leg)
		if err != nil {
			return nil, err
		}
		ms = append(ms, some...)
	}
	return Finish(s.Rig, s.Config, ms, signs)
}

// directions nudges each servo and asks which way the foot moved.
func (s *Session) directions(ctx context.Context) ([]int8, error) {
	signs := make([]int8, len(s.Config.Servos))
	for i := range signs {
		v := &s.Config.Servos[i]
		plus, minus := Directions(s.Rig, v)
		for signs[i] == 0 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			n, err := s.Dialog.Choose(fmt.Sprintf("%s (id %d) will move by %g degrees and back, slowly. Hands off. Ready?", v.Name, v.ID, MostDegrees), "move it", "skip: I know it is right", "stop")
			if err != nil || n == 2 {
				return nil, errors.Join(err, stopped(n == 2))
			}
			if n == 1 {
				signs[i] = 1
				break
			}
			if err := s.Mover.Nudge(ctx, i); err != nil {
				return nil, err
			}
			n, err = s.Dialog.Choose(fmt.Sprintf("Which way did the foot of %s move first?", s.Rig.Legs[v.Leg].Name), plus, minus, "I did not see it", "another leg or joint moved")
			if err != nil {
				return nil, err
			}
			if n == 3 {
				return nil, fmt.Errorf("setup: id %d does not move %s: the ids of the servos or the channels in the rig's file are mixed up", v.ID, v.Name)
			}
			signs[i] = [...]int8{1, -1, 0}[n]
		}
	}
	return signs, nil
}

// ErrStopped is in the error of a session the operator ended.
var ErrStopped = errors.New("stopped by the operator")

func stopped(yes bool) error {
	if yes {
		return fmt.Errorf("setup: %w; torque is off, nothing was stored", ErrStopped)
	}
	return nil
}

// touches lets the operator put a foot on marks, by hand where servos tell where
// they are, else by small steps.
func (s *Session) touches(ctx context.Context, leg int) ([]calibrate.Measure, error) {
	n := s.Marks
	if n == 0 {
		n = 4
	}
	l := &s.Rig.Legs[leg]
	feedback := s.Mover.Driver.Caps().Feedback
	if !feedback {
		if err := s.Mover.HoldLeg(leg); err != nil {
			return nil, err
		}
	}
	var ms []calibrate.Measure
	for k, p := range calibrate.Marks(s.Rig, leg, n, s.Lift) {
		q := fmt.Sprintf("Put the foot of %s on mark %d: x %.0f, y %.0f, z %.0f mm from the body's origin (x forward, y left, z up).", l.Name, k+1, p.X*1e3, p.Y*1e3, p.Z*1e3)
		m := calibrate.Measure{Name: fmt.Sprintf("%s on mark %d", l.Name, k+1), Leg: leg, Foot: &p}
		var err error
		if feedback {
			err = s.byHand(ctx, q)
		} else {
			err = s.bySteps(ctx, leg, q)
		}
		if err == nil {
			m.Native, err = s.Mover.Positions(leg)
		}
		if err != nil {
			return nil, err
		}
		ms = append(ms, m)
	}
	if !feedback {
		return ms, s.Mover.Off()
	}
	return ms, nil
}

// byHand waits until the operator has moved the limp leg.
func (s *Session) byHand(ctx context.Context, q string) error {
	if err := errors.Join(ctx.Err(), s.Mover.Off()); err != nil {
		return err
	}
	n, err := s.Dialog.Choose(q+" The leg is limp.", "it is there", "stop")
	return errors.Join(err, stopped(err == nil && n == 1))
}

// bySteps moves the leg's servos as the operator asks, at most MostDegrees at a
// time.
func (s *Session) bySteps(ctx context.Context, leg int, q string) error {
	options := []string{"it is there", "stop"}
	type step struct {
		servo   int
		degrees float64
	}
	var steps []step
	for i := range s.Config.Servos {
		if v := &s.Config.Servos[i]; v.Leg == leg {
			for _, d := range []float64{MostDegrees, -MostDegrees, 1, -1, 0.2, -0.2} {
				options = append(options, fmt.Sprintf("%s %+g", v.Name, d))
				steps = append(steps, step{i, d})
			}
		}
	}
	for {
		n, err := s.Dialog.Choose(q, options...)
		switch {
		case err != nil || n == 1:
			return errors.Join(err, stopped(err == nil))
		case n == 0:
			return nil
		}
		if err := s.Mover.Step(ctx, steps[n-2].servo, steps[n-2].degrees); err != nil {
			return err
		}
	}
}

// HoldLeg puts pulses on the servos of a leg that tell no position, where they are
// taken to be: a foot stands on a mark only while all its joints hold.
func (m *Mover) HoldLeg(leg int) error {
	m.remember()
	for i := range m.Config.Servos {
		if m.Config.Servos[i].Leg != leg {
			continue
		}
		if err := m.hold(i, m.Rest[i]); err != nil {
			return errors.Join(err, m.Off())
		}
	}
	return nil
}

// Step moves one servo without feedback and leaves it there, holding.
func (m *Mover) Step(ctx context.Context, i int, degrees float64) error {
	if !(math.Abs(degrees) <= MostDegrees) {
		return fmt.Errorf("setup: %g degrees, want at most %g either way", degrees, MostDegrees)
	}
	m.remember()
	if err := m.hold(i, m.Rest[i]); err != nil {
		return errors.Join(err, m.Off())
	}
	if err := m.glide(ctx, i, m.Rest[i], 0, degrees); err != nil {
		return errors.Join(err, m.Off())
	}
	s := &m.Config.Servos[i]
	m.Rest[i] = m.clamp(i, m.Rest[i]+degrees*math.Abs(s.PerRad)*math.Pi/180)
	return nil
}

// remember begins to keep where servos without feedback have been sent.
func (m *Mover) remember() {
	for len(m.Rest) < len(m.Config.Servos) {
		m.Rest = append(m.Rest, m.Config.Servos[len(m.Rest)].Center)
	}
}

// Positions reads the servos of a leg, each as the mean of five readings; those
// of other legs are not a number.
func (m *Mover) Positions(leg int) ([]float64, error) {
	out := make([]float64, len(m.Config.Servos))
	const readings = 5
	for i := range out {
		if m.Config.Servos[i].Leg != leg {
			out[i] = math.NaN()
			continue
		}
		for range readings {
			p, err := m.at(i)
			if err != nil {
				return nil, err
			}
			out[i] += p / readings
		}
	}
	return out, nil
}

// Finish solves, and sets the limits of the servos from those of their joints.
func Finish(r *rig.Rig, c *servo.Config, ms []calibrate.Measure, signs []int8) (*calibrate.Result, error) {
	got, err := calibrate.Solve(r, c, ms, signs)
	if err != nil {
		return nil, err
	}
	const least = 0.8 // of a joint's travel
	return got, calibrate.Ranges(r, c, got.Servos, least)
}
