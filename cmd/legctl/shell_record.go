package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"legctl/internal/version"
	"legctl/loop"
	"legctl/record"
	"legctl/rollout"
	"legctl/sim"
	"legctl/telemetry/mcap"
	"legctl/telemetry/show"
)

// listenRecord lets the recorder in. The second act of a shell goes to a file
// of its own: run.mcap, run-2.mcap.
func listenRecord(sh *shell, a *act) (*listener, error) {
	file := sh.flags.record
	if file == "" || a.header == nil {
		return nil, nil
	}
	if sh.acts > 1 {
		ext := filepath.Ext(file)
		file = fmt.Sprintf("%s-%d%s", strings.TrimSuffix(file, ext), sh.acts, ext)
	}
	o, err := a.shown()
	if err != nil {
		return nil, err
	}
	w, err := mcap.Create(file, mcap.Options{Options: o, Warn: func(err error) {
		fmt.Fprintf(sh.screen.w, "\rthe recording has ended, the run goes on: %v\n", err)
	}})
	if err != nil {
		return nil, err
	}
	return &listener{sinks: []loop.Sink{w}}, nil
}

// shown returns what a recording or a viewer needs to know of an act.
func (a *act) shown() (show.Options, error) {
	h, err := a.header(record.Name{Key: "program", Value: version.String()},
		record.Name{Key: startedKey, Value: time.Now().UTC().Format(time.RFC3339)})
	if err != nil {
		return show.Options{}, err
	}
	o := show.Options{Header: h, Rig: a.rig, Names: a.names, World: new(sim.Event)}
	if len(h.Terrain) > 0 {
		g, err := rollout.NewScenery(h)
		if err != nil {
			return o, err
		}
		o.Ground = g
	}
	return o, nil
}

// The names of a header that info looks at.
const (
	archKey    = "arch"
	startedKey = "started"
)
