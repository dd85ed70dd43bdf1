// Package feetech is the protocol of Feetech bus servos on the wire, in its two
// series: STS (with SMS), little-endian, 4096 steps a turn, signs as one bit
// beside a magnitude; and SCS, big-endian, 1024 steps over about 300 degrees.
// The byte order belongs to the servo: take STS or SCS once, by its model.
//
// The frame and most instructions are servo.Registers, which Dynamixel 1.0
// shares. There is no watchdog, SCS has no sync read, and status frames look
// like requests: the echo of an adaptor must be declared to the parser. A reply
// with error bits carries data all the same.
//
// Sources: Feetech, "Serial servo communication protocol", STS and SCS memory
// tables. Where these and field reports differ (baud indices above 4, the sign
// bit of the load) this package takes no side: the caller names the bit.
package feetech
