// Package ssc32 is the line protocol of Lynxmotion's SSC-32 and SSC-32U servo
// boards: lines of text that end in CR, no checksum, no acknowledgement.
//
// Pulses are microseconds, 500 to 2500; anything between 1 and 499 would be
// taken as 500 and drive a servo to its stop, so it is refused here. Times are
// milliseconds, speeds microseconds of pulse a second. The first move of a
// channel after power-up ignores both: the board does not know where the servo
// is. What QP reads is the commanded pulse, not a position; zero for a channel
// that was commanded means that the board was reset. There is no watchdog.
//
// After a broken write send Escape and CR: the board then forgets what it had of
// the line.
//
// Source: Lynxmotion SSC-32 manual 2.03 and SSC-32U guide; pulse 0 to switch a
// channel off is the vendor's answer in its forum.
package ssc32
