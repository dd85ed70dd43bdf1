//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"text/tabwriter"
	"time"

	"legctl/configs"
	"legctl/drivers/calibrate"
	"legctl/drivers/servo"
	"legctl/drivers/setup"

	"github.com/spf13/cobra"
)

// calibrateFlags are the flags of servo calibrate.
type calibrateFlags struct {
	servoFlags
	answers, file      string
	undo, check, plain bool
	measure            bool
	marks              int
	lift               float64
	dry                bool
}

func newServoCalibrate() *cobra.Command {
	o := &calibrateFlags{}
	c := &cobra.Command{
		Use: "calibrate RIG", Short: "Find directions, zeros and ranges of all servos, with you as the eyes", Args: exactly(1, "one RIG"),
		Long: `Calibrate the servos of a robot. First each servo moves by 5 degrees and you say
which way the foot went. Then you put each foot on marks, by hand where servos
tell where they are (they are limp meanwhile), else by small steps. From that the
zeros of all servos are worked out, with what is left over at each joint; a set
of measurements that contradicts itself is refused, and the one that does is
named.

Nothing moves before you say so, never by more than 5 degrees, and Ctrl-C takes
torque off. The result goes into a file of its own with its date and the
identities of the servos, which are compared at each start; --undo brings back
the one before. With --answers everything is read from a file instead.

PCA9685 boards want --osc first: their clock is off by some per cent. A channel
makes a test pulse, you say how long it is on your instrument.`,
		Example: "  legctl servo calibrate phantomx --device /dev/ttyUSB0\n  legctl servo calibrate phantomx --answers phantomx --dry\n  legctl servo calibrate phantomx --undo",
		RunE: func(c *cobra.Command, args []string) error {
			o.rig = args[0]
			if o.marks < 3 || o.marks > 6 || !(math.Abs(o.lift) < 1) {
				return wrongUsage(c, fmt.Errorf("--marks %d --lift %g, want 3 to 6 marks, lifted by less than a metre", o.marks, o.lift))
			}
			return o.run(c)
		},
	}
	o.bind(c)
	f := c.Flags()
	f.StringVar(&o.answers, "answers", "", "answers from a file, by path or shipped name, instead of asking")
	f.StringVar(&o.file, "file", "", "where the calibration is kept (default: legctl/calibration/RIG.yaml in your folder of configurations)")
	f.BoolVar(&o.undo, "undo", false, "bring back the calibration before the last one")
	f.BoolVar(&o.check, "check", false, "compare the servos on the bus with the calibration that is kept")
	f.BoolVar(&o.measure, "osc", false, "measure the clock of PCA9685 boards instead, with a scope or logic analyser")
	f.BoolVar(&o.plain, "plain", false, "ask line by line even on a terminal")
	f.BoolVar(&o.dry, "dry", false, "show the result and keep nothing")
	f.IntVar(&o.marks, "marks", 4, "marks for each foot")
	f.Float64Var(&o.lift, "lift", 0, "height of the marks over the plane the rig stands on, metres, when it hangs on a stand")
	return c
}

func (o *calibrateFlags) run(c *cobra.Command) error {
	s, err := o.config(c)
	if err != nil {
		return err
	}
	if o.file == "" {
		if o.file, err = configs.CalibrationPath(s.rig.Name); err != nil {
			return err
		}
	}
	if err := o.useClocks(); err != nil && !o.undo {
		return err
	}
	switch {
	case o.measure:
		return o.clocks(c)
	case o.undo:
		date, err := configs.UndoCalibration(o.file)
		if err == nil {
			fmt.Fprintf(c.OutOrStdout(), "back to the calibration of %s: %s\n", date, o.file)
		}
		return err
	case o.check:
		return o.compare(c)
	case o.answers != "":
		return o.script(c, s)
	}
	return o.ask(c)
}

// script calibrates from a file; the robot is only opened if positions are
// missing in it.
func (o *calibrateFlags) script(c *cobra.Command, s *servos) error {
	a, err := configs.LoadAnswers(o.answers)
	if err != nil {
		return err
	}
	var m *setup.Mover
	var who []servo.Identity
	if readsRobot(a) {
		if s, err = o.open(c); err != nil {
			return err
		}
		defer s.close()
		if m, who, err = s.identified(); err != nil {
			return err
		}
	}
	got, err := setup.FromAnswers(s.rig, s.cfg, a, m)
	if err != nil {
		return err
	}
	return o.keep(c, s, got, who)
}

