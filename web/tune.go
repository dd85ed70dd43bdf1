package web

import (
	"errors"
	"fmt"
)

var errNoTuner = errors.New("the parameters of this run cannot be changed")

// tuner answers a deed about parameters.
func (d *deed) tuner(to any, do func(t Tuner) error) {
	err := d.with(to)
	if err == nil && d.scene.Tuner == nil {
		err = fmt.Errorf("web: %s: %w", d.request.Do, errNoTuner)
	}
	if err == nil {
		err = do(d.scene.Tuner)
	}
	if err != nil {
		d.done(0, nil, err)
	}
}

func doParameters(d *deed) {
	var v struct{ Gait string }
	d.tuner(&v, func(t Tuner) error {
		list, err := t.List(v.Gait)
		if err == nil {
			d.done(0, list, nil)
		}
		return err
	})
}

// doTune works new parameters out beside the reader: a sweep takes a while.
func doTune(d *deed) {
	var v struct {
		Gait string
		Set  map[string]any
	}
	d.tuner(&v, func(t Tuner) error {
		if err := d.admit(); err != nil {
			return err
		}
		d.desk.server.conns.Go(func() {
			if err := t.Set(v.Gait, v.Set, func(tick uint64) { d.tuned(tick, v.Gait) }); err != nil {
				d.done(0, nil, err)
			}
		})
		return nil
	})
}

func doUndo(d *deed) {
	d.tuner(nil, func(t Tuner) error {
		if err := d.admit(); err != nil {
			return err
		}
		d.desk.server.conns.Go(func() {
			var gait string
			var err error
			known := make(chan struct{})
			gait, err = t.Undo(func(tick uint64) { go func() { <-known; d.tuned(tick, gait) }() })
			close(known)
			if err != nil {
				d.done(0, nil, err)
			}
		})
		return nil
	})
}

// tuned tells the one who asked, and everybody that parameters are others now.
func (d *deed) tuned(tick uint64, gait string) {
	list, err := d.scene.Tuner.List(gait)
	d.done(tick, list, err)
	d.desk.server.cast.tell(map[string]any{"type": "tuned", "gait": gait, "tick": tick})
}

func doYAML(d *deed) {
	var v struct{ Gait string }
	d.tuner(&v, func(t Tuner) error {
		raw, err := t.YAML(v.Gait)
		if err == nil {
			d.done(0, string(raw), nil)
		}
		return err
	})
}
