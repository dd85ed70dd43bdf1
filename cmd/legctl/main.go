// Legctl walks legged robots: it simulates them, commands them over MQTT,
// checks their body plans and replays what they did.
//
//	legctl sim                    the default rig on rough ground, with a broker
//	legctl cmd twist --vx 0.1     walk forward until Ctrl-C
//	legctl check my_robot.yaml    what the robot can do, before it moves
//
// This package is flags and wiring; what it wires lives in the packages it
// imports. Exit status: 0 done, 1 it did not work, 2 wrong usage.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// The exit statuses.
const (
	exitDone   = 0
	exitFailed = 1
	exitUsage  = 2
)

// run is the program: it returns the exit status.
func run(args []string, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the program at once
	root := newRoot()
	root.SetArgs(spareNegatives(args))
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	var usage *usageError
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &usage):
		fmt.Fprintf(stderr, "legctl: %v\nSee \"%s --help\".\n", err, usage.cmd)
		return exitUsage
	case errors.Is(err, errSaid):
		return exitFailed
	}
	fmt.Fprintf(stderr, "legctl: %v\n", err)
	return exitFailed
}

// errSaid is in the error of a command whose reason has been given elsewhere.
var errSaid = errors.New("said already")

// usageError is a command line that makes no sense.
type usageError struct {
	error
	cmd string // the command whose help says more
}

func wrongUsage(c *cobra.Command, err error) error {
	if err == nil {
		return nil
	}
	return &usageError{err, c.CommandPath()}
}

// newRoot returns the whole tree of commands.
func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:           "legctl",
		Short:         "Walk legged robots of any leg count, in simulation and from anywhere",
		SilenceErrors: true,
		SilenceUsage:  true,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownCommand(c, args[0])
			}
			return nil
		},
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.SetFlagErrorFunc(wrongUsage)
	root.AddCommand(newSim(), newRun(), newServo(), newCmd(), newTop(), newTeleop(), newCheck(), newRig(), newGait(), newReplay(), newRecord(), newBench(), newClip(), newSpace(), newVersion(), newDocs())
	return root
}

// group returns a command that only holds others.
func group(use, short string, subs ...*cobra.Command) *cobra.Command {
	c := &cobra.Command{
		Use: use, Short: short,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownCommand(c, args[0])
			}
			return nil
		},
		RunE: func(c *cobra.Command, _ []string) error {
			return wrongUsage(c, errors.New("which "+c.Name()+" command?"))
		},
	}
	c.AddCommand(subs...)
	return c
}

func unknownCommand(c *cobra.Command, name string) error {
	err := fmt.Errorf("unknown command %q for %q", name, c.CommandPath())
	c.SuggestionsMinimumDistance = 2 // edits
	if near := c.SuggestionsFor(name); len(near) > 0 {
		err = fmt.Errorf("%w; did you mean %q?", err, near[0])
	}
	return wrongUsage(c, err)
}

// exactly and between are cobra's checks of the number of arguments, as usage
// errors that name what is wanted.
func exactly(n int, what string) cobra.PositionalArgs { return between(n, n, what) }

func between(lo, hi int, what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) < lo || len(args) > hi {
			return wrongUsage(c, fmt.Errorf("%s: %d arguments, want %s", c.CommandPath(), len(args), what))
		}
		return nil
	}
}
