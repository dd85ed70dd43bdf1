// Package lx16a is the bus of LewanSoul and Hiwonder servos (LX-16A, LX-15D,
// LX-224, HTS) on the wire.
//
//	55 55 id length command parameters... sum
//
// Length counts itself up to the sum, which is servo.SumFrame's. Numbers are
// little-endian; positions are 0 to 1000 over 240 degrees, read back signed and
// beyond both ends; times are milliseconds. The bus runs at 115200 baud only.
//
// Writes are never acknowledged: read settings back. There is no group write; a
// step together is a move-wait to each servo and one start to all. A reply
// repeats the command of its request, so a request that comes back as an echo is
// told from a reply by having no parameters. To all servos this package sends
// nothing but move, start, stop, load and the question for the id of a single
// servo: a broadcast that writes ids or settings has bricked rigs. There is no
// watchdog.
//
// Source: LewanSoul bus servo communication protocol. It prints the range of a
// position as 0-100 in places, and command 9 for the offset read once; 0-1000
// and 19 are right.
package lx16a
