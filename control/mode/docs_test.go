package mode_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"legctl/control/mode"
)

var update = flag.Bool("update", false, "rewrite the table in docs/life-cycle.md")

const (
	page  = "../../docs/life-cycle.md"
	begin = "<!-- table of modes: go test ./control/mode -run Docs -update -->\n"
	end   = "<!-- end of table -->\n"
)

// TestDocs keeps the table of the documents the table of the machine.
func TestDocs(t *testing.T) {
	raw, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(raw), begin)
	_, tail, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("%s has no marks round its table", page)
	}
	want := head + begin + table() + end + tail
	if want == string(raw) {
		return
	}
	if !*update {
		t.Fatalf("%s is stale: run go test ./control/mode -run Docs -update", page)
	}
	if err := os.WriteFile(page, []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}

// table is the machine in Markdown: what each mode becomes, "." where an input
// leaves it as it is, nothing where it is refused.
func table() string {
	var b strings.Builder
	b.WriteString("| in mode |")
	for in := mode.Input(0); in < mode.Inputs; in++ {
		fmt.Fprintf(&b, " %v |", in)
	}
	b.WriteString("\n| --- |" + strings.Repeat(" --- |", int(mode.Inputs)) + "\n")
	for m := mode.Mode(0); m < mode.Count; m++ {
		fmt.Fprintf(&b, "| %v |", m)
		for in := mode.Input(0); in < mode.Inputs; in++ {
			next, ok := mode.Next(m, in)
			switch {
			case !ok:
				b.WriteString("  |")
			case next == m:
				b.WriteString(" . |")
			default:
				fmt.Fprintf(&b, " %v |", next)
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}
