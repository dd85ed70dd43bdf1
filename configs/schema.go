package configs

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"legctl/gait"
	"legctl/sim"

	"github.com/invopop/jsonschema"
)

// kinds lists the kinds of file: folder, struct, and what a file of it is.
var kinds = []struct {
	name, folder, about string
	form                reflect.Type
}{
	{"rig", "rigs", "A body plan.", reflect.TypeFor[rigFile]()},
	{"gait", "gaits", "Step rules or a phase table.", reflect.TypeFor[gaitFile]()},
	{"terrain", "terrains", "A ground to walk on.", reflect.TypeFor[terrainFile]()},
	{"world", "worlds", "What a simulation starts with.", reflect.TypeFor[worldFile]()},
	{"script", "scripts", "Timed commands and world events.", reflect.TypeFor[scriptFile]()},
	{"style", "styles", "A way of going, baked into clips.", reflect.TypeFor[styleFile]()},
	{"clip", "clips", "A clip as key poses.", reflect.TypeFor[keysFile]()},
	{"bones", "bones", "Which bones of a clip are which legs of a rig.", reflect.TypeFor[bonesFile]()},
	{"space", "spaces", "What a motion space is made of.", reflect.TypeFor[recipeFile]()},
	{"users", "users", "Who may do what at the embedded broker.", reflect.TypeFor[usersFile]()},
	{"calibration", "calibrations", "How the servos of one built robot sit; written by `legctl servo calibrate`.", reflect.TypeFor[calibrationFile]()},
	{"answers", "answers", "What an operator says while a robot is calibrated; read by `legctl servo calibrate --answers`.", reflect.TypeFor[answersFile]()},
}

// Kinds returns the kinds of file there are, such as rig, gait and style.
func Kinds() []string {
	names := make([]string, len(kinds))
	for i := range kinds {
		names[i] = kinds[i].name
	}
	return names
}

// Schema returns the JSON schema (draft 2020-12) of one kind of file, made from
// the structs that decode it, for editors. Bounds are stated in the unit of
// each key.
func Schema(kind string) ([]byte, error) {
	for _, k := range kinds {
		if k.name != kind {
			continue
		}
		m := schemaMaker{defs: jsonschema.Definitions{}}
		s := m.object(k.form)
		s.Version = jsonschema.Version
		s.Title = "legctl " + k.name
		s.Description = k.about
		s.Definitions = m.defs
		out, err := json.MarshalIndent(s, "", "  ")
		if err != nil {
			return nil, fmt.Errorf("configs: schema of %s: %w", kind, err)
		}
		return append(out, '\n'), nil
	}
	return nil, fmt.Errorf("configs: no kind of file %q, want one of %s", kind, strings.Join(Kinds(), ", "))
}

// schemaMaker walks file structs.
type schemaMaker struct{ defs jsonschema.Definitions }

// schemer is a custom value that knows its schema.
type schemer interface {
	schema(m *schemaMaker, f *field, s spelling) *jsonschema.Schema
}

// object is the schema of a file struct.
func (m *schemaMaker) object(t reflect.Type) *jsonschema.Schema {
	out := &jsonschema.Schema{Type: "object", Properties: jsonschema.NewProperties(), AdditionalProperties: jsonschema.FalseSchema}
	fs := fields(t)
	for i := range fs {
		f := &fs[i]
		var either []*jsonschema.Schema
		for _, s := range f.keysOf() {
			p := m.of(t.Field(f.index).Type, f, s)
			p.Description = described(f, s)
			out.Properties.Set(s.suffix, p)
			either = append(either, &jsonschema.Schema{Required: []string{s.suffix}})
		}
		switch {
		case f.need && len(either) == 1:
			out.Required = append(out.Required, f.key)
		case f.need:
			out.AllOf = append(out.AllOf, &jsonschema.Schema{AnyOf: either})
		}
	}
	return out
}

func described(f *field, s spelling) string {
	text := f.doc
	if s.word != "" {
		text += "; " + s.word
	}
	if f.def != "" {
		text += "; default " + f.def
	}
	return text
}

// of is the schema of one value.
func (m *schemaMaker) of(t reflect.Type, f *field, s spelling) *jsonschema.Schema {
	if h, ok := reflect.New(t).Interface().(holder); ok {
		t = reflect.TypeOf(h.target()).Elem()
	}
	if c, ok := reflect.New(t).Interface().(schemer); ok {
		return c.schema(m, f, s)
	}
	switch t.Kind() {
	case reflect.Pointer:
		return m.of(t.Elem(), f, s)
	case reflect.Float64:
		return numberSchema(f, s)
	case reflect.Int, reflect.Uint64:
		n := numberSchema(f, s)
		n.Type = "integer"
		return n
	case reflect.Bool:
		return &jsonschema.Schema{Type: "boolean"}
	case reflect.String:
		n := &jsonschema.Schema{Type: "string"}
		for _, c := range f.choices {
			n.Enum = append(n.Enum, c)
		}
		return n
	case reflect.Array:
		n := uint64(t.Len())
		return &jsonschema.Schema{Type: "array", Items: m.of(t.Elem(), f, s), MinItems: &n, MaxItems: &n}
	case reflect.Slice:
		return &jsonschema.Schema{Type: "array", Items: m.of(t.Elem(), f, s)}
	case reflect.Map:
		return &jsonschema.Schema{Type: "object", AdditionalProperties: m.of(t.Elem(), f, s)}
	}
	return m.ref(t)
}

