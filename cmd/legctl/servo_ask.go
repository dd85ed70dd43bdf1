//go:build linux

package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"legctl/drivers"
	"legctl/drivers/servo"
	"legctl/drivers/setup"

	"github.com/spf13/cobra"
)

func newServoScan() *cobra.Command {
	o := &servoFlags{}
	var ids string
	c := &cobra.Command{
		Use: "scan", Short: "Look for servos at every baud and id; nothing moves", Args: exactly(0, "no arguments"),
		Long: `Look for servos at every baud of the protocol and every id. Nothing moves. Two
servos with the same id are reported: take one of them off the bus and give it
another id with "legctl servo set". On I2C the chips that answer are listed, PCA9685
boards by name.`,
		Example: "  legctl servo scan --protocol dxl1 --device /dev/ttyUSB0\n  legctl servo scan --rig phantomx --ids 1-18",
		RunE: func(c *cobra.Command, _ []string) error {
			s, err := o.open(c)
			if err != nil {
				return err
			}
			defer s.close()
			if s.proto.I2C() {
				found, err := setup.ScanBoards(c.Context(), s.link, s.cfg)
				return errors.Join(showChips(c, found), err)
			}
			opt := setup.ScanOptions{}
			if ids != "" {
				if opt.IDs, err = idList(ids); err != nil {
					return wrongUsage(c, err)
				}
			}
			if o.baud != 0 {
				opt.Bauds = []int{o.baud}
			}
			scr := newScreen(c.ErrOrStderr())
			opt.Progress = func(baud, id int) {
				if scr.due() {
					fmt.Fprintf(scr.w, "scanning at %d baud, id %d\n", baud, id)
				}
			}
			found, err := setup.Scan(c.Context(), s.proto, s.link, s.cfg, opt)
			return errors.Join(showFound(c, s, found), err)
		},
	}
	o.bindRig(c)
	c.Flags().StringVar(&ids, "ids", "", "ids to ask, such as 1-18 (default: all of the protocol)")
	return c
}

