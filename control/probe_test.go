package control_test

import (
	"fmt"
	"math"
	"os"
	"testing"

	"legctl/control"
	"legctl/geom"
)

func TestProbe(t *testing.T) {
	if os.Getenv("PROBE") == "" {
		t.Skip()
	}
	r := sixLegs(t)
	c, err := control.New(r, control.DefaultParams(r))
	if err != nil {
		t.Fatal(err)
	}
	fmt.Printf("%+v\n", c.Sizing(0))
	g := geom.Level(0)
	s := &control.NewStates(r, 1)[0]
	out := &control.NewOutputs(r, 1)[0]
	c.Start(s, nil, g, true)
	cmd := &control.Command{Kind: control.KindTwist, Vx: 1, TTL: 100}
	x0 := s.BaseW.X
	for k := 0; k < 600; k++ {
		c.Step(out, s, cmd, nil, g)
		cmd = nil
		if k > 300 && k < 400 {
			st := ""
			for i := range s.Legs {
				st += map[bool]string{true: "#", false: "."}[s.Legs[i].Planted()]
			}
			fmt.Println(k, st, fmt.Sprintf("v=%.4f margin=%.4f bind=%d ang=%b spd=%b unr=%b wait=%v", out.Twist[0], out.Margin, out.Binding, out.AngleLimit, out.SpeedLimit, out.Unreached, s.Waiting))
		}
	}
	fmt.Println("mean speed", (s.BaseW.X-x0)/(600*0.02), math.Pi)
}
