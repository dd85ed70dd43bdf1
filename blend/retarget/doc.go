// Package retarget makes a rig's clips: of other bodies' clips, by way of
// where their feet go, and of gaits, by baking them with a style.
//
// Loop is the whole way from a clip.Clip to a space.Loop: find the legs (Guess
// or a Map), follow hips and feet, close the loop, find the contacts, scale to
// the rig by the height of its hips, plant the stance feet anew, and see what
// the rig can do of it: reach, joint speed, class. What was changed on the way
// is in the Report. Bake does the same from a phase table and a Style; Bend
// makes turning siblings of any loop.
//
// Frames: the root is a point on the ground under the body that travels and
// turns with it (x forward, y left, z up); feet and body are relative to it.
// SI units and radians; L is the length of the rig's longest leg.
//
// Sources: contacts and re-planting are our own (docs/clips.md says what was
// tried); the ramp of a swing is the quintic of least jerk (Flash and Hogan
// 1985).
package retarget
