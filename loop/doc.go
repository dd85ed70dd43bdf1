// Package loop joins a controller to a plant. Cycle is the one observe, step,
// apply; everything that runs a rig runs it. Run adds what a real clock needs:
// absolute deadlines, deadline statistics, a mailbox for commands, rings and
// sinks for what came out, and a halt on every way out.
//
// The core has no clock: the controller sees a fixed dt and a tick counter,
// whatever the clock did. A tick that comes a whole period late is skipped and
// counted, never caught up.
//
// Nothing outside can delay a tick. Commands wait in a mailbox that the tick
// looks into without waiting; results go into rings that drop and count when
// their reader is slow; readers run in goroutines of their own.
//
// Sources: absolute deadlines by clock_nanosleep after POSIX.1-2024 and the
// Linux real-time how-to; the ring is the single-producer single-consumer queue
// of Lamport (1983).
package loop
