// Package emulator is the far end of every servo protocol: a Bank of servos
// with speed, load, temperature, voltage and registers that answers a host byte
// for byte, and misbehaves on request.
//
// A Bank has no clock of its own: whoever feeds it says what time it is. Line
// joins it to a host in memory on a clock that only moves when somebody waits;
// PTY joins it to a pseudo terminal on the real clock, so that a whole program
// with its serial package can be run against it. I2C is the same for chips on a
// bus, and Board a computer with such chips, servos on their channels, and pins.
//
// Requests are taken apart and checked here, sums and CRCs included, by code of
// its own: a mistake in a protocol package does not cancel out. Chance comes
// from a seed; the same bytes at the same times give the same answers.
//
// What it leaves out: collisions in the middle of a byte, parity, modem lines,
// and servos that differ from each other in more than their numbers. A servo
// moves to its goal at a constant speed and stops there; its load is what is
// put on it plus what its error asks for.
//
// Sources: those of the protocol packages.
package emulator
