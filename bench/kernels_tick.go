package bench

import (
	"fmt"
	"math"

	"legctl/blend/retarget"
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

// twistTime is how long a twist lasts, seconds: the longest the controller takes,
// and longer than a kernel runs before it says it again.
const twistTime = 3600

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

// newWalking returns a rig well under way: forward with a little turning. With
// clips it has the shipped styles.
func newWalking(rigName, gaitName string, closed bool, stage int, g geom.Ground, clips bool) (*walking, error) {
	r, err := configs.LoadRig(rigName)
	if err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	p := control.DefaultParams(r)
	p.IK.Closed, p.Stage = closed, stage
	if clips {
		rc, err := configs.UsualRecipe(rigName)
		if err != nil {
			return nil, fmt.Errorf("bench: %w", err)
		}
		made, err := retarget.Make(rc, r, nil, nil)
		if err != nil {
			return nil, fmt.Errorf("bench: %w", err)
		}
		p.Space = made.Space
	}
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
	if stage == gait.StageNone {
		return w, nil // without a step its feet would be left behind: it stands
	}
	a := c.Allowed(i)
	w.cmd = control.Command{Kind: control.KindTwist, Vx: 0.8 * a.Linear[0], Wz: 0.1 * a.Turn, TTL: twistTime}
	w.walk(ticksARun)
	if w.state.VelW == (r3.Vec{}) {
		return nil, fmt.Errorf("bench: rig %s does not walk: %+v", rigName, w.out.Reply)
	}
	return w, nil
}

// walk takes n ticks.
func (w *walking) walk(n int) float64 {
	sum := 0.0
	for i := range n {
		cmd := &w.cmd
		if i > 0 || cmd.Kind == control.KindNone {
			cmd = nil
		}
		w.c.Step(w.out, w.state, cmd, nil, w.g)
		sum += w.out.Margin
	}
	return sum
}

// tickKernels time a whole tick of a rig that walks by step rules, legs by FABRIK and
// in closed form, of one that stands, with all rules and with none, and of one that
// walks by a phase table.
func tickKernels(*workload) ([]kernel, error) {
	var out []kernel
	for _, t := range tickRigs {
		for _, v := range []struct {
			name   string
			closed bool
			stage  int
			still  bool
		}{
			{"fabrik", false, gait.StageAll, false}, {"closed", true, gait.StageAll, false},
			{"still", true, gait.StageAll, true}, {"none", true, gait.StageNone, true},
		} {
			w, err := newWalking(t.rig, t.gait, v.closed, v.stage, geom.Level(0), false)
			if err == nil && v.still {
				w.cmd = control.Command{Kind: control.KindStop}
				w.walk(ticksARun)
			}
			if err != nil {
				return nil, err
			}
			out = append(out, kernel{
				area: "tick", name: t.name + "/" + v.name, ops: ticksARun,
				run: func() float64 { return w.walk(ticksARun) },
			})
		}
	}
	w, err := newWalking(tickRigs[0].rig, "tripod", false, gait.StageAll, geom.Level(0), false)
	if err != nil {
		return nil, err
	}
	out = append(out, kernel{area: "tick", name: tickRigs[0].name + "/phases", ops: ticksARun, run: func() float64 { return w.walk(ticksARun) }})
	styled, err := styledKernels()
	return append(out, styled...), err
}

// styledKernels time the tick of the first rig with clips: all weights zero, four
// of them over its gait, and two driving it.
func styledKernels() ([]kernel, error) {
	t := tickRigs[0]
	var out []kernel
	for _, v := range []struct {
		name    string
		weights []float64
		by      control.Driver
	}{
		{"unstyled", nil, control.DriverGait},
		{"styled", []float64{0.2, 0.3, 0, 0.25, 0, 0.25}, control.DriverGait},
		{"clips", []float64{0, 0, 0.5, 0, 0.5}, control.DriverClips},
	} {
		w, err := newWalking(t.rig, t.gait, false, gait.StageAll, geom.Level(0), true)
		if err != nil {
			return nil, err
		}
		if v.weights != nil {
			cmd := control.Command{Kind: control.KindStyle}
			copy(cmd.Weights[:], v.weights)
			w.c.Step(w.out, w.state, &cmd, nil, w.g)
		}
		w.c.Step(w.out, w.state, &control.Command{Kind: control.KindDrive, By: v.by}, nil, w.g)
		w.walk(ticksARun)
		if w.out.Driver != v.by {
			return nil, fmt.Errorf("bench: driver %d moves the rig, want %d", w.out.Driver, v.by)
		}
		out = append(out, kernel{area: "tick", name: t.name + "/" + v.name, ops: ticksARun, run: func() float64 { return w.walk(ticksARun) }})
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
