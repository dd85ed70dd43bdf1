package configs

import (
	"fmt"
	"math"
	"reflect"
	"strings"

	"legctl/gait"
	"legctl/sim"
)

// Reference returns docs/config.md: every key of every kind of file with type,
// unit, bound and default. comments holds the comments of the fields of
// parameter structs that carry no tags, as "gait.Rules.Speed".
func Reference(comments map[string]string) string {
	w := &writer{comments: comments, done: map[reflect.Type]bool{}}
	w.line("# Configuration files")
	w.line("")
	w.line("Generated from the structs of package `configs`; do not edit. After a change run")
	w.line("`go test ./configs -run TestDocs -update`.")
	w.line("")
	w.line("A key carries its unit; where two spellings are listed give one of them. Unknown keys, values with")
	w.line("a unit of their own, NaN, infinities and lists of a wrong length are refused, all faults of a file at")
	w.line("once. A file has at most %d bytes, %d levels and %d keys; anchors, aliases and tags are not read.", MaxSize, MaxNesting, MaxKeys)
	for _, k := range kinds {
		w.line("")
		w.line("## %s files (`configs/%s`)", title(k.name), k.folder)
		w.line("")
		w.line("%s", k.about)
		w.form("", k.form)
	}
	return w.b.String()
}

func title(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// writer writes the reference.
type writer struct {
	b        strings.Builder
	comments map[string]string
	done     map[reflect.Type]bool
}

func (w *writer) line(format string, args ...any) { fmt.Fprintf(&w.b, format+"\n", args...) }

// form writes the table of one struct, then those of the structs in it.
func (w *writer) form(path string, t reflect.Type) {
	if w.done[t] {
		return
	}
	w.done[t] = true
	if path != "" {
		w.line("")
		w.line("### `%s`", path)
	}
	w.line("")
	w.line("| key | type | bound | default | what |")
	w.line("| --- | --- | --- | --- | --- |")
	fs := fields(t)
	for i := range fs {
		w.row(&fs[i], t.Field(fs[i].index).Type)
	}
	for i := range fs {
		ft := bareType(t.Field(fs[i].index).Type)
		switch {
		case ft == reflect.TypeFor[rulesForm]():
			rules := gait.Walk()
			w.flat(join(path, fs[i].key), "the base `walk`", reflect.ValueOf(rules), checkRules)
		case ft == reflect.TypeFor[simForm]():
			w.flat(join(path, fs[i].key), "the reference", reflect.ValueOf(sim.Default()), checkSim)
		case ft.Kind() == reflect.Struct && len(fields(ft)) > 0:
			w.form(join(path, fs[i].key), ft)
		}
	}
}

// bareType is a field's type without val, pointer or list round it.
func bareType(t reflect.Type) reflect.Type {
	if h, ok := reflect.New(t).Interface().(holder); ok {
		return reflect.TypeOf(h.target()).Elem()
	}
	if t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		return t.Elem()
	}
	return t
}

// row writes one key.
func (w *writer) row(f *field, t reflect.Type) {
	keys := make([]string, 0, 2)
	for _, s := range f.keysOf() {
		keys = append(keys, "`"+s.suffix+"`")
	}
	bound := f.bound.text
	if bound != "" && f.unit != "" {
		bound += " " + spellings[f.unit][0].word
	}
	if len(f.choices) > 0 {
		bound = strings.Join(f.choices, ", ")
	}
	def := f.def
	if f.need {
		def = "required"
	}
	w.line("| %s | %s | %s | %s | %s |", strings.Join(keys, ", "), typeWord(t), bound, def, f.doc)
}

// typeWord names a type the way a person writes its values.
func typeWord(t reflect.Type) string {
	if h, ok := reflect.New(t).Interface().(holder); ok {
		t = reflect.TypeOf(h.target()).Elem()
	}
	switch t {
	case reflect.TypeFor[axisForm]():
		return "name or 3 numbers"
	case reflect.TypeFor[linkForm]():
		return "number or 3 numbers"
	case reflect.TypeFor[groupsForm]():
		return "`ring` or mapping"
	case reflect.TypeFor[spanForm]():
		return "seconds or text"
	}
	switch t.Kind() {
	case reflect.Pointer, reflect.Struct:
		return "mapping"
	case reflect.Float64:
		return "number"
	case reflect.Int, reflect.Uint64:
		return "whole number"
	case reflect.Bool:
		return "true or false"
	case reflect.Array:
		return fmt.Sprintf("%d numbers", t.Len())
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Float64 {
			return "numbers"
		}
		return "list of mappings"
	case reflect.Map:
		return "mapping by name of " + typeWord(t.Elem())
	}
	return "text"
}

// flat writes the table of a tagless parameter struct with the values it
// starts from.
func (w *writer) flat(path, from string, v reflect.Value, check func(reflect.Value) error) {
	w.line("")
	w.line("### `%s`", path)
	w.line("")
	w.line("Defaults are those of %s.", from)
	w.line("")
	w.line("| key | type | bound | default | what |")
	w.line("| --- | --- | --- | --- | --- |")
	top := reflect.New(v.Type()).Elem()
	top.Set(v)
	w.flatRows("", top, top, check)
}

// inherit gives the parts of a struct that have no comment, such as those of a
// vector, the one of the field they are in, and returns which.
func (w *writer) inherit(t reflect.Type, comment string) []string {
	var said []string
	for n, key := range flatKeys(t) {
		part := t.String() + "." + t.Field(n).Name
		if comment != "" && w.comments[part] == "" {
			w.comments[part] = comment + ", " + key
			said = append(said, part)
		}
	}
	return said
}

// flatRows writes the rows of v, which is top or a struct within it.
func (w *writer) flatRows(prefix string, top, v reflect.Value, check func(reflect.Value) error) {
	for i, key := range flatKeys(v.Type()) {
		f := v.Field(i)
		if f.Kind() == reflect.Struct {
			said := w.inherit(f.Type(), w.comments[v.Type().String()+"."+v.Type().Field(i).Name])
			w.flatRows(prefix+key+".", top, f, check)
			for _, part := range said {
				delete(w.comments, part)
			}
			continue
		}
		word, def := typeWord(f.Type()), fmt.Sprint(f.Interface())
		what := w.comments[v.Type().String()+"."+v.Type().Field(i).Name]
		if f.Type() == reflect.TypeFor[sim.Support]() {
			word, def = strings.Join(supports, ", "), supports[f.Uint()]
			what = "the rule by which standing feet hold the body"
		}
		w.line("| `%s` | %s | %s | %s | %s |", prefix+key, word, boundOf(top, f, check), def, what)
	}
}

// boundOf asks the package that owns a number what it accepts, by showing it
// one it cannot.
func boundOf(top, f reflect.Value, check func(reflect.Value) error) string {
	if f.Kind() != reflect.Float64 {
		return ""
	}
	keep := f.Float()
	defer f.SetFloat(keep)
	f.SetFloat(math.NaN())
	err := check(top)
	if err == nil {
		return ""
	}
	_, bound, _ := strings.Cut(firstLine(err), "must be ")
	return strings.TrimPrefix(bound, "in ")
}
