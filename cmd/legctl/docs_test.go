package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// TestReferenceHasEveryFlag: what the reference is made by leaves nothing out.
// That docs/cli.md is what it makes is tested apart.
func TestReferenceHasEveryFlag(t *testing.T) {
	var now bytes.Buffer
	if status := run([]string{"docs", "cli"}, &now, &now); status != exitDone {
		t.Fatalf("status %d: %s", status, &now)
	}
	err := walk(newRoot(), func(c *cobra.Command) error {
		if !strings.Contains(now.String(), "\n## "+c.CommandPath()+"\n") {
			t.Errorf("%s is not in the reference", c.CommandPath())
		}
		c.NonInheritedFlags().VisitAll(func(f *pflag.Flag) {
			if !strings.Contains(now.String(), "--"+f.Name) || f.Usage == "" {
				t.Errorf("%s: --%s is not in the reference or says nothing", c.CommandPath(), f.Name)
			}
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestEveryCommandSpeaks: each has a line of its own and takes a defined number
// of arguments.
func TestEveryCommandSpeaks(t *testing.T) {
	err := walk(newRoot(), func(c *cobra.Command) error {
		if c.Short == "" || strings.HasSuffix(c.Short, ".") {
			t.Errorf("%s: short text %q", c.CommandPath(), c.Short)
		}
		if c.Args == nil {
			t.Errorf("%s: takes any arguments", c.CommandPath())
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestRoff(t *testing.T) {
	if got, want := roff("a-b\n.c\n'd\\e"), "a\\-b\n\\&.c\n\\&'d\\ee"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
