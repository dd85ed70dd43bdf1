package setup

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"legctl/drivers/servo"
)

// Bounds of every motion here.
const (
	MostDegrees = 5.0
	mostSpeed   = 20.0 // degrees a second
	pace        = 50 * time.Millisecond
)

// Limiter is a driver whose servos can be told to push with a share of their
// torque only.
type Limiter interface {
	// LimitTorque sets the share, 0 to 1, until the servo restarts or it is set
	// again.
	LimitTorque(id int, share float64) error
}

// gentle is the share of torque servos get while they are shown.
const gentle = 0.35

// Mover moves single servos a little. It belongs to one goroutine.
type Mover struct {
	Driver servo.Driver
	Config *servo.Config
	Clock  servo.Clock
	// Rest is where servos without feedback are by the operator's word, native;
	// nil: in the middle of their travel.
	Rest []float64
	// Wide lets servos go wherever their model can, not only where the rig's file
	// expects their joints: while nobody knows yet how they sit.
	Wide bool
}

// clamp keeps a position within what a servo may be asked for.
func (m *Mover) clamp(i int, native float64) float64 {
	s := m.Config.Servos[i]
	if t, ok := servo.ModelOf(s.Model); ok && m.Wide {
		least, most := t.Reach(m.Config.Protocol)
		s.Min, s.Max = min(least, s.Min), max(most, s.Max)
	}
	native, _ = s.Clamp(native)
	return native
}

// at reads where a servo is.
func (m *Mover) at(i int) (float64, error) {
	s := &m.Config.Servos[i]
	if !m.Driver.Caps().Feedback {
		if m.Rest != nil {
			return m.Rest[i], nil
		}
		return s.Center, nil
	}
	fb := []servo.Feedback{{ID: s.ID}}
	err := m.Driver.Read(fb)
	switch {
	case err != nil && errors.Is(err, servo.ErrGone):
		return 0, err
	case fb[0].Has&servo.HasPos == 0:
		return 0, fmt.Errorf("setup: %s (id %d) does not tell its position: %w", s.Name, s.ID, fb[0].Fault)
	}
	return fb[0].Pos, nil
}

// hold puts torque on one servo where it is, and then as little as the protocol
// can: enabling sets some servos back to their full torque.
func (m *Mover) hold(i int, at float64) error {
	s := &m.Config.Servos[i]
	if err := m.confine(i, at); err != nil {
		return err
	}
	if err := m.Driver.Enable([]servo.Goal{{ID: s.ID, Pos: at}}); err != nil {
		return err
	}
	if l, ok := m.Driver.(Limiter); ok {
		return l.LimitTorque(s.ID, gentle)
	}
	return nil
}

// confine lets a servo that keeps limits of its own go where it may be moved to
// here: what it keeps may be of a rig that was built differently.
func (m *Mover) confine(i int, at float64) error {
	k, ok := m.Driver.(servo.Confiner)
	if !ok {
		return nil
	}
	s := m.Config.Servos[i]
	if t, ok := servo.ModelOf(s.Model); ok && m.Wide {
		s.Min, s.Max = t.Reach(m.Config.Protocol)
	}
	least, most := s.Confines(m.Config.Protocol, at)
	return k.Confine(s.ID, least, most)
}

// release takes the torque off again, and gives it back its full torque for
// later. It tries everything and returns the first error.
func (m *Mover) release(i int) error {
	s := &m.Config.Servos[i]
	err := m.Driver.Relax([]int{s.ID})
	if err != nil {
		err = errors.Join(err, m.Driver.Off())
	}
	if l, ok := m.Driver.(Limiter); ok {
		err = errors.Join(err, l.LimitTorque(s.ID, 1))
	}
	return err
}

// path moves one servo through angles against where it is, in degrees, the way
// its position grows, and leaves it limp. Angles beyond MostDegrees are refused.
func (m *Mover) path(ctx context.Context, i int, degrees ...float64) (err error) {
	for _, d := range degrees {
		if !(math.Abs(d) <= MostDegrees) {
			return fmt.Errorf("setup: %g degrees, want at most %g either way", d, MostDegrees)
		}
	}
	from, err := m.at(i)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, m.release(i)) }()
	if err := m.hold(i, from); err != nil {
		return err
	}
	was := 0.0
	for _, d := range degrees {
		if err := m.glide(ctx, i, from, was, d); err != nil {
			return err
		}
		was = d
	}
	return nil
}

// glide goes from one angle to another at mostSpeed.
func (m *Mover) glide(ctx context.Context, i int, from, a, b float64) error {
	s := &m.Config.Servos[i]
	perDeg := math.Abs(s.PerRad) * math.Pi / 180
	steps := max(1, int(math.Ceil(math.Abs(b-a)/mostSpeed/pace.Seconds())))
	for k := 1; k <= steps; k++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		x := float64(k) / float64(steps)
		goal := m.clamp(i, from+perDeg*(a+(b-a)*x))
		if err := m.Driver.Write([]servo.Goal{{ID: s.ID, Pos: goal}}, pace.Seconds()); err != nil {
			return err
		}
		m.Clock.Sleep(pace)
	}
	return nil
}

// Nudge moves one servo by MostDegrees, the way its position grows, and back.
func (m *Mover) Nudge(ctx context.Context, i int) error {
	return m.path(ctx, i, MostDegrees, MostDegrees, 0)
}

// Wave moves one servo to and fro by so many degrees, at most MostDegrees.
func (m *Mover) Wave(ctx context.Context, i int, degrees float64) error {
	return m.path(ctx, i, degrees, -degrees, 0)
}

// Off takes torque off all servos, twice: a message may be lost.
func (m *Mover) Off() error {
	first := m.Driver.Off()
	second := m.Driver.Off()
	if second == nil {
		return nil
	}
	return errors.Join(first, second)
}
