package estimate

import "legctl/rig"

// Fields names the fields of a watch for a Coder.
func (w *Watch) Fields(c *rig.Coder) {
	c.U8("fault", (*uint8)(&w.Fault))
	c.Bool("known", &w.Known)
	c.U8("reason", (*uint8)(&w.Reason))
	c.F64("quiet", &w.Quiet)
	c.F64("good", &w.Good)
	c.Vec("gyro", &w.Gyro)
	c.Vec("accel", &w.Accel)
	c.F64("gyroVar", &w.GyroVar)
	c.F64("accelVar", &w.AccelVar)
	c.U32("count", &w.Count)
}

// Fields names the fields of an attitude for a Coder.
func (a *Attitude) Fields(c *rig.Coder) {
	c.Open("watch")
	a.Watch.Fields(c)
	c.Close()
	c.Quat("q", &a.Q)
	c.Vec("rate", &a.Rate)
	c.Vec("force", &a.Force)
	c.Vec("mean", &a.Mean)
	c.Vec("bias", &a.Bias)
	c.F64("calm", &a.Calm)
	c.F64("age", &a.Age)
	c.Bool("set", &a.Set)
}

// Fields names the fields of a contact for a Coder.
func (c *Contact) Fields(k *rig.Coder) {
	k.Bool("touch", &c.Touch)
	k.F64("held", &c.Held)
	k.Bool("lifted", &c.Lifted)
	k.Bool("stood", &c.Stood)
	k.Bool("swung", &c.Swung)
	k.F64("depth", &c.Depth)
}

// Fields names the fields of a press for a Coder.
func (s *Press) Fields(c *rig.Coder) {
	c.Vec("sent", &s.Sent)
	c.Bool("set", &s.Set)
}

// Fields names the fields of a track for a Coder.
func (t *Track) Fields(c *rig.Coder) {
	c.Vec("wasB", &t.WasB)
	c.Bool("stood", &t.Stood)
	c.Vec("drift", &t.Drift)
	c.F64("speed", &t.Speed)
	c.F64("slip", &t.Slip)
	c.F64("total", &t.Total)
}

// Fields names the fields of an odometry for a Coder.
func (o *Odometry) Fields(c *rig.Coder) {
	c.Pose("poseWB", &o.PoseWB)
	c.Twist("twistB", &o.TwistB)
	c.F64("way", &o.Way)
	c.F64("spread", &o.Spread)
	c.F64("sigma", &o.Sigma)
	c.F64("quality", &o.Quality)
	c.U8("feet", &o.Feet)
}

// Fields names the fields of a plane for a Coder.
func (g *Plane) Fields(c *rig.Coder) {
	c.F64("x", &g.X)
	c.F64("y", &g.Y)
	c.Vec("at", &g.At)
	c.F64("rest", &g.Rest)
	c.U8("block", &g.Block)
	c.Bool("hasBlock", &g.HasBlock)
	c.U32("serial", &g.Serial)
	c.Vec("last", &g.Last)
	c.Bool("set", &g.Set)
}

// Fields names the fields of a posture for a Coder.
func (s *Posture) Fields(c *rig.Coder) {
	c.Bool("tipped", &s.Tipped)
	c.Bool("falling", &s.Falling)
	c.F64("tilt", &s.Tilt)
	c.F64("held", &s.Held)
	c.F64("free", &s.Free)
}
