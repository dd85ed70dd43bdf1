// Package space steers motions by their blend: it chooses where a blend has to
// go so that the body reaches a goal, and finds out which moments of two clips
// correspond.
//
// What stands here are the pure pieces: Choose and the Fans it reads; Register
// and Curve, which bring two clips into step, with At and Inverse to go from
// one to the other; Align, which lays one cloud of points over another; Lags,
// which counts the repetitions within a clip. Blend value 0 is the hardest turn
// to the right, 1 to the left.
//
// Frames: x forward, y left, z up, metres and radians; clouds are turned about
// the vertical and moved on the ground. Buffers that a result is written to
// belong to the caller where a tick may ask; what is done once, when a space is
// built, may allocate.
//
// Sources: goal space, steer space and registration after the published
// pipeline for parametric motion spaces; time warps by dynamic programming and
// the aligned distance after Kovar and Gleicher (2003).
package space
