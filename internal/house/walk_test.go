package house

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"strings"
	"testing"

	"legctl/configs"
	"legctl/control"
	"legctl/geom"
	"legctl/loop"
	"legctl/preflight"
	"legctl/rig"
	"legctl/sim"
	"legctl/sim/terrain"
)

// walkTicks is how long every rig must walk.
const walkTicks = 200

// outing is a rig that is to walk somewhere.
type outing struct {
	rig    *rig.Rig
	params control.Params
	gait   int
	ground func(u float64) (geom.Ground, error)
	ticks  int
}

func level(float64) (geom.Ground, error) { return geom.Level(0), nil }

// shippedGround returns a shipped terrain in the size of a rig.
func shippedGround(name string) func(u float64) (geom.Ground, error) {
	return func(u float64) (geom.Ground, error) {
		spec, err := configs.LoadTerrain(name, u)
		if err != nil {
			return nil, err
		}
		return terrain.New(spec)
	}
}

// walk drives the rig forward at its allowed twist, in the simulator with joint
// speeds that count, and returns what went wrong first.
func (o *outing) walk() error {
	c, err := control.New(o.rig, o.params)
	if err != nil {
		return err
	}
	size := c.Sizing(o.gait)
	g, err := o.ground(size.U)
	if err != nil {
		return err
	}
	world := sim.Default()
	world.Servo.Limited = true
	if o.params.Gaits[o.gait].Rules.Leeway > 0 {
		world.Leeway = o.params.Gaits[o.gait].Rules.Leeway
	}
	plant, err := sim.New(o.rig, g, world, sim.Scale{U: size.U, K: size.K, Gravity: o.rig.G()}, o.params.Dt, 1)
	if err != nil {
		return err
	}
	cell := loop.NewCell(o.rig, plant, c, g)
	ctx := context.Background()
	if _, err := plant.Open(ctx); err != nil {
		return err
	}
	if err := plant.Observe(ctx, &cell.Frame.Obs); err != nil {
		return err
	}
	c.Start(cell.State, &cell.Frame.Obs, g, true)
	return errors.Join(o.run(ctx, cell, c), plant.Close())
}

func (o *outing) run(ctx context.Context, cell *loop.Cell, c *control.Controller) error {
	lifted, far := uint64(0), 0.0
	from := cell.State.BaseW
	for tick := range o.ticks {
		cell.Frame.Cmd = control.Command{}
		switch tick {
		case 0:
			cell.Frame.Cmd = control.Command{Kind: control.KindGait, Gait: uint16(o.gait)}
		case 1:
			cell.Frame.Cmd = control.Command{Kind: control.KindTwist, Vx: c.Allowed(o.gait).Linear[0], TTL: 3600}
		}
		if err := loop.Cycle(ctx, cell); err != nil {
			return err
		}
		out := &cell.Frame.Out
		if out.Reply.Reason != control.Accepted {
			return fmt.Errorf("tick %d: command refused: %v", tick, out.Reply.Reason)
		}
		if hit := out.AngleLimit | out.SpeedLimit | out.Unreached; hit != 0 {
			return fmt.Errorf("tick %d: limit hit, leg %s (angle %b speed %b reach %b)", tick,
				o.rig.Legs[bits.TrailingZeros64(hit)].Name, out.AngleLimit, out.SpeedLimit, out.Unreached)
		}
		if cell.Frame.Obs.FellSince > 0 || out.Events&control.EventTilt != 0 {
			return fmt.Errorf("tick %d: fell", tick)
		}
		lifted |= out.LiftOff
		far = max(far, cell.State.BaseW.X-from.X)
	}
	if lifted == 0 || !(far > 0.2*c.Allowed(o.gait).Linear[0]*float64(o.ticks)*o.params.Dt) {
		return fmt.Errorf("it stands rather than walks: %.4f m forward, legs lifted %b", far, lifted)
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
			p, offered, err := suited(r)
			if err != nil {
				t.Fatal(err)
			}
			if len(offered) == 0 {
				t.Error("no gait is offered: let its file say expect: refused")
			}
			for _, i := range offered {
				o := &outing{rig: r, params: p, gait: i, ground: level, ticks: walkTicks}
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
}

func TestEveryGaitWalks(t *testing.T) {
	for _, name := range configs.Gaits() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			on := shownOn[name]
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
			o := &outing{rig: r, params: p, ground: level, ticks: walkTicks}
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
			o := &outing{rig: r, params: p, gait: offered[0], ground: shippedGround(name), ticks: walkTicks}
			if err := o.walk(); err != nil {
				t.Error(err)
			}
		})
	}
}
