// Package ik solves chains and legs: FABRIK for bare ball-joint chains of any
// length, FABRIK with hinge limits and an exact finish for legs of any axes,
// closed forms where a leg has one, and a measure of what a leg can reach.
//
// Bare chains (Fabrik) are points in any one frame. Legs (Solver) are those of
// a rig.Rig: targets are points in B, metres, answers joint angles, radians,
// always within their limits. A foot has arrived at 1e-10 of the leg's length.
//
// How a leg is solved depends on its axes, which NewSolver reads from the zero
// pose, never from names:
//
//   - One hinge (yaw or roll) square to two parallel ones, or two parallel ones
//     alone: the first turn follows from the target, FABRIK sweeps the plane
//     from the warm start, and the exact forward pass, here the triangle of the
//     two links, ends it. Params.Closed leaves the sweep out.
//   - The same with three parallel hinges and more: FABRIK in the plane until
//     the target is near, then Newton steps to the pose nearest to rest,
//     weighted by joint range, among all that hold the foot on the target.
//   - Anything else, mimic joints included: joints whose centres coincide form
//     one compound joint; FABRIK sweeps turn each link to the nearest direction
//     its axes and limits allow; a damped Gauss-Newton in joint angles with an
//     active set of limits finishes, and redundant legs settle as above.
//
// The bend's branch is the side of straight on which each knee (a hinge between
// two links, parallel to the hinge before it) lies in the rest pose; knees
// straight at rest bend upward. A target that only the other side reaches is
// met there and marked Flipped. A foot that cannot be met gets the nearest pose
// on the branch. Legs whose foot moves in a plane get the foot's place in that
// plane, and what is left over as Residual.
//
// A solve depends on its arguments alone. Legs of two flat hinges and redundant
// legs of any shape give the same bits warm and cold; redundant flat chains
// agree to about 1e-11 rad. Where a redundant leg has several poses, each nearer
// to rest than its neighbours, the nearest of those found from fixed starts
// counts; it may change over from one to another as the foot moves far from
// its neutral place.
//
// Nothing here keeps links from crossing one another or the body.
//
// Sources: Aristidou and Lasenby, "FABRIK: a fast, iterative solver for the
// inverse kinematics problem" (Graphical Models 73, 2011); damping after
// Levenberg (1944) and Marquardt (1963); Lagrange-Newton steps and active sets
// after Nocedal and Wright, "Numerical Optimization" (2006), chapters 16 and 18.
package ik
