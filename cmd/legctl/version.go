package main

import (
	"fmt"

	"legctl/internal/version"

	"github.com/spf13/cobra"
)

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Say which legctl this is", Args: exactly(0, "no arguments"),
		RunE: func(c *cobra.Command, _ []string) error {
			_, err := fmt.Fprintln(c.OutOrStdout(), version.String())
			return err
		},
	}
}
