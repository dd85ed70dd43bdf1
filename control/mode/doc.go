// Package mode is the one mode machine of a rig: a pure table from a mode and
// what happens to the next mode, or to a refusal that says what is legal.
//
// Inputs are commands (Arm to Clear) and facts that the tick or the loop finds
// (Settled, Failed). The table is total: every mode answers every input.
package mode
