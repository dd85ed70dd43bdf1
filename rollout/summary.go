package rollout

import (
	"math"
	"math/bits"

	"legctl/control"
	"legctl/control/mode"
	"legctl/geom"
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r3"
)

// Summary is how a run went.
type Summary struct {
	Rig     string  `json:"rig"`
	Gait    string  `json:"gait"` // the last one
	Seconds float64 `json:"seconds"`
	Ticks   uint64  `json:"ticks"`
	Late    uint64  `json:"late_ticks"` // skipped; without a clock always 0

	Distance  float64    `json:"distance_m"`     // made good along the wish, horizontal: sway cancels out
	Path      float64    `json:"path_m"`         // of the body, horizontal, sway included
	Away      float64    `json:"away_m"`         // from where it began, horizontal
	Turned    float64    `json:"turned_rad"`     // made good in the sense of the wish
	MeanSpeed float64    `json:"mean_speed_ms"`  // Distance over the time a velocity was wished; 0: never
	MeanTurn  float64    `json:"mean_turn_rads"` // Turned over the time a turn was wished; 0: never
	Pose      [6]float64 `json:"pose"`           // at the end: x, y, z, roll, pitch, yaw
	Observed  bool       `json:"pose_observed"`  // false: all of these are the controller's belief

	Falls        uint32  `json:"falls"`
	MarginLeast  float64 `json:"margin_least_m"` // while feet stand, in Stand and Walk; 0 with MarginNever
	MarginNever  bool    `json:"margin_never"`   // no tick had a margin
	FlightTicks  uint64  `json:"flight_ticks"`   // Stand or Walk with no foot down
	TiltMost     float64 `json:"tilt_most_rad"`
	AngleLimits  uint64  `json:"angle_limits"` // leg-ticks in which a joint angle was clamped
	SpeedLimits  uint64  `json:"speed_limits"` // leg-ticks in which a joint speed was
	Unreached    uint64  `json:"unreached"`    // leg-ticks in which the solver missed its foot
	SlipMost     float64 `json:"slip_most_m"`  // planar legs
	Refused      uint64  `json:"refused"`      // commands
	FaultTicks   uint64  `json:"fault_ticks"`  // in mode Fault
	WaitingTicks uint64  `json:"waiting_ticks"`

	Limited  map[string]float64 `json:"limited_by"` // share of the ticks in Walk, by what held the speed down
	LiftOffs map[string]uint64  `json:"lift_offs"`  // by leg
}

// LimitHits returns the leg-ticks in which a clamp changed what the solver gave.
func (s *Summary) LimitHits() uint64 { return s.AngleLimits + s.SpeedLimits }

// bindingNames are the words of control.Binding in a summary.
var bindingNames = [control.Bindings]string{
	"none", "rule", "acceleration", "reach", "joint_speed", "comfort",
	"margin", "gate", "wall", "planar", "feet", "clips",
}

// Tally counts frames into a Summary. Its Add is fit for loop.Frames.
type Tally struct {
	// Truth tells where the rig really is, if the frames do not; nil: nobody knows.
	Truth func() geom.Pose

	rig    *rig.Rig
	params *control.Params
	sum    Summary
	walked uint64 // ticks in Walk
	going  uint64 // of them with a velocity wished
	turns  uint64 // of them with a turn wished
	bound  [control.Bindings]uint64
	lifts  [rig.MaxLegs]uint64
	first  r3.Vec
	last   r3.Vec
	yaw    float64
}

// NewTally returns an empty tally.
func NewTally(r *rig.Rig, p *control.Params) *Tally {
	return &Tally{rig: r, params: p, sum: Summary{Rig: r.Name, MarginNever: true}}
}

