package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"legctl/record"
	"legctl/rollout"
	"legctl/telemetry/gltf"
)

func recordExport(talk io.Writer, file, out string, rate float64) error {
	in, err := record.Open(file)
	if err != nil {
		return err
	}
	c, err := rollout.Restore(in.Header())
	if err != nil {
		return errors.Join(fmt.Errorf("%s: %w", file, err), in.Close())
	}
	o := gltf.Options{Rig: c.Rig, Rate: rate, Text: strings.HasSuffix(out, ".gltf")}
	if g, err := rollout.NewScenery(in.Header()); err == nil {
		o.Ground = g
	}
	var done gltf.Exported
	err = replaceFile(out, func(w io.Writer) (bool, error) {
		done, err = gltf.Export(w, in, o)
		return true, err
	}, nil)
	if err = errors.Join(err, in.Close()); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	fmt.Fprintf(talk, "%s: %d keyframes over %.2f s, %d bytes\n", out, done.Keys, done.Seconds, fileSize(out))
	return nil
}
