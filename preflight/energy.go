package preflight

import (
	"math"

	"legctl/control"
	"legctl/rig"
)

// power returns what all joints draw in one tick, W, and false where a joint
// does not say its torque, by this model of a geared servo:
//
//	P = max(0, t w) + t^2 w0 / t0
//
// t is the static torque of the joint (the ground's force on the foot and the
// weight of the links; no inertia), w its speed, t0 and w0 the torque and speed
// limits of the rig's file. The first part is mechanical power, none of which a
// worm of gears gives back; the second the heat of a motor that holds: stalled
// at t0 a motor of no-load speed w0 takes t0 w0, and heat goes with the square
// of the current. Electronics and friction are not in it.
func (w *loads) power(s *control.State, r *rig.Rig, dt float64) (watts float64, known bool) {
	if !w.share(s, r) {
		clear(w.force) // in flight legs carry themselves alone
	}
	w.torques(s, r)
	for i := range r.Legs {
		l := &r.Legs[i]
		for j := range l.Joints {
			k := &l.Joints[j]
			if k.Torque == 0 {
				return 0, false
			}
			at := l.First + j
			t, rate := w.torque[at], (s.Q[at]-w.before[at])/dt
			watts += math.Max(0, t*rate) + t*t*k.Speed/k.Torque
		}
	}
	return watts, true
}

// CostOfTransport is power over weight and speed, without a dimension: joules
// for each newton carried a metre. NaN where one of them is 0 or not known.
func CostOfTransport(watts, mass, gravity, speed float64) float64 {
	if !(watts > 0 && mass > 0 && gravity > 0 && speed > 0) {
		return math.NaN()
	}
	return watts / (mass * gravity * speed)
}
