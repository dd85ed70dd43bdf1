// Package pca9685 is the register arithmetic of the PCA9685 pulse generator:
// prescale and ticks, the bytes of each write, and Board, which turns the pulses
// of 16 channels into one write.
//
// A pulse is a number of ticks of osc/(prescale+1) Hz within a period of 4096.
// The inner oscillator is off by several per cent and differs from board to
// board: give its measured frequency wherever one is asked for; prescale alone
// cannot correct one per cent. All rising edges at once draw the current of all
// servos at once, so Board can stagger them.
//
// Full-off, bit 4 of a channel's last register, ends its pulses. The chip has no
// watchdog and goes on with its last pulses after the host is gone: only its OE
// pin stops it from outside. Set it up asleep, with every channel off, before it
// is woken; after waking it needs 500 us.
//
// Source: NXP PCA9685 data sheet, revision 4, sections 7.3 and 7.3.5.
package pca9685
