package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"legctl/configs"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// newDocs writes the documents that are made from the commands themselves.
func newDocs() *cobra.Command {
	c := group("docs", "Write the documents that are made from the program itself",
		&cobra.Command{
			Use: "cli", Short: "Write the command reference as Markdown", Args: exactly(0, "no arguments"),
			RunE: func(c *cobra.Command, _ []string) error {
				fmt.Fprintf(c.OutOrStdout(), "# Commands of legctl\n\nMade by `legctl docs cli`; do not edit.\n")
				return walk(c.Root(), func(k *cobra.Command) error { return markdown(c.OutOrStdout(), k) })
			},
		},
		&cobra.Command{
			Use: "man DIR", Short: "Write a man page a command", Args: exactly(1, "DIR"),
			RunE: func(c *cobra.Command, args []string) error {
				if err := os.MkdirAll(args[0], 0o755); err != nil {
					return err
				}
				return walk(c.Root(), func(k *cobra.Command) error { return manFile(args[0], k) })
			},
		},
		newSchema())
	c.AddCommand(newDocsAPI()...)
	return c
}

// newSchema writes what editors need to check a file while it is typed.
func newSchema() *cobra.Command {
	return &cobra.Command{
		Use: "schema KIND", Short: "Write the JSON schema of a kind of configuration file", Args: exactly(1, "one of "+strings.Join(configs.Kinds(), ", ")),
		ValidArgs: configs.Kinds(),
		RunE: func(c *cobra.Command, args []string) error {
			raw, err := configs.Schema(args[0])
			if err != nil {
				return err
			}
			_, err = c.OutOrStdout().Write(raw)
			return err
		},
	}
}

// walk calls do for every command a person may use, parents first.
func walk(c *cobra.Command, do func(*cobra.Command) error) error {
	if c.Hidden || c.Name() == "help" {
		return nil
	}
	c.InitDefaultHelpFlag()
	err := do(c)
	for _, k := range c.Commands() {
		err = errors.Join(err, walk(k, do))
	}
	return err
}

// describe returns the long text of a command, or the short one.
func describe(c *cobra.Command) string {
	if c.Long != "" {
		return strings.TrimSpace(c.Long)
	}
	return c.Short + "."
}

// flags calls do for every flag of a command, those of its parents last.
func flags(c *cobra.Command, do func(name string, f *pflag.Flag)) {
	for _, set := range []*pflag.FlagSet{c.NonInheritedFlags(), c.InheritedFlags()} {
		set.VisitAll(func(f *pflag.Flag) {
			name := "--" + f.Name
			if f.Shorthand != "" {
				name = "-" + f.Shorthand + ", " + name
			}
			if kind, _ := pflag.UnquoteUsage(f); kind != "" {
				name += " " + kind
			}
			do(name, f)
		})
	}
}

// usageOf returns a flag's text with its default.
func usageOf(f *pflag.Flag) string {
	_, text := pflag.UnquoteUsage(f)
	switch f.DefValue {
	case "", "0", "0s", "false", "[]":
		return text
	}
	return fmt.Sprintf("%s (default %s)", text, f.DefValue)
}

// markdown writes one command's section.
func markdown(w io.Writer, c *cobra.Command) error {
	var b strings.Builder
	fmt.Fprintf(&b, "\n## %s\n\n%s\n", c.CommandPath(), describe(c))
	fmt.Fprintf(&b, "\n    %s\n", c.UseLine())
	if c.Example != "" {
		fmt.Fprintf(&b, "\nExamples:\n\n    %s\n", strings.ReplaceAll(strings.TrimSpace(c.Example), "\n  ", "\n    "))
	}
	var rows strings.Builder
	flags(c, func(name string, f *pflag.Flag) {
		fmt.Fprintf(&rows, "| `%s` | %s |\n", name, strings.ReplaceAll(usageOf(f), "|", "\\|"))
	})
	if rows.Len() > 0 {
		b.WriteString("\n| flag | meaning |\n| --- | --- |\n" + rows.String())
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// manFile writes the man page of a command to dir.
func manFile(dir string, c *cobra.Command) error {
	name := strings.ReplaceAll(c.CommandPath(), " ", "-")
	var b strings.Builder
	fmt.Fprintf(&b, ".TH %s 1\n.SH NAME\n%s \\- %s\n", strings.ToUpper(roff(name)), roff(name), roff(c.Short))
	fmt.Fprintf(&b, ".SH SYNOPSIS\n.B %s\n.SH DESCRIPTION\n%s\n", roff(c.UseLine()), roff(describe(c)))
	if c.HasAvailableFlags() {
		b.WriteString(".SH OPTIONS\n")
		flags(c, func(name string, f *pflag.Flag) {
			fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", roff(name), roff(usageOf(f)))
		})
	}
	if c.Example != "" {
		fmt.Fprintf(&b, ".SH EXAMPLES\n.nf\n%s\n.fi\n", roff(c.Example))
	}
	if c.HasParent() {
		fmt.Fprintf(&b, ".SH SEE ALSO\n.BR %s (1)\n", roff(strings.ReplaceAll(c.Parent().CommandPath(), " ", "-")))
	}
	return os.WriteFile(filepath.Join(dir, name+".1"), []byte(b.String()), 0o644)
}

// roff escapes what troff would take for a request or an escape.
func roff(s string) string {
	s = strings.ReplaceAll(strings.ReplaceAll(s, `\`, `\e`), "-", `\-`)
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, ".") || strings.HasPrefix(l, "'") {
			lines[i] = `\&` + l
		}
	}
	return strings.Join(lines, "\n")
}
