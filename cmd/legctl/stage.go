package main

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"legctl/configs"
	"legctl/loop"
	"legctl/rollout"
	"legctl/sim"
	"legctl/sim/terrain"
	"legctl/web"

	"gonum.org/v1/gonum/spatial/r3"
)

// stage is the simulated world as the page may change it; it is a web.World.
type stage struct {
	*rollout.Stage
	clock *loop.Throttle
	flags *simFlags
	args  []string
	gaits []string
	end   context.CancelFunc // of the act
	tuner *tuner

	mu   sync.Mutex
	next *scene // what follows the act; nil: nothing
}

// newStage returns the world of a scene; end ends its act.
func newStage(s *scene, o *simFlags, args []string, clock *loop.Throttle, end context.CancelFunc) *stage {
	return &stage{
		Stage: rollout.NewStage(s.Timeline, s.Sim.Do), clock: clock, flags: o, args: args, gaits: s.names.Gaits, end: end,
	}
}

// Push implements web.World.
func (w *stage) Push(v, turn r3.Vec, done func(uint64, error)) {
	spin := func(tick uint64, err error) {
		if err != nil || turn == (r3.Vec{}) {
			done(tick, err)
			return
		}
		w.post(sim.Event{Kind: sim.EventSpin, Vec: turn}, done)
	}
	w.post(sim.Event{Kind: sim.EventPush, Vec: v}, spin)
}

// Remove implements web.World.
func (w *stage) Remove(block int, done func(uint64, error)) {
	w.post(sim.Event{Kind: sim.EventRemove, Block: int32(block)}, done)
}

func (w *stage) post(e sim.Event, done func(uint64, error)) {
	if err := w.Post(e, done); err != nil {
		done(0, err)
	}
}

// SetRate implements web.World.
func (w *stage) SetRate(rate float64) error { return w.clock.SetRate(rate) }

// Step implements web.World.
func (w *stage) Step(ticks int) { w.clock.Step(ticks) }

// Stages implements web.World.
func (w *stage) Stages() web.Stages {
	st := web.Stages{Rigs: configs.Rigs(), Terrains: configs.Terrains(), Gaits: w.gaits}
	if len(w.args) > 0 {
		st.Now.Rig = w.args[0]
	}
	st.Now.Terrain, st.Now.Gait = w.flags.terrain, w.flags.gait
	return st
}

// Restart implements web.World: the next scene is built first, so that one that
// cannot be leaves the present one alone.
func (w *stage) Restart(to web.Staging) error {
	o := *w.flags
	args := w.args
	if to.Rig != "" {
		args, o.gait = []string{to.Rig}, ""
	}
	if to.Terrain != "" {
		o.terrain = to.Terrain
	}
	if to.Gait != "" {
		o.gait = to.Gait
	}
	for _, name := range []string{to.Rig, to.Terrain, to.Gait} {
		if err := shippedName(name); err != nil {
			return err
		}
	}
	o.script = ""
	next, err := build(&o, args)
	if err != nil {
		return err
	}
	next.flags, next.args = &o, args
	w.mu.Lock()
	w.next = next
	w.mu.Unlock()
	w.end()
	return nil
}

// following returns what comes after the act, nil for nothing.
func (w *stage) following() *scene {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.next
}

// shippedName refuses names that are paths: the page chooses among what there
// is, it does not read files.
func shippedName(name string) error {
	for _, c := range name {
		if c == '/' || c == '\\' || c == 0 {
			return fmt.Errorf("legctl: %q is a path: %w", name, errShipped)
		}
	}
	return nil
}

var errShipped = errors.New("only shipped rigs, terrains and gaits are shown from here")

// drawn is a terrain as the page draws it. It is a copy of its own: the
// simulator's may lose blocks in mid drawing.
type drawn struct{ t *terrain.Terrain }

// newDrawn returns the ground of a scene for the page.
func newDrawn(spec terrain.Spec) (*drawn, error) {
	t, err := terrain.New(spec)
	return &drawn{t}, err
}

// Kind implements web.Ground.
func (d *drawn) Kind() string { return d.t.Spec().Kind }

// Floor implements web.Ground.
func (d *drawn) Floor() (float64, bool) { return d.t.Floor() }

// Cell implements web.Ground.
func (d *drawn) Cell() float64 { return d.t.Cell() }

// Corner implements web.Ground.
func (d *drawn) Corner(i, j int) float64 { return d.t.Corner(i, j) }

// Boxes implements web.Ground.
func (d *drawn) Boxes() []web.Box {
	materials := terrain.Materials()
	var list []web.Box
	for _, b := range d.t.Boxes() {
		tint := materials[b.Material].Tint
		list = append(list, web.Box{
			Min: b.Min, Max: b.Max, Plane: b.Plane, Offset: b.Offset, Block: b.Block, Gone: b.Gone,
			Tint: [3]uint8{tint.R, tint.G, tint.B},
		})
	}
	return list
}
