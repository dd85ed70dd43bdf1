//go:build !linux

package main

import (
	"errors"

	"github.com/spf13/cobra"
)

func newRun() *cobra.Command {
	return &cobra.Command{
		Use: "run RIG", Short: "Drive a real rig by its servos (on Linux)",
		RunE: func(*cobra.Command, []string) error {
			return errors.New("run: real rigs are driven on Linux only: pins and I2C are the Linux kernel's")
		},
	}
}
