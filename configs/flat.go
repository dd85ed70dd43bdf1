package configs

import (
	"reflect"
	"strings"
	"unicode"

	"legctl/sim"

	"github.com/goccy/go-yaml/ast"
)

// flat fills a parameter struct of another package, which carries no tags: a
// key is the field's name in snake case. check is asked after each value, with
// the field set on its own over the defaults, so that every bad one is named.
func (d *decoder) flat(n ast.Node, v reflect.Value, p pos, check func(reflect.Value) error) {
	m, ok := n.(ast.MapNode)
	if !ok {
		d.add(p, "%s, want a mapping of keys", kind(n))
		return
	}
	base := reflect.New(v.Type()).Elem()
	base.Set(v)
	names := flatKeys(v.Type())
	seen := make(map[string]bool)
	for it := m.MapRange(); it.Next(); {
		kv := it.KeyValue()
		key := keyText(kv)
		here := at(kv.Key, join(p.path, key))
		i, known := indexOf(names, key)
		switch {
		case !known:
			d.unknownOf(here, key, names)
			continue
		case seen[key]:
			d.add(here, "given twice, want it once")
			continue
		}
		seen[key] = true
		before := len(d.issues)
		d.flatValue(kv.Value, v.Field(i), at(kv.Value, here.path))
		if len(d.issues) > before || check == nil {
			continue
		}
		alone := reflect.New(v.Type()).Elem()
		alone.Set(base)
		alone.Field(i).Set(v.Field(i))
		if err := check(alone); err != nil {
			d.add(at(kv.Value, here.path), "%s", firstLine(err))
		}
	}
}

func (d *decoder) flatValue(n ast.Node, v reflect.Value, p pos) {
	if v.Type() == reflect.TypeFor[sim.Support]() {
		t := d.text(n, &field{choices: supports}, p)
		if i, ok := indexOf(supports, t); ok {
			v.SetUint(uint64(i))
		}
		return
	}
	if v.Kind() == reflect.Struct {
		d.flat(n, v, p, nil)
		return
	}
	d.value(n, v, &field{}, spelling{worth: 1}, p)
}

// supports are the words for sim.Support, by value.
var supports = []string{"polygon", "diagonal_pair"}

// flatKeys returns the keys of a tagless struct, in the order of its fields.
func flatKeys(t reflect.Type) []string {
	names := make([]string, t.NumField())
	for i := range names {
		names[i] = snake(t.Field(i).Name)
	}
	return names
}

// snake turns TurnSpeed into turn_speed.
func snake(name string) string {
	var b strings.Builder
	for i, r := range name {
		if unicode.IsUpper(r) && i > 0 && !unicode.IsUpper(rune(name[i-1])) { // IMU is one word
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

func indexOf(names []string, name string) (int, bool) {
	for i, n := range names {
		if n == name {
			return i, true
		}
	}
	return 0, false
}

func (d *decoder) unknownOf(p pos, key string, known []string) {
	if near := nearest(key, known); near != "" {
		d.add(p, "unknown key; did you mean %s?", near)
		return
	}
	d.add(p, "unknown key; known here: %s", strings.Join(known, ", "))
}

func firstLine(err error) string { return strings.SplitN(err.Error(), "\n", 2)[0] }
