//go:build linux

package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"legctl/configs"
	"legctl/drivers/emulator"
	"legctl/drivers/servo"
	"legctl/drivers/socket"

	"github.com/spf13/cobra"
)

// board emulates a computer with PCA9685 boards until Ctrl-C.
func (o *emulateFlags) board(c *cobra.Command, args []string, opt emulator.Options) (err error) {
	bo := emulator.BoardOptions{OscHz: o.osc, Faults: opt.Faults, Seed: o.seed}
	if bo.Config, err = boardConfig(opt); err != nil {
		return err
	}
	if len(args) == 1 && o.ids == "" {
		if bo.Config, bo.Start, err = restOf(args[0]); err != nil {
			return err
		}
	}
	b, err := emulator.NewBoard(bo)
	if err != nil {
		return wrongUsage(c, err)
	}
	if o.link == "" {
		dir, err := os.MkdirTemp("", "legctl")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		o.link = filepath.Join(dir, "board")
	}
	s, err := socket.Listen(o.link, b)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	fmt.Fprintln(c.OutOrStdout(), o.link)
	fmt.Fprintf(c.ErrOrStderr(), "%d PCA9685 with %d servos; Ctrl-C ends\n", len(bo.Config.Pulses.Addresses), len(bo.Config.Servos))
	scr := newScreen(c.ErrOrStderr())
	tick := time.NewTicker(redrawEvery)
	defer tick.Stop()
	for {
		select {
		case <-c.Context().Done():
			return nil
		case <-tick.C:
		}
		line := boardLine(b, bo.Config) // servos turn as time passes
		if scr.due() {
			scr.line(line)
		}
	}
}

// restOf are the servos of a rig and their pulses in its rest pose.
func restOf(name string) (*servo.Config, []float64, error) {
	r, cfg, err := configs.LoadRobot(name)
	if err != nil {
		return nil, nil, err
	}
	start, err := restNative(cfg, r.RestPose(nil), r.Joints())
	return cfg, start, err
}

// boardConfig is boards with servos on some channels, the first at 0x40.
func boardConfig(opt emulator.Options) (*servo.Config, error) {
	cfg := &servo.Config{Protocol: opt.Protocol}
	model, err := pulseModel(opt.Model)
	if err != nil {
		return nil, err
	}
	for i, id := range opt.IDs {
		for id/16 >= len(cfg.Pulses.Addresses) {
			cfg.Pulses.Addresses = append(cfg.Pulses.Addresses, byte(0x40+len(cfg.Pulses.Addresses)))
		}
		cfg.Servos = append(cfg.Servos, servo.Servo{Name: fmt.Sprintf("servo%d", i), ID: id, Model: model.Name, Center: model.Center})
	}
	return cfg, nil
}

// pulseModel is a type of servo by its name, the first that is moved by pulses
// for none.
func pulseModel(name string) (servo.Model, error) {
	for _, m := range servo.Models() {
		if m.Drives("pca9685") && (name == "" || m.Name == name) {
			return m, nil
		}
	}
	return servo.Model{}, fmt.Errorf("model %q, want one that is moved by pulses: \"legctl servo models\"", name)
}

// boardLine is what boards are doing, in one line, with the pulse of one channel as
// an instrument would show it.
func boardLine(b *emulator.Board, cfg *servo.Config) string {
	on, moving, first := 0, 0, ""
	for ch := range 16 * len(cfg.Pulses.Addresses) {
		m, _ := b.Motor(ch)
		if d := m.Goal - m.Position; m.Torque && (d > 1 || d < -1) {
			moving++
		}
		us := b.Micros(ch)
		if us > 0 && on == 0 {
			first = fmt.Sprintf(", %.1f us on channel %d", us, ch)
		}
		if us > 0 {
			on++
		}
	}
	n, _ := b.Traffic()
	return fmt.Sprintf("pulses on %d channels, moving %d%s; transfers %d, faults %d", on, moving, first, n, b.Faults())
}
