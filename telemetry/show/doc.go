// Package show turns the records of a run into messages for viewers of other
// people: Foxglove's well-known schemas for what moves and what it moves on, and
// the records themselves, decoded, as JSON with a schema. Package telemetry/mcap
// puts them into a file, telemetry/foxglove sends them over a WebSocket; both
// show the same channels.
//
// Frames: world is W; base is B, as the plant reports it, else as the controller
// intends it; every joint is a frame of its own name. Lengths are metres.
//
// Field names and well-known schema names are those of Foxglove's documentation
// of message schemas.
package show
