package loop_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"legctl/control"
	"legctl/geom"
	"legctl/loop"
	"legctl/rig"
)

// twoLegs is a rig with three joints, as far as the loop looks at one.
func twoLegs() *rig.Rig {
	return &rig.Rig{Name: "two", Legs: []rig.Leg{
		{Joints: []rig.Joint{{Rest: 0.1}, {Rest: 0.2}}},
		{Joints: []rig.Joint{{Rest: 0.3}}, First: 2},
	}}
}

// plant writes down what it is asked and fails where told to.
type plant struct {
	caps  rig.Caps
	log   []string
	fail  map[string]error // by the call, such as "enable 3"
	panic string           // the call that panics
	on    func(call string)
}

func (p *plant) call(format string, args ...any) error {
	s := fmt.Sprintf(format, args...)
	p.log = append(p.log, s)
	if p.on != nil {
		p.on(s)
	}
	if s == p.panic {
		panic("told to")
	}
	return p.fail[s]
}

func (p *plant) Open(context.Context) (rig.Caps, error)          { return p.caps, p.call("open") }
func (p *plant) Enable(_ context.Context, legs uint64) error     { return p.call("enable %d", legs) }
func (p *plant) Observe(context.Context, *rig.Observation) error { return p.call("observe") }
func (p *plant) Halt() error                                     { return p.call("halt") }
func (p *plant) Close() error                                    { return p.call("close") }
func (p *plant) Apply(_ context.Context, sp *rig.Setpoint) error {
	if sp.Limp {
		return p.call("limp")
	}
	return p.call("apply %g", sp.Q[0])
}

// quiet is a plant that keeps nothing.
type quiet struct{ plant }

func (*quiet) Observe(context.Context, *rig.Observation) error { return nil }
func (*quiet) Apply(context.Context, *rig.Setpoint) error      { return nil }
func (*quiet) Enable(context.Context, uint64) error            { return nil }

// script is a controller: limp until a command of KindMode, then it drives q[0]
// up by one a tick. It answers every command.
type script struct {
	armed bool
	seen  []control.Command
	obs   []rig.Observation
	keep  bool
	panic uint64 // tick at which it panics, 0 = never
}

func (c *script) Step(out *control.Output, s *control.State, cmd *control.Command, obs *rig.Observation, _ geom.Ground) {
	if c.panic > 0 && s.Tick == c.panic {
		panic("told to")
	}
	if cmd.Kind == control.KindMode {
		c.armed = true
	}
	if c.keep {
		c.seen, c.obs = append(c.seen, *cmd), append(c.obs, *obs)
	}
	out.Tick, out.Set.Limp, out.Set.Q[0] = s.Tick, !c.armed, float64(s.Tick)
	out.Reply = control.Reply{ID: cmd.ID, Kind: cmd.Kind}
	s.Q[0] = float64(s.Tick)
	s.Tick++
}

// clock is a time of its own that moves only when slept or worked on.
type clock struct {
	mu  sync.Mutex
	now time.Duration
}

func (c *clock) Now() time.Duration { c.mu.Lock(); defer c.mu.Unlock(); return c.now }
func (c *clock) Until(t time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = max(c.now, t)
}
func (c *clock) work(d time.Duration) { c.mu.Lock(); c.now += d; c.mu.Unlock() }

// sink keeps what it is given.
type sink struct {
	mu      sync.Mutex
	tags    []control.Tag
	ticks   []uint64
	frames  []control.Frame
	closed  int
	flushed int
	rig     *rig.Rig
	fail    error
	block   chan struct{}
}

func (s *sink) Put(tag control.Tag, tick uint64, data []byte) error {
	if s.block != nil {
		<-s.block
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tags, s.ticks = append(s.tags, tag), append(s.ticks, tick)
	if tag == control.TagFrame {
		f := control.NewFrame(s.rig)
		if err := f.UnmarshalBinary(data); err != nil {
			return err
		}
		s.frames = append(s.frames, *f)
	}
	return s.fail
}
func (s *sink) Flush() error { s.mu.Lock(); defer s.mu.Unlock(); s.flushed++; return nil }
func (s *sink) Close() error { s.mu.Lock(); defer s.mu.Unlock(); s.closed++; return nil }

// world reports one event a tick of its list.
type world map[uint64]string

func (w world) Due(tick uint64, put func([]byte)) error {
	e, ok := w[tick]
	if !ok {
		return nil
	}
	if e == "bad" {
		return errors.New("no such block")
	}
	put([]byte(e))
	return nil
}

// cell joins a fake plant and a scripted controller.
func cell(p loop.Plant, c loop.Stepper) *loop.Cell { return loop.NewCell(twoLegs(), p, c, nil) }
