// Package clip reads and writes motion clips: glTF and GLB, BVH, the joint
// clips of quadruped robots, and key poses.
//
// A Clip is a skeleton and what moves it over time, as its author made it: keys
// and how to go from one to the next. Nothing here knows a rig; retarget makes
// a rig's clip of it. Load reads any of the files and never believes what it
// says about its own size.
//
// Frames: x forward, y left, z up, metres, radians, seconds; files with y up
// are turned once by the reader, (x, y, z) = (Z, X, Y), and back by the writer.
// A bone's transform is given in its parent's frame; bones without a parent
// stand in the world W of the clip.
//
// Sources: glTF 2.0 (Khronos 2017) for interpolation; BVH as Biovision's
// programs wrote it.
package clip
