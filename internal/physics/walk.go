package physics

import (
	"context"
	"fmt"
	"math"

	"legctl/control"
	"legctl/geom"
	"legctl/loop"
	"legctl/rig"
	"legctl/rig/mjcf"

	"gonum.org/v1/gonum/spatial/r3"
)

// Walk is one walk in MuJoCo: a second of standing, then a straight way.
type Walk struct {
	Rig     *rig.Rig
	Params  *control.Params
	Gait    string
	Speed   float64                            // m/s ahead, as commanded
	Seconds float64                            // of walking
	Physics mjcf.Options                       // what the rig does not say
	Sees    rig.Has                            // what the controller is told; the rest it does not know
	Then    func(tick int, c *control.Command) // changes the command of a tick; nil: straight ahead
}

// Result is what became of a walk.
type Result struct {
	Way      float64 // m gone ahead
	Wanted   float64 // m, the integral of the speed the controller settled on
	Sideways float64 // m
	Turned   float64 // rad
	Tilt     float64 // rad, the worst
	Low      float64 // m, the least height of the body
	Slip     float64 // m, mean over the feet, over ground while they press
	Fell     bool    // tilt beyond 60 degrees, or the body below 0.3 of its height
}

// Share is the way gone over the way wanted.
func (r Result) Share() float64 { return r.Way / r.Wanted }

// String is a row for a log.
func (r Result) String() string {
	return fmt.Sprintf("%3.0f %% of %.2f m, sideways %+.3f m, turned %+.1f deg, tilt %.1f deg, low %.3f m, slip %.3f m, fell %v",
		100*r.Share(), r.Wanted, r.Sideways, deg(r.Turned), deg(r.Tilt), r.Low, r.Slip, r.Fell)
}

func deg(rad float64) float64 { return rad * 180 / math.Pi }

// Run does the walk. It ends early with a fall.
func (k *Walk) Run(ctx context.Context) (Result, error) {
	var r Result
	ctl, err := control.New(k.Rig, *k.Params)
	if err != nil {
		return r, err
	}
	gait, ok := k.Params.Index(k.Gait)
	if !ok {
		return r, fmt.Errorf("physics: no gait %q", k.Gait)
	}
	if ok, why := ctl.Offers(gait); !ok {
		return r, fmt.Errorf("physics: rig %q does not walk %q: %s", k.Rig.Name, k.Gait, why)
	}
	w, err := New(k.Rig, k.Physics, k.Params.Dt)
	if err != nil {
		return r, err
	}
	defer w.Close()
	c := loop.NewCell(k.Rig, &partial{w, k.Sees}, ctl, geom.Level(0))
	if err := k.stand(ctx, w); err != nil {
		return r, err
	}
	if err := c.Plant.Observe(ctx, &c.Frame.Obs); err != nil {
		return r, err
	}
	ctl.Start(c.State, &c.Frame.Obs, c.Ground, true)
	c.State.Gait = uint16(gait)
	return k.steps(ctx, c, w)
}

// stand lets the rig settle in neutral stance for a second.
func (k *Walk) stand(ctx context.Context, w *World) error {
	sp := rig.NewSetpoint(k.Rig)
	for range int(1 / k.Params.Dt) {
		if err := w.Apply(ctx, sp); err != nil {
			return err
		}
	}
	return nil
}

// steps walks and measures.
func (k *Walk) steps(ctx context.Context, c *loop.Cell, w *World) (Result, error) {
	r := Result{Low: math.Inf(1)}
	from := w.now.PoseWB
	was := make([]r3.Vec, len(k.Rig.Legs))
	press := uint64(0)
	n := int(k.Seconds / k.Params.Dt)
	for i := range n {
		c.Frame.Cmd = control.Command{}
		if i%10 == 0 {
			c.Frame.Cmd = control.Command{ID: uint64(i + 1), Kind: control.KindTwist, Vx: k.Speed}
		}
		if k.Then != nil {
			k.Then(i, &c.Frame.Cmd)
		}
		if err := loop.Cycle(ctx, c); err != nil {
			return r, err
		}
		r.Wanted += c.Frame.Out.Twist[0] * k.Params.Dt
		r.look(k.Rig, w, was, press)
		press = w.now.Contact
		if r.Fell {
			break
		}
	}
	d := geom.Rotate(geom.FromRPY(0, 0, -geom.Yaw(from.Q)), r3.Sub(w.now.PoseWB.P, from.P))
	r.Way, r.Sideways = d.X, d.Y
	r.Turned = geom.WrapAngle(geom.Yaw(w.now.PoseWB.Q) - geom.Yaw(from.Q))
	return r, nil
}

// look takes one tick into the result.
func (r *Result) look(g *rig.Rig, w *World, was []r3.Vec, press uint64) {
	p := w.now.PoseWB
	r.Tilt = max(r.Tilt, geom.Tilt(p.Q))
	r.Low = min(r.Low, p.P.Z)
	r.Fell = r.Tilt > math.Pi/3 || p.P.Z < 0.3*g.Height
	for i := range was {
		at := p.Apply(rig.Foot(g, i, w.now.Q))
		if press&w.now.Contact>>i&1 == 1 {
			d := r3.Sub(at, was[i])
			r.Slip += math.Sqrt(d.X*d.X+d.Y*d.Y) / float64(len(was))
		}
		was[i] = at
	}
}

// partial is a World of which the controller sees only a part.
type partial struct {
	*World
	sees rig.Has
}

// Observe implements loop.Plant.
func (p *partial) Observe(ctx context.Context, dst *rig.Observation) error {
	if err := p.World.Observe(ctx, dst); err != nil {
		return err
	}
	dst.Has &= p.sees
	if dst.Has&rig.HasPose == 0 {
		dst.PoseWB, dst.TwistB = geom.Identity(), geom.Twist{}
	}
	if dst.Has&rig.HasTilt == 0 {
		dst.Roll, dst.Pitch = 0, 0
	}
	return nil
}
