package main

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"legctl/blend/retarget"
	"legctl/blend/space"
	"legctl/configs"
	"legctl/control"
	"legctl/gait"
	"legctl/preflight"
	"legctl/rig"
	"legctl/rollout"
	"legctl/telemetry"
)

// scene is a run put together from files and flags.
type scene struct {
	*rollout.Rollout
	names *telemetry.Names
	gait  int // to begin with
	flags *simFlags
	args  []string
	from  configs.World // with the flags' rig, terrain and seed
}

// build loads what the flags name and puts it together.
func build(o *simFlags, args []string) (*scene, error) {
	w, err := configs.LoadWorld(o.world)
	if err != nil {
		return nil, err
	}
	c := rollout.Config{Blind: o.blind, Seed: w.Seed, Ticks: uint64(math.Round(o.duration.Seconds() * o.rate))}
	if o.changed("seed") {
		c.Seed = o.seed
	}
	if o.changed("world") {
		c.World = &w.Sim
	}
	name := w.Rig
	if len(args) > 0 {
		name = args[0]
	}
	if c.Rig, err = configs.LoadRig(name); err != nil {
		return nil, err
	}
	s := &scene{flags: o, args: args, from: w}
	s.from.Rig, s.from.Seed = name, c.Seed
	ctl, err := s.params(&c, o, &w)
	if err != nil {
		return nil, err
	}
	s.from.Gait = c.Gait
	if o.terrain != "" {
		s.from.Terrain = o.terrain
	}
	if err := s.world(&c, o, s.from.Terrain, ctl.Sizing(s.gait).U); err != nil {
		return nil, err
	}
	if err := s.orders(&c, o, ctl); err != nil {
		return nil, err
	}
	s.Rollout, err = rollout.New(c)
	return s, err
}

// params sets the parameters of the controller and picks the first gait.
func (s *scene) params(c *rollout.Config, o *simFlags, w *configs.World) (*control.Controller, error) {
	p := control.DefaultParams(c.Rig)
	p.Dt, p.Stage = 1/o.rate, o.stage
	if err := configs.SetControlLives(&p, w.Control); err != nil {
		return nil, err
	}
	want := o.gait
	if want == "" {
		want = w.Gait
	}
	var err error
	if p.Gaits, err = plans(c.Rig, p.Gaits, want); err != nil {
		return nil, err
	}
	if p.Space, err = o.clips(c.Rig); err != nil {
		return nil, err
	}
	ctl, err := control.New(c.Rig, p)
	if err != nil {
		return nil, err
	}
	if s.gait = ctl.Best(); want != "" {
		s.gait = len(p.Gaits) - 1 // a file's
		if i, ok := p.Index(want); ok {
			s.gait = i
		}
	}
	if s.gait < 0 {
		_, why := ctl.Offers(0)
		return nil, fmt.Errorf("sim: rig %s: %w: %s", c.Rig.Name, errNoGait, why)
	}
	if ok, why := ctl.Offers(s.gait); !ok {
		return nil, fmt.Errorf("sim: rig %s may not walk %s: %s", c.Rig.Name, p.Gaits[s.gait].Name, why)
	}
	c.Params, c.Gait = &p, p.Gaits[s.gait].Name
	s.names = namesOf(c.Rig, ctl)
	return ctl, nil
}

// noClips is the word for a rig without clips.
const noClips = "none"

// clips returns the motion space the rig has: one that is built, the one of a
// recipe, or every shipped style baked for it. A run that nobody can command, by
// script or from outside, has none unless it is asked for.
func (o *simFlags) clips(r *rig.Rig) (*space.Space, error) {
	switch {
	case o.space == noClips, o.space == "" && o.headless && o.script == "":
		return nil, nil
	case strings.HasSuffix(o.space, ".json"):
		return readSpace(o.space)
	}
	rc, err := configs.UsualRecipe(r.Name)
	if o.space != "" {
		rc, err = configs.LoadRecipe(o.space)
	}
	if err != nil {
		return nil, err
	}
	made, err := retarget.Make(rc, r, openFrom(o.space), nil)
	if err != nil {
		if o.space == "" {
			return nil, nil // this rig can do none of the shipped styles; it walks without
		}
		return nil, err
	}
	return made.Space, nil
}

