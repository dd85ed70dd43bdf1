// Package mqtt carries the messages of package telemetry: an embedded broker,
// the bridge between a broker and the loop of one rig, and the client that
// sends one command and waits for its answer.
//
//	Broker   an MQTT 3.1.1 broker inside this process, on loopback only
//	Bridge   subscribes legctl/<rig>/cmd/#, feeds an Inbox, publishes replies,
//	         events, the state at 20 Hz and whether the rig is online
//	Client   finds a broker and a rig, sends a command, waits for the reply
//	RunDir   where a running legctl of this user writes where its broker is
//
// Bridge and Client work with any MQTT 3.1.1 broker. Nothing listens beyond
// 127.0.0.1. Nothing here is used by a headless run.
//
// Two rules keep a slow network away from the tick: whoever runs the tick hands
// results to Bridge.Tick, which never waits, and everything published goes
// through a bounded queue that drops its oldest message.
//
// Sources: OASIS MQTT 3.1.1; the design, section 6, for topics and lifetimes.
package mqtt
