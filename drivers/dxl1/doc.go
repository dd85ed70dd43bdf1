// Package dxl1 is Dynamixel Protocol 1.0 (AX, RX, MX) on the wire: the bytes of
// every instruction, a parser of status frames, and what an exchange costs.
//
// The frame and most instructions are servo.Registers, which Feetech servos
// share. Numbers of two bytes are little-endian; positions are steps, 1024 over
// 300 degrees on AX and 4096 a turn on MX.
//
// The protocol has no watchdog and its status frames look like requests: the
// echo of an adaptor must be declared to the parser. After an overload an AX
// sets its torque limit (34) to 0.
//
// Source: Dynamixel e-Manual, "Protocol 1.0" and "AX-12A".
package dxl1
