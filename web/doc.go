// Package web serves the page: a picture of the rig as it moves, its figures,
// and everything to steer it by, over one WebSocket and a small HTTP API.
//
// A Server listens for as long as a command runs. A Scene is what it shows: one
// rig on one ground under one controller; Show changes it. Tick takes every
// frame of the loop, in the goroutine of a sink, and passes one on to the
// viewers twenty times a second. It never waits for a viewer: each has room for
// one frame and a few messages, and one that reads nothing for a while is
// dropped.
//
// Frames are binary (see frame.go), in W, metres, quantised to a fraction of the
// leg's length; everything else is JSON in SI units and radians. A viewer sends
// orders as JSON: {"id":1,"do":"twist","with":{"vx":0.1}}. The words are those of
// package telemetry, and for what only a simulation can do those of World. Every
// order is answered.
//
// The page itself is made of web/page by "make build" and put into the binary.
// A binary built without it serves the API and a page that says so.
//
// Security: the server listens on loopback unless it is told otherwise, and then
// only together with a token; pages of other origins are refused, and so are
// requests by another host name, since a page anywhere could else point a name
// of its own at this machine.
package web
