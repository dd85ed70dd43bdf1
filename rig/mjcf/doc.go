// Package mjcf writes a rig as a MuJoCo model: a free body on a plane, a hinge
// a joint, capsules for links, spheres for feet, and one position actuator a
// free joint that has the joint's torque.
//
// Frames and units are those of the rig: metres, kilograms, radians, x forward,
// z up; the body named "body" is B, and every link's frame is that of its joint,
// so that qpos of a joint is q of the rig. Bodies, joints and actuators carry
// the rig's names; "imu" is a site at the origin of B with a gyro and an
// accelerometer, and every leg has a touch sensor of its name.
//
// What a rig does not say is chosen and can be chosen otherwise (Options): the
// stiffness of the actuators, their damping, friction. A joint's speed limit is
// the damping at which the whole torque is used up, as in a direct current
// motor. Inertias are those of solid rods and boxes of the links' mass, length
// and radius. A foot is a sphere within the end of its leg: the lowest point of
// a vertical last link is the foot of the rig.
//
// Source: the XML reference of MuJoCo 3.
package mjcf
