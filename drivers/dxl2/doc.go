// Package dxl2 is Dynamixel Protocol 2.0 (X, P, MX with 2.0 firmware) on the
// wire: the bytes of every instruction, a parser of status frames and of the
// merged replies of fast reads, and what an exchange costs.
//
//	FF FF FD 00 id lengthL lengthH instruction parameters... crcL crcH
//
// Length counts from the instruction to the CRC. After FF FF FD anywhere from
// the instruction to the last parameter one FD is stuffed, which length and CRC
// count. The CRC is the polynomial 8005 hex, highest bit first, from zero.
// Replies to fast reads are one frame of the broadcast id, not stuffed, of
// which only the last CRC is checked: it covers all before it.
//
// Numbers are little-endian two's complement. Positions are steps, 4096 a turn.
// A set alert bit is no failed request: data and alert are both reported.
// Several fields that are far apart can be put side by side by indirect
// addresses, so that one sync read has them all. The bus watchdog (register 98)
// stops a servo when the host falls silent.
//
// Source: Dynamixel e-Manual, "Protocol 2.0" and "XL430-W250". Its fast bulk read
// example prints the CRC of another example; the polynomial is right.
package dxl2
