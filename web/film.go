package web

import (
	"math"
	"time"

	"legctl/balance"
	"legctl/control"
	"legctl/geom"
	"legctl/rig"
	"legctl/telemetry"

	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/gonum/spatial/r3"
)

// FrameEvery is the time between two frames to the viewers, of the rig's own
// time; figureEvery is that between two messages of figures, of ours.
const (
	FrameEvery  = 50 * time.Millisecond
	figureEvery = 500 * time.Millisecond
	slowest     = 60 * time.Millisecond // between two frames while ticks come
	stanceMost  = 255                   // ticks whose stances a frame can hold
	stanceAgain = 128                   // bytes of stances that a frame repeats, for who missed the last one
)

// film is what Tick remembers from frame to frame. Only the goroutine of Tick
// uses it.
type film struct {
	scene  *Scene
	every  uint64
	next   uint64    // tick of the next frame
	shown  time.Time // when the last one was made
	stance []byte    // of the ticks since the last frame, and some before
	ticks  int       // in stance
	width  int       // bytes a tick in stance
	events control.Event
	since  telemetry.Since
	prev   control.Event
	view   control.View
	hull   []r2.Vec
	feet   []r3.Vec
	stands []bool
	torque []float64
	cols   []r3.Vec
}

// newFilm begins a film of a scene.
func newFilm(sc *Scene) *film {
	n := len(sc.Rig.Legs)
	return &film{
		scene: sc, every: ticksOf(FrameEvery.Seconds(), sc.Params.Dt), width: (n + 7) / 8,
		feet: make([]r3.Vec, n), stands: make([]bool, n),
		torque: make([]float64, sc.Rig.Joints()), cols: make([]r3.Vec, rig.MaxJoints),
	}
}

// add takes a tick and reports whether it is time for a frame.
func (m *film) add(f *control.Frame) bool {
	out := &f.Out
	if m.ticks == stanceMost {
		m.forget(stanceMost - 1)
	}
	for i := 0; i < len(out.Legs); i += 8 {
		var b uint8
		for j := i; j < min(i+8, len(out.Legs)); j++ {
			b |= bit(out.Legs[j].Stance, 1<<(j-i))
		}
		m.stance = append(m.stance, b)
	}
	m.ticks++
	m.events |= out.Events
	m.since.Add(out)
	// In slow motion, and in single steps, more often than the rig's time says.
	return out.Tick >= m.next || time.Since(m.shown) >= slowest || out.Tick+m.every < m.next
}

// forget drops all but the newest stances.
func (m *film) forget(keep int) {
	if over := m.ticks - keep; over > 0 {
		m.stance = append(m.stance[:0], m.stance[over*m.width:]...)
		m.ticks = keep
	}
}

// frame returns the bytes of a frame and begins the next.
func (m *film) frame(f *control.Frame) []byte {
	out, obs, sc := &f.Out, &f.Obs, m.scene
	m.shown = time.Now()
	m.next = out.Tick + m.every
	fact, twist := out.PoseWB, out.Twist
	known := obs.Has&rig.HasPose != 0
	if known {
		fact = obs.PoseWB
		twist = [3]float64{obs.TwistB.V.X, obs.TwistB.V.Y, obs.TwistB.W.Z}
	}
	e := encoder{b: make([]byte, 0, 512), at: fact.P, q: sc.quant}
	force, supported := m.force(out)
	zones := sc.Peek != nil && sc.Peek.view(&m.view) && len(m.view.Legs) == len(out.Legs)
	measured := obs.Has&rig.HasServos != 0 && m.measured(obs)
	if !measured {
		m.estimate(f, fact, force)
	}
	e.u8(frameKind)
	e.u8(bit(known, flagFact) | bit(zones, flagZones) | bit(measured, flagTorque) |
		bit(force.X != 0 || force.Y != 0, flagAngled) | bit(supported, flagSupported) | bit(out.Set.Limp, flagLimp))
	e.u16(uint16(sc.epoch))
	e.u32(uint32(out.Tick))
	e.u8(uint8(out.Mode))
	e.u8(uint8(out.Gait))
	e.u8(uint8(out.Binding))
	e.u8(uint8(int8(out.BindLeg)))
	e.vec(fact.P)
	e.quat(fact.Q)
	e.vec(out.PoseWB.P)
	e.quat(out.PoseWB.Q)
	e.f32(out.Wish[:]...)
	e.f32(out.Twist[:]...)
	e.f32(twist[:]...)
	e.f32(finite(out.Margin), finite(out.EnergyMargin()), obs.Battery)
	e.u8(uint8(math.Round(min(max(out.Kept, 0), 1) * math.MaxUint8)))
	e.u32(uint32(telemetry.Alarms(obs)))
	e.u8(uint8(min(max(telemetry.Hottest(obs.Servos), 0), math.MaxUint8)))
	e.point(out.CoMW)
	for _, v := range [3]float64{force.X, force.Y, force.Z} {
		e.u8(uint8(int8(math.Round(v * math.MaxInt8))))
	}
	m.limbs(&e, f)
	if zones {
		m.zones(&e)
	}
	m.forget(stanceAgain / m.width)
	m.events = 0
	return e.b
}

