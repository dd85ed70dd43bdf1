// Package sim is a kinematic simulator of a legged rig and its ground. The body
// is moved by nothing but its joint angles through the feet that stand, by
// gravity, drag, the support force and impulses. The controller's intent is not
// known to it: which feet stand is found from where forward kinematics puts
// them over the ground.
//
// One Apply advances one dt, in this order: the servos turn commanded angles
// into actual ones; feet that the joints pull off the ground are released; the
// pose is fitted to the anchors of the feet that are left (weighted least
// squares, rotations the anchors leave free keep their integrated value);
// gravity, drag and support move the body vertically towards the height of the
// fit; walls and the belly stop it; then, under the new pose, feet at or below
// the ground become new anchors. A Sim is structurally a plant of package loop.
//
// Frames: W world (z up), B body. Units are SI and radians; Params are in
// multiples of the rig's length unit U and time unit k (Scale), so that a 6 cm
// and a 3 m rig behave alike. Gravity, the strength of the support (a multiple
// of gravity) and joint speeds are physical; drags, the height correction and
// the bounce threshold are per k, as in the reference world (U = 1 m, k = 0.05
// s, g = 32 m/s2); decays are worked out as powers once, at New, so that one k
// gives the same decay whatever dt is.
//
// A centre of mass beyond the support polygon (and the leeway) tips over the
// nearest edge, and is pushed outwards only as far as the support leans out of
// the friction cone: within it the feet hold. Beyond 45 degrees nothing holds.
// The body's height lags behind the fit by the height rule; whether a foot
// lifts or lands is judged at the height of the fit. Feet within 0.03 U of the
// ground at rest stand on it, as the give of real legs lets them.
//
// With Params.Spring the body goes with its legs as they stretch, so that a
// push-off gives it their speed and the feet leave the ground when it flies; a
// flight then lasts as planned within a tick if the push takes a dozen of them. The
// middle of the body is never inside a solid, whatever the joints do; a corner
// may be for a tick, and where the body is wedged into a gap it does not fit.
//
// The IMU gives the true rates and accelerations of the body, with noise, bias
// and faults on request; the acceleration is the change of the velocity of a tick.
//
// Not modelled: leg against leg, leg against wall, ceilings, joint torque.
//
// Sources: the plant law of the design, section 2; the body dynamics of the
// step-rule notes, section 4, with its faults mended; point registration by
// Gauss-Newton after Horn (1987).
package sim
