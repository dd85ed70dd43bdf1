package main

import (
	"errors"
	"fmt"

	"legctl/configs"
	"legctl/control"
	"legctl/preflight"
	"legctl/rig"
	"legctl/telemetry"

	"github.com/spf13/cobra"
)

func newCheck() *cobra.Command {
	var rate float64
	var headings bool
	var lose []string
	var clips string
	c := &cobra.Command{
		Use: "check FILE...", Short: "Say what a rig can do and what limits it, before anything moves",
		Long: `Check validates rigs, by file or by the name of a shipped one, and sweeps every
gait over a whole cycle at every heading: reach, joint limits and speeds, static
torque, stability margin, highest speed and what sets it, and every assumption
made. Exit status 1 if a file has faults or the rig cannot walk.

With --lose it also rehearses the loss of legs in mid-walk: whether the rest goes
on with its margin kept, at what share of the speed, or lies down. With --clips it
sends the simulated rig to goals by each motion of its clips.`,
		Example: "  legctl check my_robot.yaml\n  legctl check phantomx --headings\n  legctl check phantomx --lose lf\n  legctl check phantomx --lose any\n  legctl check a1 --clips",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return wrongUsage(c, errors.New("which rig? give a file or the name of a shipped one"))
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			if err := rateInRange(c, rate); err != nil {
				return err
			}
			var all error
			for _, name := range args {
				all = errors.Join(all, checkRig(c, name, rate, headings, lose, clips))
			}
			return all
		},
	}
	c.Flags().Float64Var(&rate, "rate", defaultRate, "ticks a second")
	c.Flags().BoolVar(&headings, "headings", false, "a table with a row for every heading as well")
	c.Flags().StringSliceVar(&lose, "lose", nil, "legs to lose together in mid-walk, by name; any: every leg, then every pair")
	c.Flags().StringVar(&clips, "clips", "", "rehearse clips that drive: a built motion space (.json) or a recipe (no value: the shipped styles)")
	c.Flags().Lookup("clips").NoOptDefVal = usualClips
	return c
}

// usualClips is the value of --clips without one.
const usualClips = "usual"

// checkRig writes the report of one rig; what makes it unfit is the error.
func checkRig(c *cobra.Command, name string, rate float64, headings bool, lose []string, clips string) error {
	r, err := configs.LoadRig(name)
	if err != nil {
		return err
	}
	if lose != nil {
		if _, err := lostSets(r, lose); err != nil {
			return wrongUsage(c, err)
		}
	}
	p := control.DefaultParams(r)
	p.Dt = 1 / rate
	rep, err := preflight.Check(r, p)
	if err != nil {
		return err
	}
	if err := rep.WriteText(c.OutOrStdout(), telemetry.BindingName); err != nil {
		return err
	}
	if err := checkServos(c.OutOrStdout(), name); err != nil {
		return err
	}
	if headings {
		if err := rep.WriteHeadings(c.OutOrStdout(), telemetry.BindingName); err != nil {
			return err
		}
	}
	if err := unfit(r, rep); err != nil {
		return err
	}
	if lose != nil {
		if err := rehearse(c.OutOrStdout(), r, p, lose); err != nil {
			return err
		}
	}
	if clips == "" {
		return nil
	}
	if clips == usualClips {
		clips = ""
	}
	return rehearseClips(c.Context(), c.OutOrStdout(), r, p, clips)
}

// unfit turns the faults of a report into an error. A rig whose file expects
// to be refused is refused with that reason.
func unfit(r *rig.Rig, rep *preflight.Report) error {
	if len(rep.Faults) == 0 {
		return nil
	}
	f := rep.Faults[0]
	err := fmt.Errorf("check: rig %s: %s: %.3g, bound %.3g", r.Name, f.What, f.Value, f.Bound)
	if r.Refused != "" {
		err = fmt.Errorf("%w (its file expects this: %s)", err, r.Refused)
	}
	return err
}
