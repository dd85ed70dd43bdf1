package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// paged is a simulation with a page, spoken to by HTTP.
type paged struct {
	t   *testing.T
	url string
	sim *exec.Cmd
	out *lockedBuffer
	dir string
}

// startPaged starts "legctl sim" and waits for the address of its page.
func startPaged(t *testing.T, args ...string) *paged {
	t.Helper()
	p := &paged{t: t, out: new(lockedBuffer), dir: t.TempDir()}
	p.sim = exec.Command(os.Args[0], append([]string{"sim", "--duration", "10m"}, args...)...)
	p.sim.Env = append(os.Environ(), asProgram+"=1", "XDG_RUNTIME_DIR="+p.dir, "LEGCTL_BROKER=")
	p.sim.Stdout, p.sim.Stderr = p.out, p.out
	if err := p.sim.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.end)
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		_, after, _ := strings.Cut(p.out.String(), "Open ")
		if url, _, ok := strings.Cut(after, "\n"); ok {
			p.url = url
			return p
		}
	}
	t.Fatalf("no page within 30 s\n%s", p.out)
	return nil
}

// end interrupts the simulation, which must end well.
func (p *paged) end() {
	if p.sim.ProcessState != nil {
		return
	}
	_ = p.sim.Process.Signal(syscall.SIGINT)
	if err := p.sim.Wait(); err != nil {
		p.t.Errorf("sim: %v\n%s", err, p.out)
	}
}

// call does a request and returns status and text.
func (p *paged) call(method, path, body string) (int, string) {
	p.t.Helper()
	r, err := http.NewRequest(method, p.url+path, strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		p.t.Fatal(err)
	}
	defer res.Body.Close()
	raw, _ := io.ReadAll(res.Body)
	return res.StatusCode, string(raw)
}

// order is a POST that must be accepted; it returns the tick.
func (p *paged) order(path, body string) uint64 {
	p.t.Helper()
	var r struct {
		Accepted bool
		Tick     uint64
	}
	status, text := p.call("POST", path, body)
	if err := json.Unmarshal([]byte(text), &r); err != nil || status != 200 || !r.Accepted {
		p.t.Fatalf("%s %s: %d %s", path, body, status, text)
	}
	return r.Tick
}

// TestTunedRunReplays: parameters changed, undone, the body pushed and a block
// taken away from the page: the recording replays bit for bit, simulator
// included.
func TestTunedRunReplays(t *testing.T) {
	file := filepath.Join(t.TempDir(), "run.mcap")
	p := startPaged(t, "phantomx", "--terrain", "blocks", "--http", "127.0.0.1:0", "--record", file)
	p.order("api/commands/twist", `{"vx":0.05,"ttl":60}`)
	if tick := p.order("api/parameters", `{"gait":"walk","set":{"lift":0.5,"same_pair":2}}`); tick == 0 {
		t.Error("no tick has the new parameters")
	}
	p.order("api/commands/push", `{"y":0.2}`)
	p.order("api/commands/block", `{"block":5}`)
	if _, text := p.call("GET", "api/parameters.yaml?gait=walk", ""); !strings.Contains(text, "lift: 0.5\n") || !strings.Contains(text, "same_pair: 2\n") {
		t.Errorf("saved: %s", text)
	}
	p.order("api/parameters", `{"gait":"controller","set":{"twist_ttl":0.2,"goal_near":3,"closed_form":true}}`)
	if status, text := p.call("POST", "api/parameters", `{"gait":"controller","set":{"solver_sweeps":1.5,"near":1}}`); status != 422 || !strings.Contains(text, "whole number in [1, 64]") || !strings.Contains(text, "unknown parameter") {
		t.Errorf("out of range: %d %s", status, text)
	}
	p.order("api/parameters/undo", ``)
	p.order("api/parameters", `{"gait":"controller","set":{"twist_ttl":0.25}}`)
	p.order("api/parameters/undo", ``)
	p.order("api/parameters/undo", ``)
	if status, text := p.call("POST", "api/parameters/undo", ""); status != 422 || !strings.Contains(text, "nothing has been changed") {
		t.Errorf("one undo too many: %d %s", status, text)
	}
	if status, text := p.call("POST", "api/parameters", `{"gait":"walk","set":{"lift":9}}`); status != 422 || !strings.Contains(text, "must be in [0, 2]") {
		t.Errorf("out of range: %d %s", status, text)
	}
	p.order("api/commands/stop", ``)
	p.end()
	for _, flags := range [][]string{nil, {"--sim"}} {
		var out, bad bytes.Buffer
		if status := run(append([]string{"replay", file}, flags...), &out, &bad); status != exitDone {
			t.Errorf("replay %v: %s%s", flags, &out, &bad)
		}
	}
}

// TestRestartFromThePage: another rig on another ground, under a new name on
// MQTT, each act recorded in a file of its own; what cannot be leaves all as it
// was.
func TestRestartFromThePage(t *testing.T) {
	dir := t.TempDir()
	p := startPaged(t, "phantomx", "--terrain", "flat", "--http", "127.0.0.1:0", "--record", filepath.Join(dir, "run.rec"))
	state := func() string { _, text := p.call("GET", "api/state", ""); return text }
	for _, bad := range []string{`{"rig":"nothing"}`, `{"rig":"../x"}`, `{"terrain":"/etc/passwd"}`, `{"gait":"hop"}`, `{"rig":"biped"}`} {
		if status, text := p.call("POST", "api/commands/restart", bad); status == 200 {
			t.Errorf("%s: %d %s", bad, status, text)
		}
	}
	p.order("api/commands/restart", `{"rig":"a1","terrain":"rough"}`)
	for end := time.Now().Add(20 * time.Second); !strings.Contains(state(), `"rig":"a1"`); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("still %.100s\n%s", state(), p.out)
		}
	}
	p.end()
	for _, name := range []string{"run.rec", "run-2.rec"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
}

// TestNoWeb: nothing listens when nothing is wanted, and flags that make no
// sense are refused.
func TestNoWeb(t *testing.T) {
	t.Setenv("XDG_RUNTIME_DIR", t.TempDir())
	var out, bad bytes.Buffer
	if status := run([]string{"sim", "phantomx", "--terrain", "flat", "--duration", "200ms", "--no-web"}, &out, &bad); status != exitDone {
		t.Fatal(bad.String())
	}
	if strings.Contains(out.String(), "http://") {
		t.Errorf("%s", &out)
	}
	for _, args := range []string{"--http nowhere", "--no-web --http 127.0.0.1:0", "--token short", "--headless --http 127.0.0.1:0"} {
		if status := run(append([]string{"sim", "phantomx"}, strings.Fields(args)...), &out, &bad); status != exitUsage {
			t.Errorf("%s: status %d", args, status)
		}
	}
}
