package house

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const (
	hashHeading = "### Hashes"
	firstReason = "first recorded"
	noReason    = "why?"
)

var (
	goldenHash = regexp.MustCompile(`^hash ([0-9a-f]{16})\n`)
	hashLine   = regexp.MustCompile("^- `([a-z0-9_-]+)` ([0-9a-f]{16}): (.+)$")
)

// goldenHashes returns the hash of every golden run by name.
func goldenHashes(t *testing.T, root string) map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, "rollout", "testdata", "*.golden"))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		m := goldenHash.FindSubmatch(text)
		if m == nil {
			t.Errorf("%s does not begin with a hash", filepath.Base(f))
			continue
		}
		out[strings.TrimSuffix(filepath.Base(f), ".golden")] = string(m[1])
	}
	return out
}

// TestChangedHashesAreExplained wants a line in CHANGELOG.md with the name, the
// hash and the reason for every golden run as it is now: whoever changes a
// hash must say why. With -update the line is written, but not the reason.
func TestChangedHashesAreExplained(t *testing.T) {
	r := repository(t)
	hashes := goldenHashes(t, r.root)
	if len(hashes) < 12 {
		t.Errorf("%d golden runs, want at least 12", len(hashes))
	}
	path := filepath.Join(r.root, "CHANGELOG.md")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	if *update {
		lines = noteHashes(t, lines, hashes)
		if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	explained := map[string]bool{}
	for _, line := range lines {
		if m := hashLine.FindStringSubmatch(line); m != nil && m[3] != noReason {
			explained[m[1]+m[2]] = true
		}
	}
	for name, hash := range hashes {
		if !explained[name+hash] {
			t.Errorf("CHANGELOG.md does not say why golden run %s now has hash %s: run \"make golden\" and write the reason", name, hash)
		}
	}
}

// noteHashes brings the lines of the newest release up to date. A reason goes
// with its change: it is asked for anew, but for runs that no release had yet.
func noteHashes(t *testing.T, lines []string, hashes map[string]string) []string {
	t.Helper()
	at := slices.Index(lines, hashHeading)
	if at < 0 {
		t.Fatalf("CHANGELOG.md has no heading %q", hashHeading)
	}
	at += 2
	old := map[string]string{}
	end := at
	for ; end < len(lines) && strings.HasPrefix(lines[end], "- "); end++ {
		if m := hashLine.FindStringSubmatch(lines[end]); m != nil {
			old[m[1]] = m[2] + m[3]
		}
	}
	released := strings.Join(lines[end:], "\n")
	var block []string
	for name, hash := range hashes {
		reason := noReason
		switch was := old[name]; {
		case strings.HasPrefix(was, hash):
			reason = was[len(hash):]
		case !strings.Contains(released, "`"+name+"`") && (was == "" || strings.HasSuffix(was, firstReason)):
			reason = firstReason
		case was == "" && strings.Contains(released, "`"+name+"` "+hash):
			continue // as released
		}
		block = append(block, "- `"+name+"` "+hash+": "+reason)
	}
	slices.Sort(block)
	return slices.Concat(lines[:at], block, lines[min(end, len(lines)):])
}
