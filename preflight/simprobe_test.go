package preflight

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"os"
	"strings"
	"testing"

	"legctl/configs"
	"legctl/control"
	"legctl/rig"
	"legctl/sim"
	"legctl/sim/terrain"
)

func TestSimProbe(t *testing.T) {
	if os.Getenv("SIM") == "" {
		t.Skip()
	}
	names := configs.Rigs()
	terr := []string{"flat", "rough"}
	rate := 50.0
	only := ""
	ideal := false
	for _, kv := range strings.Fields(os.Getenv("SIM")) {
		k, v, _ := strings.Cut(kv, "=")
		switch k {
		case "rig":
			names = strings.Split(v, ",")
		case "ter":
			terr = strings.Split(v, ",")
		case "rate":
			fmt.Sscan(v, &rate)
		case "gait":
			only = v
		case "ideal":
			ideal = true
		}
	}
	for _, name := range names {
		r, err := configs.LoadRig(name)
		if err != nil {
			fmt.Println(name, "ERR", err)
			continue
		}
		p := control.DefaultParams(r)
		p.Dt = 1 / rate
		p, err = Fill(r, p)
		if err != nil {
			fmt.Println(name, err)
			continue
		}
		c, err := control.New(r, p)
		if err != nil {
			fmt.Println(name, "NEW", err)
			continue
		}
		for gi := range p.Gaits {
			if ok, _ := c.Offers(gi); !ok || only != "" && p.Gaits[gi].Name != only {
				continue
			}
			for _, tn := range terr {
				simOne(c, r, gi, tn, p, ideal)
			}
		}
	}
}

func simOne(c *control.Controller, r *rig.Rig, gi int, tn string, p control.Params, ideal bool) {
	z := c.Sizing(gi)
	a := c.Allowed(gi)
	line := fmt.Sprintf("%-14s %-7s %-6s", r.Name, p.Gaits[gi].Name, tn)
	for h := 0; h <= 16; h += 4 {
		spec, ok := terrain.Default(tn, z.U)
		if !ok {
			fmt.Println("no terrain", tn)
			return
		}
		ter, err := spec.Build()
		if err != nil {
			fmt.Println(err)
			return
		}
		sp := sim.Default()
		sp.Servo.Limited = !ideal
		sp.Leeway = p.Gaits[gi].Rules.Leeway
		s, err := sim.New(r, ter, sp, sim.Scale{U: z.U, K: z.K, Gravity: r.G()}, p.Dt, 1)
		if err != nil {
			fmt.Println(err)
			return
		}
		obs := rig.NewObservation(r)
		ctx := context.Background()
		s.Open(ctx)
		s.Enable(ctx, ^uint64(0)>>(64-len(r.Legs)))
		s.Observe(ctx, obs)
		st := &control.NewStates(r, 1)[0]
		out := &control.NewOutputs(r, 1)[0]
		c.Start(st, obs, ter, true)
		st.Gait = uint16(gi)
		sn, cs := math.Sincos(2 * math.Pi * float64(h) / 16)
		v := a.Linear[h%16]
		cmd := &control.Command{Kind: control.KindTwist, Vx: cs * v, Vy: sn * v, TTL: 3600}
		if h == 16 {
			v = a.Turn
			cmd = &control.Command{Kind: control.KindTwist, Wz: v, TTL: 3600}
		} else if v == 0 {
			line += "   -"
			continue
		}
		ticks := int(math.Max(20, 150*z.K) / p.Dt)
		warm := int(30 * z.K / p.Dt)
		var x0, y0, yaw float64
		minM := math.Inf(1)
		ang, spd, unr := 0, 0, 0
		lastYaw := 0.0
		for k := 0; k < ticks; k++ {
			s.Observe(ctx, obs)
			c.Step(out, st, cmd, obs, ter)
			cmd = nil
			s.Apply(ctx, &out.Set)
			P := s.Pose()
			y := math.Atan2(2*(P.Q.Real*P.Q.Kmag+P.Q.Imag*P.Q.Jmag), 1-2*(P.Q.Jmag*P.Q.Jmag+P.Q.Kmag*P.Q.Kmag))
			d := y - lastYaw
			if d > math.Pi {
				d -= 2 * math.Pi
			} else if d < -math.Pi {
				d += 2 * math.Pi
			}
			lastYaw = y
			yaw += d
			if k == warm {
				x0, y0, yaw = P.P.X, P.P.Y, 0
			}
			if k > warm {
				minM = math.Min(minM, out.Margin)
			}
			ang += bits.OnesCount64(out.AngleLimit)
			spd += bits.OnesCount64(out.SpeedLimit)
			unr += bits.OnesCount64(out.Unreached)
		}
		T := float64(ticks-warm) * p.Dt
		P := s.Pose()
		sp1 := math.Hypot(P.P.X-x0, P.P.Y-y0) / T
		if h == 16 {
			sp1 = yaw / T
		}
		mark := ""
		if s.Falls() > 0 {
			mark += fmt.Sprintf("F%d", s.Falls())
		}
		if ang+spd+unr > 0 {
			mark += fmt.Sprintf("[a%d s%d u%d]", ang, spd, unr)
		}
		if h < 16 {
			mark += fmt.Sprintf("y%.0f", yaw*57.3)
		}
		slip := 0.0
		for i := range r.Legs {
			slip += s.Slip(i)
		}
		line += fmt.Sprintf(" | %.2f m%.2f slip%.2f %s", sp1/v, minM/z.L, slip/z.L, mark)
	}
	fmt.Println(line)
}
