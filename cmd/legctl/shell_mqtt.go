package main

import (
	"fmt"
	"os"

	"legctl/control"
	"legctl/internal/version"
	"legctl/telemetry/mqtt"
)

// listenMQTT joins an act to the broker and tells the user's clients about it.
func listenMQTT(sh *shell, a *act) (*listener, error) {
	if sh.flags.headless {
		return nil, nil
	}
	note := mqtt.Running{PID: os.Getpid(), Rig: a.names.Rig, Broker: sh.addr}
	opts := mqtt.BridgeOptions{Broker: sh.addr}
	if sh.broker != nil {
		note.Store, opts = sh.broker.Store(), sh.broker.Join()
	}
	opts.Lease, opts.Version = &sh.lease, version.String()
	opts.Warn = func(what string, err error) { fmt.Fprintf(sh.screen.w, "\r%s: %v\n", what, err) }
	if err := sh.flags.mqttFlags.options(&opts, a.names.Rig, sh.broker == nil); err != nil {
		return nil, err
	}
	b, err := mqtt.NewBridge(a.names, a.params.Dt, a.inbox, opts)
	if err != nil {
		return nil, err
	}
	sh.metrics.bridge.Store(b)
	end := func() error {
		sh.metrics.bridge.Store(nil)
		b.Close()
		return nil
	}
	l := &listener{frame: func(f *control.Frame) { b.Tick(&f.Out, &f.Obs) }, close: end}
	if sh.noDir == nil {
		withdraw, err := mqtt.Announce(sh.notes, note)
		if err != nil {
			_ = end() // never fails
			return nil, err
		}
		l.close = func() error { defer withdraw(); return end() }
	}
	return l, nil
}
