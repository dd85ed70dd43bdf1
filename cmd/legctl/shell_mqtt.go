package main

import (
	"fmt"
	"os"

	"legctl/control"
	"legctl/telemetry/mqtt"
)

// listenMQTT joins an act to the broker and tells the user's clients about it.
func listenMQTT(sh *shell, a *act) (*listener, error) {
	if sh.flags.headless {
		return nil, nil
	}
	note := mqtt.Running{PID: os.Getpid(), Rig: a.names.Rig, Broker: sh.addr}
	opts := mqtt.BridgeOptions{
		Broker: sh.addr, Lease: &sh.lease,
		Warn: func(what string, err error) { fmt.Fprintf(sh.screen.w, "\r%s: %v\n", what, err) },
	}
	if sh.broker != nil {
		note.Store, opts.Keeps = sh.broker.Store(), sh.broker.Keeps
	}
	b, err := mqtt.NewBridge(a.names, a.params.Dt, a.inbox, opts)
	if err != nil {
		return nil, err
	}
	l := &listener{
		frame: func(f *control.Frame) { b.Tick(&f.Out, &f.Obs) },
		close: func() error { b.Close(); return nil },
	}
	if sh.noDir == nil {
		withdraw, err := mqtt.Announce(sh.notes, note)
		if err != nil {
			b.Close()
			return nil, err
		}
		l.close = func() error { b.Close(); withdraw(); return nil }
	}
	return l, nil
}
