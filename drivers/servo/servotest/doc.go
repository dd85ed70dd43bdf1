// Package servotest has stand-ins for the far end of a servo bus: Recorder
// writes down what crosses a line, Playback answers from what was written down,
// and Line misbehaves on request: replies that are lost, late, corrupted, cut,
// duplicated or somebody else's, and echo. They are exact and repeatable; there
// is no clock and no chance in them.
//
// Vectors and Splits serve the tests of the codecs: the first reads the shared
// table of packets, the second cuts bytes at every chunk boundary.
package servotest
