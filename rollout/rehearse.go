package rollout

import (
	"context"
	"errors"
	"math"

	"legctl/control"
	"legctl/rig"
)

// Rehearsal is what became of a rig that went to goals by the clips of one motion.
type Rehearsal struct {
	Motion  string
	Class   rig.Class
	Speed   float64 // of the motion straight ahead, m/s
	Radius  float64 // of its tightest circle, metres
	Goals   int     // tried
	Reached int
	Falls   uint32
	Limits  uint64  // ticks in which a leg was at a limit
	Clips   float64 // share of the way on which clips drove, [0, 1]
}

// Holds reports whether the rig reached every goal without a fall, most of the way
// by clips.
func (r *Rehearsal) Holds() bool {
	return r.Reached == r.Goals && r.Falls == 0 && r.Clips >= leastClips
}

// leastClips is the share of the way that clips must drive for a motion to hold.
const leastClips = 0.7

// The goals of a rehearsal: ahead, to the left and behind, that many radii of the
// tightest circle away, and at least so many leg lengths; and the time a goal may
// take, in those of a straight line.
const (
	goalRadii = 5
	goalLegs  = 5
	goalTime  = 5
)

// RehearseClips goes to goals by each motion of p.Space in turn, on level ground,
// and says what became of it. Clips that tip a rig over show here before they show
// anywhere else.
func RehearseClips(ctx context.Context, r *rig.Rig, p control.Params) ([]Rehearsal, error) {
	if p.Space == nil {
		return nil, errors.New("rollout: no clips to rehearse")
	}
	c, err := control.New(r, p)
	if err != nil {
		return nil, err
	}
	var list []Rehearsal
	for i := range p.Space.Motions {
		m := &p.Space.Motions[i]
		l := m.Clips[m.Ref].Loop
		one := make([]float64, len(p.Space.Motions))
		one[i] = 1
		h := Rehearsal{Motion: m.Name, Class: p.Space.Class(one), Speed: l.Speed(), Radius: m.Radius}
		far := math.Max(goalLegs*r.L(), goalRadii*m.Radius)
		if math.IsInf(far, 1) {
			far = goalLegs * r.L()
		}
		for _, way := range []float64{0, math.Pi / 2, math.Pi - 0.1} {
			if err := h.goTo(ctx, c, i, far, way); err != nil {
				return nil, err
			}
		}
		h.Clips /= float64(h.Goals)
		list = append(list, h)
	}
	return list, nil
}

// goTo sends a rig to one goal.
func (h *Rehearsal) goTo(ctx context.Context, ctl *control.Controller, motion int, far, way float64) error {
	style := control.Command{Kind: control.KindStyle}
	style.Weights[motion] = 1
	sin, cos := math.Sincos(way)
	dt := ctl.Params().Dt
	r, err := New(Config{
		Controller: ctl, Ticks: uint64((goalTime*far/h.Speed + 10) / dt),
		Commands: []Order{{At: 0, Command: style}, {At: 1, Command: control.Command{Kind: control.KindGoto, X: far * cos, Y: far * sin, By: control.DriverClips}}},
	})
	if err != nil {
		return err
	}
	ticks, clips, falls := 0, 0, uint32(0)
	h.Goals++
	r.Config.Each = func(r *Rollout) error {
		f := r.Cell.Frame
		falls = f.Obs.FellSince
		if f.Out.AngleLimit|f.Out.SpeedLimit|f.Out.Unreached != 0 {
			h.Limits++
		}
		if r.Cell.State.HasGoal {
			ticks++
		}
		if f.Out.Driver == control.DriverClips {
			clips++
		}
		if f.Out.Events&control.EventGoalReached == 0 {
			return nil
		}
		h.Reached++
		return ErrEnough
	}
	if _, err := r.Run(ctx); err != nil {
		return err
	}
	h.Falls += falls
	h.Clips += float64(clips) / float64(max(1, ticks))
	return nil
}