// plans returns the gaits that suit the rig and, when it is not among them, the
// one wanted, by name or file.
func plans(r *rig.Rig, list []control.Plan, want string) ([]control.Plan, error) {
	named := func(name string) func(control.Plan) bool {
		return func(g control.Plan) bool { return g.Name == name }
	}
	if want == "" || slices.ContainsFunc(list, named(want)) {
		return list, nil
	}
	g, err := configs.LoadGait(want, r)
	if err != nil {
		return nil, err
	}
	return append(slices.DeleteFunc(list, named(g.Name)), g), nil
}

// namesOf collects the names of a rig and its gaits and why some do not suit it.
func namesOf(r *rig.Rig, ctl *control.Controller) *telemetry.Names {
	var names, why []string
	for i, g := range ctl.Params().Gaits {
		_, reason := ctl.Offers(i)
		names, why = append(names, g.Name), append(why, reason)
	}
	n := telemetry.NamesOf(r, names)
	n.Why = why
	if sp := ctl.Params().Space; sp != nil {
		for i := range sp.Motions {
			n.Motions = append(n.Motions, sp.Motions[i].Name)
		}
	}
	return n
}

// world sets the ground, in the size of the rig. A seed that was given is the
// ground's too.
func (s *scene) world(c *rollout.Config, o *simFlags, named string, u float64) error {
	var err error
	if c.Terrain, err = configs.LoadTerrain(named, u); err != nil {
		return err
	}
	if o.changed("seed") {
		c.Terrain.Seed = o.seed
	}
	return nil
}

// orders sets what is commanded from the start, and works out how fast the rig
// may go in every gait it can be asked for.
func (s *scene) orders(c *rollout.Config, o *simFlags, ctl *control.Controller) error {
	if o.script != "" {
		script, err := configs.LoadScript(o.script, c.Rig, s.names.Gaits, s.names.Motions)
		if err != nil {
			return err
		}
		for _, t := range script.Commands {
			c.Commands = append(c.Commands, rollout.Order{At: t.At, Command: t.Command})
		}
		for _, t := range script.Events {
			c.Events = append(c.Events, rollout.Happening{At: t.At, Event: t.Event})
		}
	}
	if err := s.allow(c, o, ctl); err != nil {
		return err
	}
	switch {
	case o.moves():
		c.Commands = append(forever(o.vx, o.vy, o.wz, c), c.Commands...)
	case o.headless && o.script == "":
		ahead := ctl.Allowed(s.gait)
		if a := c.Params.Gaits[s.gait].Allowed; a != nil {
			ahead = *a
		}
		c.Commands = forever(ahead.Linear[0], 0, 0, c)
	}
	return nil
}

// forever returns a twist that does not grow old before the run ends.
func forever(vx, vy, wz float64, c *rollout.Config) []rollout.Order {
	var list []rollout.Order
	end := float64(c.Ticks) * c.Params.Dt
	for at := 0.0; at == 0 || at < end; at += configs.MaxHold {
		list = append(list, rollout.Order{At: at, Command: control.Command{
			Kind: control.KindTwist, Vx: vx, Vy: vy, Wz: wz, TTL: configs.MaxHold,
		}})
	}
	return list
}

// allow fills the tables of allowed twists, by sweeps side by side: of every
// gait when somebody may ask for it, else of those that the run names. Rungs of
// the teaching ladder have none.
func (s *scene) allow(c *rollout.Config, o *simFlags, ctl *control.Controller) error {
	if o.stage < gait.StageAll {
		return nil
	}
	asked := map[int]bool{s.gait: true}
	for i := range c.Commands {
		if k := &c.Commands[i].Command; k.Kind == control.KindGait {
			asked[int(k.Gait)] = true
		}
	}
	gaits := slices.Clone(c.Params.Gaits)
	fail := make([]error, len(gaits))
	var all sync.WaitGroup
	for i := range gaits {
		if ok, _ := ctl.Offers(i); !ok || gaits[i].Allowed != nil || o.headless && !asked[i] {
			continue
		}
		all.Go(func() {
			a, err := preflight.Allowed(ctl, i)
			gaits[i].Allowed, fail[i] = &a, err
		})
	}
	all.Wait()
	c.Params.Gaits = gaits
	return errors.Join(fail...)
}
