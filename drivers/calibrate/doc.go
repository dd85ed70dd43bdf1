// Package calibrate finds out how the servos of a built robot sit: which way
// each turns, and at which position its joint is at zero.
//
// A beginner can measure two things: the feet, put on marks whose places are
// known (Touch), and joints, put at an angle that is known, such as a leg held
// straight against a ruler (Angle). Both give equations for the same unknowns,
// one angle a servo, which are solved by least squares leg by leg with the
// Jacobian of the foot. Directions come from a question ("which way did the
// foot move?") or, where nobody was asked, from trying both ways.
//
// A set of measurements that contradicts itself is refused, and the sentence
// says which of them does: the one without which the others agree. So are sets
// that leave a joint open, and left and right mixed up.
//
// Frames: feet in B. Units: metres and radians; native positions as in
// servo.Servo. The zero of a servo goes into a file of its own, never into the
// servo: homing offsets stay zero, so that a watchdog that fires cannot make a
// servo creep, and the wrap of an encoder cannot move into the joint's travel
// unseen (Sweep finds it).
//
// Sources: Gauss-Newton with a cut-off singular value decomposition (Golub and
// Van Loan, 5.5); leave-one-out for the culprit; kinematic calibration of
// serial chains after Hollerbach and Wampler 1996.
package calibrate
