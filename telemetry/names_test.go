package telemetry

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"

	"legctl/control"
	"legctl/ik"
)

// TestTablesComplete: every number of the core has one name of its own. The
// arrays are as long as the core's counts, so a new number shows as an empty
// name here.
func TestTablesComplete(t *testing.T) {
	tables := map[string][]string{
		"binding": bindingNames[:], "reason": reasonNames[:], "kind": kindNames[:],
		"event": eventNames[:], "status": statusNames[:],
	}
	for table, names := range tables {
		seen := map[string]bool{}
		for i, n := range names {
			if n == "" || seen[n] {
				t.Errorf("%s %d: name %q is empty or stands twice", table, i, n)
			}
			seen[n] = true
		}
	}
	if len(statusNames) != int(ik.Statuses) {
		t.Errorf("%d solver states, %d names", ik.Statuses, len(statusNames))
	}
	if n := len(events(t)); n != len(eventNames) {
		t.Errorf("control declares %d events, %d have a name", n, len(eventNames))
	}
	for k := control.KindNone + 1; k < control.Kinds; k++ {
		name := KindName(k)
		if k == control.KindDrive {
			continue // comes by topic mode: see TestModeWords
		}
		if r, err := topicOf(name); err != nil || r.kind != k {
			t.Errorf("kind %s has no topic of its own: %v", name, err)
		}
	}
}

// events reads the constants of type control.Event from their source: bit sets
// carry no count.
func events(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("../control/*.go")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if v, ok := n.(*ast.ValueSpec); ok {
				for _, id := range v.Names {
					if strings.HasPrefix(id.Name, "Event") && id.Obj != nil && id.Obj.Kind == ast.Con {
						names = append(names, id.Name)
					}
				}
			}
			return true
		})
	}
	return names
}

func TestUnnamedNumbersDoNotFail(t *testing.T) {
	n := &Names{Legs: []string{"lf"}}
	for got, want := range map[string]string{
		BindingName(200): "?", n.Gait(7): "?", n.Leg(-1): "", n.Leg(1): "", n.Leg(0): "lf",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestValidRig(t *testing.T) {
	for name, want := range map[string]bool{
		"phantomx": true, "a1": true, "0": true, "my-rig_2": true,
		"": false, "-a": false, "_a": false, "A1": false, "a b": false, "a/b": false, "a+": false, "a#": false, "\u00e9": false,
	} {
		if ValidRig(name) != want {
			t.Errorf("ValidRig(%q) = %v", name, !want)
		}
	}
}