// ref puts a struct under $defs once and refers to it.
func (m *schemaMaker) ref(t reflect.Type) *jsonschema.Schema {
	name := formName(t)
	if m.defs[name] == nil {
		m.defs[name] = &jsonschema.Schema{} // ends a recursion
		m.defs[name] = m.object(t)
	}
	return &jsonschema.Schema{Ref: "#/$defs/" + name}
}

// formName is what a struct is called in schema and reference.
func formName(t reflect.Type) string { return strings.TrimSuffix(t.Name(), "File") }

// numberSchema states the bound in the unit of the spelling.
func numberSchema(f *field, s spelling) *jsonschema.Schema {
	out := &jsonschema.Schema{Type: "number"}
	b := f.bound
	if b.text == "" {
		return out
	}
	worth := worthOf(f, s)
	number := func(v float64) json.Number {
		return json.Number(strconv.FormatFloat(v/worth, 'g', 9, 64))
	}
	if b.openLo {
		out.ExclusiveMinimum = number(b.lo)
	} else {
		out.Minimum = number(b.lo)
	}
	if math.IsInf(b.hi, 1) {
		return out
	}
	if b.openHi {
		out.ExclusiveMaximum = number(b.hi)
	} else {
		out.Maximum = number(b.hi)
	}
	return out
}

// worthOf is what one of a spelling's unit is worth in the unit of the bound.
func worthOf(f *field, s spelling) float64 {
	if f.unit == "" || s.word == unitWords {
		return 1
	}
	return s.worth / spellings[f.unit][0].worth
}

func triple(f *field, s spelling) *jsonschema.Schema {
	n := uint64(3)
	return &jsonschema.Schema{Type: "array", Items: numberSchema(f, s), MinItems: &n, MaxItems: &n}
}

func (*axisForm) schema(*schemaMaker, *field, spelling) *jsonschema.Schema {
	return &jsonschema.Schema{OneOf: []*jsonschema.Schema{
		{Type: "string", Enum: []any{"yaw", "pitch", "roll"}}, triple(&field{}, spelling{worth: 1}),
	}}
}

func (*linkForm) schema(_ *schemaMaker, f *field, s spelling) *jsonschema.Schema {
	length := numberSchema(f, s)
	length.Minimum = "0"
	return &jsonschema.Schema{OneOf: []*jsonschema.Schema{length, triple(f, s)}}
}

func (*groupsForm) schema(*schemaMaker, *field, spelling) *jsonschema.Schema {
	one, two := uint64(1), uint64(2)
	row := &jsonschema.Schema{Type: "array", Items: &jsonschema.Schema{Type: "string"}, MinItems: &one, MaxItems: &two}
	rows := &jsonschema.Schema{Type: "object", Properties: jsonschema.NewProperties(), AdditionalProperties: jsonschema.FalseSchema}
	rows.Properties.Set("rows", &jsonschema.Schema{Type: "array", Items: row})
	return &jsonschema.Schema{OneOf: []*jsonschema.Schema{{Type: "string", Enum: []any{"ring"}}, rows}}
}

func (*spanForm) schema(*schemaMaker, *field, spelling) *jsonschema.Schema {
	return &jsonschema.Schema{OneOf: []*jsonschema.Schema{{Type: "number", Minimum: "0", Maximum: "1e6"}, {Type: "string"}}}
}

func (*rulesForm) schema(m *schemaMaker, _ *field, _ spelling) *jsonschema.Schema {
	return m.flat(reflect.TypeFor[gait.Rules]())
}

func (*simForm) schema(m *schemaMaker, _ *field, _ spelling) *jsonschema.Schema {
	return m.flat(reflect.TypeFor[sim.Params]())
}

// flat is the schema of a tagless struct.
func (m *schemaMaker) flat(t reflect.Type) *jsonschema.Schema {
	out := &jsonschema.Schema{Type: "object", Properties: jsonschema.NewProperties(), AdditionalProperties: jsonschema.FalseSchema}
	for i, key := range flatKeys(t) {
		ft := t.Field(i).Type
		p := &jsonschema.Schema{}
		switch {
		case ft == reflect.TypeFor[sim.Support]():
			p.Type = "string"
			for _, s := range supports {
				p.Enum = append(p.Enum, s)
			}
		case ft.Kind() == reflect.Struct:
			p = m.flat(ft)
		default:
			p = m.of(ft, &field{}, spelling{worth: 1})
		}
		out.Properties.Set(key, p)
	}
	return out
}
