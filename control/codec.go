package control

import (
	"legctl/gait"
	"legctl/rig"
)

// Fields names the fields of a command for a rig.Coder.
func (m *Command) Fields(c *rig.Coder) {
	c.U64("id", &m.ID)
	c.U8("kind", (*uint8)(&m.Kind))
	c.F64("vx", &m.Vx)
	c.F64("vy", &m.Vy)
	c.F64("wz", &m.Wz)
	c.F64("ttl", &m.TTL)
	c.F64("x", &m.X)
	c.F64("y", &m.Y)
	c.F64("near", &m.Near)
	c.Vec("offset", &m.Offset)
	c.Vec("rpy", &m.RPY)
	c.F64("height", &m.Height)
	c.F64("width", &m.Width)
	c.U16("gait", &m.Gait)
	c.I16("leg", &m.Leg)
	c.I16("joint", &m.Joint)
	c.F64("angle", &m.Angle)
	c.Bool("on", &m.On)
	c.U8("mode", (*uint8)(&m.Mode))
	c.U8("by", (*uint8)(&m.By))
	c.Floats("weights", m.Weights[:])
	c.F64("over", &m.Over)
}

// AppendBinary appends the command to dst: little-endian, behind its layout
// hash. The error is always nil.
func (m *Command) AppendBinary(dst []byte) ([]byte, error) {
	var c rig.Coder
	m.Fields(&c)
	c.Write(dst)
	m.Fields(&c)
	return c.Bytes(), nil
}

// UnmarshalBinary reads what AppendBinary wrote. Other bytes are refused; after
// an error m holds a mix.
func (m *Command) UnmarshalBinary(b []byte) error {
	var c rig.Coder
	m.Fields(&c)
	if c.Read(b) {
		m.Fields(&c)
	}
	return c.Err("control: command")
}

// Fields names the fields of a state for a rig.Coder.
func (s *State) Fields(c *rig.Coder) {
	c.U64("tick", &s.Tick)
	c.U8("mode", (*uint8)(&s.Mode))
	c.U8("then", (*uint8)(&s.Then))
	c.U8("step", &s.Step)
	c.U16("gait", &s.Gait)
	c.Pose("poseWB", &s.PoseWB)
	c.Vec("baseW", &s.BaseW)
	c.F64("yaw", &s.Yaw)
	c.F64("course", &s.Course)
	c.Floats("level", s.Level[:])
	c.Vec("velW", &s.VelW)
	c.F64("yawRate", &s.YawRate)
	c.Vec("comB", &s.CoMB)
	c.F64("vx", &s.Vx)
	c.F64("vy", &s.Vy)
	c.F64("wz", &s.Wz)
	c.F64("ttl", &s.TTL)
	c.Vec("goal", &s.Goal)
	c.F64("near", &s.Near)
	c.Bool("hasGoal", &s.HasGoal)
	c.Vec("offset", &s.Offset)
	c.Vec("rpy", &s.RPY)
	c.Vec("move", &s.Move)
	c.Vec("turn", &s.Turn)
	c.F64("height", &s.Height)
	c.F64("width", &s.Width)
	c.U64("off", &s.Off)
	c.U64("lost", &s.Lost)
	c.Bool("auto", &s.Auto)
	c.F64("dwell", &s.Dwell)
	c.F64("mix", &s.Mix)
	c.U16("clock", &s.Clock)
	c.Bool("held", &s.Held)
	c.U8("way", (*uint8)(&s.Way))
	c.F64("phase", &s.Phase)
	c.F64("hop", &s.Hop)
	c.F64("bump", &s.Bump)
	c.F64("rise", &s.Rise)
	c.Bool("flying", &s.Flying)
	c.Vec("lean", &s.Lean)
	c.Vec("leanVel", &s.LeanVel)
	c.I16("favour", &s.Favour)
	c.I16("hand", &s.Hand)
	c.Vec("handFoot", &s.HandFoot)
	c.Bool("handJoint", &s.HandJoint)
	c.Floats("handQ", s.HandQ[:])
	c.Open("senses")
	s.Senses.fields(c)
	c.Close()
	c.Bool("follow", &s.Follow)
	c.Vec("goalVel", &s.GoalVel)
	c.Open("style")
	s.Style.fields(c)
	c.Close()
	c.Open("drive")
	s.Drive.fields(c)
	c.Close()
	c.U64("version", &s.Version)
	c.Bool("waiting", &s.Waiting)
	c.List("legs", len(s.Legs))
	for i := 0; i < len(s.Legs) && c.At(i); i++ {
		legState(c, &s.Legs[i])
	}
	c.End()
	c.List("feet", len(s.Feet))
	for i := 0; i < len(s.Feet) && c.At(i); i++ {
		s.Feet[i].fields(c)
	}
	c.End()
	c.Floats("q", s.Q)
}

