package preflight

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"legctl/configs"
	"legctl/control"
)

func TestProbe(t *testing.T) {
	if os.Getenv("PROBE") == "" {
		t.Skip()
	}
	names := []string{"phantomx", "phoenix", "freenove", "phantomx_octopod", "golem", "bullet", "starfish", "hexapod", "octopod", "quadruped", "biped", "octopod@0.06", "octopod@3", "spotmicro", "mini_cheetah", "a1", "bittle"}
	if os.Getenv("PROBE") != "1" {
		names = strings.Fields(os.Getenv("PROBE"))
	}
	for _, name := range names {
		r, err := configs.LoadRig(name)
		if err != nil {
			fmt.Println(name, "ERR", err)
			continue
		}
		p := control.DefaultParams(r)
		c, err := control.New(r, p)
		if err != nil {
			fmt.Println(name, "NEW", err)
			continue
		}
		for gi := range p.Gaits {
			z := c.Sizing(gi)
			if ok, why := c.Offers(gi); !ok {
				fmt.Printf("%s %s refused: %s\n", name, p.Gaits[gi].Name, why)
				continue
			}
			fmt.Printf("%s %s L=%.3f U=%.4f(%s) k=%.3f %s k/kF=%.1f h=%.3f v=%.4f turn=%.3f\n", name, p.Gaits[gi].Name, z.L, z.U, z.USetBy, z.K, z.KSetBy, z.K/z.KF, z.H, c.Allowed(gi).Linear[0], c.Allowed(gi).Turn)
			w, err := newRunner(r, p, gi)
			if err != nil {
				fmt.Println(err)
				continue
			}
			w.full = true
			n := w.neutral(p, gi)
			for h := 0; h <= control.Headings; h += 4 {
				sn, cs := math.Sincos(2 * math.Pi * float64(h) / control.Headings)
				tw := [3]float64{cs * n.Linear[h%16], sn * n.Linear[h%16], 0}
				if h == control.Headings {
					tw = [3]float64{0, 0, n.Turn}
				} else if n.Linear[h] == 0 {
					continue
				}
				res := w.run(tw, false)
				fmt.Printf("   h=%2d v=%.3f/%.3f steady=%v walks=%v bind=%d reach=%.2f angle=%.2f rate=%.2f torque=%.2f margin/L=%.3f mean/L=%.3f duty=%.2f lifts=%d ticks=%d\n", h, res.Speed, math.Hypot(tw[0], tw[1]), res.Steady, res.Walks, res.Bind, res.Reach.Value, res.Angle.Value, res.Rate.Value, res.Torque.Value, res.Margin/z.L, res.Mean/z.L, res.Duty, res.LiftOffs, res.Ticks)
			}
		}
	}
}
