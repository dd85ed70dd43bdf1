package configs

import (
	"fmt"
	"reflect"

	"github.com/goccy/go-yaml/ast"
)

// custom is a value with its own form in a file, such as an axis by name.
type custom interface {
	decode(d *decoder, n ast.Node, p pos, worth float64)
}

// decoder fills file structs from nodes and notes every fault on the way.
type decoder struct {
	*report
	u float64 // metres of the length unit U; only terrains are written in it
}

// mapping fills the struct v from a mapping; p is where the mapping stands.
func (d *decoder) mapping(n ast.Node, v reflect.Value, p pos) {
	m, ok := n.(ast.MapNode)
	if !ok {
		d.add(p, "%s, want a mapping of keys", kind(n))
		return
	}
	if s, ok := v.Addr().Interface().(placer); ok {
		s.place(p)
	}
	fs := fields(v.Type())
	given := make(map[string]string, len(fs))
	for it := m.MapRange(); it.Next(); {
		d.entry(it.KeyValue(), v, fs, given, p.path)
	}
	for i := range fs {
		if f := &fs[i]; f.need && given[f.key] == "" {
			d.add(p, "key %s is missing: %s", f.keysOf()[0].suffix, f.doc)
		}
	}
}

// entry decodes one key of a mapping.
func (d *decoder) entry(kv *ast.MappingValueNode, v reflect.Value, fs []field, given map[string]string, path string) {
	key := keyText(kv)
	here := at(kv.Key, join(path, key))
	f, s := find(fs, key)
	if f == nil {
		if meant := d.unknown(here, key, fs); meant != nil && given[meant.key] == "" {
			given[meant.key] = key // said once: it is not missing as well
		}
		return
	}
	if prev := given[f.key]; prev != "" {
		d.add(here, "given twice, first as %s; want it once", prev)
		return
	}
	given[f.key] = key
	if s.word == unitWords {
		s.worth = d.u
	}
	d.value(kv.Value, v.Field(f.index), f, s, at(kv.Value, here.path))
}

// unknown refuses a key and returns the field it was probably meant for.
func (d *decoder) unknown(p pos, key string, fs []field) *field {
	var known []string
	for i := range fs {
		for _, s := range fs[i].keysOf() {
			known = append(known, s.suffix)
		}
	}
	d.unknownOf(p, key, known)
	f, _ := find(fs, nearest(key, known))
	return f
}

// find returns the field a key names and the spelling it used.
func find(fs []field, key string) (*field, spelling) {
	for i := range fs {
		for _, s := range fs[i].keysOf() {
			if s.suffix == key {
				return &fs[i], s
			}
		}
	}
	return nil, spelling{}
}

// value decodes one value into v, whatever its type.
func (d *decoder) value(n ast.Node, v reflect.Value, f *field, s spelling, p pos) {
	if h, ok := v.Addr().Interface().(holder); ok {
		if _, empty := n.(*ast.NullNode); empty {
			d.add(p, "no value, want one: %s", f.doc)
			return
		}
		h.mark(p)
		v = reflect.ValueOf(h.target()).Elem()
	}
	if c, ok := v.Addr().Interface().(custom); ok {
		c.decode(d, n, p, s.worth)
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		d.value(n, v.Elem(), f, s, p)
	case reflect.Float64:
		v.SetFloat(d.number(n, f, s, p))
	case reflect.Uint64:
		v.SetUint(uint64(max(0, d.whole(n, f, p))))
	case reflect.Int:
		v.SetInt(int64(d.whole(n, f, p)))
	case reflect.Bool:
		v.SetBool(d.truth(n, p))
	case reflect.String:
		v.SetString(d.text(n, f, p))
	case reflect.Array:
		d.array(n, v, f, s, p)
	case reflect.Slice:
		d.list(n, v, f, s, p)
	case reflect.Map:
		d.table(n, v, f, s, p)
	case reflect.Struct:
		d.mapping(n, v, p)
	}
}

// array decodes a list of a fixed number of values.
func (d *decoder) array(n ast.Node, v reflect.Value, f *field, s spelling, p pos) {
	seq, ok := n.(*ast.SequenceNode)
	if !ok {
		d.add(p, "%s, want a list of %d", kind(n), v.Len())
		return
	}
	if len(seq.Values) != v.Len() {
		d.add(p, "a list of %d, want %d", len(seq.Values), v.Len())
		return
	}
	for i, e := range seq.Values {
		d.value(e, v.Index(i), f, s, at(e, fmt.Sprintf("%s[%d]", p.path, i)))
	}
}

// list decodes a list of any length.
func (d *decoder) list(n ast.Node, v reflect.Value, f *field, s spelling, p pos) {
	seq, ok := n.(*ast.SequenceNode)
	if !ok {
		d.add(p, "%s, want a list", kind(n))
		return
	}
	out := reflect.MakeSlice(v.Type(), len(seq.Values), len(seq.Values))
	for i, e := range seq.Values {
		d.value(e, out.Index(i), f, s, at(e, fmt.Sprintf("%s[%d]", p.path, i)))
	}
	v.Set(out)
}

// table decodes a mapping with free keys.
func (d *decoder) table(n ast.Node, v reflect.Value, f *field, s spelling, p pos) {
	m, ok := n.(ast.MapNode)
	if !ok {
		d.add(p, "%s, want a mapping", kind(n))
		return
	}
	v.Set(reflect.MakeMap(v.Type()))
	for it := m.MapRange(); it.Next(); {
		kv := it.KeyValue()
		key := keyText(kv)
		here := join(p.path, key)
		if v.MapIndex(reflect.ValueOf(key)).IsValid() {
			d.add(at(kv.Key, here), "given twice, want it once")
			continue
		}
		e := reflect.New(v.Type().Elem()).Elem()
		d.value(kv.Value, e, f, s, at(kv.Value, here))
		v.SetMapIndex(reflect.ValueOf(key), e)
	}
}

// keyText returns a key as written.
func keyText(kv *ast.MappingValueNode) string {
	if s, ok := kv.Key.(*ast.StringNode); ok {
		return s.Value
	}
	if t := kv.Key.GetToken(); t != nil {
		return t.Value
	}
	return "?"
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}
