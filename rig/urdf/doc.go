// Package urdf writes a rig as a URDF file, the robot description that ROS,
// Gazebo, PyBullet and most other tools read.
//
// Frames and units are those of the rig and of REP-103: metres, kilograms,
// radians, x forward, z up. The link "body" is B; every other link is named
// after the joint that moves it and has its frame. A foot is a fixed link
// LEG_foot with a sphere within the end of its leg. Boxes, cylinders and spheres
// serve for looks and collision; inertias are those of solid boxes and rods.
//
// URDF knows no floor, no friction worth the name and no motor: for physics see
// rig/mjcf.
//
// Source: the URDF XML specification of the ROS wiki.
package urdf
