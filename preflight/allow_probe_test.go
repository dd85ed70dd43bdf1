package preflight

import (
	"fmt"
	"os"
	"testing"
	"time"

	"legctl/configs"
	"legctl/control"
)

func TestAllow(t *testing.T) {
	if os.Getenv("ALLOW") == "" {
		t.Skip()
	}
	names := configs.Rigs()
	names = append(names, "octopod@0.06", "octopod@3", "quadruped@0.06", "hexapod@0.06", "biped@0.06", "quadruped@3")
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
			t0 := time.Now()
			a, err := Allowed(r, p, gi)
			d := time.Since(t0)
			n := c.Allowed(gi)
			fmt.Printf("%s %s U=%.4f(%s) k=%.3f %s v=%.4f | ", name, p.Gaits[gi].Name, z.U, z.USetBy, z.K, z.KSetBy, n.Linear[0])
			for i := range a.Linear {
				fmt.Printf("%.2f/%d ", a.Linear[i]/(n.Linear[i]+1e-12), a.LinearBind[i])
			}
			fmt.Printf(" turn %.3f %.2f/%d %v %v\n", n.Turn, a.Turn/n.Turn, a.TurnBind, err, d.Round(time.Millisecond))
		}
	}
}
