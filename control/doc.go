// Package control is the tick: the pure function from (state, command,
// observation, ground) to (state', joint angles). Step reads as the list of
// its stages; each stage is a function of its own in a file of its name.
//
// The controller owns intent: the pose it wants, the feet it plans, the joint
// angles it asks for. Facts come in as rig.Observation and geom.Ground. It has
// no clock: one Step is one dt, given once in Params.
//
// Frames: W world, B body, G the origin of B with z against gravity. Units are
// SI and radians; rules are in U and k, the length and time units of the rig
// that Measure works out.
package control