// readsRobot reports whether some measurement has no positions.
func readsRobot(a *servo.Answers) bool {
	for _, t := range a.Touched {
		if len(t.Native) == 0 {
			return true
		}
	}
	for _, p := range a.Posed {
		if len(p.Native) == 0 {
			return true
		}
	}
	return false
}

// identified opens the rig's servos and returns who they are.
func (s *servos) identified() (*setup.Mover, []servo.Identity, error) {
	ids, err := s.ids(nil, nil)
	if err != nil {
		return nil, nil, err
	}
	who, err := s.meet(ids)
	if err != nil {
		return nil, nil, err
	}
	m, err := s.mover()
	return m, who, err
}

// ask is a session with the operator.
func (o *calibrateFlags) ask(c *cobra.Command) error {
	s, err := o.open(c)
	if err != nil {
		return err
	}
	defer s.close()
	m, who, err := s.identified()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(c.Context())
	defer cancel()
	d, end := newDialog(c, cancel, o.plain)
	session := setup.Session{Rig: s.rig, Config: s.cfg, Mover: m, Dialog: d, Marks: o.marks, Lift: o.lift}
	got, err := session.Run(ctx)
	end()
	if err != nil {
		return err
	}
	return o.keep(c, s, got, who)
}

// keep shows a result and stores it.
func (o *calibrateFlags) keep(c *cobra.Command, s *servos, got *calibrate.Result, who []servo.Identity) error {
	if err := showResult(c.OutOrStdout(), s, got); err != nil || o.dry {
		return err
	}
	k := setup.Calibration(s.rig, s.cfg, got, who, time.Now().UTC().Format(time.RFC3339))
	if err := configs.SaveCalibration(o.file, k); err != nil {
		return err
	}
	fmt.Fprintf(c.OutOrStdout(), "kept in %s; \"legctl servo calibrate %s --undo\" brings back the one before\n", o.file, s.rig.Name)
	return nil
}

// showResult prints what was found, with the residual of each joint.
func showResult(out io.Writer, s *servos, got *calibrate.Result) error {
	w := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	fmt.Fprintln(w, "SERVO\tID\tDIRECTION\tZERO\tHORN deg\tRANGE\tRESIDUAL deg")
	for i := range got.Servos {
		k, v := &got.Servos[i], &s.cfg.Servos[i]
		way := "as the file"
		if k.PerRad*v.PerRad < 0 {
			way = "reversed"
		}
		fmt.Fprintf(w, "%s\t%d\t%s\t%.1f\t%+.1f\t%.0f to %.0f\t%.2f\n", k.Name, k.ID, way, k.Zero, deg((k.Zero-v.Zero)/k.PerRad), k.Min, k.Max, deg(k.Residual))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, warning := range got.Warnings {
		fmt.Fprintln(out, "note:", warning)
	}
	return nil
}

// compare asks the servos who they are and compares.
func (o *calibrateFlags) compare(c *cobra.Command) error {
	k, err := configs.LoadCalibration(o.file)
	if err != nil {
		return err
	}
	s, err := o.open(c)
	if err != nil {
		return err
	}
	defer s.close()
	if err := k.Apply(s.cfg); err != nil {
		return err
	}
	var found []servo.Identity
	for i := range s.cfg.Servos {
		who, err := s.drv.Ping(s.cfg.Servos[i].ID)
		if errors.Is(err, servo.ErrGone) {
			return err
		}
		if err == nil {
			found = append(found, who)
		}
	}
	var errs []error
	for _, sentence := range k.Compare(found) {
		errs = append(errs, errors.New(sentence))
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("%w\nthe calibration of %s is not this robot's: calibrate again", err, k.Date)
	}
	fmt.Fprintf(c.OutOrStdout(), "%d servos are those calibrated on %s\n", len(k.Servos), k.Date)
	return nil
}

// applyCalibration overlays a config with the calibration kept for its rig, if
// there is one. A calibration that does not belong to the config is refused.
func applyCalibration(cfg *servo.Config, rig string) error {
	path, err := configs.CalibrationPath(rig)
	if err != nil {
		return nil // no folder of configurations, so nothing is kept in it
	}
	k, err := configs.LoadCalibration(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := k.Apply(cfg); err != nil {
		return fmt.Errorf("%w (%s)", err, path)
	}
	return nil
}
