package house

import (
	"context"
	"fmt"
	"math/bits"
	"os"
	"strings"
	"testing"

	"legctl/configs"
	"legctl/control"
	"legctl/preflight"
	"legctl/rig"
	"legctl/rollout"
)

// walkTicks is how long every rig must walk.
const walkTicks = 200

// cycles a clocked gait walks at least: a crawl takes seconds for one.
const cycles = 2

// outing is a rig that is to walk somewhere.
type outing struct {
	rig     *rig.Rig
	params  control.Params
	gait    int
	terrain string // shipped; empty: flat
}

// walk drives the rig forward at its allowed twist, in the simulator with joint
// speeds that count, and returns what went wrong first.
func (o *outing) walk() error {
	c, err := control.New(o.rig, o.params)
	if err != nil {
		return err
	}
	speed := c.Allowed(o.gait).Linear[0]
	run := rollout.Config{
		Rig: o.rig, Params: &o.params, Gait: o.params.Gaits[o.gait].Name, Seed: 1,
		Ticks:    max(walkTicks, uint64(cycles*c.Period(o.gait)/o.params.Dt)),
		Commands: []rollout.Order{{Command: control.Command{Kind: control.KindTwist, Vx: speed, TTL: 3600}}},
		Each:     o.watch,
	}
	if o.terrain != "" {
		if run.Terrain, err = configs.LoadTerrain(o.terrain, c.Sizing(o.gait).U); err != nil {
			return err
		}
	}
	sum, err := rollout.Run(context.Background(), run)
	if err != nil {
		return err
	}
	if share := sum.MeanSpeed / speed; sum.LiftOffs == nil || !(share > 0.2) {
		return fmt.Errorf("it stands rather than walks: %.2f of its speed, lift-offs %v", share, sum.LiftOffs)
	}
	return nil
}

// watch ends a run at the first tick that must not be.
func (o *outing) watch(r *rollout.Rollout) error {
	out := &r.Cell.Frame.Out
	if out.Reply.Reason != control.Accepted {
		return fmt.Errorf("tick %d: command refused: reason %d", out.Tick, out.Reply.Reason)
	}
	if hit := out.AngleLimit | out.SpeedLimit | out.Unreached; hit != 0 {
		return fmt.Errorf("tick %d: limit hit, leg %s (angle %b speed %b reach %b)", out.Tick,
			o.rig.Legs[bits.TrailingZeros64(hit)].Name, out.AngleLimit, out.SpeedLimit, out.Unreached)
	}
	if r.Cell.Frame.Obs.FellSince > 0 || out.Events&control.EventTilt != 0 {
		return fmt.Errorf("tick %d: fell", out.Tick)
	}
	return nil
}

// suited returns the parameters of a rig with allowed twists filled in, and the
// gaits it is offered.
func suited(r *rig.Rig) (control.Params, []int, error) {
	p, err := preflight.Fill(r, control.DefaultParams(r))
	if err != nil {
		return p, nil, err
	}
	c, err := control.New(r, p)
	if err != nil {
		return p, nil, err
	}
	var offered []int
	for i := range p.Gaits {
		if ok, _ := c.Offers(i); ok {
			offered = append(offered, i)
		}
	}
	return p, offered, nil
}

// shortJoints leaves the rig to the long runs whose five-joint legs take most of
// the time; the tests of rollout walk it.
const shortJoints = 24

// TestEveryRigWalks walks every shipped rig with every gait it is offered, on
// flat ground. A rig that says it cannot must be refused with its reason.
func TestEveryRigWalks(t *testing.T) {
	for _, name := range configs.Rigs() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, err := configs.LoadRig(name)
			if err != nil {
				t.Fatal(err)
			}
			if r.Refused != "" {
				refused(t, r)
				return
			}
			if os.Getenv("LEGCTL_SOAK") == "" && r.Joints() > shortJoints {
				t.Skipf("%d joints: its sweeps take seconds", r.Joints())
			}
			p, offered, err := suited(r)
			if err != nil {
				t.Fatal(err)
			}
			if len(offered) == 0 {
				t.Error("no gait is offered: let its file say expect: refused")
			}
			for _, i := range offered {
				o := &outing{rig: r, params: p, gait: i}
				if err := o.walk(); err != nil {
					t.Errorf("%s: %v", p.Gaits[i].Name, err)
				}
			}
		})
	}
}