// Add counts one frame. The error is always nil.
func (t *Tally) Add(f *control.Frame) error {
	s, o := &t.sum, &f.Out
	pose, known := t.pose(f)
	s.Observed = known
	t.move(pose, o)
	s.Ticks++
	s.Gait = t.gait(o.Gait)
	s.Falls = f.Obs.FellSince
	if o.Mode == mode.Stand || o.Mode == mode.Walk {
		t.stance(o)
	}
	if o.Mode == mode.Walk {
		t.walked++
		t.bound[min(o.Binding, control.Bindings-1)]++
	}
	if o.Mode == mode.Fault {
		s.FaultTicks++
	}
	if o.Events&control.EventUncomfortable != 0 {
		s.WaitingTicks++
	}
	if o.Reply.Reason != control.Accepted {
		s.Refused++
	}
	s.AngleLimits += uint64(bits.OnesCount64(o.AngleLimit))
	s.SpeedLimits += uint64(bits.OnesCount64(o.SpeedLimit))
	s.Unreached += uint64(bits.OnesCount64(o.Unreached))
	for set := o.LiftOff; set != 0; set &= set - 1 {
		t.lifts[bits.TrailingZeros64(set)]++
	}
	for i := range o.Legs {
		s.SlipMost = math.Max(s.SlipMost, o.Legs[i].Slip)
	}
	return nil
}

// pose returns the best that is known of where the rig is.
func (t *Tally) pose(f *control.Frame) (pose geom.Pose, known bool) {
	switch {
	case t.Truth != nil:
		return t.Truth(), true
	case f.Obs.Has&rig.HasPose != 0:
		return f.Obs.PoseWB, true
	}
	return f.Out.PoseWB, false
}

func (t *Tally) gait(i uint16) string {
	if int(i) < len(t.params.Gaits) {
		return t.params.Gaits[i].Name
	}
	return ""
}

// move follows the body.
func (t *Tally) move(p geom.Pose, o *control.Output) {
	roll, pitch, yaw := geom.RPY(p.Q)
	if t.sum.Ticks == 0 {
		t.first, t.last, t.yaw = p.P, p.P, yaw
	}
	d := r3.Sub(p.P, t.last)
	if o.Mode == mode.Walk {
		t.progress(d, geom.WrapAngle(yaw-t.yaw), &o.Wish)
	}
	t.sum.Path += flat(d)
	t.sum.Away = flat(r3.Sub(p.P, t.first))
	t.last, t.yaw = p.P, yaw
	t.sum.Pose = [6]float64{p.P.X, p.P.Y, p.P.Z, roll, pitch, yaw}
	t.sum.TiltMost = math.Max(t.sum.TiltMost, geom.Tilt(p.Q))
}

// progress adds what a tick made good of the wish: the part of the way d, W,
// and of the turn along it.
func (t *Tally) progress(d r3.Vec, turn float64, wish *[3]float64) {
	if v := math.Sqrt(wish[0]*wish[0] + wish[1]*wish[1]); v > 0 {
		sn, cs := math.Sincos(t.yaw)
		t.sum.Distance += ((cs*d.X+sn*d.Y)*wish[0] + (cs*d.Y-sn*d.X)*wish[1]) / v
		t.going++
	}
	if wish[2] != 0 {
		t.sum.Turned += math.Copysign(turn, turn*wish[2])
		t.turns++
	}
}

// flat is the horizontal length of v.
func flat(v r3.Vec) float64 { return math.Sqrt(v.X*v.X + v.Y*v.Y) }

// stance counts what only means something while the rig should stand.
func (t *Tally) stance(o *control.Output) {
	s := &t.sum
	if math.IsInf(o.Margin, -1) {
		s.FlightTicks++
		return
	}
	if s.MarginNever || o.Margin < s.MarginLeast {
		s.MarginNever, s.MarginLeast = false, o.Margin
	}
}

// Summary returns how the run went so far; late is how many ticks a clock had
// to skip.
func (t *Tally) Summary(late uint64) Summary {
	s := t.sum
	s.Late = late
	s.Seconds = float64(s.Ticks) * t.params.Dt
	if t.going > 0 {
		s.MeanSpeed = s.Distance / (float64(t.going) * t.params.Dt)
	}
	if t.turns > 0 {
		s.MeanTurn = s.Turned / (float64(t.turns) * t.params.Dt)
	}
	s.Limited, s.LiftOffs = map[string]float64{}, map[string]uint64{}
	for b, n := range t.bound {
		if n > 0 {
			s.Limited[bindingNames[b]] = float64(n) / float64(t.walked)
		}
	}
	for i := range t.rig.Legs {
		s.LiftOffs[t.rig.Legs[i].Name] = t.lifts[i]
	}
	return s
}
