package web

import (
	"sync"

	"legctl/control"
	"legctl/geom"
	"legctl/rig"
)

// Stepper is a controller as the loop sees it.
type Stepper interface {
	Step(out *control.Output, s *control.State, cmd *control.Command, obs *rig.Observation, g geom.Ground)
}

// Peek stands between the loop and its controller and keeps a copy of the state
// now and then, so that zones and scan bars can be drawn. It adds a copy of a
// kilobyte to one tick of a few, and waits for nobody.
type Peek struct {
	Stepper
	every uint64

	mu    sync.Mutex
	state *control.State
	out   *control.Output
	fresh bool
}

// NewPeek returns a peek at c, for a rig whose ticks last dt seconds.
func NewPeek(c Stepper, r *rig.Rig, dt float64) *Peek {
	p := &Peek{Stepper: c, state: &control.NewStates(r, 1)[0], out: &control.NewOutputs(r, 1)[0]}
	p.every = ticksOf(FrameEvery.Seconds(), dt)
	return p
}

// On returns a peek at another controller of the same rig, with the copy of p.
// Parameters are changed this way.
func (p *Peek) On(c Stepper) *Swapped { return &Swapped{Peek: p, inner: c} }

// Swapped is a Peek at a later controller.
type Swapped struct {
	*Peek
	inner Stepper
}

// Step implements Stepper.
func (p *Swapped) Step(out *control.Output, s *control.State, cmd *control.Command, obs *rig.Observation, g geom.Ground) {
	p.inner.Step(out, s, cmd, obs, g)
	p.keep(out, s)
}

// Step implements Stepper.
func (p *Peek) Step(out *control.Output, s *control.State, cmd *control.Command, obs *rig.Observation, g geom.Ground) {
	p.Stepper.Step(out, s, cmd, obs, g)
	p.keep(out, s)
}

// keep copies what View reads, unless somebody is reading it.
func (p *Peek) keep(out *control.Output, s *control.State) {
	if s.Tick%p.every != 0 || !p.mu.TryLock() {
		return
	}
	control.Copy(p.state, s)
	p.out.Wish, p.fresh = out.Wish, true
	p.mu.Unlock()
}

// view works out what a drawing shows, by a controller that is not in the loop.
func (p *Peek) view(dst *control.View, c *control.Controller) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.fresh && c.View(dst, p.state, p.out)
}

// ticksOf returns how many ticks of dt seconds fit in a time, at least one.
func ticksOf(seconds, dt float64) uint64 {
	if n := uint64(seconds/dt + 0.5); n > 1 {
		return n
	}
	return 1
}
