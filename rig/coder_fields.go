package rig

import (
	"encoding/binary"
	"math"

	"legctl/geom"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// F64 is a number.
func (c *Coder) F64(name string, v *float64) {
	if c.pass == writing {
		c.buf = binary.LittleEndian.AppendUint64(c.buf, math.Float64bits(*v))
		return
	}
	if b := c.field(name, kindF64); b != nil {
		*v = math.Float64frombits(binary.LittleEndian.Uint64(b))
	}
}

// U64 is a counter or a bit set.
func (c *Coder) U64(name string, v *uint64) {
	if c.pass == writing {
		c.buf = binary.LittleEndian.AppendUint64(c.buf, *v)
		return
	}
	if b := c.field(name, kindU64); b != nil {
		*v = binary.LittleEndian.Uint64(b)
	}
}

// U32 is a counter or a bit set.
func (c *Coder) U32(name string, v *uint32) {
	if c.pass == writing {
		c.buf = binary.LittleEndian.AppendUint32(c.buf, *v)
		return
	}
	if b := c.field(name, kindU32); b != nil {
		*v = binary.LittleEndian.Uint32(b)
	}
}

// I32 is a signed count.
func (c *Coder) I32(name string, v *int32) {
	if c.pass == writing {
		c.buf = binary.LittleEndian.AppendUint32(c.buf, uint32(*v))
		return
	}
	if b := c.field(name, kindI32); b != nil {
		*v = int32(binary.LittleEndian.Uint32(b))
	}
}

// U16 is an index.
func (c *Coder) U16(name string, v *uint16) {
	if c.pass == writing {
		c.buf = binary.LittleEndian.AppendUint16(c.buf, *v)
		return
	}
	if b := c.field(name, kindU16); b != nil {
		*v = binary.LittleEndian.Uint16(b)
	}
}

// I16 is an index that may be -1.
func (c *Coder) I16(name string, v *int16) {
	if c.pass == writing {
		c.buf = binary.LittleEndian.AppendUint16(c.buf, uint16(*v))
		return
	}
	if b := c.field(name, kindI16); b != nil {
		*v = int16(binary.LittleEndian.Uint16(b))
	}
}

// U8 is an enumeration.
func (c *Coder) U8(name string, v *uint8) {
	if c.pass == writing {
		c.buf = append(c.buf, *v)
		return
	}
	if b := c.field(name, kindU8); b != nil {
		*v = b[0]
	}
}

// Bool is true or false.
func (c *Coder) Bool(name string, v *bool) {
	if c.pass == writing {
		n := byte(0)
		if *v {
			n = 1
		}
		c.buf = append(c.buf, n)
		return
	}
	if b := c.field(name, kindBool); b != nil {
		*v = b[0] == 1
		if b[0] > 1 {
			c.err = badBool
			c.at--
		}
	}
}

// Vec is a vector: x, y, z.
func (c *Coder) Vec(name string, v *r3.Vec) {
	c.Open(name)
	c.F64("x", &v.X)
	c.F64("y", &v.Y)
	c.F64("z", &v.Z)
	c.Close()
}

// Quat is a quaternion: real, imag, jmag, kmag.
func (c *Coder) Quat(name string, q *quat.Number) {
	c.Open(name)
	c.F64("real", &q.Real)
	c.F64("imag", &q.Imag)
	c.F64("jmag", &q.Jmag)
	c.F64("kmag", &q.Kmag)
	c.Close()
}

// Pose is a place and a turn: p, q.
func (c *Coder) Pose(name string, p *geom.Pose) {
	c.Open(name)
	c.Vec("p", &p.P)
	c.Quat("q", &p.Q)
	c.Close()
}

// Twist is a velocity: v, w.
func (c *Coder) Twist(name string, t *geom.Twist) {
	c.Open(name)
	c.Vec("v", &t.V)
	c.Vec("w", &t.W)
	c.Close()
}

// Floats is a list of numbers whose length is part of the layout.
func (c *Coder) Floats(name string, v []float64) {
	c.List(name, len(v))
	for i := 0; i < len(v) && c.At(i); i++ {
		c.F64("", &v[i])
	}
	c.End()
}

// Open begins a nested record; Close ends it.
func (c *Coder) Open(name string) {
	switch c.pass {
	case measuring:
		c.mix(name, uint64(kindOpen))
	case comparing:
		c.cmp.push(name)
	case visiting:
		c.vis.to.Open(name)
	}
}

// Close ends what Open began.
func (c *Coder) Close() {
	switch c.pass {
	case measuring:
		c.mix("", uint64(kindClose))
	case comparing:
		c.cmp.pop()
	case visiting:
		c.vis.to.Close()
	}
}

// List begins a list of n elements of one layout; each begins with At, and End
// ends the list. Lists nest two deep at most.
func (c *Coder) List(name string, n int) {
	switch c.pass {
	case measuring:
		c.mix(name, uint64(kindList)+uint64(n)<<8)
		c.loops[c.depth] = span{before: c.size, n: n}
		c.depth++
	case comparing:
		c.cmp.push(name)
	case visiting:
		c.vis.to.List(name, n)
	}
}

// At begins element i of a list and reports whether to walk it: the layout
// needs the first only.
func (c *Coder) At(i int) bool {
	switch c.pass {
	case measuring:
		return i == 0
	case comparing:
		c.cmp.index(i)
	case visiting:
		c.vis.to.At(i)
	}
	return true
}

// End ends a list.
func (c *Coder) End() {
	switch c.pass {
	case measuring:
		c.depth--
		l := c.loops[c.depth]
		c.size = l.before + l.n*(c.size-l.before)
		c.mix("", uint64(kindClose))
	case comparing:
		c.cmp.pop()
	case visiting:
		c.vis.to.End()
	}
}