// fields names the fields of what one foot's sensors said.
func (f *FootSense) fields(c *rig.Coder) {
	c.Open("contact")
	f.Contact.Fields(c)
	c.Close()
	c.Open("press")
	f.Press.Fields(c)
	c.Close()
	c.Open("track")
	f.Track.Fields(c)
	c.Close()
	c.F64("dip", &f.Dip)
}

// fields names the fields of what the senses remember.
func (n *Senses) fields(c *rig.Coder) {
	c.Open("attitude")
	n.Attitude.Fields(c)
	c.Close()
	c.Open("posture")
	n.Posture.Fields(c)
	c.Close()
	c.Open("odometry")
	n.Odometry.Fields(c)
	c.Close()
	c.U64("air", &n.Air)
	c.Floats("sum", n.Sum[:])
	c.Floats("trim", n.Trim[:])
	c.Floats("lag", n.Lag[:])
}

// fields names the fields of what a style remembers.
func (y *Styling) fields(c *rig.Coder) {
	c.Floats("weights", y.Weights[:])
	c.Floats("target", y.Target[:])
	c.F64("rate", &y.Rate)
	c.Bool("live", &y.Live)
	c.F64("phase", &y.Phase)
	c.F64("pace", &y.Pace)
	c.F64("late", &y.Late)
	c.Vec("move", &y.Move)
	c.Vec("turn", &y.Turn)
	c.Vec("moveRate", &y.MoveRate)
	c.Vec("turnRate", &y.TurnRate)
	c.Open("moveEase")
	y.MoveEase.Fields(c)
	c.Close()
	c.Open("turnEase")
	y.TurnEase.Fields(c)
	c.Close()
	c.F64("scale", &y.Scale)
	c.F64("most", &y.Most)
}

// fields names the fields of what clips that drive remember.
func (d *Drive) fields(c *rig.Coder) {
	c.U8("by", (*uint8)(&d.By))
	c.Bool("playing", &d.Playing)
	c.F64("gather", &d.Gather)
	c.F64("calm", &d.Calm)
	c.F64("tempo", &d.Tempo)
	c.F64("stride", &d.Stride)
	c.F64("most", &d.Most)
	c.Bool("brake", &d.Brake)
	c.F64("speed", &d.Speed)
	c.F64("mean", &d.Mean)
	c.F64("strain", &d.Strain)
	c.U64("owed", &d.Owed)
	c.Open("play")
	d.Play.Fields(c)
	c.Close()
}

// legState names the fields of one leg's memory.
func legState(c *rig.Coder, l *gait.LegState) {
	c.Vec("foot", &l.Foot)
	c.Vec("target", &l.Target)
	c.Vec("lift", &l.Lift)
	c.F64("apex", &l.Apex)
	c.F64("swing", &l.Swing)
	c.F64("rate", &l.Rate)
	c.I32("sinceLift", &l.SinceLift)
	c.I32("sinceLand", &l.SinceLand)
	c.Open("cycle")
	c.F64("phase", &l.Cycle.Phase)
	c.F64("duty", &l.Cycle.Duty)
	c.Close()
	c.I32("stuck", &l.Stuck)
	c.Bool("moving", &l.Moving)
	c.Bool("touching", &l.Touching)
	c.Bool("grounded", &l.Grounded)
	c.Bool("primary", &l.Primary)
}

