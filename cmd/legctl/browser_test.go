package main

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"legctl/web"
)

// browserTools returns node and chromium, which "make browser" installs; it
// skips where nobody asked for a browser.
func browserTools(t *testing.T) (node, chromium string) {
	t.Helper()
	if testing.Short() || os.Getenv("LEGCTL_BROWSER") == "" {
		t.Skip("a browser needs the machine to itself: make browser")
	}
	node, errN := exec.LookPath("node")
	chromium, errC := exec.LookPath("chromium")
	_, errP := os.Stat("../../web/page/node_modules/playwright-core")
	if errN != nil || errC != nil || errP != nil || !web.Built() {
		t.Fatal("node, chromium, web/page/node_modules or the bundle is missing (make browser provides them)")
	}
	return node, chromium
}

// TestBrowser drives every control of the page in a real browser; each case of
// web/page/test is a row.
func TestBrowser(t *testing.T) {
	node, chromium := browserTools(t)
	p := startPaged(t, "phantomx", "--terrain", "flat", "--http", "127.0.0.1:0")
	c := exec.Command(node, "browser.mjs", p.url, chromium)
	c.Dir = filepath.Join("..", "..", "web", "page", "test")
	c.Stderr = os.Stderr
	pipe, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	rows := 0
	for in := bufio.NewScanner(pipe); in.Scan(); {
		var r struct {
			Name, Why, Note string
			OK              bool
			MS              int
		}
		if json.Unmarshal(in.Bytes(), &r) != nil {
			t.Logf("%s", in.Text())
			continue
		}
		rows++
		t.Run(r.Name, func(t *testing.T) {
			t.Logf("%d ms %s", r.MS, r.Note)
			if !r.OK {
				t.Error(r.Why)
			}
		})
	}
	if err := c.Wait(); err != nil && !t.Failed() {
		t.Error(err)
	}
	if rows < 60 {
		t.Errorf("%d cases were driven, want 60 or more", rows)
	}
}
