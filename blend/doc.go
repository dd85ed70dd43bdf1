// Package blend gives a rig a way of moving: it works out how much of each
// motion to play and puts the poses together.
//
// How much: gradient bands over points of the plane (GradientBand, Band), tents
// over one value (Tent), directional sets for targeted movement (Directional),
// Pivot for movement that turns first, aim sets (Aim), and trees of them over
// named parameters (Tree1D, Tree2D), which nest.
//
// Put together: Mix is a normalised quaternion sum that no order of its inputs
// changes; Delta, Add and Override are layers with masks; Inertia takes a
// switch without a jump; Approach limits how fast weights move; Vote and
// FootLock settle contacts.
//
// Frames: x forward, y left, z up; metres, radians, seconds. The root is the
// body's place on the ground plane with its heading; body, feet and joints are
// given relative to it, and what the root itself does is a RootMotion. The
// package has no clock: a step is told its dt. Nothing allocates once built.
//
// Sources: bands after Johansen (2009), with the rules for zero vectors, caps
// and doubles stated at GradientBand; inertialisation after Bollo (2018);
// hemispheres of the sum are those of the heaviest input.
package blend
