package web

import (
	"encoding/binary"
	"math"

	"legctl/control"
	"legctl/rig"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// A frame, little-endian. Points are relative to the body's position P and
// quantised to Reach/32767; angles to Turn/32767; quaternions and torque shares
// to 1/32767.
//
//	u8  kind (1)      u8  flags          u16 scene
//	u32 tick          u8  mode           u8  gait     u8 binding   i8 leg that binds
//	f32 P[3]          i16 Q[4]           where the body is: fact if known, else intent
//	f32 P[3]          i16 Q[4]           where the controller means it to be
//	f32 wish[3]       f32 twist[3]       f32 real twist[3]   (vx, vy, wz)
//	f32 margin        f32 energy margin  f32 battery         u8 kept share/255
//	u32 alarms        u8 Celsius of the hottest servo, 0 = not known
//	i16 centre of mass[3]                i8  support force direction[3]/127, 0 = none
//	u8  legs          u16 joints         u8  ticks
//	a leg:   i16 foot[3]  i16 target[3]  u8 flags
//	a joint: i16 commanded  i16 measured  i16 torque share of the rated
//	a tick:  ceil(legs/8) bytes: who stood, lowest leg first; oldest tick first; some of the
//	         frames before are among them, so that who missed one misses no step
//	u32 events since the last frame
//	with flagZones: f32 trigger radius, its half height, comfort radius; i16 roll, pitch, yaw
//	a leg:   i16 rest[3]  i16 scan start[3]  i16 scan reach  i16 comfort middle  i16 comfort half  u8 1 uncomfortable, 2 off
const frameKind = 1

// The flags of a frame.
const (
	flagFact      = 1 << iota // the first pose is observed
	flagZones                 // the zones are there
	flagTorque                // torques are measured, else worked out
	flagAngled                // the support force leans
	flagSupported             // there is a support force
	flagLimp
)

// The flags of a leg; bits 5 to 7 hold the solver's status.
const (
	legStance = 1 << iota
	legGrounded
	legPrimary
	legContact
	legFault
	legStatus = 5
)

// turnRange is the largest angle a frame can carry, rad.
const turnRange = 2 * math.Pi

// quant says how finely a frame is quantised.
type quant struct{ reach float64 }

// quantOf returns a range that holds every foot, zone and ray of a rig.
func quantOf(r *rig.Rig) quant {
	far := r.L()
	for i := range r.Legs {
		far = max(far, math.Sqrt(r3.Norm2(r.Legs[i].Neutral)))
	}
	return quant{reach: 4 * (far + r.Height)}
}

// encoder appends to a frame.
type encoder struct {
	b  []byte
	at r3.Vec // P
	q  quant
}

func (e *encoder) u8(v uint8)   { e.b = append(e.b, v) }
func (e *encoder) u16(v uint16) { e.b = binary.LittleEndian.AppendUint16(e.b, v) }
func (e *encoder) u32(v uint32) { e.b = binary.LittleEndian.AppendUint32(e.b, v) }
func (e *encoder) f32(v ...float64) {
	for _, x := range v {
		e.u32(math.Float32bits(float32(x)))
	}
}

// share writes v in units of unit/32767, cut to what fits; NaN becomes 0.
func (e *encoder) share(v, unit float64) {
	n := math.Round(v / unit * math.MaxInt16)
	if n != n {
		n = 0
	}
	e.u16(uint16(int16(min(max(n, -math.MaxInt16), math.MaxInt16))))
}

func (e *encoder) length(v float64) { e.share(v, e.q.reach) }
func (e *encoder) angle(v float64)  { e.share(v, turnRange) }

// point writes a point of W.
func (e *encoder) point(p r3.Vec) {
	d := r3.Sub(p, e.at)
	e.length(d.X)
	e.length(d.Y)
	e.length(d.Z)
}

func (e *encoder) vec(v r3.Vec) { e.f32(v.X, v.Y, v.Z) }

func (e *encoder) quat(q quat.Number) {
	e.share(q.Real, 1)
	e.share(q.Imag, 1)
	e.share(q.Jmag, 1)
	e.share(q.Kmag, 1)
}

// bit returns f if is, else 0.
func bit(is bool, f uint8) uint8 {
	if is {
		return f
	}
	return 0
}

// legFlags packs what a frame says of a leg.
func legFlags(l *control.LegOut, o *rig.Observation, i int) uint8 {
	f := bit(l.Stance, legStance) | bit(l.Grounded, legGrounded) | bit(l.Primary, legPrimary)
	f |= bit(o.Has&rig.HasContact != 0 && o.Contact>>i&1 != 0, legContact) | bit(o.Faults>>i&1 != 0, legFault)
	return f | uint8(l.Status)<<legStatus
}

// finite returns v, or a large negative number for what JSON and pictures
// cannot hold.
func finite(v float64) float64 {
	if v-v != 0 {
		return -math.MaxFloat32
	}
	return v
}