// AppendBinary appends the state to dst: little-endian, behind its layout
// hash. The error is always nil.
func (s *State) AppendBinary(dst []byte) ([]byte, error) {
	var c rig.Coder
	s.Fields(&c)
	c.Write(dst)
	s.Fields(&c)
	return c.Bytes(), nil
}

// UnmarshalBinary reads what AppendBinary wrote, into a state made for the same
// rig (NewStates). Other bytes are refused; after an error s holds a mix.
func (s *State) UnmarshalBinary(b []byte) error {
	var c rig.Coder
	s.Fields(&c)
	if c.Read(b) {
		s.Fields(&c)
	}
	return c.Err("control: state")
}

// Fields names the fields of an output for a rig.Coder.
func (o *Output) Fields(c *rig.Coder) {
	c.U64("tick", &o.Tick)
	c.U8("mode", (*uint8)(&o.Mode))
	c.U16("gait", &o.Gait)
	c.Open("set")
	o.Set.Fields(c)
	c.Close()
	c.Pose("poseWB", &o.PoseWB)
	c.Vec("comW", &o.CoMW)
	c.Floats("wish", o.Wish[:])
	c.Floats("twist", o.Twist[:])
	c.U8("binding", (*uint8)(&o.Binding))
	c.I16("bindLeg", &o.BindLeg)
	c.F64("margin", &o.Margin)
	c.F64("kept", &o.Kept)
	c.U8("driver", (*uint8)(&o.Driver))
	c.F64("styleScale", &o.StyleScale)
	c.U64("liftOff", &o.LiftOff)
	c.U64("touchdown", &o.Touchdown)
	c.U64("angleLimit", &o.AngleLimit)
	c.U64("speedLimit", &o.SpeedLimit)
	c.U64("unreached", &o.Unreached)
	c.U32("events", (*uint32)(&o.Events))
	c.Open("reply")
	o.Reply.Fields(c)
	c.Close()
	c.List("legs", len(o.Legs))
	for i := 0; i < len(o.Legs) && c.At(i); i++ {
		o.Legs[i].Fields(c)
	}
	c.End()
}

// Fields names the fields of one leg's output for a rig.Coder.
func (l *LegOut) Fields(c *rig.Coder) {
	c.Vec("foot", &l.Foot)
	c.Vec("target", &l.Target)
	c.U8("status", (*uint8)(&l.Status))
	c.F64("residual", &l.Residual)
	c.F64("slip", &l.Slip)
	c.Bool("stance", &l.Stance)
	c.Bool("grounded", &l.Grounded)
	c.Bool("primary", &l.Primary)
}

// Fields names the fields of a reply for a rig.Coder.
func (r *Reply) Fields(c *rig.Coder) {
	c.U64("id", &r.ID)
	c.U8("kind", (*uint8)(&r.Kind))
	c.U8("reason", (*uint8)(&r.Reason))
	c.F64("value", &r.Value)
	c.F64("bound", &r.Bound)
}

// AppendBinary appends the output to dst: little-endian, behind its layout
// hash. The error is always nil.
func (o *Output) AppendBinary(dst []byte) ([]byte, error) {
	var c rig.Coder
	o.Fields(&c)
	c.Write(dst)
	o.Fields(&c)
	return c.Bytes(), nil
}

// UnmarshalBinary reads what AppendBinary wrote, into an output made for the
// same rig (NewOutputs). Other bytes are refused; after an error o holds a mix.
func (o *Output) UnmarshalBinary(b []byte) error {
	var c rig.Coder
	o.Fields(&c)
	if c.Read(b) {
		o.Fields(&c)
	}
	return c.Err("control: output")
}
