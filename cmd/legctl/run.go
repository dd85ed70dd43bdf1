//go:build linux

package main

import (
	"errors"
	"fmt"

	"legctl/configs"
	"legctl/control"
	"legctl/drivers"
	"legctl/drivers/servo"
	"legctl/gait"
	"legctl/loop"
	"legctl/rollout"

	"github.com/spf13/cobra"
)

// hardwareTTL is how long a twist stays good on hardware, seconds.
const hardwareTTL = 0.25

// runFlags are the flags of run as they were given.
type runFlags struct {
	shellFlags
	device, gait string
	space        string
	rate         float64
	atRest       bool
	loop         int // descriptor of the socket to the shell; -1: we are the shell
}

func newRun() *cobra.Command {
	o := &runFlags{}
	c := &cobra.Command{
		Use: "run RIG", Short: "Drive a real rig by its servos, with a broker to command it by",
		Long: `Drive a real rig by the servos that its file names. Nothing moves before
"legctl cmd mode arm". Two processes do it: one talks to the servos and does
nothing else; the other has the broker, the page and the recording. When either
dies the other one sees to it that the rig sits down or goes limp.

Ctrl-C stops the rig, lets it sit down and takes torque off.`,
		Example: "  legctl run phantomx --device /dev/serial/by-id/usb-FTDI...\n  legctl run phoenix --at-rest",
		Args:    between(0, 1, "one RIG"),
		RunE: func(c *cobra.Command, args []string) error {
			if o.loop >= 0 {
				return runLoop(c.Context(), o.loop)
			}
			if len(args) == 0 {
				return wrongUsage(c, errors.New("which rig? give a file or the name of a shipped one"))
			}
			if err := errors.Join(o.check(c), finiteFlags(c, "rate")); err != nil {
				return err
			}
			return o.drive(c, args[0])
		},
	}
	o.bind(c.Flags())
	f := c.Flags()
	f.StringVar(&o.device, "device", "", "serial port: a /dev/serial/by-id link, \"serial:\" and a USB serial number, or a device; I2C: number of the bus; or what \"legctl servo emulate\" makes (default: the rig's file)")
	f.StringVar(&o.gait, "gait", "", "gait to begin with, by name or file (default: the best the rig may walk)")
	f.Float64Var(&o.rate, "rate", 0, "ticks a second (default: the rig's file, else 50)")
	f.StringVar(&o.space, "space", "", spaceText)
	f.BoolVar(&o.atRest, "at-rest", false, "your word that the rig lies in its rest pose; needed for servos that tell no position")
	f.IntVar(&o.loop, "loop", -1, "descriptor of the shell")
	_ = f.MarkHidden("loop") // it is there
	return c
}

// robot is a scene and the servos that play it.
type robot struct {
	*scene
	servos *servo.Config
	proto  *drivers.Protocol
	budget drivers.Budget
}

// load puts a robot together from its file and the flags.
func (o *runFlags) load(name string) (*robot, error) {
	r, cfg, err := configs.LoadRobot(name)
	if err != nil {
		return nil, err
	}
	if cfg == nil {
		return nil, fmt.Errorf("run: rig %s has no servos section: it can be simulated only", r.Name)
	}
	if err := applyCalibration(cfg, r.Name); err != nil {
		return nil, err
	}
	if o.device != "" {
		cfg.Port = o.device
	}
	rate := o.rate
	if rate == 0 {
		if rate = cfg.Rate; rate == 0 {
			rate = servo.DefaultRate
		}
	}
	sf := &simFlags{
		shellFlags: o.shellFlags, terrain: "flat", gait: o.gait, rate: rate, stage: gait.StageAll, blind: true, space: o.space,
		changed: func(string) bool { return false },
	}
	b := &robot{scene: &scene{flags: sf, args: []string{name}}, servos: cfg}
	if b.proto, err = drivers.ProtocolOf(cfg.Protocol); err != nil {
		return nil, err
	}
	if b.budget, err = drivers.BudgetOf(cfg, rate); err != nil {
		return nil, err
	}
	c := rollout.Config{Rig: r, Blind: true, Limp: true}
	w := configs.World{}
	if cfg.Sensors.Push {
		if !b.proto.Caps.Feedback {
			return nil, fmt.Errorf("run: rig %s: feel_push of its sensors wants servos that tell where they are, %s does not", r.Name, cfg.Protocol)
		}
		w.Control = map[string]any{"feel_push": true}
	}
	ctl, err := b.params(&c, sf, &w)
	if err != nil {
		return nil, err
	}
	c.Params.TTL = hardwareTTL
	if err := b.world(&c, sf, "flat", ctl.Sizing(b.gait).U); err != nil {
		return nil, err
	}
	if err := b.allow(&c, sf, ctl); err != nil {
		return nil, err
	}
	b.Rollout, err = rollout.New(c)
	return b, err
}

// drive is the shell's side of a run.
func (o *runFlags) drive(c *cobra.Command, name string) (err error) {
	b, err := o.load(name)
	if err != nil {
		return err
	}
	if err := drivers.Ready(b.servos); err != nil {
		return err
	}
	if err := drivers.NeedsRest(b.proto); err != nil && !o.atRest {
		return err
	}
	screen := newScreen(c.OutOrStdout())
	sh, err := openShell(&o.shellFlags, screen)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, sh.close()) }()
	a := b.act()
	each := []func(*control.Frame){screen.status(b.scene)}
	defer screen.endLine()
	p := &process{robot: b, act: a, flags: o, screen: screen, stderr: c.ErrOrStderr(), greet: func() { b.greet(sh) }}
	return sh.play(a, each, func(sinks []loop.Sink) error { return p.run(c.Context(), sinks) })
}

// greet tells a person what runs and what to try next.
func (b *robot) greet(sh *shell) {
	w := sh.screen.w
	fmt.Fprintf(w, "%s, %s on %s, gait %s; MQTT broker at %s\n", b.names.Rig, b.servos.Protocol, b.servos.Port, b.Config.Gait, sh.addr)
	fmt.Fprintf(w, "%v\n%s\n", b.budget, drivers.Stops(b.proto, b.servos))
	if text := drivers.SlowAdaptor(b.servos.Port); text != "" {
		fmt.Fprintln(w, text)
	}
	if sh.page != nil {
		fmt.Fprintf(w, "Open %s\n", sh.page.URL())
	}
	fmt.Fprint(w, "Nothing moves yet. In another terminal:\n  legctl cmd mode arm\n  legctl cmd mode rise\n")
	fmt.Fprintf(w, "  legctl cmd twist --vx %.2g --for 10s\nCtrl-C lets it sit down and ends.\n", 0.5*b.Controller.Allowed(b.gait).Linear[0])
}
