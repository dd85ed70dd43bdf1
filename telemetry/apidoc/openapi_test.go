package apidoc_test

import (
	"reflect"
	"strings"
	"testing"

	"legctl/telemetry"
	"legctl/telemetry/apidoc"
)

func TestOpenAPIRules(t *testing.T) {
	routes := []apidoc.Route{
		{Method: "GET", Path: "/api/state", Doc: "The state", Answer: reflect.TypeFor[telemetry.State](), Codes: map[int]string{503: "none"}},
		{Method: "POST", Path: "/api/commands/{topic}", Doc: "A command", Body: reflect.TypeFor[map[string]any](), Answer: reflect.TypeFor[telemetry.Reply]()},
		{Method: "GET", Path: "/api/commands/{topic}", Doc: "Which", Query: []string{"q"}, Content: "text/plain", Open: true},
		{Method: "GET", Path: "/ws", Doc: "Frames", Codes: map[int]string{101: "open"}},
	}
	doc := document(t, apidoc.OpenAPI(routes))
	refs(doc, func(ref string) { at(t, doc, ref) })
	ids := map[any]bool{}
	paths, _ := at(t, doc, "paths").(map[string]any)
	for path, v := range paths {
		item, _ := v.(map[string]any)
		for method, o := range item {
			op, _ := o.(map[string]any)
			if ids[op["operationId"]] {
				t.Errorf("%s %s: operation %v stands twice", method, path, op["operationId"])
			}
			ids[op["operationId"]] = true
			answers, _ := op["responses"].(map[string]any)
			if len(answers) == 0 {
				t.Errorf("%s %s answers nothing", method, path)
			}
			params, _ := op["parameters"].([]any)
			if strings.Contains(path, "{") && len(params) == 0 {
				t.Errorf("%s %s has no parameters", method, path)
			}
		}
	}
	both, _ := paths["/api/commands/{topic}"].(map[string]any)
	if len(ids) != len(routes) || len(both) != 2 {
		t.Errorf("%d operations: %v", len(ids), ids)
	}
	get, _ := both["get"].(map[string]any)
	if s, ok := get["security"].([]any); !ok || len(s) > 0 {
		t.Errorf("an open path asks for %v", get["security"])
	}
	compile(t, any(doc), "#/components/schemas/State")
}

func TestYAMLKeys(t *testing.T) {
	m := apidoc.Map{{"on", true}, {"a b", 1}, {"{x}", "<y> & z"}, {"200", apidoc.Map{}}, {"list", []any{apidoc.Map{{"a", 1}, {"b", []any{1, "2"}}}, "x"}}}
	document(t, m) // reads it back and compares
}
