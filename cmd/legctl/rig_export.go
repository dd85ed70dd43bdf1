package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"legctl/configs"
	"legctl/rig"
	"legctl/rig/mjcf"
	"legctl/rig/urdf"

	"github.com/spf13/cobra"
)

// rigExport is what rig export was asked for.
type rigExport struct {
	mjcf, urdf bool
	file       string
	options    mjcf.Options
}

func newRigExport() *cobra.Command {
	e := new(rigExport)
	c := &cobra.Command{
		Use: "export RIG", Short: "Write a rig as a file of another program", Args: exactly(1, "RIG"),
		Long: `Write a rig as a MuJoCo model (--mjcf) or as a URDF robot (--urdf).

The MuJoCo model is a free body on a plane with position actuators that have the
torque of the rig's joints; their speed limit is the damping that uses the whole
torque up. What a rig does not say can be set: stiffness, damping, friction.`,
		Example: "  legctl rig export a1 --mjcf -o a1.xml\n  legctl rig export phantomx --urdf > phantomx.urdf",
		RunE: func(c *cobra.Command, args []string) error {
			if err := e.check(c); err != nil {
				return wrongUsage(c, err)
			}
			r, err := configs.LoadRig(args[0])
			if err != nil {
				return err
			}
			return e.run(c.OutOrStdout(), r)
		},
	}
	f := c.Flags()
	f.BoolVar(&e.mjcf, "mjcf", false, "write a MuJoCo model")
	f.BoolVar(&e.urdf, "urdf", false, "write a URDF robot")
	f.StringVarP(&e.file, "output", "o", "", "write to this file; without it to the standard output")
	f.Float64Var(&e.options.KP, "kp", 0, "stiffness of the actuators in Nm/rad, with --mjcf (0: torque / 0.15 rad)")
	f.Float64Var(&e.options.Damping, "damping", 0, "damping of the joints in Nm s/rad, with --mjcf (0: torque / speed)")
	f.Float64Var(&e.options.Friction, "friction", 0, "friction of feet and ground, with --mjcf (0: 0.8)")
	return c
}

// check says what is wrong with the flags.
func (e *rigExport) check(c *cobra.Command) error {
	if e.mjcf == e.urdf {
		return errors.New("which file? want --mjcf or --urdf")
	}
	for _, n := range []string{"kp", "damping", "friction"} {
		if e.urdf && c.Flags().Changed(n) {
			return fmt.Errorf("--%s says nothing in a URDF file: want it with --mjcf", n)
		}
	}
	return nil
}

func (e *rigExport) run(out io.Writer, r *rig.Rig) error {
	if e.file == "" {
		return e.write(out, r)
	}
	f, err := os.Create(e.file)
	if err != nil {
		return fmt.Errorf("legctl: %w", err)
	}
	return errors.Join(e.write(f, r), f.Close())
}

func (e *rigExport) write(out io.Writer, r *rig.Rig) error {
	if e.urdf {
		return urdf.Write(out, r)
	}
	return mjcf.Write(out, r, e.options)
}
