// Package physics runs a rig in MuJoCo, an independent physics engine, so that
// tests can hold the project's own simulator and controllers against it. The
// engine is the npm package in tools/physics, pinned by its lock file, under
// node, in a process of its own that speaks one line each way over its standard
// streams; it ends with the World.
//
// World is a plant: it takes setpoints and gives observations, by rig/mjcf's
// model. Frames and units are those of the rig.
package physics