// refused wants preflight to say no, with the words of the rig's file.
func refused(t *testing.T, r *rig.Rig) {
	t.Helper()
	rep, err := preflight.Check(r, control.DefaultParams(r))
	if err != nil {
		if !strings.Contains(err.Error(), r.Refused) {
			t.Errorf("refused with %v, want %q", err, r.Refused)
		}
		return
	}
	for i := range rep.Faults {
		if strings.Contains(fmt.Sprint(rep.Faults[i]), r.Refused) {
			return
		}
	}
	t.Errorf("check finds %v, want a refusal with %q", rep.Faults, r.Refused)
}

// shownOn are the rigs that gaits are shown on; terrains are shown on the
// default rig.
var shownOn = map[string]string{
	"walk": "phantomx", "gallop": "octopod@3", "crawl": "a1", "tripod": "phantomx", "trot": "a1", "wave": "phantomx",
	"ripple": "phantomx", "amble": "phantomx", "bipod": "hexapod@3", "tetrapod": "phantomx_octopod", "creep": "a1", "lateral_walk": "a1", "diagonal_walk": "a1",
	"walking_trot": "a1", "running_trot": "a1", "flying_trot": "a1", "pace": "a1", "pronk": "a1",
}

// pitched are the gaits that pitch over with every shipped rig, on the one they
// are refused on with that reason.
var pitched = map[string]string{"canter": "a1", "transverse_gallop": "a1", "rotary_gallop": "a1", "bound": "a1", "half_bound": "a1"}

// pitches wants a gait refused on a rig because it would pitch over.
func pitches(t *testing.T, name, on string) {
	t.Helper()
	r, err := configs.LoadRig(on)
	if err != nil {
		t.Fatal(err)
	}
	p := control.DefaultParams(r)
	plan, err := configs.LoadGait(name, r)
	if err != nil {
		t.Fatal(err)
	}
	p.Gaits = []control.Plan{plan}
	c, err := control.New(r, p)
	if err != nil {
		t.Fatal(err)
	}
	if ok, why := c.Offers(0); ok || !strings.Contains(why, "pitch over") {
		t.Errorf("%s on %s: offered %v, %q", name, on, ok, why)
	}
}

func TestEveryGaitWalks(t *testing.T) {
	for _, name := range configs.Gaits() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			on := shownOn[name]
			if rig := pitched[name]; rig != "" {
				pitches(t, name, rig)
				return
			}
			if on == "" {
				t.Fatal("no rig is named for this gait: give it one here")
			}
			r, err := configs.LoadRig(on)
			if err != nil {
				t.Fatal(err)
			}
			p := control.DefaultParams(r)
			plan, err := configs.LoadGait(name, r)
			if err != nil {
				t.Fatal(err)
			}
			p.Gaits = []control.Plan{plan}
			if p, err = preflight.Fill(r, p); err != nil {
				t.Fatal(err)
			}
			o := &outing{rig: r, params: p}
			if err := o.walk(); err != nil {
				t.Errorf("on %s: %v", on, err)
			}
		})
	}
}

func TestEveryTerrainIsWalked(t *testing.T) {
	for _, name := range configs.Terrains() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, err := configs.LoadRig("phantomx")
			if err != nil {
				t.Fatal(err)
			}
			p, offered, err := suited(r)
			if err != nil || len(offered) == 0 {
				t.Fatal(err)
			}
			o := &outing{rig: r, params: p, gait: offered[0], terrain: name}
			if err := o.walk(); err != nil {
				t.Error(err)
			}
		})
	}
}
