package apidoc

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"legctl/telemetry"
)

// Schemas collects the schemas of named types under a common place.
type Schemas struct {
	at   string // "#/components/schemas/"
	list Map
}

// NewSchemas returns an empty collection for a document's components.
func NewSchemas() *Schemas { return &Schemas{at: "#/components/schemas/"} }

// Map returns the schemas by name, in the order in which they were needed.
func (s *Schemas) Map() Map { return s.list }

var (
	numType = reflect.TypeFor[telemetry.Num]()
	rawType = reflect.TypeFor[json.RawMessage]()
)

// Of returns the schema of a type; a struct is put into the collection and
// referred to.
func (s *Schemas) Of(t reflect.Type) Map {
	switch {
	case t == numType:
		return Map{{"type", list([]string{"number", "null"})}}
	case t == rawType:
		return Map{{"type", list([]string{"string", "number"})}}
	case t.Kind() == reflect.Pointer:
		return s.Of(t.Elem())
	}
	switch t.Kind() {
	case reflect.Struct:
		s.add(t)
		return Map{{"$ref", s.at + name(t)}}
	case reflect.Slice, reflect.Array:
		return Map{{"type", "array"}, {"items", s.Of(t.Elem())}}
	case reflect.Map:
		return Map{{"type", "object"}, {"additionalProperties", s.Of(t.Elem())}}
	case reflect.Bool:
		return Map{{"type", "boolean"}}
	case reflect.String:
		return Map{{"type", "string"}}
	case reflect.Float32, reflect.Float64:
		return Map{{"type", "number"}}
	case reflect.Interface:
		return Map{}
	default:
		return Map{{"type", "integer"}}
	}
}

// name is the name of a struct type; one without a name is called after its
// fields' owner by add.
func name(t reflect.Type) string {
	if t.Name() == "" {
		return "Part"
	}
	return strings.ToUpper(t.Name()[:1]) + t.Name()[1:]
}

// add puts a struct into the collection.
func (s *Schemas) add(t reflect.Type) {
	if s.list.Get(name(t)) != nil {
		return
	}
	at := len(s.list)
	s.list = append(s.list, Pair{name(t), Map{}})
	s.list[at].Value = s.object(t)
}

// object returns the schema of a struct's fields.
func (s *Schemas) object(t reflect.Type) Map {
	var props Map
	var need []string
	s.fields(t, &props, &need)
	m := Map{{"type", "object"}, {"properties", props}}
	if len(need) > 0 {
		m = append(m, Pair{"required", list(need)})
	}
	return append(m, Pair{"additionalProperties", false})
}

func (s *Schemas) fields(t reflect.Type, props *Map, need *[]string) {
	for i := range t.NumField() {
		f := t.Field(i)
		key, rest, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && key == "":
			s.fields(f.Type, props, need)
			continue
		case key == "-" || !f.IsExported():
			continue
		case key == "":
			key = f.Name
		}
		var schema Map
		if f.Type.Kind() == reflect.Struct && f.Type.Name() == "" {
			schema = s.object(f.Type)
		} else {
			schema = s.Of(f.Type)
		}
		*props = append(*props, Pair{key, explain(schema, f.Tag.Get("doc"), f.Tag.Get("unit"))})
		if !strings.Contains(rest, "omitempty") {
			*need = append(*need, key)
		}
	}
}

// explain adds what a key means, and its unit.
func explain(m Map, doc, unit string) Map {
	if unit != "" {
		doc = strings.TrimPrefix(doc+", "+unit, ", ")
		m = append(m, Pair{"x-unit", unit})
	}
	if doc != "" {
		m = append(m, Pair{"description", doc})
	}
	return m
}

// CommandSchema returns the schema of a command's payload from its row.
func CommandSchema(t telemetry.Topic) Map {
	var props Map
	var need []string
	for _, k := range append(t.Keys, telemetry.CommonKeys()...) {
		props = append(props, Pair{k.Name, explain(keySchema(k), k.Doc, k.Unit)})
		if k.Required {
			need = append(need, k.Name)
		}
	}
	m := Map{{"type", "object"}, {"properties", props}}
	if len(need) > 0 {
		m = append(m, Pair{"required", list(need)})
	}
	return append(m, Pair{"additionalProperties", false})
}

func keySchema(k telemetry.Key) Map {
	switch k.Type {
	case telemetry.KeyFlag:
		return Map{{"type", "boolean"}}
	case telemetry.KeyVector:
		number := Map{{"type", "number"}}
		return Map{{"type", "object"}, {"properties", Map{{"x", number}, {"y", number}, {"z", number}}}, {"additionalProperties", false}}
	case telemetry.KeyShares:
		return Map{{"type", "object"}, {"additionalProperties", Map{{"type", "number"}, {"minimum", 0}, {"maximum", 1}}}}
	case telemetry.KeyText:
		if k.Name == "id" {
			return Map{{"type", list([]string{"string", "number"})}}
		}
		m := Map{{"type", "string"}}
		if words := fixed(k); words != nil {
			m = append(m, Pair{"enum", list(words)})
		}
		return m
	}
	return Map{{"type", "number"}}
}

// fixed returns the words of a key that are the same for every rig; those of a
// rig are in its info message.
func fixed(k telemetry.Key) []string {
	if k.Words == nil {
		return nil
	}
	mark := []string{"?"}
	words := k.Words(&telemetry.Names{Legs: mark, Joints: mark, Gaits: mark})
	if slices.Contains(words, mark[0]) {
		return nil
	}
	return words
}
