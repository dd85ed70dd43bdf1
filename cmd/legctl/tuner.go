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
	from *configs.World // what the run was made of

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

func newTuner(r *rig.Rig, p *control.Params, peek *web.Peek, from *configs.World) *tuner {
	return &tuner{rig: r, peek: peek, now: *p, fresh: *p, from: from}
}

// List implements web.Tuner.
func (t *tuner) List(gait string) ([]web.Param, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	was, err := t.lives(&t.fresh, gait)
	if err != nil {
		return nil, err
	}
	now, err := t.lives(&t.now, gait)
	var list []web.Param
	for k, l := range now {
		list = append(list, web.Param{
			Key: l.Key, Value: l.Value, Fresh: was[k].Value, Unit: l.Unit, Doc: l.Doc, Bounds: l.Bounds, Low: bounded(l.Low), High: bounded(l.High),
		})
	}
	return list, err
}

// lives returns the parameters of a gait, or of the controller itself.
func (t *tuner) lives(p *control.Params, gait string) ([]configs.Live, error) {
	if gait == configs.Controller {
		return configs.ControlLives(p), nil
	}
	i, err := t.index(gait)
	if err != nil {
		return nil, err
	}
	return configs.Lives(&p.Gaits[i]), nil
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
	next := t.now
	err := t.edit(&next, gait, values)
	if err == nil {
		err = t.put(next, done)
	}
	if err != nil {
		return err
	}
	t.past = append(t.past, change{t.now, gait})
	if len(t.past) > undoMost {
		t.past = t.past[1:]
	}
	t.now = next
	return nil
}

// edit changes p, a copy of t.now; the speeds a gait allows are worked out anew.
func (t *tuner) edit(p *control.Params, gait string, values map[string]any) error {
	if gait == configs.Controller {
		return configs.SetControlLives(p, values)
	}
	i, err := t.index(gait)
	if err != nil {
		return err
	}
	p.Gaits = slices.Clone(t.now.Gaits)
	if err := configs.SetLives(&p.Gaits[i], values); err != nil {
		return err
	}
	p.Gaits[i].Allowed = nil
	c, err := control.New(t.rig, *p)
	if err != nil {
		return err
	}
	if ok, why := c.Offers(i); !ok {
		return fmt.Errorf("legctl: with that the rig may not walk %s: %s", gait, why)
	}
	a, err := preflight.Allowed(c, i)
	p.Gaits[i].Allowed = &a
	return err
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
	if gait == configs.Controller {
		return configs.WorldYAML(t.from, &t.now), nil
	}
	i, err := t.index(gait)
	if err != nil {
		return nil, err
	}
	return configs.GaitYAML(&t.now.Gaits[i], t.rig)
}
