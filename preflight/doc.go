// Package preflight looks before anything moves: it walks the controller
// itself over ideal flat ground, at every heading and turning, and says what a
// rig can keep up and which limit binds.
//
// A sweep is a run of control.Step without a plant: the pose is the
// controller's own wish, the ground a plane. It fills control.AllowedTwist and
// measures reach, joint limits, joint speed, static torque and stability
// margin over whole cycles. Frames and units are the project's: SI, radians.
//
// Sources: the definition of the allowed twist and of the classes is the
// design's (section 4); static load sharing is the minimum-norm solution of
// the three equations of vertical force and moments.
package preflight
