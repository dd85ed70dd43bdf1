package rollout

import (
	"context"
	"errors"
	"fmt"

	"legctl/control"
	"legctl/geom"
	"legctl/loop"
	"legctl/rig"
	"legctl/sim"
	"legctl/sim/terrain"
)

// Config is one run. Rig is needed; the zero value of everything else has a
// meaning.
type Config struct {
	Rig    *rig.Rig        // validated; not changed
	Params *control.Params // nil: control.DefaultParams
	// Controller saves working one out anew. nil: made from Rig and Params; else
	// both are taken from it. Runs that go on at the same time must not share one.
	Controller *control.Controller

	Gait    string       // the name of one of Params.Gaits; empty: the first the rig may walk
	Terrain terrain.Spec // Kind empty: flat
	World   *sim.Params  // nil: DefaultWorld
	Scale   *sim.Scale   // nil: the sizes in which Gait is walked, and the rig's gravity
	Seed    uint64       // of the world
	Blind   bool         // the controller gets no pose, and for ground the plane its feet stand on
	Limp    bool         // begins limp and waits for arm; else it stands ready
	Ticks   uint64       // how many ticks Run does

	Commands []Order     // in order of time
	Events   []Happening // in order of time

	Snapshot uint64      // ticks between two recorded states; 0: one second's worth
	Sinks    []loop.Sink // get the records in the goroutine of the run; Run closes them

	// Each is called after every tick, if not nil. Its error ends the run; with
	// ErrEnough that is not a failure.
	Each func(r *Rollout) error
}

// ErrEnough ends a run early without failing it, when Config.Each returns it.
var ErrEnough = errors.New("rollout: enough")

// Order is a command at a time.
type Order struct {
	At      float64 // seconds from the start
	Command control.Command
}

// Happening is a world event at a time.
type Happening struct {
	At    float64 // seconds from the start
	Event sim.Event
}

// Rollout is a run put together: the parts may be stepped by Run, by loop.Run
// or by hand. One goroutine at a time.
type Rollout struct {
	Config     Config // with its defaults filled in
	Cell       *loop.Cell
	Controller *control.Controller
	Sim        *sim.Sim
	Ground     *terrain.Terrain // of the world; a blind controller does not see it
	Timeline   *Timeline
	Mailbox    *loop.Mailbox
	Tally      *Tally
}

// DefaultWorld returns the world of a real rig walking a plan: the reference
// constants, servos that keep to their joint's speed, and as much leeway as the
// plan counts on.
func DefaultWorld(p *control.Plan, legs int) sim.Params {
	w := sim.Default()
	w.Servo.Limited, w.Spring = true, true
	w.Leeway = p.Rules.For(legs).Leeway
	return w
}

// New puts a run together, the rig standing in neutral stance at the origin.
// The error says what in c cannot be used.
func New(c Config) (*Rollout, error) {
	r := &Rollout{Config: c, Mailbox: new(loop.Mailbox)}
	if err := r.control(); err != nil {
		return nil, err
	}
	gait, err := r.pick()
	if err != nil {
		return nil, err
	}
	if err := r.build(gait); err != nil {
		return nil, err
	}
	return r, r.start(gait)
}

// control makes the controller, or takes over the one that is given.
func (r *Rollout) control() (err error) {
	c := &r.Config
	if c.Controller != nil {
		r.Controller, c.Rig, c.Params = c.Controller, c.Controller.Rig(), c.Controller.Params()
		return nil
	}
	if c.Rig == nil {
		return errors.New("rollout: no rig")
	}
	if c.Params == nil {
		p := control.DefaultParams(c.Rig)
		c.Params = &p
	}
	r.Controller, err = control.New(c.Rig, *c.Params)
	return err
}

// pick returns the index of the gait to begin with.
func (r *Rollout) pick() (int, error) {
	gaits := r.Config.Params.Gaits
	if r.Config.Gait == "" {
		best := r.Controller.Best()
		if best < 0 {
			_, why := r.Controller.Offers(0)
			return 0, fmt.Errorf("rollout: rig %q may walk none of its %d gaits; %s: %s", r.Config.Rig.Name, len(gaits), gaits[0].Name, why)
		}
		r.Config.Gait = gaits[best].Name
		return best, nil
	}
	i, ok := r.Config.Params.Index(r.Config.Gait)
	if !ok {
		names := make([]string, len(gaits))
		for i := range gaits {
			names[i] = gaits[i].Name
		}
		return 0, fmt.Errorf("rollout: gait %q is not known, one of %q", r.Config.Gait, names)
	}
	if ok, why := r.Controller.Offers(i); !ok {
		return 0, fmt.Errorf("rollout: rig %q may not walk %q: %s", r.Config.Rig.Name, r.Config.Gait, why)
	}
	return i, nil
}

// build makes the world and joins it to the controller.
func (r *Rollout) build(gait int) error {
	c := &r.Config
	if c.Terrain.Kind == "" {
		c.Terrain.Kind = "flat"
	}
	ground, err := terrain.New(c.Terrain)
	if err != nil {
		return err
	}
	if c.World == nil {
		w := DefaultWorld(&c.Params.Gaits[gait], len(c.Rig.Legs))
		c.World = &w
	}
	if c.Scale == nil {
		z := r.Controller.Sizing(gait)
		// The body's own motion has the time scale of gravity, whatever its joints can do.
		c.Scale = &sim.Scale{U: z.U, K: z.KF, Gravity: c.Rig.G()}
	}
	w := *c.World
	w.Blind = w.Blind || c.Blind
	if r.Sim, err = sim.New(c.Rig, ground, w, *c.Scale, c.Params.Dt, c.Seed); err != nil {
		return err
	}
	r.Ground = ground
	r.Timeline = NewTimeline(c.Commands, c.Events, c.Params.Dt, r.Mailbox, r.Sim.Do)
	r.Cell = newCell(c.Rig, r.Sim, r.Controller, ground, c.Blind)
	r.Tally = NewTally(c.Rig, c.Params)
	return nil
}

// start brings the state to where the simulator put the rig.
func (r *Rollout) start(gait int) error {
	c := r.Cell
	if err := r.Sim.Observe(context.Background(), &c.Frame.Obs); err != nil {
		return err
	}
	r.Controller.Start(c.State, &c.Frame.Obs, c.Ground, !r.Config.Limp)
	c.State.Gait = uint16(gait)
	return nil
}

// newCell joins a plant and a controller on a ground, which a blind one does
// not see.
func newCell(r *rig.Rig, p loop.Plant, c *control.Controller, g geom.Ground, blind bool) *loop.Cell {
	cell := loop.NewCell(r, p, c, g)
	if blind {
		cell.Ground = &underfoot{state: cell.State}
	}
	return cell
}
