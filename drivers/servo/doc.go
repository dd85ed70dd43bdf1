// Package servo is what all servo protocols share: the classes of what goes
// wrong on a wire, what a protocol can do, the cost of a message in bytes and
// seconds, and one Parser that finds the replies of an exchange in a stream.
//
// The codec half is arithmetic on bytes: whoever owns the port writes what the
// Append functions of a protocol built, feeds the Parser what arrives, and says by
// Finish that the deadline has come. The verdict is a function of the bytes fed,
// never of how they were cut into chunks.
//
// The other half is what drivers stand on: Bus owns a Port, asks by exact
// deadlines on a Clock that is handed in, and sees to it that a late reply is
// never taken for the next one; Table asks and sets registers; Driver is what
// every protocol offers; Config, Calibration and Linkage say what is built. There
// is no goroutine here either.
//
// A Format tells the Parser how a protocol frames its bytes. SumFrame is the
// frame of two equal header bytes and an inverted 8-bit sum that Dynamixel 1.0,
// Feetech (FF FF) and LX-16A (55 55) share; Registers are the instructions that
// Dynamixel 1.0 and Feetech share on top of it. They live here because the
// folders of two protocols never import each other.
//
// Units on this level are those of the wire: microseconds, servo steps, bytes.
// Radians become steps in package drivers.
//
// Sources: Dynamixel e-Manual, Protocol 1.0 (frame, instructions); Feetech serial
// servo communication protocol (the same frame); LewanSoul bus servo
// communication protocol (55 55 frame).
package servo
