package rig

import (
	"encoding/binary"
	"math"
)

// Visitor is shown every field of a record, in order. A list holds either bare
// values (leaves without a name) or nested fields, the same in every element.
type Visitor interface {
	// Open begins a nested record; Close ends it.
	Open(name string)
	Close()
	// List begins a list of n elements; At begins element i; End ends the list.
	List(name string, n int)
	At(i int)
	End()
	// Leaf is one value; its name is empty in a list of bare values.
	Leaf(name string, v Value)
}

// Type says what a Value is.
type Type uint8

// The types of a value.
const (
	TypeNumber  Type = iota // a float64, perhaps not finite
	TypeInteger             // any integer
	TypeFlag                // true or false
)

// Value is one leaf of a record. It is good during the call of Visitor.Leaf.
type Value struct {
	kind kind
	b    []byte
}

// Type returns what the value is.
func (v Value) Type() Type {
	switch v.kind {
	case kindF64:
		return TypeNumber
	case kindBool:
		return TypeFlag
	}
	return TypeInteger
}

// Number returns a value of TypeNumber, and 0 for all others.
func (v Value) Number() float64 {
	if v.kind != kindF64 {
		return 0
	}
	return math.Float64frombits(binary.LittleEndian.Uint64(v.b))
}

// String returns the value as text: numbers with as many digits as it takes to
// read the same bits again, flags as true and false.
func (v Value) String() string { return v.kind.text(v.b) }

// Visit shows the fields in the bytes b of a record to v. like is any record of
// their layout; its own values are not looked at. With b nil the layout alone is
// shown, all values zero.
func Visit(like Record, b []byte, v Visitor) error {
	var c Coder
	like.Fields(&c)
	if b == nil {
		b = make([]byte, c.Size())
		binary.LittleEndian.PutUint64(b, c.Layout())
	}
	if r := c; !r.Read(b) {
		return r.Err("rig: visit")
	}
	c.pass, c.vis, c.at = visiting, &visit{to: v, b: b}, hashBytes
	like.Fields(&c)
	return nil
}

// visit is a visit under way.
type visit struct {
	to Visitor
	b  []byte
}

// leaf shows the field at offset at.
func (v *visit) leaf(name string, k kind, at int) {
	v.to.Leaf(name, Value{k, v.b[at : at+k.size()]})
}