// showFound prints what a scan found, and fails on a conflict or on nothing.
func showFound(c *cobra.Command, s *servos, found []setup.Found) error {
	if len(found) == 0 {
		return fmt.Errorf("no %s servo answered: is the power of the servos on, the data wire in the right way round, and the protocol right? %s", s.proto.Name, s.proof())
	}
	w := tabwriter.NewWriter(c.OutOrStdout(), 0, 8, 2, ' ', 0)
	fmt.Fprintln(w, "ID\tNAME\tBAUD\tMODEL\tFIRMWARE\tNOTE")
	clash := 0
	for _, f := range found {
		note := f.Why
		if f.Conflict {
			clash++
			note = "CONFLICT: " + note
		}
		fmt.Fprintf(w, "%d\t%s\t%d\t%s\t%d\t%s\n", f.ID, s.name(f.ID), f.Baud, modelName(f.Number), f.Firmware, note)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if clash > 0 {
		return fmt.Errorf("%d ids are given to several servos: put each alone on the bus and give it an id of its own with \"legctl servo set ID id=NEW\"", clash)
	}
	return nil
}

// showChips prints what answered on an I2C bus.
func showChips(c *cobra.Command, found []setup.Chip) error {
	w := tabwriter.NewWriter(c.OutOrStdout(), 0, 8, 2, ' ', 0)
	fmt.Fprintln(w, "ADDRESS\tCHIP\tCHANNELS")
	for _, f := range found {
		chip, channels := "another", "-"
		if f.Pulses {
			chip, channels = "PCA9685", "not in the rig's file"
		}
		if f.First >= 0 {
			channels = fmt.Sprintf("%d to %d", f.First, f.First+15)
		}
		fmt.Fprintf(w, "%#02x\t%s\t%s\n", f.Address, chip, channels)
	}
	return w.Flush()
}

// proof says what is known to work when no servo answers: an echo comes through
// the adaptor, which silence does not.
func (s *servos) proof() string {
	switch b := s.link.Bus; {
	case b == nil || !b.Timing().Echo:
		return "the port itself could be opened"
	case b.Stats.Received > 0 || b.Stats.Stale > 0:
		return "the adaptor is fine: it handed back what was sent"
	}
	return "not even the echo came back: look at the adaptor, or leave echo out if it gives none"
}

// modelName is the name of a model number.
func modelName(n int) string {
	if n == 0 {
		return "-"
	}
	for _, m := range servo.Models() {
		if m.Number == n {
			return m.Name
		}
	}
	return "number " + strconv.Itoa(n)
}

func newServoPing() *cobra.Command {
	o := &servoFlags{}
	c := &cobra.Command{
		Use: "ping [ID...]", Short: "Ask servos who they are", Args: between(0, 256, "ids such as 1-6, or names of the rig's servos"),
		Example: "  legctl servo ping --protocol dxl2 --device /dev/ttyUSB0 1-6\n  legctl servo ping --rig xl430_octopod lf_coxa",
		RunE: func(c *cobra.Command, args []string) error {
			s, ids, err := o.openFor(c, args)
			if err != nil {
				return err
			}
			defer s.close()
			return s.ping(c, ids)
		},
	}
	o.bindRig(c)
	return c
}

// ping asks servos who they are and prints it.
func (s *servos) ping(c *cobra.Command, ids []int) error {
	var found []servo.Identity
	var bad []error
	for _, id := range ids {
		who, err := s.drv.Ping(id)
		if err != nil {
			bad = append(bad, err)
			if errors.Is(err, servo.ErrGone) || !s.drv.Caps().Feedback { // a board is the same for all its channels
				break
			}
			continue
		}
		found = append(found, who)
		what := fmt.Sprintf("%s, firmware %d", modelName(who.Number), who.Firmware)
		if who.Number == 0 {
			what = "it answers"
		}
		if s.link.Bus != nil && s.link.Bus.Stats.RoundTrip > 0 { // Firmata is met by its own client
			what += fmt.Sprintf(", %.1f ms", s.link.Bus.Stats.RoundTrip.Seconds()*1e3)
		}
		fmt.Fprintf(c.OutOrStdout(), "%d %s: %s\n", id, s.name(id), what)
	}
	return drivers.Missing(s.proto, s.cfg, ids, found, errors.Join(bad...))
}

// openFor opens the bus and reads the ids of the arguments.
func (o *servoFlags) openFor(c *cobra.Command, args []string) (*servos, []int, error) {
	s, err := o.config(c)
	if err != nil {
		return nil, nil, err
	}
	ids, err := s.ids(c, args)
	if err != nil {
		return nil, nil, err
	}
	s, err = o.open(c)
	return s, ids, err
}

func newServoRead() *cobra.Command {
	o := &servoFlags{calibrated: true}
	c := &cobra.Command{
		Use: "read [ID...]", Short: "Show position, load, voltage and temperature of servos once", Args: between(0, 256, "ids such as 1-6, or names of the rig's servos"),
		Example: "  legctl servo read --rig phantomx\n  legctl servo read --protocol lx16a --device /dev/ttyUSB0 1-18",
		RunE: func(c *cobra.Command, args []string) error {
			s, ids, err := o.openFor(c, args)
			if err != nil {
				return err
			}
			defer s.close()
			fb, err := s.read(ids)
			if err != nil {
				return err
			}
			return writeFeedback(c.OutOrStdout(), s, fb)
		},
	}
	o.bindRig(c)
	return c
}

// read asks all servos once; only a lost port, or a protocol that tells nothing,
// is an error.
func (s *servos) read(ids []int) ([]servo.Feedback, error) {
	if !s.drv.Caps().Feedback && !s.drv.Caps().Status {
		return nil, fmt.Errorf("%s servos tell nothing: there is no way to read them", s.proto.Name)
	}
	fb := make([]servo.Feedback, len(ids))
	for i, id := range ids {
		fb[i].ID = id
	}
	echo := s.link.Bus != nil && s.link.Bus.Timing().Echo
	err := s.drv.Read(fb)
	if err == nil && !echo && s.link.Bus != nil && s.link.Bus.Timing().Echo { // found out by this very question
		s.link.Clock.Sleep(s.link.Bus.Timing().Late + time.Second/20)
		err = s.drv.Read(fb)
	}
	if err != nil && errors.Is(err, servo.ErrGone) {
		return nil, err
	}
	return fb, nil
}

func newServoSet() *cobra.Command {
	o := &servoFlags{}
	var yes bool
	c := &cobra.Command{
		Use: "set ID KEY=VALUE...", Short: "Change the id or baud of a servo, its torque, or restart it", Args: between(2, 16, "ID and what to set: id=, baud=, torque=on or off, reboot=yes"),
		Long: `Change one servo: id=NEW, baud=NEW, torque=on (holds where it is) or off,
reboot=yes. Id and baud are kept by the servo and read back. Setting an id asks
for --alone: with several servos of the same id on the bus all would take it.`,
		Example: "  legctl servo set --protocol dxl1 --device /dev/ttyUSB0 1 id=7 --alone\n  legctl servo set --rig phantomx lf_coxa torque=off",
		RunE: func(c *cobra.Command, args []string) error {
			s, ids, err := o.openFor(c, args[:1])
			if err != nil {
				return err
			}
			defer s.close()
			if len(ids) != 1 {
				return wrongUsage(c, errors.New("one servo at a time"))
			}
			for _, kv := range args[1:] {
				if err := s.set(c, &ids[0], kv, yes); err != nil {
					return err
				}
				fmt.Fprintf(c.OutOrStdout(), "%d: %s\n", ids[0], kv)
			}
			return nil
		},
	}
	o.bindRig(c)
	c.Flags().BoolVar(&yes, "alone", false, "this servo is alone on the bus, or the only one with its id")
	return c
}

// set carries out one KEY=VALUE.
func (s *servos) set(c *cobra.Command, id *int, kv string, alone bool) error {
	key, text, _ := strings.Cut(kv, "=")
	n, numErr := strconv.Atoi(text)
	switch {
	case key == "id" && numErr == nil:
		if !alone {
			return wrongUsage(c, errors.New("setting an id wants --alone: every servo with the old id would take the new one"))
		}
		if err := s.drv.SetID(*id, n); err != nil {
			return err
		}
		*id = n
		return nil
	case key == "baud" && numErr == nil:
		return s.drv.SetBaud(*id, n)
	case key == "torque" && text == "off":
		return s.drv.Relax([]int{*id})
	case key == "torque" && text == "on":
		fb, err := s.read([]int{*id})
		if err != nil {
			return err
		}
		if fb[0].Has&servo.HasPos == 0 {
			return fmt.Errorf("servo %d does not tell where it is, so torque would make it jump: use \"legctl servo wave\"", *id)
		}
		return s.drv.Enable([]servo.Goal{{ID: *id, Pos: fb[0].Pos}})
	case key == "reboot" && text == "yes":
		return s.drv.Reboot(*id)
	}
	return wrongUsage(c, fmt.Errorf("%q, want id=NUMBER, baud=NUMBER, torque=on, torque=off or reboot=yes", kv))
}
