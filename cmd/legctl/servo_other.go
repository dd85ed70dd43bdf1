//go:build !linux

package main

import (
	"errors"

	"github.com/spf13/cobra"
)

func newServo() *cobra.Command {
	return &cobra.Command{
		Use: "servo", Short: "Find, watch, wave and calibrate servos (on Linux)",
		RunE: func(*cobra.Command, []string) error {
			return errors.New("servo: servos are driven on Linux only: pins and I2C are the Linux kernel's")
		},
	}
}
