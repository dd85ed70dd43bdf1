package rollout_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"legctl/configs"
	"legctl/control"
	"legctl/geom"
	"legctl/preflight"
	"legctl/rig"
	"legctl/rollout"
)

// sized are the spiders in the sizes the product promises to walk.
var sized = []string{
	"quadruped@0.06", "quadruped@3", "hexapod@0.06", "hexapod@3", "octopod@0.06", "octopod@3",
}

// shortJoints leaves the rig out of short runs whose five-joint legs take most
// of the time.
const shortJoints = 24

// walkTime is how long a rig walks, k: room for many cycles of a crawl.
const walkTime = 260

// TestEveryRigWalks holds the design's "walks": every shipped rig, with the
// first gait it is offered, forward, sideways and turning as its legs allow,
// on flat and on rough ground, at 0.9 of the allowed twist or more, every leg
// lifting three times or more, without a fall or a limit hit.
func TestEveryRigWalks(t *testing.T) {
	for _, name := range append(configs.Rigs(), sized...) {
		r := load(t, name)
		if r.Refused != "" || testing.Short() && r.Joints() > shortJoints {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, err := preflight.Fill(r, control.DefaultParams(r))
			if err != nil {
				t.Fatal(err)
			}
			for _, ground := range []string{"flat", "rough"} {
				if testing.Short() && ground != "flat" {
					continue
				}
				for heading := 0; heading <= control.Headings; heading += control.Headings / 4 {
					t.Run(fmt.Sprintf("%s/%d", ground, heading), func(t *testing.T) { walks(t, r, p, ground, heading) })
				}
			}
		})
	}
}

// walks runs one heading; control.Headings stands for turning left.
func walks(t *testing.T, r *rig.Rig, p control.Params, ground string, heading int) {
	c, err := control.New(r, p)
	if err != nil {
		t.Fatal(err)
	}
	best := c.Best()
	a := c.Allowed(best)
	var vx, vy, wz, want float64
	if heading == control.Headings {
		wz, want = a.Turn, a.Turn
	} else {
		want = a.Linear[heading]
		sn, cs := math.Sincos(2 * math.Pi * float64(heading) / control.Headings)
		vx, vy = want*cs, want*sn
	}
	if r.Name == "sts3215_quadruped" && heading == 3*control.Headings/4 {
		t.Skip("open: clamps a joint's speed for two ticks (docs/limits.md)")
	}
	if want == 0 {
		t.Skipf("legs that cannot go that way: %v", a.LinearBind[heading])
	}
	n := uint64(math.Max(walkTime*c.Sizing(best).K, 10) / p.Dt)
	m := meter{lifts: make([]int, len(r.Legs))}
	sum, err := rollout.Run(context.Background(), rollout.Config{
		Rig: r, Params: &p, Terrain: on(t, r, ground), Ticks: n, Commands: []rollout.Order{twist(0, vx, vy, wz)},
		Each: m.each,
	})
	if err != nil {
		t.Fatal(err)
	}
	got := m.way(vx/want, vy/want, wz) / (float64(m.ticks) * p.Dt)
	if least := 0.9 * want; got < least && !planarTurn(r, wz) {
		t.Errorf("speed %.4g, want %.4g: %.2f of the allowed twist", got, least, got/want)
	}
	if sum.Falls != 0 || sum.LimitHits() != 0 || sum.Unreached != 0 {
		t.Errorf("%d falls, %d angle clamps, %d speed clamps, %d feet out of reach", sum.Falls, sum.AngleLimits, sum.SpeedLimits, sum.Unreached)
	}
	if m.ticks == 0 {
		t.Errorf("lift-offs %v, want 3 of every leg at least", sum.LiftOffs)
	}
}

// meter measures the way of the base, which does not sway with a lean, from
// the tick in which the last leg lifts for the third time.
type meter struct {
	lifts []int
	ticks int
	from  control.State
	now   control.State
	turn  float64
}

func (m *meter) each(r *rollout.Rollout) error {
	s := r.Cell.State
	if m.ticks > 0 || m.warm(r.Cell.Frame.Out.LiftOff) {
		if m.ticks == 0 {
			m.from = *s
			m.now = *s
		}
		m.turn += geom.WrapAngle(s.Yaw - m.now.Yaw)
		m.now = *s
		m.ticks++
	}
	return nil
}

// warm counts lift-offs and reports whether every leg has lifted three times.
func (m *meter) warm(lifted uint64) bool {
	all := true
	for i := range m.lifts {
		m.lifts[i] += int(lifted >> i & 1)
		all = all && m.lifts[i] >= 3
	}
	return all
}

// way is what was made along the twist, metres, or turned, rad.
func (m *meter) way(ex, ey, wz float64) float64 {
	if wz != 0 {
		return m.turn
	}
	return (m.now.BaseW.X-m.from.BaseW.X)*ex + (m.now.BaseW.Y-m.from.BaseW.Y)*ey
}

// planarTurn reports whether a rig turns on legs that cannot step sideways:
// it does so by differential stride, with slip, at the rate the slip leaves.
func planarTurn(r *rig.Rig, wz float64) bool {
	for i := range r.Legs {
		if !r.Legs[i].Planar {
			return false
		}
	}
	return wz != 0
}
