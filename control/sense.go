package control

import (
	"math"

	"legctl/estimate"
	"legctl/geom"
	"legctl/rig"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// FootSense is what is remembered of the sensors of one leg.
type FootSense struct {
	Contact estimate.Contact
	Press   estimate.Press
	Track   estimate.Track
	Dip     float64 // metres the foot is lifted off its plan against the tilt of the body, B
}

// Senses is what the controller has worked out from its sensors and remembers:
// tilt, contacts, slip and way. What it knows of each foot is in State.Feet.
type Senses struct {
	Attitude estimate.Attitude
	Posture  estimate.Posture
	Odometry estimate.Odometry // of a rig whose pose nobody sees
	Air      uint64            // bit set of feet that were to stand and found nothing
	Sum      [2]float64        // integral part of Trim, rad
	Trim     [2]float64        // roll and pitch the body is turned by to be level by its IMU, rad
	Lag      [2]float64        // roll and pitch it is really off by, rad; 0 without an IMU
}

// senseParams are the settings of the estimators for one rig.
type senseParams struct {
	attitude estimate.AttitudeParams
	contact  estimate.ContactParams
	odometry estimate.OdometryParams
	posture  estimate.PostureParams
}

func newSenseParams(r *rig.Rig) senseParams {
	p := senseParams{
		attitude: estimate.DefaultAttitude(), contact: estimate.DefaultContact(r.L()),
		odometry: estimate.DefaultOdometry(r.L()), posture: estimate.DefaultPosture(),
	}
	p.attitude.Gravity, p.posture.Gravity = r.G(), r.G()
	return p
}

// sense takes the observation in: which way is up, which feet feel ground, how
// far they slip.
func (c *Controller) sense(out *Output, s *State, obs *rig.Observation) {
	if obs == nil {
		return
	}
	c.senseTilt(out, s, obs)
	if s.active() {
		c.senseFeet(out, s, obs)
	}
	if obs.Has&(rig.HasPose|rig.HasQ) == rig.HasQ && len(obs.Q) == len(s.Q) && finiteAll(obs.Q) {
		c.senseWay(s, obs)
	}
}

// senseTilt fuses the IMU. An IMU that falls silent or turns noisy is dropped
// with an event, and taken back with one.
func (c *Controller) senseTilt(out *Output, s *State, obs *rig.Observation) {
	n := &s.Senses
	n.Lag = [2]float64{}
	if obs.Has&rig.HasPose != 0 {
		n.Trim, n.Sum = [2]float64{}, [2]float64{} // it is levelled to ground that it knows
	}
	if obs.Has&(rig.HasIMU|rig.HasTilt) == 0 && !n.Attitude.Watch.Known {
		return
	}
	m := estimate.Motion{Gyro: obs.Gyro, Accel: obs.Accel, Has: obs.Has&rig.HasIMU != 0, Count: obs.Samples, Rest: s.VelW == (r3.Vec{}) && s.YawRate == 0}
	if n.Attitude.Update(&c.senses.attitude, &m, c.params.Dt) {
		out.Events |= EventSensor
	}
	if n.Posture.Update(&c.senses.posture, &n.Attitude, c.params.Dt); n.Posture.Tipped {
		out.Events |= EventTilt
	}
	felt := n.Attitude.Up()
	switch {
	case n.Attitude.OK():
	case !n.Attitude.Watch.Known && obs.Has&rig.HasTilt != 0: // a sensor that fuses by itself
		felt = geom.Rotate(quat.Conj(geom.FromRPY(obs.Roll, obs.Pitch, 0)), r3.Vec{Z: 1})
	default:
		return
	}
	if obs.Has&rig.HasPose != 0 {
		return
	}
	// How far the body leans more than intended: the vertical as it is felt
	// against the vertical of the intended pose, both in B.
	d := r3.Cross(felt, c.upB(s))
	n.Lag = [2]float64{clamp(d.X, mostLag), clamp(d.Y, mostLag)}
}

// upB is the vertical in the intended body frame.
func (c *Controller) upB(s *State) r3.Vec {
	return geom.Rotate(quat.Conj(s.PoseWB.Q), r3.Vec{Z: 1})
}

// A foot that is that much, U, above where it was to land has met something;
// less is the ground it was sent to. graceTime is how long after its phase a
// foot may still be on its way before it is missed, seconds.
const (
	earlyRise = 0.06
	graceTime = 0.06
)

// senseFeet lets contacts end swings early and makes feet that find nothing
// search downward.
func (c *Controller) senseFeet(out *Output, s *State, obs *rig.Observation) {
	if obs.Has&rig.HasPose != 0 {
		return // it knows where the ground is, and lands its feet there
	}
	known := obs.Has&rig.HasContact != 0
	press := !known && c.params.Press && obs.Has&rig.HasQ != 0 && len(obs.Q) == len(s.Q)
	if !known && !press {
		return
	}
	dt := c.params.Dt
	up := r3.Vec{Z: 1}
	if press {
		up = c.upB(s)
	}
	for i := range s.Legs {
		l := &s.Legs[i]
		if s.Off>>i&1 != 0 || int16(i) == s.Hand {
			continue
		}
		feels := obs.Contact>>i&1 != 0
		if press {
			_, feels = s.Feet[i].Press.Update(&c.senses.contact, &c.rig.Legs[i], c.rig.Slice(s.Q, i), c.rig.Slice(obs.Q, i), up, dt)
		}
		// A standing foot that carries little pushes too little to be felt: push tells
		// that there is ground, not that there is none.
		feels = feels || press && l.Planted()
		in := estimate.Step{Swing: !l.Planted(), Phase: l.Swing, Feels: feels, Known: true}
		if l.Planted() && !feels && float64(l.SinceLand)*dt < graceTime {
			in.Swing, in.Phase = true, 1
		}
		f := s.Feet[i].Contact.Update(&c.senses.contact, in, dt)
		c.heed(out, s, i, f)
	}
}

// heed acts on the facts about a foot.
func (c *Controller) heed(out *Output, s *State, i int, f estimate.Facts) {
	l := &s.Legs[i]
	n := &s.Senses
	g := c.tick.prog
	bit := uint64(1) << i
	if f&(estimate.Late|estimate.Lost) != 0 && l.Planted() {
		n.Air |= bit
		if f&estimate.Missing != 0 && s.Feet[i].Contact.Depth >= c.senses.contact.Depth {
			out.Events |= EventFootLost
		}
		return
	}
	if f&estimate.Down == 0 {
		return
	}
	n.Air &^= bit
	switch depth := s.Feet[i].Contact.Depth; {
	case depth > 0 && l.Planted():
		// Here is the ground it searched for.
		l.Foot.Z -= depth
		l.Target.Z, s.Feet[i].Contact.Depth = l.Foot.Z, 0
	case f&estimate.Early != 0 && l.Moving && l.Foot.Z-l.Target.Z > earlyRise*g.sizing.U:
		l.Moving, l.Swing, l.Touching, l.Grounded = false, 0, true, true
		l.Target, l.SinceLand, l.Cycle.Phase = l.Foot, 0, 0
		out.Touchdown |= bit
		out.Events |= EventEarly
	}
}

// depth is how far below its plan a foot searches for ground, metres.
func (s *State) depth(i int) float64 {
	if s.Senses.Air>>i&1 == 0 || !s.Legs[i].Planted() {
		return 0
	}
	return s.Feet[i].Contact.Depth
}

// senseWay works out where the rig has come to, and how its feet slip, from
// its joints alone.
func (c *Controller) senseWay(s *State, obs *rig.Observation) {
	t := &c.tick
	n := &s.Senses
	legs := len(s.Legs)
	in := estimate.Standing{FeetB: t.feetG[:legs], Gyro: n.Attitude.Rate, HasGyro: n.Attitude.OK(), HasTilt: n.Attitude.OK()}
	if in.HasTilt {
		in.Roll, in.Pitch, _ = n.Attitude.RPY()
	}
	for i := range s.Legs {
		in.FeetB[i] = rig.Foot(c.rig, i, obs.Q)
		if s.Legs[i].Planted() && n.Air>>i&1 == 0 {
			in.Down |= 1 << i
		}
	}
	tracks := t.tracks[:legs]
	for i := range s.Feet {
		tracks[i] = s.Feet[i].Track
	}
	n.Odometry.Update(&c.senses.odometry, tracks, &in, c.params.Dt)
	for i := range s.Feet {
		s.Feet[i].Track = tracks[i]
	}
}

// Levelling by IMU: PI, the proportional part trimShare of the error, the
// integral in trimTime k, both together at most mostTrim and no faster than the
// body may tilt; less than trimDead off is level enough.
const (
	trimShare = 0.3
	trimTime  = 16
	mostTrim  = 0.06  // rad: what servos sag by, not the slope of the ground
	mostLag   = 0.25  // rad
	trimRate  = 0.25  // of the fastest tilt of the body: legs are busy with their steps
	trimDead  = 0.005 // rad
)

// trim turns the body against what its IMU says it is off the level it is meant
// to have. The integral stands still while the sum is at its bound, and fades
// without a sensor. A gait that trots is not trimmed: two feet cannot turn the
// body about the line between them, and the integral would only wind up; it has
// its swing feet (dip) instead.
func (c *Controller) trim(s *State) {
	n := &s.Senses
	g := c.tick.prog
	if !g.static {
		n.Trim, n.Sum = [2]float64{}, [2]float64{}
		return
	}
	slow := c.params.Dt / (trimTime * g.sizing.K)
	step := trimRate * g.climb * c.params.Dt / c.far
	for k := range n.Trim {
		e := n.Lag[k]
		if math.Abs(e) < trimDead {
			e = 0
		}
		if n.Lag == [2]float64{} {
			n.Sum[k] -= slow * n.Sum[k]
		} else if sum := n.Sum[k] + slow*e; math.Abs(sum+trimShare*e) <= mostTrim {
			n.Sum[k] = sum
		}
		n.Trim[k] += clamp(clamp(n.Sum[k]+trimShare*e, mostTrim)-n.Trim[k], step)
	}
}

// dipShare is how much of the tilt that is not meant a swing foot makes up for,
// and dipTime the seconds in which a foot that has landed goes back to its plan:
// at once would kick the body.
const (
	dipShare = 0.5
	dipTime  = 0.1
)

// dip returns by how much a foot of a trotting gait leaves its plan because the
// body tilts, B, metres: a swing foot takes the tilt out, or it would come down
// early on one side and late on the other.
func (c *Controller) dip(s *State, leg int, footB r3.Vec) float64 {
	d := &s.Feet[leg].Dip
	switch lag := &s.Senses.Lag; {
	case c.tick.prog.static:
		*d = 0
	case s.Legs[leg].Moving:
		*d = dipShare * (footB.X*lag[1] - footB.Y*lag[0])
	default:
		*d -= *d * c.params.Dt / (dipTime + c.params.Dt)
	}
	return *d
}
