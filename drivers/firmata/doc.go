// Package firmata is the part of the Firmata protocol that moves servos on an
// Arduino: pin modes, servo ranges, and pulses.
//
// A value below 544 would be read as degrees by the servo library of the board,
// from 544 to 2400 as microseconds: this package sends either on purpose, never
// one for the other. Pins above 15 need the extended message, which is chosen by
// the pin. There is no answer to a move and no watchdog.
//
// gobot's client meets the board, behind a gate that keeps from it what it cannot
// take and ends what it does not end itself (docs/adr/0009).
//
// Source: Firmata protocol 2.x, servo and extended analog messages; Arduino
// Servo library.
package firmata
