// Package rollout runs a controller and a simulated rig without a clock: one
// run, a batch of them on all cores, or a recording once more.
//
// New puts together what a run needs (controller, terrain, simulator, a
// timeline of commands and world events); Run steps it as fast as the machine
// can; loop.Run paces the same parts by a clock. Replay takes the parts from the
// header of a recording, feeds it the recorded inputs and names the first tick
// and field that come out differently.
//
// The same Config gives the same bytes on the same architecture, whatever the
// number of cores: nothing here reads a clock, draws a number of its own or
// depends on the order in which workers finish.
package rollout
