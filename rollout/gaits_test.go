package rollout_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"testing"

	"legctl/configs"
	"legctl/control"
	"legctl/gait"
	"legctl/rig"
	"legctl/rollout"
)

// slopes are the rigs whose static gaits also walk a slope and rough ground in
// every run of the tests; the others do in the long ones.
var slopes = map[string]bool{"phantomx": true, "a1": true, "phantomx_octopod": true, "spotmicro": true}

// open are the walks that are known not to hold, with what is wrong: they are
// counted as skipped and stand in docs/limits.md.
var open = map[string]string{
	"quadruped/pace":   "falls sideways",
	"quadruped/gallop": "falls sideways",
	"quadbot/gallop":   "falls backward",
}

// gaitTime is how long each gait walks in each direction, k.
const gaitTime = 150

// TestEveryGaitWalks walks every gait a rig is offered, forward, left, back,
// right and turning: static gaits on flat ground, and of some rigs a slope of 10 degrees and
// rough ground, without a fall and without the margin below the floor of 0.02 L
// on flat ground; dynamic ones on flat ground without a fall. Five-joint legs,
// whose solver takes most of the time, walk their first gait, and all in a soak.
func TestEveryGaitWalks(t *testing.T) {
	for _, name := range configs.Rigs() {
		r := load(t, name)
		if r.Refused != "" || testing.Short() && name != "phantomx" && name != "a1" {
			continue
		}
		long := r.Joints() > shortJoints && os.Getenv("LEGCTL_SOAK") == ""
		p := control.DefaultParams(r)
		c, err := control.New(r, p)
		if err != nil {
			t.Fatal(err)
		}
		for i := range p.Gaits {
			if ok, _ := c.Offers(i); !ok || long && i > 0 {
				continue
			}
			grounds := []string{"flat"}
			if c.Static(i) && slopes[name] && !testing.Short() {
				grounds = append(grounds, "slope", "rough")
			}
			for _, ground := range grounds {
				t.Run(fmt.Sprintf("%s/%s/%s", name, p.Gaits[i].Name, ground), func(t *testing.T) {
					if why := open[name+"/"+p.Gaits[i].Name]; why != "" {
						t.Skip("open: " + why)
					}
					t.Parallel()
					for heading := 0; heading <= control.Headings; heading += control.Headings / 4 {
						gaitWalks(t, r, p, i, ground, heading)
					}
				})
			}
		}
	}
}

// gaitWalks runs one gait in one direction.
func gaitWalks(t *testing.T, r *rig.Rig, p control.Params, g int, ground string, heading int) {
	c, err := control.New(r, p)
	if err != nil {
		t.Fatal(err)
	}
	a := c.Allowed(g)
	cmd := rollout.Order{At: 0.05, Command: control.Command{Kind: control.KindTwist, TTL: 1e3}}
	if heading == control.Headings {
		cmd.Command.Wz = a.Turn
	} else {
		sn, cs := math.Sincos(2 * math.Pi * float64(heading) / control.Headings)
		cmd.Command.Vx, cmd.Command.Vy = a.Linear[heading]*cs, a.Linear[heading]*sn
	}
	least := math.Inf(1)
	sum, err := rollout.Run(context.Background(), rollout.Config{
		Rig: r, Params: &p, Terrain: on(t, r, ground), Ticks: uint64(gaitTime * c.Sizing(g).K / p.Dt),
		Commands: []rollout.Order{{Command: control.Command{Kind: control.KindGait, Gait: uint16(g)}}, cmd},
		Each: func(x *rollout.Rollout) error {
			least = min(least, x.Cell.Frame.Out.Margin)
			return nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if sum.Falls != 0 {
		t.Errorf("heading %d: %d falls", heading, sum.Falls)
	}
	if c.Static(g) && ground == "flat" && least < 0.02*r.L()-1e-9 {
		t.Errorf("heading %d: least margin %.4f L, floor 0.02", heading, least/r.L())
	}
}

// TestPhasesAsPlanned compares touchdowns and lift-offs with the table: offsets
// and duty factors within one tick, once a gait has found its phases.
func TestPhasesAsPlanned(t *testing.T) {
	for _, tt := range []struct{ rig, gait string }{
		{"phantomx", "tripod"}, {"phantomx", "wave"}, {"phantomx", "ripple"}, {"phantomx", "amble"}, {"phantomx_octopod", "tetrapod"},
		{"a1", "trot"}, {"a1", "lateral_walk"}, {"a1", "pace"}, {"a1", "running_trot"},
	} {
		t.Run(tt.rig+"/"+tt.gait, func(t *testing.T) {
			r := load(t, tt.rig)
			p := control.DefaultParams(r)
			c, err := control.New(r, p)
			if err != nil {
				t.Fatal(err)
			}
			g, _ := p.Index(tt.gait)
			tab := c.Fitted(g).Gait
			period := c.Period(g)
			down, up := make([]float64, len(r.Legs)), make([]float64, len(r.Legs))
			n := 0
			start := uint64(6 * period / p.Dt)
			_, err = rollout.Run(context.Background(), rollout.Config{
				Rig: r, Params: &p, Terrain: on(t, r, "flat"), Ticks: start + uint64(2.5*period/p.Dt),
				Commands: []rollout.Order{
					{Command: control.Command{Kind: control.KindGait, Gait: uint16(g)}},
					{At: 0.05, Command: control.Command{Kind: control.KindTwist, Vx: c.Allowed(g).Linear[0], TTL: 1e3}},
				},
				Each: func(x *rollout.Rollout) error {
					o := &x.Cell.Frame.Out
					for i := range r.Legs {
						if o.Tick < start {
							continue
						}
						if o.Touchdown>>i&1 == 1 {
							down[i] = float64(o.Tick) * p.Dt / period
							n++
						}
						if o.LiftOff>>i&1 == 1 {
							up[i] = float64(o.Tick) * p.Dt / period
						}
					}
					return nil
				},
			})
			if err != nil {
				t.Fatal(err)
			}
			tick := p.Dt / period
			for i := range r.Legs {
				duty := gait.Frac(up[i] - down[i])
				if d := math.Abs(duty - tab.Duty[i]); d > 1.5*tick {
					t.Errorf("leg %s: duty %.3f, table %.3f, a tick is %.3f", r.Legs[i].Name, duty, tab.Duty[i], tick)
				}
				got, want := gait.Frac(down[i]-down[0]), gait.Frac(tab.Offset[i]-tab.Offset[0])
				if d := math.Abs(math.Remainder(got-want, 1)); d > 1.5*tick {
					t.Errorf("leg %s: offset %.3f from the first, table %.3f, a tick is %.3f", r.Legs[i].Name, got, want, tick)
				}
			}
			if n == 0 {
				t.Error("no foot came down")
			}
		})
	}
}
