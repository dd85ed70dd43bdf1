// Package telemetry turns the result of a tick into messages and messages into
// commands. It is pure: bytes in, values out; telemetry/mqtt carries them.
//
// Names live here. Inside the core a leg, a joint, a gait, a limit and an event
// are numbers; a message says "lf", "lf_coxa", "tripod", "joint_speed" and
// "goal_reached". Names translates between the two for one rig.
//
// Units: SI and radians, frames as in package rig; every key is a plain word
// whose unit never depends on where it stands (vx m/s, wz rad/s, yaw rad,
// margin m, time s). A number that is not finite is sent as null, since JSON has
// none: a margin of null means that no foot stands.
//
// Topics, after the design, section 6:
//
//	legctl/<rig>/cmd/<kind>   in   twist goto gait pose height leg style mode stop
//	legctl/<rig>/reply        out  Reply, one for each command
//	legctl/<rig>/state        out  State, 20 times a second
//	legctl/<rig>/event        out  Event, when something happens
//	legctl/<rig>/online       out  true or false, retained
package telemetry
