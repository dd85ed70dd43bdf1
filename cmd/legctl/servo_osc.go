//go:build linux

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"time"

	"legctl/configs"
	"legctl/drivers/pca9685"
	"legctl/drivers/servo"

	"github.com/spf13/cobra"
)

// testPulse is what boards are told to make while their clock is measured, us.
const testPulse = 1500

// clocks measures the oscillator of each PCA9685 with the operator's instrument
// and keeps it in the calibration.
func (o *calibrateFlags) clocks(c *cobra.Command) (err error) {
	s, err := o.config(c)
	if err != nil {
		return err
	}
	if !s.proto.I2C() {
		return wrongUsage(c, fmt.Errorf("--osc measures the clock of PCA9685 boards; rig %s has %s servos", s.rig.Name, s.proto.Name))
	}
	k, err := o.before(s)
	if err != nil {
		return err
	}
	if s, err = o.open(c); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	if _, err := s.drv.Open(nil); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.drv.Off()) }()
	in := bufio.NewReader(c.InOrStdin())
	k.OscHz = nil
	for i := range s.cfg.Pulses.Addresses {
		hz, err := s.clock(c, in, i)
		if err != nil {
			return err
		}
		k.OscHz = append(k.OscHz, hz)
		fmt.Fprintf(c.OutOrStdout(), "board %#02x: %.0f Hz, %+.1f %% from what chips say of themselves\n", s.cfg.Pulses.Addresses[i], hz, 100*(hz/pca9685.NominalHz-1))
	}
	if o.dry {
		return nil
	}
	k.Date = time.Now().UTC().Format(time.RFC3339)
	if err := configs.SaveCalibration(o.file, k); err != nil {
		return err
	}
	fmt.Fprintf(c.OutOrStdout(), "kept in %s; zeros that were found with another clock are off: \"legctl servo calibrate %s\"\n", o.file, s.rig.Name)
	return nil
}

// before is the calibration that is kept, or how the rig's file has the servos.
func (o *calibrateFlags) before(s *servos) (*servo.Calibration, error) {
	k, err := configs.LoadCalibration(o.file)
	if err == nil {
		return k, k.Apply(s.cfg)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	k = &servo.Calibration{Rig: s.rig.Name, Protocol: s.cfg.Protocol}
	for i := range s.cfg.Servos {
		v := &s.cfg.Servos[i]
		k.Servos = append(k.Servos, servo.Calibrated{Name: v.Name, ID: v.ID, Zero: v.Zero, PerRad: v.PerRad, Min: v.Min, Max: v.Max})
	}
	return k, nil
}

// clock lets one channel of a board make pulses and asks what an instrument shows.
func (s *servos) clock(c *cobra.Command, in *bufio.Reader, board int) (float64, error) {
	ch, servo := s.spare(board)
	where := fmt.Sprintf("channel %d of board %#02x, which has no servo", ch%pca9685.Channels, s.cfg.Pulses.Addresses[board])
	if servo != "" {
		where = fmt.Sprintf("channel %d of board %#02x (take the plug of %s off)", ch%pca9685.Channels, s.cfg.Pulses.Addresses[board], servo)
	}
	say := c.ErrOrStderr()
	fmt.Fprintf(say, "Put a scope or logic analyser on the signal pin of %s. Enter starts the pulses. ", where)
	if _, err := line(c.Context(), in); err != nil {
		return 0, err
	}
	if err := s.drv.Enable(goalAt(ch, testPulse)); err != nil {
		return 0, err
	}
	for {
		fmt.Fprint(say, "How long is a pulse in microseconds, or how often does it come (such as 51.8 Hz)? ")
		text, err := line(c.Context(), in)
		if err != nil {
			return 0, err
		}
		v, hz, err := measured(text)
		if err == nil {
			if v, err = pca9685.MeasuredOsc(s.cfg.Pulses, board, testPulse, v, hz); err == nil {
				return v, s.drv.Relax([]int{ch})
			}
		}
		fmt.Fprintln(say, err)
	}
}

func goalAt(ch int, us float64) []servo.Goal { return []servo.Goal{{ID: ch, Pos: us}} }

// spare is a channel of a board without a servo, else its last one with the name
// of its servo.
func (s *servos) spare(board int) (ch int, servo string) {
	for ch = board * pca9685.Channels; ch < (board+1)*pca9685.Channels; ch++ {
		if servo = s.name(ch); servo == "-" {
			return ch, ""
		}
	}
	return ch - 1, servo
}

// measured reads a length in us, or a frequency with its unit.
func measured(text string) (v float64, hz bool, err error) {
	number, hz := strings.CutSuffix(strings.ToLower(strings.TrimSpace(text)), "hz")
	number = strings.TrimSpace(strings.TrimSuffix(number, "us"))
	if v, err = strconv.ParseFloat(number, 64); err != nil || !(v > 0) {
		return 0, false, fmt.Errorf("%q, want microseconds such as 1478.5, or 51.8 Hz", text)
	}
	return v, hz, nil
}

// line reads one line, or ends with the context: pulses must not go on because
// nobody answers.
func line(ctx context.Context, in *bufio.Reader) (string, error) {
	type read struct {
		text string
		err  error
	}
	done := make(chan read, 1)
	go func() {
		text, err := in.ReadString('\n')
		if len(text) > 0 && errors.Is(err, io.EOF) {
			err = nil
		}
		done <- read{strings.TrimSpace(text), err}
	}()
	select {
	case r := <-done:
		if r.err != nil {
			return "", fmt.Errorf("no answer: pulses are off, nothing was stored: %w", r.err)
		}
		return r.text, nil
	case <-ctx.Done():
		return "", errors.New("stopped: pulses are off, nothing was stored")
	}
}

// useClocks lets boards run by the clocks that a kept calibration knows, if there
// is one.
func (o *calibrateFlags) useClocks() error {
	k, err := configs.LoadCalibration(o.file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		o.osc = slices.Clone(k.OscHz)
	}
	return err
}
