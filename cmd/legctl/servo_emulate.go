//go:build linux

package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"legctl/configs"
	"legctl/drivers"
	"legctl/drivers/emulator"
	"legctl/drivers/servo"

	"github.com/spf13/cobra"
)

// emulateFlags are the flags of servo emulate.
type emulateFlags struct {
	protocol, ids, model, link string
	baud                       int
	seed                       uint64
	wire                       bool
	osc                        []float64
	faults                     []string
}

func newServoEmulate() *cobra.Command {
	o := &emulateFlags{}
	c := &cobra.Command{
		Use: "emulate [RIG]", Short: "Servos without servos: a bus full of them on a pseudo terminal or socket", Args: between(0, 1, "at most one RIG"),
		Long: `Emulate the far end of a servo bus on a pseudo terminal whose path is printed
first. Whatever opens that path sees servos with speed, load, temperature,
voltage and registers. With RIG they are the servos of the rig's file, at its
rest pose. Ends with Ctrl-C.

PCA9685 boards, and the sensors of a rig that has them, hang on an emulated
computer instead, which is reached through a socket; --device takes its path too.
There the id of a fault is a channel, or the board that has it.

Faults: kind[,id=N][,at=SECONDS][,for=SECONDS][,chance=SHARE][,by=NUMBER], where
kind is one of ` + strings.Join(emulator.Kinds(), ", ") + `.`,
		Example: "  legctl servo emulate --protocol dxl2 --ids 1-18\n  legctl servo emulate phantomx --link ./bus\n  legctl servo emulate phantomx --fault lost,chance=0.01 --fault stuck,id=3,at=5",
		RunE: func(c *cobra.Command, args []string) error {
			opt, start, err := o.options(c, args)
			if err != nil {
				return err
			}
			if opt.Protocol == "pca9685" {
				return o.board(c, args, opt)
			}
			return emulate(c, o, opt, start)
		},
	}
	f := c.Flags()
	f.StringVar(&o.protocol, "protocol", "", "one of "+strings.Join(servo.Protocols(), ", ")+" (default: the rig's file)")
	f.StringVar(&o.ids, "ids", "", "ids or channels, such as 1-18; the same one twice is a conflict (default: the rig's file)")
	f.StringVar(&o.model, "model", "", "type of the servos (default: the rig's file, else the commonest of the protocol)")
	f.IntVar(&o.baud, "baud", 0, "baud they listen at (default: the rig's file, else the protocol's)")
	f.StringVar(&o.link, "link", "", "symbolic link to make to the pseudo terminal: a name that stays; the socket of boards")
	f.Uint64Var(&o.seed, "seed", 1, "seed of all chance")
	f.BoolVar(&o.wire, "wire", true, "let bytes take their time on the wire")
	f.Float64SliceVar(&o.osc, "osc-hz", nil, "true oscillator of each PCA9685, as 26000000,24300000 (default: as the rig's file believes)")
	f.StringArrayVar(&o.faults, "fault", nil, "something that goes wrong; may be given several times")
	return c
}

// options puts flags and rig together; start are the native positions to begin
// at, nil for the middle.
func (o *emulateFlags) options(c *cobra.Command, args []string) (opt emulator.Options, start []float64, err error) {
	opt = emulator.Options{Protocol: o.protocol, Model: o.model, Baud: o.baud, Seed: o.seed, Wire: o.wire}
	if len(args) == 1 {
		r, cfg, err := configs.LoadRobot(args[0])
		if err != nil {
			return opt, nil, err
		}
		if cfg == nil {
			return opt, nil, fmt.Errorf("rig %s has no servos section: see docs/hardware.md for how to write one", r.Name)
		}
		opt = emulator.RobotOptions(cfg)
		opt.Seed, opt.Wire = o.seed, o.wire
		if start, err = restNative(cfg, r.RestPose(nil), r.Joints()); err != nil {
			return opt, nil, err
		}
		if o.baud != 0 {
			opt.Baud = o.baud
		}
	}
	if o.ids != "" {
		if opt.IDs, err = idList(o.ids); err != nil {
			return opt, nil, wrongUsage(c, err)
		}
		opt.Models, start = nil, nil
	}
	if opt.Protocol == "" || len(opt.IDs) == 0 {
		return opt, nil, wrongUsage(c, errors.New("which servos? name a RIG, or give --protocol and --ids"))
	}
	if _, err := drivers.ProtocolOf(opt.Protocol); err != nil {
		return opt, nil, wrongUsage(c, err)
	}
	for _, text := range o.faults {
		f, err := emulator.ParseFault(text)
		if err != nil {
			return opt, nil, wrongUsage(c, err)
		}
		opt.Faults = append(opt.Faults, f)
	}
	return opt, start, nil
}

// restNative is where the servos of a rig stand in a pose.
func restNative(cfg *servo.Config, q []float64, joints int) ([]float64, error) {
	l, err := servo.NewLinkage(cfg.Servos, joints)
	if err != nil {
		return nil, err
	}
	native := make([]float64, len(cfg.Servos))
	l.Native(native, q)
	return native, nil
}

// emulate runs until Ctrl-C.
func emulate(c *cobra.Command, o *emulateFlags, opt emulator.Options, start []float64) error {
	b, err := emulator.New(opt)
	if err != nil {
		return err
	}
	for i, at := range start {
		b.Change(i, func(m *emulator.Motor) { m.Position, m.Goal = at, at })
	}
	if o.link != "" {
		if st, err := os.Lstat(o.link); err == nil && st.Mode()&os.ModeSymlink == 0 {
			return fmt.Errorf("--link %s: there is a file of that name already", o.link)
		}
		if o.link, err = filepath.Abs(o.link); err != nil {
			return err
		}
	}
	p, err := emulator.OpenPTY(b, o.link)
	if err != nil {
		return err
	}
	defer p.Close()
	fmt.Fprintln(c.OutOrStdout(), p.Path())
	fmt.Fprintf(c.ErrOrStderr(), "%d %s servos at %d baud; Ctrl-C ends\n", len(opt.IDs), opt.Protocol, b.Baud())
	scr := newScreen(c.ErrOrStderr())
	tick := time.NewTicker(redrawEvery)
	defer tick.Stop()
	for {
		select {
		case <-c.Context().Done():
			return p.Err()
		case <-tick.C:
		}
		if err := p.Err(); err != nil {
			return err
		}
		if scr.due() {
			scr.line(bankLine(b))
		}
	}
}

// bankLine is what a bank is doing, in one line.
func bankLine(b *emulator.Bank) string {
	on, moving, hot := 0, 0, 0.0
	volts := 0.0
	for _, id := range b.IDs() {
		m, ok := b.Motor(id)
		if !ok {
			continue
		}
		if m.Torque {
			on++
			if d := m.Goal - m.Position; d > 1 || d < -1 {
				moving++
			}
		}
		hot, volts = max(hot, m.Celsius), m.Volts
	}
	s := b.Stats()
	return fmt.Sprintf("torque on %d, moving %d, %.1f V, %.0f C; in %d bytes, out %d, requests %d, bad %d, wrong baud %d, faults %d",
		on, moving, volts, hot, s.Received, s.Sent, s.Requests, s.Bad, s.Deaf, s.Faults)
}
