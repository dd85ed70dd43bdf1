// Package terrain makes the grounds a simulated rig stands on: flat, slope,
// stairs, ledge, gaps, wall, rough, image, blocks and the composed world. All
// of them are a geom.Ground that answers a ray in any direction.
//
// A terrain is the union of at most one horizontal floor, one height field of
// two triangles a cell, and solids (boxes, with one tilted plane where a ramp
// is needed). A ray meets the nearest of them from outside, and hits at once
// when it starts inside any; so nothing is ever tunnelled. A downward ray costs
// the same wherever it falls: a floor, one cell of the field and the solids of
// one cell of a uniform index.
//
// What a terrain is like is a Spec: a kind's name, plain numbers and, for the
// image kind, the bytes of a PNG file. A recording carries the Spec in its
// header; the removal of blocks is a world event and not part of it.
//
// Frame: W, z up, metres and radians. The ground is level and at height 0
// within Spec.Start of the origin.
//
// Sources: slab test after Kay and Kajiya (1986); cell march after Amanatides
// and Woo (1987); hash after Steele, Lea and Flood (2014, SplitMix64).
package terrain
