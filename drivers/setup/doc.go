// Package setup is what is done with servos before a robot walks: finding them
// (Scan), letting each show itself (Wave), and finding out how it is built in
// (Session, over package calibrate).
//
// Nothing here moves a servo by more than 5 degrees, or faster than 20 degrees a
// second, and whatever ends early, by an error, a cancelled context or a panic,
// ends with torque off.
package setup
