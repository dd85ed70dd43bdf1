package main

import (
	"errors"
	"fmt"
	"time"

	"legctl/gait"

	"github.com/spf13/cobra"
)

// What sim does when it is not told.
const (
	defaultWorld    = "default"
	defaultRig      = "phantomx"
	defaultRate     = 100
	defaultDuration = 30 * time.Second // of a headless run
)

// simFlags are the flags of sim as they were given.
type simFlags struct {
	shellFlags
	world, terrain, gait, script string
	duration                     time.Duration
	fast, blind, json            bool
	seed                         uint64
	rate, vx, vy, wz             float64
	stage                        int
	space                        string

	changed func(name string) bool // was this flag given?
}

func newSim() *cobra.Command {
	o := &simFlags{}
	c := &cobra.Command{
		Use: "sim [RIG]", Short: "Simulate a rig, with a broker to command it by, or headless",
		Long: `Simulate a rig in real time, with an MQTT broker on 127.0.0.1 to command it by.
Ctrl-C ends it with a summary.

RIG is a shipped rig (see "legctl rig list"), perhaps with the length of its
longest leg (octopod@0.06), or a file. Without one the default world's rig walks
the default world's ground. With --headless there is no broker; without a script
or a twist the rig then walks straight on, as fast as its gait allows.`,
		Example: `  legctl sim
  legctl sim octopod@0.06 --terrain rough --gait gallop
  legctl sim phantomx --headless --fast --duration 60s --json`,
		Args: between(0, 1, "at most one RIG"),
		RunE: func(c *cobra.Command, args []string) error {
			o.changed = c.Flags().Changed
			if err := o.check(c); err != nil {
				return err
			}
			s, err := build(o, args)
			if err != nil {
				return err
			}
			return s.run(c, o)
		},
	}
	o.bind(c)
	return c
}

// spaceText says what --space takes.
const spaceText = "motion space: a built file (.json), a recipe by name or file, or none (default: the shipped styles, baked for the rig)"

// bind declares the flags.
func (o *simFlags) bind(c *cobra.Command) {
	f := c.Flags()
	o.shellFlags.bind(f)
	f.StringVar(&o.world, "world", defaultWorld, "world by name or file: rig, terrain, gait, seed, simulator")
	f.StringVar(&o.terrain, "terrain", "", "terrain by name or file (default: the world's)")
	f.StringVar(&o.gait, "gait", "", "gait to begin with, by name or file (default: the best the rig may walk)")
	f.StringVar(&o.script, "script", "", "timed commands and world events, by name or file")
	f.DurationVar(&o.duration, "duration", 0, "how long, such as 30s (default: until Ctrl-C; headless: 30s)")
	f.BoolVar(&o.headless, "headless", false, "no broker, no status line")
	f.BoolVar(&o.fast, "fast", false, "as fast as the machine can, not in real time")
	f.BoolVar(&o.blind, "blind", false, "withhold pose and ground from the controller")
	f.BoolVar(&o.json, "json", false, "end with one JSON object of the summary on standard output")
	f.Uint64Var(&o.seed, "seed", 0, "seed of everything random, the ground included (default: the world's)")
	f.Float64Var(&o.rate, "rate", defaultRate, "ticks a second")
	f.IntVar(&o.stage, "rules-stage", gait.StageAll, "teaching ladder: 0 no step rules, ... 11 all of them")
	f.StringVar(&o.space, "space", "", spaceText)
	f.Float64Var(&o.vx, "vx", 0, "walk from the start: forward, m/s")
	f.Float64Var(&o.vy, "vy", 0, "walk from the start: left, m/s")
	f.Float64Var(&o.wz, "wz", 0, "walk from the start: counter-clockwise, rad/s")
}

// check refuses flags that make no sense.
func (o *simFlags) check(c *cobra.Command) error {
	err := errors.Join(o.shellFlags.check(c), exclusive(c, "broker", "headless"), exclusive(c, "port", "headless"),
		finiteFlags(c, "vx", "vy", "wz", "rate"))
	if err != nil {
		return err
	}
	if err := rateInRange(c, o.rate); err != nil {
		return err
	}
	switch {
	case o.stage < gait.StageNone || o.stage > gait.StageAll:
		return wrongUsage(c, fmt.Errorf("--rules-stage %d, want %d to %d", o.stage, gait.StageNone, gait.StageAll))
	case o.duration < 0:
		return wrongUsage(c, fmt.Errorf("--duration %v, want 0 or more", o.duration))
	}
	if o.headless && o.duration == 0 {
		o.duration = defaultDuration
	}
	return nil
}

// rateInRange refuses rates the controller cannot run at.
func rateInRange(c *cobra.Command, rate float64) error {
	if rate >= 10 && rate <= 1000 {
		return nil
	}
	return wrongUsage(c, fmt.Errorf("--rate %g, want 10 to 1000 ticks a second", rate))
}

// moves reports whether the flags say how to walk from the start.
func (o *simFlags) moves() bool { return o.changed("vx") || o.changed("vy") || o.changed("wz") }

// errNoGait is what a rig that may walk nothing ends with.
var errNoGait = errors.New("the rig may walk no gait")
