package sim

import (
	"context"
	"testing"

	"legctl/rig"
	"legctl/sim/terrain"

	"gonum.org/v1/gonum/spatial/r3"
)

func octopod() spec {
	return spec{name: "octopod", tall: 1.1, speed: 60, feet: mirrored(
		r3.Vec{X: 1.6, Y: 1.1}, r3.Vec{X: 0.5, Y: 1.5}, r3.Vec{X: -0.6, Y: 1.5}, r3.Vec{X: -1.7, Y: 1.1})}
}

// walking returns a closure that advances a walking rig by one tick, with
// setpoints worked out beforehand.
func walking(t testing.TB, c spec, kind string, offset []float64) func() {
	terrainSpec, _ := terrain.Default(kind, 1)
	g, err := terrain.New(terrainSpec)
	if err != nil {
		t.Fatal(err)
	}
	s := newSim(t, c.build(t, 1), g, Default(), Reference, tickR)
	d := newDriver(s, 1, 13*tickR, 0.6, offset...)
	d.yawRate = 0.3
	var points []rig.Setpoint
	for range 260 {
		sp := d.tick(tickR)
		points = append(points, rig.Setpoint{Q: append([]float64(nil), sp.Q...), Time: tickR})
	}
	ctx, obs := context.Background(), rig.NewObservation(s.rig)
	i := 0
	return func() {
		if s.Apply(ctx, &points[i%len(points)]) != nil || s.Observe(ctx, obs) != nil {
			t.Fatal("refused")
		}
		i++
	}
}

func BenchmarkStep(b *testing.B) {
	rows := []struct {
		c       spec
		kind    string
		offsets []float64
	}{
		{quadruped(), "flat", []float64{0, 0.5, 0.5, 0}},
		{hexapod(), "flat", tripod()},
		{hexapod(), "world", tripod()},
		{octopod(), "flat", []float64{0, 0.5, 0.5, 0, 0, 0.5, 0.5, 0}},
	}
	for _, r := range rows {
		b.Run(r.c.name+"/"+r.kind, func(b *testing.B) {
			tick := walking(b, r.c, r.kind, r.offsets)
			b.ReportAllocs()
			for b.Loop() {
				tick()
			}
		})
	}
}

func TestStepAllocatesNothing(t *testing.T) {
	for _, kind := range []string{"flat", "world"} {
		tick := walking(t, hexapod(), kind, tripod())
		if n := testing.AllocsPerRun(300, tick); n != 0 {
			t.Errorf("%s: %v allocations a tick", kind, n)
		}
	}
	s := reference(t, hexapod())
	sp := rig.NewSetpoint(s.rig)
	sp.Limp = true
	if n := testing.AllocsPerRun(300, func() { apply(t, s, sp) }); n != 0 {
		t.Errorf("limp: %v allocations a tick", n)
	}
}
