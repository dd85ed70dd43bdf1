package sim

import "legctl/rig"

// Fields names the fields of an event for a rig.Coder.
func (e *Event) Fields(c *rig.Coder) {
	c.U8("kind", (*uint8)(&e.Kind))
	c.I32("leg", &e.Leg)
	c.I32("joint", &e.Joint)
	c.I32("block", &e.Block)
	c.Vec("vec", &e.Vec)
	c.F64("value", &e.Value)
}

// AppendBinary appends the event to dst: little-endian, behind its layout
// hash. The error is always nil.
func (e *Event) AppendBinary(dst []byte) ([]byte, error) {
	var c rig.Coder
	e.Fields(&c)
	c.Write(dst)
	e.Fields(&c)
	return c.Bytes(), nil
}

// UnmarshalBinary reads what AppendBinary wrote. Other bytes are refused; after
// an error e holds a mix.
func (e *Event) UnmarshalBinary(b []byte) error {
	var c rig.Coder
	e.Fields(&c)
	if c.Read(b) {
		e.Fields(&c)
	}
	return c.Err("sim: event")
}
