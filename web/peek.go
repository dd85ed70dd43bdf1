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
	inner  Stepper
	shared *peeked
}

// peeked is what the peeks at one run share.
type peeked struct {
	every uint64

	mu    sync.Mutex
	state *control.State
	out   *control.Output
	draw  *control.Controller // made with the same parameters; never in the loop
	fresh bool
}

// NewPeek returns a peek at c, for a rig whose ticks last dt seconds. draw is
// another controller with the same parameters: drawings are worked out by it.
func NewPeek(c Stepper, draw *control.Controller, dt float64) *Peek {
	r := draw.Rig()
	return &Peek{c, &peeked{
		every: ticksOf(FrameEvery.Seconds(), dt), draw: draw,
		state: &control.NewStates(r, 1)[0], out: &control.NewOutputs(r, 1)[0],
	}}
}

// On returns what takes the place of p in the loop when the controller changes.
// draw is to c what it was in NewPeek; it is drawn by from the first tick on.
func (p *Peek) On(c Stepper, draw *control.Controller) *Peek {
	return &Peek{&first{Stepper: c, shared: p.shared, draw: draw}, p.shared}
}

// first changes the controller that draws, when its twin is first stepped.
type first struct {
	Stepper
	shared *peeked
	draw   *control.Controller
}

// Step implements Stepper.
func (f *first) Step(out *control.Output, s *control.State, cmd *control.Command, obs *rig.Observation, g geom.Ground) {
	if f.draw != nil && f.shared.mu.TryLock() {
		f.shared.draw, f.draw = f.draw, nil
		f.shared.mu.Unlock()
	}
	f.Stepper.Step(out, s, cmd, obs, g)
}

// Step implements Stepper.
func (p *Peek) Step(out *control.Output, s *control.State, cmd *control.Command, obs *rig.Observation, g geom.Ground) {
	p.inner.Step(out, s, cmd, obs, g)
	p.shared.keep(out, s)
}

// keep copies what View reads, unless somebody is reading it.
func (p *peeked) keep(out *control.Output, s *control.State) {
	if s.Tick%p.every != 0 || !p.mu.TryLock() {
		return
	}
	control.Copy(p.state, s)
	p.out.Wish, p.fresh = out.Wish, true
	p.mu.Unlock()
}

// view works out what a drawing shows, by a controller that is not in the loop.
func (p *Peek) view(dst *control.View) bool {
	s := p.shared
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.fresh && s.draw.View(dst, s.state, s.out)
}

// sizing returns U and the allowed speeds of a gait as it is now.
func (p *Peek) sizing(gait int) (u float64, allowed control.AllowedTwist) {
	s := p.shared
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.draw.Sizing(gait).U, s.draw.Allowed(gait)
}

// ticksOf returns how many ticks of dt seconds fit in a time, at least one.
func ticksOf(seconds, dt float64) uint64 {
	if n := uint64(seconds/dt + 0.5); n > 1 {
		return n
	}
	return 1
}
