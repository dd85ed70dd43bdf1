package control_test

import (
	"fmt"
	"math"
	"os"
	"testing"

	"legctl/configs"
	"legctl/control"
	"legctl/geom"
)

func TestProbe(t *testing.T) {
	if os.Getenv("PROBE") == "" {
		t.Skip()
	}
	var name, gait string
	var vx, vy, wz float64
	var from, to int
	fmt.Sscan(os.Getenv("PROBE"), &name, &gait, &vx, &vy, &wz, &from, &to)
	r, err := configs.LoadRig(name)
	if err != nil {
		t.Fatal(err)
	}
	c, err := control.New(r, control.DefaultParams(r))
	if err != nil {
		t.Fatal(err)
	}
	gi, _ := c.Params().Index(gait)
	u := c.Sizing(gi).U
	g := geom.Level(0)
	s := &control.NewStates(r, 1)[0]
	out := &control.NewOutputs(r, 1)[0]
	c.Start(s, nil, g, true)
	c.Step(out, s, &control.Command{Kind: control.KindGait, Gait: uint16(gi)}, nil, g)
	cmd := &control.Command{Kind: control.KindTwist, Vx: vx, Vy: vy, Wz: wz, TTL: 3600}
	x0 := s.BaseW.X
	for k := 0; k < to; k++ {
		c.Step(out, s, cmd, nil, g)
		cmd = nil
		if k >= from {
			st := ""
			far := ""
			for i := range s.Legs {
				st += map[bool]string{true: "#", false: "."}[s.Legs[i].Planted()]
				b := s.PoseWB.Inverse().Apply(s.Legs[i].Foot)
				n := r.Legs[i].Neutral
				_ = math.Pi
				far += fmt.Sprintf(" (%.2f,%.2f)", (b.X-n.X)/u, (b.Y-n.Y)/u)
			}
			fmt.Println(k, st, fmt.Sprintf("v=%.2f m=%.3f b=%d leg=%d ang=%b spd=%b wait=%v fav=%d lean=(%.2f,%.2f)", out.Twist[0]/c.Allowed(gi).Linear[0], out.Margin/r.L(), out.Binding, out.BindLeg, out.AngleLimit, out.SpeedLimit, s.Waiting, s.Favour, s.Lean.X/u, s.Lean.Y/u), far)
		}
	}
	fmt.Println("mean speed", (s.BaseW.X-x0)/(float64(to)*c.Params().Dt), c.Allowed(gi).Linear[0])
}
