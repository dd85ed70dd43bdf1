// Package plot draws what the core works out: gait diagrams after Hildebrand,
// support polygons with the centre of mass, rigs from the side, from above and
// standing on terrain, and the trace of a run. Nothing in the core draws.
//
// A picture is a plain struct of data; Write turns it into SVG or PNG. The same
// data gives the same bytes. Lengths are metres, angles radians, in the frames
// of the rest of the project (W world, B body, z up).
//
// Sources: gait diagrams after Hildebrand (1965); shading after Lambert, faces
// painted from back to front.
package plot
