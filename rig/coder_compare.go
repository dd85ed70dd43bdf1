package rig

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
)

// Record is anything that can walk its own fields. In a comparison the walk
// reads no value of the record: only its lengths count.
type Record interface {
	Fields(c *Coder)
}

// Difference is the first field in which two records differ, with both values
// as text. The zero value says that they are equal.
type Difference struct {
	Field string // such as legs[2].foot.x; empty: no difference
	A, B  string
}

// Same reports whether there is no difference.
func (d Difference) Same() bool { return d.Field == "" }

// String returns the difference as one line.
func (d Difference) String() string {
	if d.Same() {
		return "same"
	}
	return fmt.Sprintf("%s: %s, %s", d.Field, d.A, d.B)
}

// Compare names the first field in which the bytes a and b of two records
// differ. like is any record of their layout, made for their rig. With tol 0
// every bit counts; else numbers may differ by tol times the larger of one and
// their size, and everything that is not a number by nothing.
func Compare(like Record, a, b []byte, tol float64) (Difference, error) {
	var c Coder
	like.Fields(&c)
	for _, x := range [][]byte{a, b} {
		if r := c; !r.Read(x) {
			return Difference{}, r.Err("rig: compare")
		}
	}
	cmp := comparison{a: a, b: b, tol: tol}
	c.pass, c.cmp, c.at = comparing, &cmp, hashBytes
	like.Fields(&c)
	return cmp.first, nil
}

// LayoutOf returns the layout hash of a record and the number of its bytes.
func LayoutOf(r Record) (hash uint64, size int) {
	var c Coder
	r.Fields(&c)
	return c.Layout(), c.Size()
}

// comparison is a comparison under way.
type comparison struct {
	a, b  []byte
	tol   float64
	path  []byte
	marks []int // length of path before each open part
	first Difference
}

// push opens a part of the path.
func (c *comparison) push(name string) {
	c.marks = append(c.marks, len(c.path))
	c.name(name)
}

// name adds one name to the path.
func (c *comparison) name(name string) {
	if len(c.path) > 0 && name != "" {
		c.path = append(c.path, '.')
	}
	c.path = append(c.path, name...)
}

// pop closes the last part.
func (c *comparison) pop() {
	last := len(c.marks) - 1
	c.path, c.marks = c.path[:c.marks[last]], c.marks[:last]
}

// index puts [i] behind the name of the list that is open.
func (c *comparison) index(i int) {
	if i > 0 { // take the index before off again
		for c.path[len(c.path)-1] != '[' {
			c.path = c.path[:len(c.path)-1]
		}
		c.path = c.path[:len(c.path)-1]
	}
	c.path = append(c.path, '[')
	c.path = strconv.AppendInt(c.path, int64(i), 10)
	c.path = append(c.path, ']')
}

// leaf compares one field at offset at.
func (c *comparison) leaf(name string, k kind, at int) {
	if c.first.Field != "" {
		return
	}
	a, b := c.a[at:at+k.size()], c.b[at:at+k.size()]
	if string(a) == string(b) || k == kindF64 && c.near(a, b) {
		return
	}
	c.push(name)
	c.first = Difference{Field: string(c.path), A: k.text(a), B: k.text(b)}
	c.pop()
}

// near reports whether two numbers are within the tolerance.
func (c *comparison) near(a, b []byte) bool {
	x := math.Float64frombits(binary.LittleEndian.Uint64(a))
	y := math.Float64frombits(binary.LittleEndian.Uint64(b))
	return math.Abs(x-y) <= c.tol*math.Max(1, math.Max(math.Abs(x), math.Abs(y))) && c.tol > 0
}

// kind is the type of a leaf.
type kind uint8

const (
	kindF64 kind = iota
	kindU64
	kindU32
	kindI32
	kindU16
	kindI16
	kindU8
	kindBool
	kindOpen
	kindClose
	kindList
)

// size returns the number of bytes of a leaf.
func (k kind) size() int {
	switch k {
	case kindF64, kindU64:
		return 8
	case kindU32, kindI32:
		return 4
	case kindU16, kindI16:
		return 2
	}
	return 1
}

// text returns the value in b, which has size bytes.
func (k kind) text(b []byte) string {
	switch k {
	case kindF64:
		return strconv.FormatFloat(math.Float64frombits(binary.LittleEndian.Uint64(b)), 'g', -1, 64)
	case kindU64:
		return strconv.FormatUint(binary.LittleEndian.Uint64(b), 10)
	case kindU32:
		return strconv.FormatUint(uint64(binary.LittleEndian.Uint32(b)), 10)
	case kindI32:
		return strconv.FormatInt(int64(int32(binary.LittleEndian.Uint32(b))), 10)
	case kindU16:
		return strconv.FormatUint(uint64(binary.LittleEndian.Uint16(b)), 10)
	case kindI16:
		return strconv.FormatInt(int64(int16(binary.LittleEndian.Uint16(b))), 10)
	case kindBool:
		return strconv.FormatBool(b[0] == 1)
	}
	return strconv.FormatUint(uint64(b[0]), 10)
}
