// Package evdev reads gamepads from Linux' event devices, /dev/input/event*,
// without a library of the system, and turns them into a steering wish.
//
//	Find    the gamepads there are
//	Open    a Pad: events, the ranges of its axes, its name
//	Stick   the state of a pad: what its sticks ask for, and its buttons
//
// A pad that is pulled out ends with an error from Read: whoever steers by it
// must stop then. Reading a file or a pipe in place of a device works too, with
// the usual ranges: tests do.
//
// Sources: the Linux kernel's documentation of the input subsystem (event
// interface, event codes, gamepad specification) and its uapi headers.
package evdev
