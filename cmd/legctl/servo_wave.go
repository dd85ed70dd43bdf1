//go:build linux

package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"legctl/drivers/setup"

	"github.com/spf13/cobra"
)

func newServoWave() *cobra.Command {
	o := &servoFlags{calibrated: true}
	var only []string
	var yes bool
	var degrees float64
	c := &cobra.Command{
		Use: "wave RIG", Short: "Move each joint by a few degrees, by name", Args: exactly(1, "one RIG"),
		Long: `Move each joint of a rig by a few degrees to and fro and say its name first, so
that you see whether ids and channels are where the rig's file has them. At most
5 degrees, at most 20 degrees a second, one servo at a time, with reduced torque
where the protocol has it; each is limp before and after.

Servos that tell no position jump to the middle of their travel when they are
switched on: take the horns off, or hold the legs in the rest pose.`,
		Example: "  legctl servo wave phantomx\n  legctl servo wave phantomx --servo lf_coxa --servo lf_femur",
		RunE: func(c *cobra.Command, args []string) error {
			o.rig = args[0]
			if err := finiteFlags(c, "degrees"); err != nil || degrees <= 0 || degrees > setup.MostDegrees {
				return wrongUsage(c, fmt.Errorf("--degrees %g, want above 0, up to %g", degrees, setup.MostDegrees))
			}
			s, err := o.open(c)
			if err != nil {
				return err
			}
			defer s.close()
			return s.wave(c, only, yes, degrees)
		},
	}
	o.bind(c)
	f := c.Flags()
	f.StringArrayVar(&only, "servo", nil, "servo to move, by name (default: all)")
	f.BoolVar(&yes, "yes", false, "do not ask before the first motion")
	f.Float64Var(&degrees, "degrees", setup.MostDegrees, "how far to either side")
	return c
}

// mover returns a mover of the rig's servos; those without feedback are taken to
// be in the rest pose.
func (s *servos) mover() (*setup.Mover, error) {
	m := &setup.Mover{Driver: s.drv, Config: s.cfg, Clock: s.link.Clock}
	if s.drv.Caps().Feedback {
		return m, nil
	}
	rest, err := restNative(s.cfg, s.rig.RestPose(nil), s.rig.Joints())
	m.Rest = rest
	return m, err
}

func (s *servos) wave(c *cobra.Command, only []string, yes bool, degrees float64) (err error) {
	which := make([]int, 0, len(s.cfg.Servos))
	for i := range s.cfg.Servos {
		which = append(which, i)
	}
	if len(only) > 0 {
		which = which[:0]
		for _, name := range only {
			i := s.cfg.Index(name)
			if i < 0 {
				return fmt.Errorf("rig %s has no servo %q", s.rig.Name, name)
			}
			which = append(which, i)
		}
	}
	if !yes {
		ok, err := confirm(c, fmt.Sprintf("Each of %d joints will move by %g degrees, slowly. Is the robot on a stand, legs free, hands off?", len(which), degrees))
		if err != nil || !ok {
			return errors.Join(err, notConfirmed(ok))
		}
	}
	var ids []int
	for _, i := range which {
		ids = append(ids, s.cfg.Servos[i].ID)
	}
	if _, err := s.meet(ids); err != nil {
		return err
	}
	m, err := s.mover()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, m.Off()) }()
	for _, i := range which {
		v := &s.cfg.Servos[i]
		plus, minus := setup.Directions(s.rig, v)
		fmt.Fprintf(c.OutOrStdout(), "%s (id %d): the foot of %s should move %s, then %s\n", v.Name, v.ID, s.rig.Legs[v.Leg].Name, plus, minus)
		if err := m.Wave(c.Context(), i, degrees); err != nil {
			return err
		}
	}
	return nil
}

// notConfirmed is the error of a question that was answered with no.
func notConfirmed(ok bool) error {
	if ok {
		return nil
	}
	return errors.New("not confirmed: nothing moved")
}

// confirm asks a question on the command's input; only y or yes is yes.
func confirm(c *cobra.Command, question string) (bool, error) {
	fmt.Fprintf(c.ErrOrStderr(), "%s [y/N] ", question)
	line, err := bufio.NewReader(c.InOrStdin()).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	a := strings.ToLower(strings.TrimSpace(line))
	return a == "y" || a == "yes", nil
}
