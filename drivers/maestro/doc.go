// Package maestro is the serial protocol of Pololu's Maestro servo controllers:
// the compact form (command, data), the Pololu form (AA, device, command
// without its top bit, data), each with a CRC-7 where the device is set so, and
// the Mini SSC form for targets of eight bits.
//
// Pulses are quarters of a microsecond. A target is sent as two bytes of seven
// bits, a position comes back as two plain bytes: 1500 us is 70 2E one way and
// 70 17 the other. What comes back is where the controller is on its ramp, no
// feedback of the servo. Target 0 ends the pulses; the next one jumps.
//
// Any error bit has sent every channel to its "home" setting. The serial
// timeout, set in the device, is the watchdog. After power-up send Detect once,
// for the default mode measures the baud by it.
//
// Source: Pololu Maestro Servo Controller User's Guide, sections 5 and 6.
package maestro
