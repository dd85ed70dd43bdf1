// Package gait decides who swings when and where the foot lands.
//
// Two kinds of gait live here side by side. Step rules (Rules, Walk, Gallop,
// Crawl) have no clock: each leg looks at its own zones and at its neighbours
// and lifts when it may. Clocked gaits (Gait) are rows of touchdown phases and
// duty factors. Both answer the same questions for the tick.
//
// Step rules are written in two units of the rig, so that one set of numbers
// serves a 6 cm and a 3 m body: U, a length, and k, a time (design, section
// 4). Sizing turns them into metres, seconds and ticks once. Frames are the
// project's: W world, B body; z is up.
//
// Sources: the step rules follow the published behaviour of reactive walking
// spiders, restated with their faults removed (docs/gait-rules.md); gait words
// after Hildebrand (1965) and McGhee and Frank (1968).
package gait
