// Package gltf makes an animation of a recording: a glTF 2.0 file that browsers,
// Blender and engines play.
//
// Nodes: base is the body, every joint is a node of its own name under the one it
// hangs on, ground is the terrain. Bones do not stretch: joints turn, and base
// moves and turns. Removed blocks vanish at their tick.
//
// The format is y up: a vector (x, y, z) of a run is written (y, z, x). Numbers
// are 32-bit floats, as the format has it.
//
// Source: the glTF 2.0 specification.
package gltf
