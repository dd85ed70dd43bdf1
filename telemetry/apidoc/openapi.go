package apidoc

import (
	"fmt"
	"reflect"
	"strings"
)

// Route is a path of the small HTTP API.
type Route struct {
	Method, Path, Doc string
	Query             []string     // names of parameters after the question mark
	Body              reflect.Type // of a JSON body; nil: none
	Answer            reflect.Type // of a JSON answer; nil: Content says what
	Content           string       // media type of an answer that is not JSON
	Open              bool         // needs no token
	Codes             map[int]string
}

const openInfo = `The small HTTP API of legctl: the page, its WebSocket, what programs may read and order, and what watches over processes. On loopback nobody is
asked for a token; elsewhere every path but those marked open wants "Authorization: Bearer TOKEN". Pages of other origins are refused.`

// OpenAPI returns the OpenAPI 3.1 document of the routes.
func OpenAPI(routes []Route) Map {
	s := NewSchemas()
	var paths Map
	for _, r := range routes {
		op := r.operation(s)
		found := false
		for i := range paths {
			if paths[i].Key == r.Path {
				m, _ := paths[i].Value.(Map)
				paths[i].Value, found = append(m, Pair{strings.ToLower(r.Method), op}), true
			}
		}
		if !found {
			paths = append(paths, Pair{r.Path, Map{{strings.ToLower(r.Method), op}}})
		}
	}
	return Map{
		{"openapi", "3.1.0"},
		{"info", Map{{"title", "legctl over HTTP"}, {"version", "1.0.0"}, {"description", strings.ReplaceAll(openInfo, "\n", " ")}}},
		{"servers", []any{Map{{"url", "http://127.0.0.1:8080"}}}},
		{"security", []any{Map{{"token", []any{}}}}},
		{"paths", paths},
		{"components", Map{
			{"securitySchemes", Map{{"token", Map{{"type", "http"}, {"scheme", "bearer"}}}}},
			{"schemas", s.Map()},
		}},
	}
}

// operation is what stands under a method.
func (r *Route) operation(s *Schemas) Map {
	op := Map{{"summary", r.Doc + "."}, {"operationId", r.id()}}
	var params []any
	for _, part := range strings.Split(r.Path, "{")[1:] {
		key, _, _ := strings.Cut(part, "}")
		params = append(params, param(key, "path", true))
	}
	for _, q := range r.Query {
		params = append(params, param(q, "query", false))
	}
	if params != nil {
		op = append(op, Pair{"parameters", params})
	}
	if r.Body != nil {
		op = append(op, Pair{"requestBody", Map{{"content", Map{{"application/json", Map{{"schema", s.Of(r.Body)}}}}}}})
	}
	if r.Open {
		op = append(op, Pair{"security", []any{}})
	}
	good := Map{{"description", "done"}}
	switch {
	case r.Answer != nil:
		good = append(good, Pair{"content", Map{{"application/json", Map{{"schema", s.Of(r.Answer)}}}}})
	case r.Content != "":
		good = append(good, Pair{"content", Map{{r.Content, Map{}}}})
	}
	codes := Map{{"200", good}}
	for code := 100; code < 600; code++ {
		if text := r.Codes[code]; text != "" {
			answer := Map{{"description", text}}
			if code == 503 && r.Answer != nil && r.Open {
				answer = append(answer, Pair{"content", Map{{"application/json", Map{{"schema", s.Of(r.Answer)}}}}})
			}
			if code == 101 {
				codes = Map{{"101", answer}}
				continue
			}
			codes = append(codes, Pair{fmt.Sprint(code), answer})
		}
	}
	return append(op, Pair{"responses", codes})
}

// id makes a name for programs out of method and path.
func (r *Route) id() string {
	words := strings.FieldsFunc(r.Path, func(c rune) bool { return strings.ContainsRune("/{}.", c) })
	id := strings.ToLower(r.Method)
	for _, w := range words {
		id += strings.ToUpper(w[:1]) + w[1:]
	}
	if len(words) == 0 {
		id += "Page"
	}
	return id
}

func param(key, in string, need bool) Map {
	return Map{{"name", key}, {"in", in}, {"required", need}, {"schema", Map{{"type", "string"}}}}
}

// Metric is a metric of /metrics as the table of documents shows it.
type Metric struct {
	Name, Help, Type string
	Labels           []string
}

// MetricTable returns the table of docs/metrics.md.
func MetricTable(list []Metric) string {
	var b strings.Builder
	b.WriteString("| metric | type | labels | what |\n| --- | --- | --- | --- |\n")
	for _, m := range list {
		labels := "-"
		if len(m.Labels) > 0 {
			labels = "`" + strings.Join(m.Labels, "`, `") + "`"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", m.Name, m.Type, labels, strings.TrimSuffix(m.Help, "."))
	}
	return b.String()
}
