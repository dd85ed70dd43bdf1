package rig

// Fields names the fields of an observation for a Coder.
func (o *Observation) Fields(c *Coder) {
	c.Floats("q", o.Q)
	c.List("servos", len(o.Servos))
	for i := 0; i < len(o.Servos) && c.At(i); i++ {
		o.Servos[i].fields(c)
	}
	c.End()
	c.U64("contact", &o.Contact)
	c.Pose("poseWB", &o.PoseWB)
	c.Twist("twistB", &o.TwistB)
	c.F64("roll", &o.Roll)
	c.F64("pitch", &o.Pitch)
	c.Vec("gyro", &o.Gyro)
	c.Vec("accel", &o.Accel)
	c.U32("samples", &o.Samples)
	c.F64("battery", &o.Battery)
	c.U64("faults", &o.Faults)
	c.U8("has", (*uint8)(&o.Has))
	c.U32("fellSince", &o.FellSince)
	c.U32("alarms", (*uint32)(&o.Alarms))
}

// fields names the fields of one element of Observation.Servos.
func (s *Sense) fields(c *Coder) {
	c.F64("load", &s.Load)
	c.F64("volts", &s.Volts)
	c.F64("celsius", &s.Celsius)
	c.U32("alarms", (*uint32)(&s.Alarms))
}

// AppendBinary appends the observation to dst: little-endian, behind its
// layout hash. The error is always nil.
func (o *Observation) AppendBinary(dst []byte) ([]byte, error) {
	var c Coder
	o.Fields(&c)
	c.Write(dst)
	o.Fields(&c)
	return c.Bytes(), nil
}

// UnmarshalBinary reads what AppendBinary wrote, into an observation made for
// the same rig. Other bytes are refused; after an error o holds a mix.
func (o *Observation) UnmarshalBinary(b []byte) error {
	var c Coder
	o.Fields(&c)
	if c.Read(b) {
		o.Fields(&c)
	}
	return c.Err("rig: observation")
}

// Fields names the fields of a setpoint for a Coder.
func (s *Setpoint) Fields(c *Coder) {
	c.Floats("q", s.Q)
	c.F64("time", &s.Time)
	c.Bool("limp", &s.Limp)
	c.Bool("lie", &s.Lie)
}

// AppendBinary appends the setpoint to dst: little-endian, behind its layout
// hash. The error is always nil.
func (s *Setpoint) AppendBinary(dst []byte) ([]byte, error) {
	var c Coder
	s.Fields(&c)
	c.Write(dst)
	s.Fields(&c)
	return c.Bytes(), nil
}

// UnmarshalBinary reads what AppendBinary wrote, into a setpoint made for the
// same rig. Other bytes are refused; after an error s holds a mix.
func (s *Setpoint) UnmarshalBinary(b []byte) error {
	var c Coder
	s.Fields(&c)
	if c.Read(b) {
		s.Fields(&c)
	}
	return c.Err("rig: setpoint")
}
