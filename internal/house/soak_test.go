package house

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"legctl/configs"
	"legctl/control"
	"legctl/rollout"
)

// soakResult is a line of results.jsonl: what one long run showed. Fuzzing
// (scripts/soak.sh) writes lines of the same form.
type soakResult struct {
	Item    string  `json:"item"`
	Seconds float64 `json:"seconds"` // simulated, or fuzzed
	Took    float64 `json:"took"`    // seconds of this machine; 0: not measured
	Falls   uint32  `json:"falls"`
	Limits  uint64  `json:"limits"` // leg-ticks
	Margin  float64 `json:"margin_m"`
	Away    float64 `json:"path_m"`
	Verdict string  `json:"verdict"`
}

// soakSeconds is how long a rig wanders in a soak, simulated; its twin in every
// test run wanders for twinSeconds.
const (
	soakSeconds = 600
	twinSeconds = 30
)

// wander walks a rig with a new random twist every five seconds, one in five of
// them a stop.
func wander(rigName, terrainName string, seconds float64) (soakResult, error) {
	res := soakResult{Item: "wander/" + rigName + "/" + terrainName, Seconds: seconds}
	r, err := configs.LoadRig(rigName)
	if err != nil {
		return res, err
	}
	p, offered, err := suited(r)
	if err != nil || len(offered) == 0 {
		return res, fmt.Errorf("no gait is offered (%w)", err)
	}
	c, err := control.New(r, p)
	if err != nil {
		return res, err
	}
	best := c.Best()
	run := rollout.Config{Rig: r, Params: &p, Seed: 7, Ticks: uint64(seconds / p.Dt), Commands: twists(c.Allowed(best), seconds)}
	if run.Terrain, err = configs.LoadTerrain(terrainName, c.Sizing(best).U); err != nil {
		return res, err
	}
	begin := time.Now()
	sum, err := rollout.Run(context.Background(), run)
	res.Took = time.Since(begin).Seconds()
	res.Falls, res.Limits, res.Margin, res.Away = sum.Falls, sum.LimitHits()+sum.Unreached, sum.MarginLeast, sum.Path
	res.Verdict = "ok"
	if res.Falls > 0 || res.Limits > 0 {
		res.Verdict = "not clean"
	}
	return res, err
}

func twists(a control.AllowedTwist, seconds float64) []rollout.Order {
	rng := rand.New(rand.NewPCG(5, 8))
	var out []rollout.Order
	for at := 0.0; at < seconds; at += 5 {
		cmd := control.Command{Kind: control.KindTwist, TTL: 3600}
		if rng.IntN(5) > 0 {
			cmd.Vx = a.Linear[0] * (2*rng.Float64() - 1)
			cmd.Vy = a.Linear[control.Headings/4] * (2*rng.Float64() - 1)
			cmd.Wz = a.Turn * (2*rng.Float64() - 1)
		}
		out = append(out, rollout.Order{At: at, Command: cmd})
	}
	return out
}

// TestSoakTwin is the short twin of the long runs.
func TestSoakTwin(t *testing.T) {
	for _, c := range [][2]string{{"phantomx", "world"}, {"octopod", "rough"}, {"a1", "flat"}} {
		t.Run(c[0], func(t *testing.T) {
			t.Parallel()
			res, err := wander(c[0], c[1], twinSeconds)
			if err != nil || res.Verdict != "ok" {
				t.Errorf("%+v, %v", res, err)
			}
		})
	}
}

// TestSoak runs what is not yet in LEGCTL_SOAK/results.jsonl and keeps
// docs/soak.md up to date. "make soak" sets the folder.
func TestSoak(t *testing.T) {
	dir := os.Getenv("LEGCTL_SOAK")
	if dir == "" {
		t.Skip("long runs are for \"make soak\" (LEGCTL_SOAK is not set); TestSoakTwin is their short twin")
	}
	path := filepath.Join(dir, "results.jsonl")
	done := readSoak(t, path)
	for _, rigName := range configs.Rigs() {
		r, err := configs.LoadRig(rigName)
		if err != nil {
			t.Fatal(err)
		}
		for _, ground := range []string{"flat", "rough", "world"} {
			item := "wander/" + rigName + "/" + ground
			known := slices.ContainsFunc(done, func(r soakResult) bool { return r.Item == item })
			if known || r.Refused != "" {
				continue
			}
			res, err := wander(rigName, ground, soakSeconds)
			if err != nil {
				res.Verdict = err.Error()
			}
			t.Log(res)
			done = append(done, res)
			appendSoak(t, path, res)
			writeSoak(t, done)
		}
	}
	writeSoak(t, done)
}

func readSoak(t *testing.T, path string) []soakResult {
	t.Helper()
	f, err := os.Open(path)
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []soakResult
	for s := bufio.NewScanner(f); s.Scan(); {
		var r soakResult
		if err := json.Unmarshal(s.Bytes(), &r); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		out = append(out, r)
	}
	return out
}

func appendSoak(t *testing.T, path string, r soakResult) {
	t.Helper()
	line, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write(append(line, '\n')); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// writeSoak makes docs/soak.md of all results.
func writeSoak(t *testing.T, all []soakResult) {
	t.Helper()
	var b strings.Builder
	b.WriteString("# Long runs\n\nMade by `make soak`, which goes on where it stopped. A rig wanders with a new random twist every five seconds, one in\n" +
		"five of them a stop; a fuzz target runs with its committed corpus. Each has a short twin in `make test`.\n\n" +
		"| item | seconds | falls | limit hits, leg-ticks | least margin, m | path, m | verdict |\n| --- | --- | --- | --- | --- | --- | --- |\n")
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b soakResult) int { return strings.Compare(a.Item, b.Item) })
	for _, r := range all {
		if strings.HasPrefix(r.Item, "fuzz/") {
			fmt.Fprintf(&b, "| %s | %.0f | | | | | %s |\n", r.Item, r.Seconds, r.Verdict)
			continue
		}
		fmt.Fprintf(&b, "| %s | %.0f | %d | %d | %.4f | %.2f | %s |\n", r.Item, r.Seconds, r.Falls, r.Limits, r.Margin, r.Away, r.Verdict)
	}
	if err := os.WriteFile(filepath.Join("..", "..", "docs", "soak.md"), []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}
