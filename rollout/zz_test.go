package rollout_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"legctl/configs"
	"legctl/control"
	"legctl/preflight"
	"legctl/rollout"
)

func TestZZ(t *testing.T) {
	names := strings.Fields(os.Getenv("RIGS"))
	if len(names) == 0 {
		names = configs.Rigs()
	}
	only := os.Getenv("GAITS")
	grounds := strings.Fields(os.Getenv("GROUND"))
	if len(grounds) == 0 {
		grounds = []string{"flat"}
	}
	for _, name := range names {
		r := load(t, name)
		if r.Refused != "" {
			continue
		}
		t0 := time.Now()
		p := control.DefaultParams(r)
		if os.Getenv("FILL") != "" {
			var err error
			if p, err = preflight.Fill(r, p); err != nil {
				t.Fatal(err)
			}
		}
		fmt.Printf("%s: %d gaits, fill %.2fs\n", name, len(p.Gaits), time.Since(t0).Seconds())
		c, _ := control.New(r, p)
		for i := range p.Gaits {
			if only != "" && !strings.Contains(" "+only+" ", " "+p.Gaits[i].Name+" ") {
				continue
			}
			if ok, why := c.Offers(i); !ok {
				fmt.Printf("  %-18s refused: %s\n", p.Gaits[i].Name, why)
				continue
			}
			a := c.Allowed(i)
			for _, g := range grounds {
				line := ""
				for h := 0; h <= 16; h += 4 {
					var vx, vy, wz, want float64
					if h == 16 {
						wz, want = a.Turn, a.Turn
					} else {
						want = a.Linear[h]
						sn, cs := math.Sincos(2 * math.Pi * float64(h) / 16)
						vx, vy = want*cs, want*sn
					}
					if want == 0 {
						continue
					}
					m := meter{lifts: make([]int, len(r.Legs))}
					n := uint64(math.Max(walkTime*c.Sizing(i).K, 10) / p.Dt)
					least := math.Inf(1)
					sum, err := rollout.Run(context.Background(), rollout.Config{
						Rig: r, Params: &p, Terrain: on(t, r, g), Ticks: n, Commands: []rollout.Order{
							{Command: control.Command{Kind: control.KindGait, Gait: uint16(i)}}, twist(0.05, vx, vy, wz)},
						Each: func(x *rollout.Rollout) error { least = min(least, x.Cell.Frame.Out.Margin); return m.each(x) },
					})
					if err != nil {
						t.Fatal(err)
					}
					got := m.way(vx/want, vy/want, wz) / (float64(m.ticks) * p.Dt)
					line += fmt.Sprintf("| %.2f f%d c%d/%d/%d m%.3f ", got/want, sum.Falls, sum.AngleLimits, sum.SpeedLimits, sum.Unreached, least/r.L())
				}
				f := c.Fitted(i)
				fmt.Printf("  %-18s %-5s T %.2f v %.3f st %v r%.2f %v %s\n", p.Gaits[i].Name, g, c.Period(i), a.Linear[0], c.Static(i), f.Raised, f.By, line)
			}
		}
	}
}
