// Package codertest proves that a record's list of fields is complete: every
// number, flag and list element that reflection finds is written, read back
// and named.
package codertest

import (
	"bytes"
	"encoding"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"unicode"
	"unsafe"

	"legctl/rig"
)

// Record is what every type that is kept as bytes offers.
type Record interface {
	rig.Record
	encoding.BinaryAppender
	encoding.BinaryUnmarshaler
}

// Check fails t unless every leaf of the record made by fresh is covered.
// fresh must return a pointer to a new record of one rig each time, with no
// empty list in it.
func Check(t *testing.T, fresh func() Record) {
	t.Helper()
	base := encode(t, fresh())
	n := 0
	Leaves(fresh(), func(path string, _ reflect.Value) { n++; checkLeaf(t, fresh, base, path) })
	if n == 0 {
		t.Fatal("no leaves found")
	}
	checkAll(t, fresh)
	checkDamage(t, fresh, base)
	checkAllocs(t, fresh(), len(base))
}

// encode returns the bytes of a record.
func encode(t *testing.T, r Record) []byte {
	t.Helper()
	b, err := r.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// checkLeaf changes one leaf and asks for different bytes, its name and its return.
func checkLeaf(t *testing.T, fresh func() Record, base []byte, path string) {
	t.Helper()
	changed := fresh()
	Leaves(changed, func(p string, v reflect.Value) {
		if p == path {
			Change(v, 1)
		}
	})
	b := encode(t, changed)
	if bytes.Equal(b, base) {
		t.Errorf("%s is not in Fields", path)
		return
	}
	d, err := rig.Compare(changed, base, b, 0)
	if err != nil || d.Field != path {
		t.Errorf("%s is called %q (%v)", path, d.Field, err)
	}
	back := fresh()
	if err := back.UnmarshalBinary(b); err != nil {
		t.Errorf("%s: %v", path, err)
	}
	if !reflect.DeepEqual(back, changed) {
		t.Errorf("%s does not come back", path)
	}
}

// checkAll gives every leaf a value of its own at once, so that two fields that
// were swapped show.
func checkAll(t *testing.T, fresh func() Record) {
	t.Helper()
	full, i := fresh(), 0
	Leaves(full, func(_ string, v reflect.Value) { i++; Change(v, i) })
	b := encode(t, full)
	back := fresh()
	if err := back.UnmarshalBinary(b); err != nil {
		t.Error(err)
	}
	if !reflect.DeepEqual(back, full) {
		t.Error("a full record does not come back as it was")
	}
	if again := encode(t, back); !bytes.Equal(again, b) {
		t.Error("the bytes of a record read back differ")
	}
}

// checkDamage asks for a refusal of every cut and of another layout.
func checkDamage(t *testing.T, fresh func() Record, base []byte) {
	t.Helper()
	for n := range base {
		if fresh().UnmarshalBinary(base[:n]) == nil {
			t.Errorf("%d of %d bytes were taken", n, len(base))
		}
	}
	if fresh().UnmarshalBinary(append(base[:len(base):len(base)], 0)) == nil {
		t.Error("a byte too many was taken")
	}
	other := bytes.Clone(base)
	other[0] ^= 1
	if fresh().UnmarshalBinary(other) == nil {
		t.Error("another layout hash was taken")
	}
}

// checkAllocs asks for no allocation in either direction.
func checkAllocs(t *testing.T, r Record, size int) {
	t.Helper()
	buf := make([]byte, 0, size)
	n := testing.AllocsPerRun(20, func() {
		b, _ := r.AppendBinary(buf)
		if r.UnmarshalBinary(b) != nil {
			t.Error("own bytes refused")
		}
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// Leaves calls do for every settable leaf of the struct that r points to, with
// its path: Go names joined by dots, the first word of each in lower case.
func Leaves(r any, do func(path string, v reflect.Value)) {
	leaves(reflect.ValueOf(r).Elem(), "", do)
}

func leaves(v reflect.Value, path string, do func(string, reflect.Value)) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			name := lower(v.Type().Field(i).Name)
			if path != "" {
				name = path + "." + name
			}
			f := v.Field(i)
			if !f.CanSet() { // a record may keep to itself what it remembers
				f = reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem()
			}
			leaves(f, name, do)
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			leaves(v.Index(i), fmt.Sprintf("%s[%d]", path, i), do)
		}
	default:
		do(path, v)
	}
}

// lower puts the first word of a Go name in lower case: PoseWB, ID, CoMW and
// RPY become poseWB, id, comW and rpy.
func lower(s string) string {
	if rest, ok := strings.CutPrefix(s, "CoM"); ok {
		return "com" + rest
	}
	n := 0
	for n < len(s) && unicode.IsUpper(rune(s[n])) {
		n++
	}
	if n > 1 && n < len(s) {
		n--
	}
	return strings.ToLower(s[:n]) + s[n:]
}

// Change gives a leaf a value that depends on n, n > 0, and that it did not have.
func Change(v reflect.Value, n int) {
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(!v.Bool())
	case reflect.Float64:
		x := v.Float()
		if math.IsInf(x, 0) || math.IsNaN(x) {
			x = 0
		}
		v.SetFloat(x + float64(n) + 1.0/3)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(v.Int() ^ int64(n%100+1))
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(v.Uint() ^ uint64(n%200+1))
	default:
		panic("codertest: a record holds plain numbers only, not " + v.Kind().String())
	}
}
