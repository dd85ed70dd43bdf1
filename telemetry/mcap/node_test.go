package mcap_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"legctl/record"
)

// node runs a program of tools/recording, after npm has put there what its lock
// file names. It is skipped where there is no node, never in CI.
func node(t testing.TB, script string, args ...string) []byte {
	t.Helper()
	missing := t.Skip
	if os.Getenv("CI") != "" {
		missing = t.Fatal
	}
	if _, err := exec.LookPath("node"); err != nil {
		missing("node is not installed (make test installs it)")
	}
	if out, err := exec.Command("../../scripts/npm.sh", "../../tools/recording").CombinedOutput(); err != nil {
		missing("npm: " + string(out))
	}
	var bad bytes.Buffer
	c := exec.Command("node", append([]string{"../../tools/recording/" + script}, args...)...)
	c.Stderr = &bad
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%s: %v: %s", script, err, &bad)
	}
	return out
}

// TestJavaScriptReadsEveryFile: whole, repaired and cut files open in @mcap/core,
// by the index and as a stream, with every checksum looked at.
func TestJavaScriptReadsEveryFile(t *testing.T) {
	whole := recorded(t, 3)
	files := map[string][]byte{"whole": whole}
	for name, n := range map[string]int{"third": len(whole) / 3, "half": len(whole) / 2, "end": len(whole) - 1} {
		var out bytes.Buffer
		if _, err := record.Repair(&out, bytes.NewReader(whole[:n])); err != nil {
			t.Fatal(err)
		}
		files[name] = out.Bytes()
	}
	from, err := record.NewReader(bytes.NewReader(whole))
	if err != nil {
		t.Fatal(err)
	}
	var piece bytes.Buffer
	if _, err := record.Cut(&piece, from, record.Piece{First: 120, Last: 180}); err != nil {
		t.Fatal(err)
	}
	files["piece"] = piece.Bytes()
	dir := t.TempDir()
	var paths []string
	for name, b := range files {
		p := filepath.Join(dir, name+".mcap")
		if err := os.WriteFile(p, b, 0o644); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, p)
	}
	d := json.NewDecoder(bytes.NewReader(node(t, "read.mjs", paths...)))
	for _, p := range paths {
		var found struct {
			Topics, Stream map[string]int
			Chunks         int
			Last           uint64
		}
		if err := d.Decode(&found); err != nil {
			t.Fatal(err)
		}
		want := map[string]int{}
		b, _ := os.ReadFile(p)
		for _, m := range read(t, b) {
			want[m.topic]++
		}
		for topic, n := range want {
			if found.Topics[topic] != n || found.Stream[topic] != n {
				t.Errorf("%s: %s has %d messages, by the index %d, as a stream %d", p, topic, n, found.Topics[topic], found.Stream[topic])
			}
		}
		if found.Chunks == 0 {
			t.Errorf("%s: no chunks", p)
		}
	}
}

// TestSchemasAreFoxgloves: the types a viewer knows are described as Foxglove
// publishes them, field by field.
func TestSchemasAreFoxgloves(t *testing.T) {
	p := filepath.Join(t.TempDir(), "run.mcap")
	if err := os.WriteFile(p, recorded(t, 3), 0o600); err != nil {
		t.Fatal(err)
	}
	var found map[string][]string
	if err := json.Unmarshal(node(t, "schemas.mjs", p), &found); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"FrameTransforms", "SceneUpdate", "Log"} {
		if differ, ok := found[name]; !ok || len(differ) > 0 {
			t.Errorf("%s: in the file: %v; %v", name, ok, differ)
		}
	}
}
