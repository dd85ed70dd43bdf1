package house

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite what is made from the tables here")

// roomTable is the table of rooms as docs/architecture.md shows it.
func roomTable() string {
	var b strings.Builder
	b.WriteString("| package | role | may import |\n| --- | --- | --- |\n")
	for _, r := range rooms {
		may := strings.Join(r.may, " ")
		switch may {
		case "*":
			may = "all"
		case "":
			may = "-"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", r.name, r.role, may)
	}
	return b.String()
}

// TestRoomsInDocs compares the table of rooms with the one people read.
func TestRoomsInDocs(t *testing.T) {
	r := repository(t)
	path := filepath.Join(r.root, "docs", "architecture.md")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const begin, end = "<!-- rooms -->\n", "<!-- /rooms -->"
	head, rest, ok := strings.Cut(string(text), begin)
	old, tail, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("docs/architecture.md has no place for the table: %q ... %q", begin, end)
	}
	if old == roomTable() {
		return
	}
	if !*update {
		t.Fatal("the table of rooms in docs/architecture.md is stale: run \"make golden\"")
	}
	if err := os.WriteFile(path, []byte(head+begin+roomTable()+end+tail), 0o644); err != nil {
		t.Fatal(err)
	}
}

var link = regexp.MustCompile(`\]\(([^)#:]+)(#[^)]*)?\)`)

// TestLinks wants every link within our own documents to lead somewhere.
func TestLinks(t *testing.T) {
	r := repository(t)
	found := 0
	err := r.eachFile(func(path string, text []byte) {
		if filepath.Ext(path) != ".md" {
			return
		}
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			found++
			to := filepath.Join(r.root, filepath.Dir(path), m[1])
			if _, err := os.Stat(to); err != nil {
				t.Errorf("%s links to %s, which is not there", path, m[1])
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if found < 10 {
		t.Errorf("only %d links found: the search is broken", found)
	}
}
