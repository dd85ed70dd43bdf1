// Package foxglove shows a run live: a WebSocket server of the protocol that
// Foxglove and its relatives speak, with the channels of package show. In the
// viewer, open a "Foxglove WebSocket" connection to ws://127.0.0.1:8765.
//
// The server only shows: it takes no commands and no parameters. It is a sink of
// a loop, behind a ring and in a goroutine of its own, and a viewer that cannot
// keep up is dropped, not waited for.
//
// Sources: the Foxglove WebSocket protocol specification, version 1; the newer
// subprotocol foxglove.sdk.v1 has the same messages as far as they are used here.
package foxglove
