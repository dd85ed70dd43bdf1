package bench

import (
	"fmt"
	"math"

	"legctl/configs"
	"legctl/control"
	"legctl/gait"
	"legctl/geom"
	"legctl/preflight"

	"gonum.org/v1/gonum/spatial/r3"
)

// The rigs whose ticks are timed, and the gait of each.
var tickRigs = []struct{ name, rig, gait string }{
	{"hexapod", "phantomx", "walk"},
	{"quadruped", "a1", "crawl"},
}

// ticksARun is how many ticks one call of a tick kernel walks.
const ticksARun = 500

// walking is a rig that walks on level ground with an ideal plant.
type walking struct {
	c     *control.Controller
	state *control.State
	out   *control.Output
	cmd   control.Command
	g     geom.Ground
}

// newWalking returns a rig well under way: forward with a little turning.
func newWalking(rigName, gaitName string, closed bool, stage int, g geom.Ground) (*walking, error) {
	r, err := configs.LoadRig(rigName)
	if err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	p := control.DefaultParams(r)
	p.IK.Closed, p.Stage = closed, stage
	c, err := control.New(r, p)
	if err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	i, ok := p.Index(gaitName)
	if !ok {
		return nil, fmt.Errorf("bench: rig %s has no gait %s", rigName, gaitName)
	}
	w := &walking{c: c, state: &control.NewStates(r, 1)[0], out: &control.NewOutputs(r, 1)[0], g: g}
	c.Start(w.state, nil, g, true)
	c.Step(w.out, w.state, &control.Command{Kind: control.KindGait, Gait: uint16(i)}, nil, g)
	if why := w.out.Reply.Reason; why != control.Accepted {
		return nil, fmt.Errorf("bench: rig %s refuses gait %s: reason %d", rigName, gaitName, why)
	}
	a := c.Allowed(i)
	w.cmd = control.Command{Kind: control.KindTwist, Vx: 0.8 * a.Linear[0], Wz: 0.1 * a.Turn, TTL: math.MaxFloat32}
	w.walk(ticksARun)
	return w, nil
}

// walk takes n ticks.
func (w *walking) walk(n int) float64 {
	sum := 0.0
	for i := range n {
		cmd := &w.cmd
		if i > 0 {
			cmd = nil
		}
		w.c.Step(w.out, w.state, cmd, nil, w.g)
		sum += w.out.Margin
	}
	return sum
}

// tickKernels time a whole tick: legs by FABRIK and in closed form, with all
// rules and with none.
func tickKernels(*workload) ([]kernel, error) {
	var out []kernel
	for _, t := range tickRigs {
		for _, v := range []struct {
			name   string
			closed bool
			stage  int
		}{
			{"fabrik", false, gait.StageAll}, {"closed", true, gait.StageAll}, {"none", true, gait.StageNone},
		} {
			w, err := newWalking(t.rig, t.gait, v.closed, v.stage, geom.Level(0))
			if err != nil {
				return nil, err
			}
			out = append(out, kernel{
				area: "tick", name: t.name + "/" + v.name, ops: ticksARun,
				run: func() float64 { return w.walk(ticksARun) },
			})
		}
	}
	return out, nil
}

// pitted is ground where a ray finds nothing in one cell of two, so that every
// scan goes on to the fallback rays.
type pitted struct{ geom.Plane }

// Cast implements geom.Ground.
func (p *pitted) Cast(from, dir r3.Vec, most float64) (geom.Hit, bool) {
	if int(math.Floor(from.X*50)+math.Floor(from.Y*50))&1 == 0 {
		return geom.Hit{}, false
	}
	return p.Plane.Cast(from, dir, most)
}

// sweepKernels time what is done once in a while: a scan that needs its
// fallback rays, and the sweep that fills the allowed twist before motion.
func sweepKernels(*workload) ([]kernel, error) {
	r, err := configs.LoadRig("phantomx")
	if err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	p := control.DefaultParams(r)
	c, err := control.New(r, p)
	if err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	sized := gait.Size(r, p.Gaits[0].Rules, c.Sizing(0).Scale, p.Dt, gait.StageAll)
	rot := geom.RotOf(geom.Identity().Q)
	body := gait.Body{P: r3.Vec{Z: r.Height}, Rot: rot, Yaw: rot, Vel: r3.Vec{X: sized.Speed}, Walking: true, Share: 1}
	zones := sized.Zones(&body)
	rest := sized.Rest(&body, &zones, 0)
	scan := func(g geom.Ground) func() float64 {
		return func() float64 {
			sum := 0.0
			for i := range 256 {
				ahead := r3.Vec{X: rest.X + 1e-4*float64(i), Y: rest.Y, Z: rest.Z}
				hit, _ := sized.Scan(g, &body, &zones, rest, ahead)
				sum += hit.X
			}
			return sum
		}
	}
	step := geom.Level(0.4 * sized.Scale.U) // too high for the first ray: nine more
	return []kernel{
		{area: "gait", name: "scan/plain", ops: 256, run: scan(geom.Level(0))},
		{area: "gait", name: "scan/fallback", ops: 256, run: scan(&pitted{*step})},
		{area: "preflight", name: "allowed/hexapod", ops: 1, unit: "ms", once: true, run: func() float64 {
			a, err := preflight.Allowed(c, 0)
			if err != nil {
				return math.NaN()
			}
			return a.Turn
		}},
	}, nil
}
