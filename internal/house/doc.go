// Package house holds the tests of the repository itself: who may import whom,
// what the core must not touch, how long files and functions may be, what must
// be documented, which words are used, and that everything shipped in configs
// loads and walks. It has no code of its own.
//
// Frames and units do not occur here. Sources: the design's sections 5 to 8,
// told in docs/architecture.md and docs/adding.md.
package house
