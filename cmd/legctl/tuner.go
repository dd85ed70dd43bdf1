package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"legctl/configs"
	"legctl/control"
	"legctl/loop"
	"legctl/preflight"
	"legctl/rig"
	"legctl/web"
)

// tuner changes the parameters of a running loop; it is a web.Tuner. Each
// change is a new controller, worked out beside the loop and taken over
// between two ticks.
type tuner struct {
	rig  *rig.Rig
	peek *web.Peek
	swap loop.Swap

	mu    sync.Mutex
	now   control.Params
	fresh control.Params
	past  []change
}

// change is what Undo takes back.
type change struct {
	params control.Params
	gait   string
}

// undoMost is how many changes can be taken back.
const undoMost = 50

var errNothing = errors.New("legctl: nothing has been changed")

func newTuner(r *rig.Rig, p *control.Params, peek *web.Peek) *tuner {
	return &tuner{rig: r, peek: peek, now: *p, fresh: *p}
}

// List implements web.Tuner.
func (t *tuner) List(gait string) ([]web.Param, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	i, err := t.index(gait)
	if err != nil {
		return nil, err
	}
	was := configs.Lives(&t.fresh.Gaits[i])
	var list []web.Param
	for k, l := range configs.Lives(&t.now.Gaits[i]) {
		list = append(list, web.Param{
			Key: l.Key, Value: l.Value, Fresh: was[k].Value, Unit: l.Unit, Doc: l.Doc, Bounds: l.Bounds, Low: bounded(l.Low), High: bounded(l.High),
		})
	}
	return list, nil
}

// bounded returns a bound for JSON, nil for none.
func bounded(v float64) *float64 {
	if math.IsInf(v, 0) {
		return nil
	}
	return &v
}

func (t *tuner) index(gait string) (int, error) {
	i, ok := t.now.Index(gait)
	if !ok {
		return 0, fmt.Errorf("legctl: unknown gait %q", gait)
	}
	return i, nil
}

// Set implements web.Tuner.
func (t *tuner) Set(gait string, values map[string]any, done func(tick uint64)) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	i, err := t.index(gait)
	if err != nil {
		return err
	}
	next := t.now
	next.Gaits = slices.Clone(t.now.Gaits)
	if err := configs.SetLives(&next.Gaits[i], values); err != nil {
		return err
	}
	next.Gaits[i].Allowed = nil
	c, err := control.New(t.rig, next)
	if err != nil {
		return err
	}
	if ok, why := c.Offers(i); !ok {
		return fmt.Errorf("legctl: with that the rig may not walk %s: %s", gait, why)
	}
	a, err := preflight.Allowed(c, i)
	if err != nil {
		return err
	}
	next.Gaits[i].Allowed = &a
	if err := t.put(next, done); err != nil {
		return err
	}
	t.past = append(t.past, change{t.now, gait})
	if len(t.past) > undoMost {
		t.past = t.past[1:]
	}
	t.now = next
	return nil
}

// put hands a controller with other parameters to the loop.
func (t *tuner) put(p control.Params, done func(tick uint64)) error {
	c, err := control.New(t.rig, p)
	if err != nil {
		return err
	}
	draw, err := control.New(t.rig, p)
	if err != nil {
		return err
	}
	p.Space = nil // a recording has it in its header
	raw, err := json.Marshal(&p)
	if err != nil {
		return fmt.Errorf("legctl: parameters cannot be recorded: %w", err)
	}
	t.swap.Put(t.peek.On(c, draw), raw, func(tick uint64) { go done(tick) })
	return nil
}

// Undo implements web.Tuner.
func (t *tuner) Undo(done func(tick uint64)) (string, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.past) == 0 {
		return "", errNothing
	}
	last := t.past[len(t.past)-1]
	if err := t.put(last.params, done); err != nil {
		return "", err
	}
	t.past, t.now = t.past[:len(t.past)-1], last.params
	return last.gait, nil
}

// YAML implements web.Tuner.
func (t *tuner) YAML(gait string) ([]byte, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	i, err := t.index(gait)
	if err != nil {
		return nil, err
	}
	return configs.GaitYAML(&t.now.Gaits[i], t.rig)
}