// limbs writes legs, joints, stances and events.
func (m *film) limbs(e *encoder, f *control.Frame) {
	out, obs := &f.Out, &f.Obs
	e.u8(uint8(len(out.Legs)))
	e.u16(uint16(len(out.Set.Q)))
	e.u8(uint8(m.ticks))
	for i := range out.Legs {
		e.point(out.Legs[i].Foot)
		e.point(out.Legs[i].Target)
		e.u8(legFlags(&out.Legs[i], obs, i))
	}
	for i, q := range out.Set.Q {
		e.angle(q)
		if obs.Has&rig.HasQ != 0 {
			q = obs.Q[i]
		}
		e.angle(q)
		e.share(m.torque[i], 1)
	}
	e.b = append(e.b, m.stance...)
	e.u32(uint32(m.events))
}

// zones writes the overlays of the step rules.
func (m *film) zones(e *encoder) {
	v := &m.view
	e.f32(v.Trigger, v.TriggerVertical, v.Comfort)
	e.angle(v.Level[0])
	e.angle(v.Level[1])
	e.angle(v.Yaw)
	for i := range v.Legs {
		l := &v.Legs[i]
		e.point(l.Rest)
		e.point(l.ScanFrom)
		e.length(l.ScanReach)
		e.length(l.ComfortMid - e.at.Z)
		e.length(l.ComfortHalf)
		e.u8(bit(l.Uncomfortable, 1) | bit(l.Off, 2))
	}
}

// force returns the direction of the support force (unit or zero) and whether
// the feet give one at all.
func (m *film) force(out *control.Output) (r3.Vec, bool) {
	n, z := 0, 0.0
	for i := range out.Legs {
		m.feet[i], m.stands[i] = out.Legs[i].Foot, out.Legs[i].Stance
		if m.stands[i] {
			n++
			z += m.feet[i].Z
		}
	}
	if n == 0 {
		return r3.Vec{}, false
	}
	m.hull = balance.Support(m.hull, m.feet, m.stands)
	com := out.CoMW
	com.Z -= z / float64(n)
	f := balance.Force(m.hull, com, 1)
	return f, f != (r3.Vec{})
}

// measured takes the loads that servos report, as a share of what they can.
func (m *film) measured(obs *rig.Observation) bool {
	some := false
	for i := range m.torque {
		m.torque[i] = obs.Servos[i].Load
		some = some || obs.Servos[i].Load != 0
	}
	return some
}

// estimate works out the torque of each joint that stands still, as a share of
// what it can: the weight shared among the standing feet so that it balances
// the support force, through the transposed Jacobian. Inertia and the weight of
// the legs themselves are left out.
func (m *film) estimate(f *control.Frame, body geom.Pose, force r3.Vec) {
	clear(m.torque)
	r := m.scene.Rig
	n := 0
	for i := range f.Out.Legs {
		n += int(bit(f.Out.Legs[i].Stance, 1))
	}
	if n == 0 || force == (r3.Vec{}) {
		return
	}
	load := r3.Scale(-m.scene.mass*r.G()/float64(n), force) // on one foot, W
	loadB := geom.Rotate(body.Inverse().Q, load)
	for i := range r.Legs {
		if !f.Out.Legs[i].Stance {
			continue
		}
		l := &r.Legs[i]
		rig.Jacobian(m.cols, l, r.Slice(f.Out.Set.Q, i))
		for j := range l.Joints {
			if t := l.Joints[j].Torque; t > 0 {
				m.torque[l.First+j] = r3.Dot(m.cols[j], loadB) / t
			}
		}
	}
}
