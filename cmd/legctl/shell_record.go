package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"legctl/internal/version"
	"legctl/loop"
	"legctl/record"
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
	h, err := a.header(record.Name{Key: "program", Value: version.String()})
	if err != nil {
		return nil, err
	}
	w, err := record.Create(file, h)
	if err != nil {
		return nil, err
	}
	return &listener{sinks: []loop.Sink{w}}, nil
}
