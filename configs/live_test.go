package configs

import (
	"bytes"
	"fmt"
	"go/format"
	"math"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"legctl/control"
	"legctl/gait"
)

// TestLiveDocs fails when live_docs.go is not what the comments of gait.Rules
// say; with -update it writes it.
func TestLiveDocs(t *testing.T) {
	said := comments(t)
	var b strings.Builder
	b.WriteString("package configs\n\n// liveDocs are the comments of gait.Rules by key; made by TestLiveDocs -update.\nvar liveDocs = map[string]string{\n")
	rt := reflect.TypeFor[gait.Rules]()
	for i, key := range flatKeys(rt) {
		fmt.Fprintf(&b, "%q: %q,\n", key, said["gait.Rules."+rt.Field(i).Name])
	}
	want, err := format.Source([]byte(b.String() + "}\n"))
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("live_docs.go", want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got, err := os.ReadFile("live_docs.go"); err != nil || !bytes.Equal(got, want) {
		t.Errorf("live_docs.go is stale (%v): run go test ./configs -run TestLiveDocs -update", err)
	}
}

func TestLivesAreDescribed(t *testing.T) {
	p := control.Plan{Name: "walk", Rules: gait.Walk()}
	list := Lives(&p)
	if len(list) != reflect.TypeFor[gait.Rules]().NumField() {
		t.Fatalf("%d parameters", len(list))
	}
	for _, l := range list {
		_, number := l.Value.(float64)
		if l.Doc == "" || number && (l.Bounds == "" || !(l.Low < l.High)) {
			t.Errorf("%+v", l)
		}
	}
	if s := list[0]; s.Key != "speed" || s.Unit != "U/k" || s.Doc != "body speed" || s.Low != 0 {
		t.Errorf("%+v", s)
	}
}

func TestSetLives(t *testing.T) {
	r, err := LoadRig("phantomx")
	if err != nil {
		t.Fatal(err)
	}
	tripod, err := LoadGait("tripod", r)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		name   string
		plan   control.Plan
		values map[string]any
		says   string // "" = taken
	}{
		{"a number", control.Plan{Rules: gait.Walk()}, map[string]any{"lift": 0.5}, ""},
		{"a truth", control.Plan{Rules: gait.Walk()}, map[string]any{"gate": false}, ""},
		{"two", control.Plan{Rules: gait.Walk()}, map[string]any{"lift": 0.5, "speed": 0.1}, ""},
		{"of the phases", tripod, map[string]any{"swing.width": 0.2}, ""},
		{"out of range", control.Plan{Rules: gait.Walk()}, map[string]any{"lift": 50.0}, "lift is 50, must be in [0, 2]"},
		{"no number", control.Plan{Rules: gait.Walk()}, map[string]any{"lift": "high"}, "must be a number"},
		{"not finite", control.Plan{Rules: gait.Walk()}, map[string]any{"lift": math.NaN()}, "lift is NaN"},
		{"no truth", control.Plan{Rules: gait.Walk()}, map[string]any{"gate": 1.0}, "true or false"},
		{"unknown", control.Plan{Rules: gait.Walk()}, map[string]any{"lifft": 1.0}, `did you mean "lift"`},
		{"phases of rules", control.Plan{Rules: gait.Walk()}, map[string]any{"swing.width": 0.1}, "unknown parameter"},
		{"phases out of range", tripod, map[string]any{"phases.period": -1.0}, "must be a number in [0, 1000]"},
	} {
		t.Run(row.name, func(t *testing.T) {
			p, before := row.plan, row.plan.Rules
			err := SetLives(&p, row.values)
			if row.says == "" {
				if err != nil {
					t.Fatal(err)
				}
				for key, want := range row.values {
					i := slices.IndexFunc(Lives(&p), func(l Live) bool { return l.Key == key })
					if got := Lives(&p)[i].Value; got != want {
						t.Errorf("%s is %v, want %v", key, got, want)
					}
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), row.says) {
				t.Errorf("%v does not say %q", err, row.says)
			}
			if p.Rules != before {
				t.Error("a refused change changed something")
			}
		})
	}
}

// TestGaitYAMLComesBack: what is saved loads as the same plan, for every gait
// and a change in each.
func TestGaitYAMLComesBack(t *testing.T) {
	for _, name := range []string{"phantomx", "phantomx_octopod", "a1"} {
		r, err := LoadRig(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, kind := range Gaits() {
			p, err := LoadGait(kind, r)
			if err != nil {
				continue // of another build
			}
			if err := SetLives(&p, map[string]any{"lift": 0.4123456789, "smooth": !p.Rules.Smooth}); err != nil {
				t.Fatal(err)
			}
			raw, err := GaitYAML(&p, r)
			if err != nil {
				t.Fatal(err)
			}
			back, err := ParseGait("saved.yaml", raw, r)
			if err != nil {
				t.Fatalf("%s %s: %v\n%s", name, kind, err, raw)
			}
			if back.Name != p.Name || back.Rules != p.Rules || !reflect.DeepEqual(back.Phase, p.Phase) {
				t.Errorf("%s %s: %+v\nwant %+v\n%s", name, kind, back.Phase, p.Phase, raw)
			}
		}
	}
	ring, err := LoadRig("starfish")
	if err != nil {
		t.Fatal(err)
	}
	p := control.Plan{Name: "wave", Rules: gait.Walk(), Phase: &gait.Gait{Duty: make([]float64, 5), Offset: make([]float64, 5)}}
	if _, err := GaitYAML(&p, ring); err == nil || !strings.Contains(err.Error(), "row") {
		t.Errorf("a ring was written by rows: %v", err)
	}
}
