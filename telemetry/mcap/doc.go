// Package mcap writes a run into a file that opens in Foxglove and in the tools
// of MCAP without a plug-in: the byte records of package record, from which the
// run can be done again, and beside them the messages of package show, which
// people and viewers read.
//
// A Recorder is a sink of a loop: it stands behind a ring and in a goroutine of
// its own, so the tick never waits for it.
package mcap
