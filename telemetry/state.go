package telemetry

import (
	"encoding/json"
	"math"

	"legctl/control"
	"legctl/geom"
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r3"
)

// Num is a number that JSON shows as null when it is not finite.
type Num float64

// MarshalJSON implements json.Marshaler.
func (n Num) MarshalJSON() ([]byte, error) {
	if f := float64(n); math.IsNaN(f) || math.IsInf(f, 0) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(n))
}

// UnmarshalJSON implements json.Unmarshaler; null is read as NaN.
func (n *Num) UnmarshalJSON(raw []byte) error {
	if string(raw) == "null" {
		*n = Num(math.NaN())
		return nil
	}
	return json.Unmarshal(raw, (*float64)(n))
}

// Vec is a point or a vector, metres.
type Vec struct {
	X Num `json:"x" unit:"m" doc:"forward"`
	Y Num `json:"y" unit:"m" doc:"left"`
	Z Num `json:"z" unit:"m" doc:"up"`
}

// Pose is a pose of the body in W: metres, and fixed-axis angles in radians.
type Pose struct {
	Vec
	Roll  Num `json:"roll" unit:"rad" doc:"about x"`
	Pitch Num `json:"pitch" unit:"rad" doc:"about y, positive nose down"`
	Yaw   Num `json:"yaw" unit:"rad" doc:"about z"`
}

// Twist is a velocity of the body in B: m/s and rad/s.
type Twist struct {
	Vx Num `json:"vx" unit:"m/s" doc:"forward"`
	Vy Num `json:"vy" unit:"m/s" doc:"left"`
	Wz Num `json:"wz" unit:"rad/s" doc:"counter-clockwise"`
}

// Leg is what one leg did.
type Leg struct {
	Foot     Vec    `json:"foot" doc:"W"`
	Target   Vec    `json:"target" doc:"W, where it stands or is to land"`
	Stance   bool   `json:"stance" doc:"it carries"`
	Grounded bool   `json:"grounded" doc:"it touches ground"`
	Status   string `json:"status" doc:"of the solver"`
	Residual Num    `json:"residual" unit:"m" doc:"what the solver missed its foot by"`
	Slip     Num    `json:"slip" unit:"m" doc:"of planar legs: what the leg could not follow"`
}

// Observed is what the plant reported, as far as it can.
type Observed struct {
	Pose  *Pose  `json:"pose,omitempty" doc:"W"`
	Twist *Twist `json:"twist,omitempty" doc:"B"`
	Falls uint32 `json:"falls" doc:"since the start"`
}

// State is the message on legctl/<rig>/state.
type State struct {
	Tick       uint64         `json:"tick" doc:"number of the tick"`
	Time       Num            `json:"time" unit:"s" doc:"since the start"`
	Rig        string         `json:"rig" doc:"name of the rig"`
	Mode       string         `json:"mode" doc:"of the mode machine"`
	Gait       string         `json:"gait" doc:"by name"`
	Pose       Pose           `json:"pose" doc:"intended, W"`
	CoM        Vec            `json:"com" doc:"centre of mass, W"`
	Wish       Twist          `json:"wish" doc:"asked for, after steering"`
	Twist      Twist          `json:"twist" doc:"that the body has"`
	Binding    string         `json:"binding" doc:"what keeps twist below wish"`
	BindingLeg string         `json:"binding_leg,omitempty" doc:"the leg that sets it"`
	Margin     Num            `json:"margin" unit:"m" doc:"static stability margin; null with no foot down"`
	Energy     Num            `json:"energy_margin" unit:"m" doc:"normalised energy stability margin"`
	Kept       Num            `json:"pose_kept" doc:"share of the body offset kept"`
	Driver     string         `json:"driver" doc:"what moves the rig: gait, or clips"`
	StyleScale Num            `json:"style_scale" doc:"share of the style kept"`
	Legs       map[string]Leg `json:"legs" doc:"by name"`
	Joints     map[string]Num `json:"joints" unit:"rad" doc:"commanded angles by name"`
	LiftOff    []string       `json:"lift_off,omitempty" doc:"legs, since the last message"`
	Touchdown  []string       `json:"touchdown,omitempty" doc:"legs, since the last message"`
	AngleLimit []string       `json:"angle_limit,omitempty" doc:"legs with a clamped angle, since the last message"`
	SpeedLimit []string       `json:"speed_limit,omitempty" doc:"legs with a clamped speed, since the last message"`
	Unreached  []string       `json:"unreached,omitempty" doc:"legs whose foot was not reached, since the last message"`
	Events     []string       `json:"events" doc:"since the last message"`
	Observed   *Observed      `json:"observed,omitempty" doc:"what the plant reported"`
	Dropped    uint64         `json:"dropped" doc:"messages the publish queue lost"`
}

