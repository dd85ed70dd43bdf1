package main

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"time"

	"legctl/telemetry/evdev"
	"legctl/telemetry/mqtt"

	tea "charm.land/bubbletea/v2"
	"github.com/spf13/cobra"
)

// newTeleop steers a rig by keyboard and gamepad.
func newTeleop() *cobra.Command {
	t := &target{}
	var pad, holder string
	var speed, turn float64
	c := &cobra.Command{
		Use: "teleop", Short: "Steer a rig from the terminal, by keyboard and gamepad, over MQTT",
		Long: `Steer a rig from the terminal, over MQTT, as long as keys are held or sticks are
out: letting go stops it, and so does losing the pad, the terminal or the broker.
The lease is taken at the start and given back at the end; while somebody else
holds it nothing moves, and t takes it over.

Terminals that tell when a key is let go (the Kitty protocol) stop at once;
others a quarter of a second after the last repeat. A gamepad (Linux) is read
from its event device; it may come and go. Without a terminal a gamepad alone
steers: left stick walks, right stick turns, A stands, X sits, B stops, Y takes
the lease, start arms, back disarms, shoulders change the speed.`,
		Example: "  legctl teleop\n  legctl teleop --speed 0.3 --gamepad /dev/input/event7",
		Args:    exactly(0, "no arguments"),
		RunE: func(c *cobra.Command, _ []string) error {
			if err := finiteFlags(c, "speed", "turn"); err != nil {
				return err
			}
			if holder == "" {
				holder = operator()
			}
			m := &teleopModel{helm: newHelm(speed, turn), holder: holder, now: time.Now(), width: 80}
			d := &driver{target: t, model: m, pad: pad}
			if isTerminal(c.InOrStdin(), c.OutOrStdout()) {
				return d.terminal(c.Context(), c.InOrStdin(), c.OutOrStdout())
			}
			if pad == "" || pad == "none" {
				return errNoTerminal("teleop", "legctl teleop --gamepad auto steers without one, legctl cmd gives single commands")
			}
			return d.plain(c.Context(), slog.New(slog.NewTextHandler(c.ErrOrStderr(), nil)))
		},
	}
	t.bind(c)
	f := c.Flags()
	f.StringVar(&pad, "gamepad", "", "event device of the gamepad, auto or none (default: auto on a terminal)")
	f.StringVar(&holder, "lease", "", "name to hold the lease by (default: you@machine)")
	f.Float64Var(&speed, "speed", 0.2, "speed of a full stick or a key, m/s; the rig keeps to what it can")
	f.Float64Var(&turn, "turn", 0.6, "turn rate of a full stick or a key, rad/s")
	return c
}

// driver joins a teleopModel to a broker and a pad.
type driver struct {
	target *target
	model  *teleopModel
	pad    string
	client *mqtt.Client
	tell   func(tea.Msg)
}

// terminal steers with a screen.
func (d *driver) terminal(ctx context.Context, in io.Reader, out io.Writer) error {
	reading, end := context.WithCancel(ctx)
	defer end()
	return runScreen(ctx, d.target, func(tell func(tea.Msg)) tea.Model {
		d.begin(reading, tell)
		return &captain{d}
	}, in, out)
}

// captain is the model of a driver as the program sees it: it learns of clients
// before the model does.
type captain struct{ *driver }

func (c *captain) leave() { c.model.leave() }

// Init implements tea.Model.
func (c *captain) Init() tea.Cmd { return c.model.Init() }

// View implements tea.Model.
func (c *captain) View() tea.View { return c.model.View() }

// Update implements tea.Model.
func (c *captain) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if up, ok := msg.(joined); ok {
		c.client = up.client
	}
	_, cmd := c.model.Update(msg)
	return c, cmd
}

// begin lets the model give orders and listens to the pad.
func (d *driver) begin(ctx context.Context, tell func(tea.Msg)) {
	d.tell = tell
	d.model.give = d.give
	if d.pad != "none" {
		go listenPad(ctx, d.pad, tell)
	}
}

// give carries an order out without waiting; what is refused comes back as a
// message. The last orders, of leave, are waited for.
func (d *driver) give(o order) {
	c, rig := d.client, d.target.rig
	if c == nil {
		return
	}
	if o.topic == "lease" {
		if o.body["action"] == "release" {
			c.As("")
		} else {
			c.As(d.model.holder)
		}
	}
	ch, err := c.Send(rig, o.topic, o.body)
	if err != nil {
		go d.tell(refused{err})
		return
	}
	wait := func() {
		select {
		case r := <-ch:
			switch err := mqtt.Verdict(rig, r); {
			case mqtt.Replaced(r):
			case err != nil:
				d.tell(refused{err})
			case o.topic == "lease" && o.body["action"] != "release":
				d.tell(leaseMine{})
			}
		case <-time.After(3 * time.Second): // the tick that would have answered is lost
		}
	}
	if d.model.quitting {
		select {
		case <-ch:
		case <-time.After(500 * time.Millisecond):
		}
		return
	}
	go wait()
}

// listenPad tells of a pad for as long as it is there, and looks for one again.
func listenPad(ctx context.Context, name string, tell func(tea.Msg)) {
	for ctx.Err() == nil {
		if pad, err := openPad(name); err == nil {
			readPad(ctx, pad, tell)
		}
		select {
		case <-ctx.Done():
		case <-time.After(redialEvery):
		}
	}
}

func openPad(name string) (*evdev.Pad, error) {
	if name != "" && name != "auto" {
		return evdev.Open(name)
	}
	for _, path := range evdev.Find() {
		if p, err := evdev.Open(path); err == nil {
			return p, nil
		}
	}
	return nil, errNoPad
}

func readPad(ctx context.Context, pad *evdev.Pad, tell func(tea.Msg)) {
	defer pad.Close()
	defer context.AfterFunc(ctx, func() { pad.Close() })()
	tell(padThere{pad})
	for {
		e, err := pad.Read()
		if err != nil {
			if ctx.Err() == nil {
				tell(padGone{err})
			}
			return
		}
		if e.Type != evdev.TypeSync {
			tell(padEvent{e})
		}
	}
}

// plain steers by a pad without a terminal, with log lines.
func (d *driver) plain(ctx context.Context, log *slog.Logger) error {
	pad, err := openPad(d.pad)
	if err != nil {
		return errors.Join(errNoPad, err)
	}
	pad.Close()                                                 // it is opened again by listenPad
	tied, end := context.WithCancel(context.WithoutCancel(ctx)) // outlives an interrupt, for the last words
	defer end()
	messages := make(chan tea.Msg, 64)
	tell := func(m tea.Msg) {
		select {
		case messages <- m:
		case <-tied.Done():
		}
	}
	l := &tether{target: d.target, tell: tell}
	up, err := l.dial(ctx)
	if err != nil {
		return err
	}
	d.begin(tied, tell)
	done := make(chan struct{})
	go func() { defer close(done); l.keep(tied, up) }()
	beat := time.NewTicker(helmEvery)
	defer beat.Stop()
	c := &captain{d}
	said := ""
	for {
		select {
		case m := <-messages:
			c.Update(m)
		case now := <-beat.C:
			c.Update(helmTick(now))
		case <-ctx.Done():
			d.model.leave()
			end()
			<-done
			return nil
		}
		if text := d.model.trouble + d.model.notice; text != said {
			said = text
			log.Info("teleop", "rig", d.model.rig, "pad", d.model.pad, "note", text)
		}
	}
}
