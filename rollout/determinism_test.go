package rollout_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"legctl/configs"
	"legctl/control"
	"legctl/loop"
	"legctl/rollout"
	"legctl/sim"
	"legctl/sim/terrain"
)

var update = flag.Bool("update", false, "write the golden traces anew; each changed hash needs a line in CHANGELOG.md")

// traced runs a config and returns its fingerprint. It may be called from any
// goroutine.
func traced(t testing.TB, c rollout.Config) *rollout.Trace {
	r, err := rollout.New(c)
	if err != nil {
		t.Error(err)
		return &rollout.Trace{}
	}
	tr := rollout.NewTrace(r, c.Ticks)
	r.Config.Sinks = []loop.Sink{tr}
	if _, err := r.Run(t.Context()); err != nil {
		t.Error(err)
	}
	return tr
}

// golden is one committed run: a rig, a gait, a terrain, and what is asked.
type golden struct {
	name    string
	rig     string
	gait    string
	terrain string
	vx, vy  float64 // U/k of the rig's gait
	wz      float64 // rad/k
	events  []rollout.Happening
}

// goldens are the committed runs of twenty seconds; testdata/NAME.golden has
// the hash and the trace of each.
var goldens = []golden{
	{name: "phantomx-walk-flat", rig: "phantomx", gait: "walk", terrain: "flat", vx: 0.1},
	{name: "phantomx-walk-rough", rig: "phantomx", gait: "walk", terrain: "rough", vx: 0.1, wz: 0.02},
	{name: "phantomx-tripod-flat", rig: "phantomx", gait: "tripod", terrain: "flat", vx: 0.1},
	{name: "phoenix-walk-slope", rig: "phoenix", gait: "walk", terrain: "slope", vx: 0.08},
	{name: "freenove-wave-flat", rig: "freenove", gait: "wave", terrain: "flat", vx: 0.05},
	{name: "phantomx_octopod-walk-stairs", rig: "phantomx_octopod", gait: "walk", terrain: "stairs", vx: 0.1},
	{name: "starfish-walk-rough", rig: "starfish", gait: "walk", terrain: "rough", vy: 0.06},
	{name: "bullet-walk-flat", rig: "bullet", gait: "walk", terrain: "flat", vx: 0.05, vy: 0.05},
	{name: "a1-crawl-flat", rig: "a1", gait: "crawl", terrain: "flat", vx: 0.03},
	{name: "spotmicro-crawl-rough", rig: "spotmicro", gait: "crawl", terrain: "rough", vx: 0.03},
	{name: "octopod-walk-world", rig: "octopod", gait: "walk", terrain: "world", vx: 0.1},
	{
		name: "hexapod-walk-frozen", rig: "hexapod", gait: "walk", terrain: "flat", vx: 0.1,
		events: []rollout.Happening{{At: 3, Event: sim.Event{Kind: sim.EventFreeze, Leg: 1, Joint: -1, Value: 1}}},
	},
}

// config returns the run of a golden.
func (g *golden) config(t testing.TB) rollout.Config {
	t.Helper()
	r := load(t, g.rig)
	p := control.DefaultParams(r)
	ctl, err := control.New(r, p)
	if err != nil {
		t.Fatal(err)
	}
	i, ok := p.Index(g.gait)
	if !ok {
		t.Fatalf("%s: no gait %q", g.name, g.gait)
	}
	z := ctl.Sizing(i)
	v := z.U / z.K
	return rollout.Config{
		Rig: r, Gait: g.gait, Terrain: on(t, r, g.terrain), Seed: 1, Ticks: ticks(r, 20), Events: g.events,
		Commands: []rollout.Order{twist(0.2, g.vx*v, g.vy*v, g.wz/z.K)},
	}
}

func TestGoldens(t *testing.T) {
	goldens := goldens
	if testing.Short() && !*update {
		goldens = goldens[:2] // the race detector is slow; the full run has them all
	}
	pool := rollout.NewPool(0)
	defer pool.Close()
	pairs := make([][2]string, len(goldens))
	configs := make([]rollout.Config, len(goldens))
	for i := range goldens {
		configs[i] = goldens[i].config(t)
	}
	pool.Do(2*len(goldens), func(i int) { pairs[i/2][i%2] = traced(t, configs[i/2]).String() })
	for i := range goldens {
		name := goldens[i].name
		if pairs[i][0] != pairs[i][1] {
			t.Errorf("%s: two runs differ", name)
			continue
		}
		path := filepath.Join("testdata", name+".golden")
		if *update {
			if err := os.WriteFile(path, []byte(pairs[i][0]), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatalf("%v; make it with: go test ./rollout -run Goldens -update", err)
		}
		if pairs[i][0] != string(want) {
			t.Errorf("%s changed; if that is meant, run with -update and say why in CHANGELOG.md\n%s", name, changed(string(want), pairs[i][0]))
		}
	}
}

// changed returns the first three lines that differ besides the hash.
func changed(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	var out []string
	for i := 0; i < min(len(w), len(g)) && len(out) < 6; i++ {
		if i > 0 && w[i] != g[i] {
			out = append(out, "- "+w[i], "+ "+g[i])
		}
	}
	if len(out) == 0 {
		return "the trace is the same to its last digit: rounding, or a field it does not show, changed"
	}
	return strings.Join(out, "\n")
}

// combination is a run of the great table, by name.
type combination struct {
	name string
	run  rollout.Config
}

// combinations returns what a rig may walk on every terrain.
func combinations(t *testing.T, name string) []combination {
	r := load(t, name)
	ctl, err := control.New(r, control.DefaultParams(r))
	if err != nil {
		t.Fatal(err)
	}
	var all []combination
	for g, gait := range ctl.Params().Gaits {
		if ok, _ := ctl.Offers(g); !ok {
			continue
		}
		z := ctl.Sizing(g)
		for _, kind := range terrain.Names() {
			spec, _ := terrain.Default(kind, z.U)
			all = append(all, combination{name + " " + gait.Name + " " + kind, rollout.Config{
				Controller: ctl, Gait: gait.Name, Terrain: spec, Seed: 5, Ticks: 60,
				Commands: []rollout.Order{twist(0, z.U/z.K, 0, 0.1/z.K)},
			}})
		}
	}
	return all
}

// TestEveryCombinationRepeats runs every shipped rig with every gait it may
// walk on every terrain twice, the second time in the opposite order with the
// same controller: one that remembers anything between runs would show.
func TestEveryCombinationRepeats(t *testing.T) {
	rigs := configs.Rigs()
	if testing.Short() {
		rigs = rigs[:1]
	}
	for _, name := range rigs {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			all := combinations(t, name)
			first, hashes := make([]string, len(all)), map[string]bool{}
			for i := range all {
				first[i] = traced(t, all[i].run).Hash()
				hashes[first[i]] = true
			}
			for i := len(all) - 1; i >= 0; i-- {
				if again := traced(t, all[i].run).Hash(); again != first[i] {
					t.Errorf("%s: two runs differ", all[i].name)
				}
			}
			// Some terrains begin far from the start and are all flat here; gaits differ.
			if gaits := len(all) / len(terrain.Names()); len(hashes) < 2*gaits {
				t.Errorf("%d gaits on %d terrains have only %d hashes", gaits, len(terrain.Names()), len(hashes))
			}
		})
	}
}
