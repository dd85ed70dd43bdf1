package emulator

import (
	"math"

	"legctl/drivers/servo"
)

// Motor is what a servo is behind its protocol. Positions are native: steps, or
// microseconds of pulse.
type Motor struct {
	Model    servo.Model
	Position float64 // actual
	Goal     float64 // commanded; where it stopped while it is limp
	Torque   bool    // holding, or pulses coming
	Load     float64 // share of full load, -1 to 1
	External float64 // load put on it from outside, -1 to 1
	Celsius  float64
	Volts    float64
	Stuck    bool // the horn cannot turn
	Absent   bool // its plug is out: it hears and says nothing

	cap     float64 // native units a second of the move under way
	ambient float64
	hot     bool // temperature forced
}

// newMotor returns a motor at rest, limp, in the middle of its travel.
func newMotor(m servo.Model, volts float64) Motor {
	return Motor{
		Model: m, Position: m.Center, Goal: m.Center, Celsius: 25, ambient: 25, Volts: volts,
		cap: m.Speed * m.PerRad(),
	}
}

// fastest is its speed without load, in native units a second.
func (m *Motor) fastest() float64 { return m.Model.Speed * m.Model.PerRad() }

// move sets a goal, to be reached at so many native units a second; 0 and what
// is faster than it can turn mean as fast as it can.
func (m *Motor) move(goal, speed float64) {
	m.Goal, m.cap = goal, m.fastest()
	if speed > 0 {
		m.cap = min(m.cap, speed)
	}
}

// moveIn sets a goal to be reached within a time.
func (m *Motor) moveIn(goal, seconds float64) {
	speed := 0.0
	if seconds > 0 {
		speed = math.Abs(goal-m.Position) / seconds
		if speed == 0 {
			speed = m.fastest()
		}
	}
	m.move(goal, speed)
}

// limp lets go: the goal is where it is.
func (m *Motor) limp() { m.Torque, m.Goal = false, m.Position }

// moving reports whether it is still on its way.
func (m *Motor) moving() bool { return m.Torque && math.Abs(m.Goal-m.Position) > 0.5 }

// step lets time pass.
func (m *Motor) step(dt float64) {
	m.Load = 0
	if m.Torque {
		gap := m.Goal - m.Position
		if !m.Stuck {
			m.Position += min(max(gap, -m.cap*dt), m.cap*dt)
		}
		m.Load = min(max(m.External+0.05*sign(gap), -1), 1)
		if m.Stuck && math.Abs(gap) > 1 {
			m.Load = sign(gap)
		}
	}
	if !m.hot {
		const warming = 60.0 // seconds
		want := m.ambient + 50*math.Abs(m.Load)
		m.Celsius += (want - m.Celsius) * min(1, dt/warming)
	}
}

func sign(v float64) float64 {
	switch {
	case v > 0.5:
		return 1
	case v < -0.5:
		return -1
	}
	return 0
}
