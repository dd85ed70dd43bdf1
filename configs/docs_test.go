package configs

import (
	"bytes"
	"encoding/json"
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

var update = flag.Bool("update", false, "write docs/schema and docs/config.md instead of comparing")

//go:generate go test . -run TestDocs -update

// TestDocs fails when docs/schema or docs/config.md is not what the structs
// say; with -update it writes them.
func TestDocs(t *testing.T) {
	want := map[string][]byte{"config.md": []byte(Reference(comments(t)))}
	for _, kind := range Kinds() {
		s, err := Schema(kind)
		if err != nil {
			t.Fatal(err)
		}
		want["schema/"+kind+".json"] = s
	}
	for name, text := range want {
		file := filepath.Join("..", "docs", name)
		if *update {
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, text, 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if got, err := os.ReadFile(file); err != nil || !bytes.Equal(got, text) {
			t.Errorf("docs/%s is stale (%v): run go test ./configs -run TestDocs -update", name, err)
		}
	}
	if _, err := Schema("robot"); err == nil {
		t.Error("a schema of an unknown kind")
	}
}

// comments reads the field comments of the structs that carry no tags.
func comments(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, at := range []struct{ pkg, file string }{{"gait", "../gait/rules.go"}, {"sim", "../sim/params.go"}} {
		f, err := parser.ParseFile(token.NewFileSet(), at.file, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok {
				return true
			}
			if s, ok := spec.Type.(*ast.StructType); ok {
				for _, field := range s.Fields.List {
					for _, name := range field.Names {
						out[at.pkg+"."+spec.Name.Name+"."+name.Name] = strings.TrimSpace(field.Comment.Text())
					}
				}
			}
			return true
		})
	}
	return out
}

// TestReferenceIsComplete: no key without a description.
func TestReferenceIsComplete(t *testing.T) {
	for _, line := range strings.Split(Reference(comments(t)), "\n") {
		if strings.HasPrefix(line, "|") && strings.HasSuffix(line, "|  |") {
			t.Errorf("no description: %s", line)
		}
	}
}

// TestShippedFilesKeepTheirSchema checks every shipped file with an
// independent validator.
func TestShippedFilesKeepTheirSchema(t *testing.T) {
	for _, k := range kinds {
		schema := compile(t, k.name)
		for _, name := range shipped(k.folder) {
			data, err := files.ReadFile(k.folder + "/" + name + ".yaml")
			if err != nil {
				t.Fatal(err)
			}
			if err := schema.Validate(document(t, data)); err != nil {
				t.Errorf("%s/%s: %v", k.folder, name, err)
			}
		}
	}
}

func compile(t *testing.T, kind string) *jsonschema.Schema {
	t.Helper()
	text, err := Schema(kind)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(kind+".json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile(kind + ".json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// document reads YAML as the values JSON has.
func document(t *testing.T, data []byte) any {
	t.Helper()
	var v any
	if err := yaml.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	out, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestSchemaRefuses what the loader refuses, as far as a schema can say it.
func TestSchemaRefuses(t *testing.T) {
	schema := compile(t, "rig")
	if err := schema.Validate(document(t, []byte(good))); err != nil {
		t.Fatal(err)
	}
	for _, r := range [][2]string{
		{"speed_rad_s: 6", "sped_rad_s: 6"},
		{"speed_rad_s: 6", "speed_rad_s: 0"},
		{"link_m: 0.18", "link_m: 180"},
		{"limits_deg: [10, 150]", "limits_deg: [10]"},
		{"mount_m: [0.1, 0.05, 0], yaw", "mount_cm: [10, 5, 0], yaw"},
		{"axis: pitch\n", "axis: swing\n"},
	} {
		if schema.Validate(document(t, []byte(strings.Replace(good, r[0], r[1], 1)))) == nil {
			t.Errorf("schema accepts %q", r[1])
		}
	}
	if err := schema.Validate(document(t, []byte(strings.Replace(good, "link_m: 0.18", "link_mm: 180", 1)))); err != nil {
		t.Errorf("schema refuses millimetres: %v", err)
	}
}
