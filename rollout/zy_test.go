package rollout_test

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"testing"

	"legctl/control"
	"legctl/rollout"
)

func TestZY(t *testing.T) {
	r := load(t, os.Getenv("RIG"))
	p := control.DefaultParams(r)
	c, _ := control.New(r, p)
	i, _ := p.Index(os.Getenv("GAIT"))
	from, _ := strconv.Atoi(os.Getenv("FROM"))
	a := c.Allowed(i)
	n := 0
	_, err := rollout.Run(context.Background(), rollout.Config{
		Rig: r, Params: &p, Terrain: on(t, r, "flat"), Ticks: uint64(from + 60), Commands: []rollout.Order{
			{Command: control.Command{Kind: control.KindGait, Gait: uint16(i)}}, twist(0.05, a.Linear[0], 0, 0)},
		Each: func(x *rollout.Rollout) error {
			s, o := x.Cell.State, &x.Cell.Frame.Out
			if n++; n > from {
				ph := ""
				for i := range s.Legs {
					l := &s.Legs[i]
					k := "-"
					if l.Moving {
						k = "^"
					} else if l.Touching {
						k = "_"
					}
					ph += fmt.Sprintf("%s%.2f ", k, l.Cycle.Phase)
				}
				for i := range s.Legs { l := &s.Legs[i]; _ = l }
				ph += fmt.Sprintf("bl %d comf %.4f T %.4f F %.4f sw %.3f ", o.BindLeg, 1.2*c.Sizing(i).U, s.Legs[0].Target.X-s.BaseW.X-r.Legs[0].Neutral.X, s.Legs[0].Foot.X, s.Legs[0].Swing)
				fmt.Printf("%d ph %.2f hop %.2f z %.4f simz %.4f vx %.3f bind %d %s cont %b\n", n, s.Phase, s.Hop, s.PoseWB.P.Z, x.Cell.Frame.Obs.PoseWB.P.Z, s.VelW.X, o.Binding, ph, x.Cell.Frame.Obs.Contact)
			}
			return nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
}
