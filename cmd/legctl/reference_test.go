package main

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "write docs/cli.md instead of comparing")

// TestReference fails when docs/cli.md is not what the commands say of
// themselves. It is made from the whole tree, so no flag can be missing.
func TestReference(t *testing.T) {
	var out, errOut bytes.Buffer
	if status := run([]string{"docs", "cli"}, &out, &errOut); status != exitDone {
		t.Fatalf("status %d: %s", status, errOut.String())
	}
	path := filepath.Join("..", "..", "docs", "cli.md")
	if *update {
		if err := os.WriteFile(path, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	old, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(old, out.Bytes()) {
		t.Errorf("docs/cli.md is stale (%v): run \"make docs\"", err)
	}
}
