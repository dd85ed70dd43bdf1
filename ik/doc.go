// Package ik solves chains and legs: FABRIK for bare ball-joint chains of any
// length, FABRIK with hinge projection and an exact finish for legs, closed
// forms where a leg has one, and a map of what a leg can reach.
package ik