// Since gathers what must not be missed between two State messages: steps,
// clamps and events are bits of single ticks. The zero value is empty.
type Since struct {
	LiftOff, Touchdown, AngleLimit, SpeedLimit, Unreached uint64
	Events                                                control.Event
}

// Add gathers the bits of one tick.
func (s *Since) Add(out *control.Output) {
	s.LiftOff |= out.LiftOff
	s.Touchdown |= out.Touchdown
	s.AngleLimit |= out.AngleLimit
	s.SpeedLimit |= out.SpeedLimit
	s.Unreached |= out.Unreached
	s.Events |= out.Events
}

// State makes the message of one tick. dt is the length of a tick in seconds,
// since what happened after the last message; obs may be nil. Nothing of out or
// obs is kept.
func (n *Names) State(out *control.Output, obs *rig.Observation, since *Since, dt float64) *State {
	s := &State{
		Tick: out.Tick, Time: Num(float64(out.Tick) * dt), Rig: n.Rig,
		Mode: out.Mode.String(), Gait: n.Gait(out.Gait),
		Pose: poseOf(out.PoseWB), CoM: vecOf(out.CoMW),
		Wish: twistOf(out.Wish), Twist: twistOf(out.Twist),
		Binding: BindingName(out.Binding), BindingLeg: n.Leg(int(out.BindLeg)),
		Margin: Num(out.Margin), Energy: Num(out.EnergyMargin()), Kept: Num(out.Kept),
		Driver: DriverName(out.Driver), StyleScale: Num(out.StyleScale),
		LiftOff: bitNames(n.Legs, since.LiftOff), Touchdown: bitNames(n.Legs, since.Touchdown),
		AngleLimit: bitNames(n.Legs, since.AngleLimit), SpeedLimit: bitNames(n.Legs, since.SpeedLimit),
		Unreached: bitNames(n.Legs, since.Unreached), Events: EventNames(since.Events),
		Observed: observedOf(obs),
	}
	if s.Events == nil {
		s.Events = []string{}
	}
	n.limbs(s, out)
	return s
}

// limbs fills the legs and the joints.
func (n *Names) limbs(s *State, out *control.Output) {
	s.Legs = make(map[string]Leg, len(n.Legs))
	for i := range min(len(out.Legs), len(n.Legs)) {
		l := &out.Legs[i]
		s.Legs[n.Legs[i]] = Leg{
			Foot: vecOf(l.Foot), Target: vecOf(l.Target), Stance: l.Stance, Grounded: l.Grounded,
			Status: pick(statusNames[:], l.Status), Residual: Num(l.Residual), Slip: Num(l.Slip),
		}
	}
	s.Joints = make(map[string]Num, len(n.Joints))
	for i := range min(len(out.Set.Q), len(n.Joints)) {
		s.Joints[n.Joints[i]] = Num(out.Set.Q[i])
	}
}

func vecOf(v r3.Vec) Vec { return Vec{Num(v.X), Num(v.Y), Num(v.Z)} }

func twistOf(t [3]float64) Twist { return Twist{Num(t[0]), Num(t[1]), Num(t[2])} }

func poseOf(p geom.Pose) Pose {
	r, pi, y := geom.RPY(p.Q)
	return Pose{Vec: vecOf(p.P), Roll: Num(r), Pitch: Num(pi), Yaw: Num(y)}
}

func observedOf(obs *rig.Observation) *Observed {
	if obs == nil {
		return nil
	}
	o := &Observed{Falls: obs.FellSince}
	if obs.Has&rig.HasPose != 0 {
		p := poseOf(obs.PoseWB)
		t := Twist{Num(obs.TwistB.V.X), Num(obs.TwistB.V.Y), Num(obs.TwistB.W.Z)}
		o.Pose, o.Twist = &p, &t
	}
	return o
}
