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

// Vec is a point or a vector, metres.
type Vec struct {
	X Num `json:"x"`
	Y Num `json:"y"`
	Z Num `json:"z"`
}

// Pose is a pose of the body in W: metres, and fixed-axis angles in radians.
type Pose struct {
	Vec
	Roll  Num `json:"roll"`
	Pitch Num `json:"pitch"`
	Yaw   Num `json:"yaw"`
}

// Twist is a velocity of the body in B: m/s and rad/s.
type Twist struct {
	Vx Num `json:"vx"`
	Vy Num `json:"vy"`
	Wz Num `json:"wz"`
}

// Leg is what one leg did.
type Leg struct {
	Foot     Vec    `json:"foot"`   // W
	Target   Vec    `json:"target"` // W, where it stands or is to land
	Stance   bool   `json:"stance"`
	Grounded bool   `json:"grounded"`
	Status   string `json:"status"`   // of the solver
	Residual Num    `json:"residual"` // m
	Slip     Num    `json:"slip"`     // m, planar legs
}

// Observed is what the plant reported, as far as it can.
type Observed struct {
	Pose  *Pose  `json:"pose,omitempty"`
	Twist *Twist `json:"twist,omitempty"`
	Falls uint32 `json:"falls"`
}

// State is the message on legctl/<rig>/state.
type State struct {
	Tick       uint64         `json:"tick"`
	Time       Num            `json:"time"` // s
	Rig        string         `json:"rig"`
	Mode       string         `json:"mode"`
	Gait       string         `json:"gait"`
	Pose       Pose           `json:"pose"` // intended, W
	CoM        Vec            `json:"com"`  // W
	Wish       Twist          `json:"wish"`
	Twist      Twist          `json:"twist"`
	Binding    string         `json:"binding"`               // what keeps twist below wish
	BindingLeg string         `json:"binding_leg,omitempty"` // the leg that sets it
	Margin     Num            `json:"margin"`                // m, static
	Energy     Num            `json:"energy_margin"`         // m, normalised energy
	Kept       Num            `json:"pose_kept"`             // share of the body offset kept
	Legs       map[string]Leg `json:"legs"`
	Joints     map[string]Num `json:"joints"` // rad
	LiftOff    []string       `json:"lift_off,omitempty"`
	Touchdown  []string       `json:"touchdown,omitempty"`
	AngleLimit []string       `json:"angle_limit,omitempty"`
	SpeedLimit []string       `json:"speed_limit,omitempty"`
	Unreached  []string       `json:"unreached,omitempty"`
	Events     []string       `json:"events"`
	Observed   *Observed      `json:"observed,omitempty"`
	Dropped    uint64         `json:"dropped"` // messages the publish queue lost
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
