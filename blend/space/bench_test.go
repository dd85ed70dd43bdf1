package space_test

import (
	"testing"

	"legctl/blend/space"

	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/gonum/spatial/r3"
)

func BenchmarkGoalTable(b *testing.B) {
	s := baked(b, loadRig(b, "hexapod"), walkStyle())
	for b.Loop() {
		if _, err := space.NewGoals(s, 0, space.GoalOptions{Starts: 13, Finals: 25, Horizon: 1.333}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(s.Motions[0].Goals.Starts)), "starts")
}

func BenchmarkStep(b *testing.B) {
	s := baked(b, loadRig(b, "hexapod"), walkStyle(), runStyle())
	p := play(s)
	p.st.Want([]float64{.5, .5})
	p.st.Final[0], p.st.Final[1] = .3, .3 // four clips
	for range 100 {
		p.step(tick)
	}
	b.ReportAllocs()
	for b.Loop() {
		p.step(tick)
	}
}

// style adds what a style adds to a tick of a hexapod: three swinging feet and
// the body.
func styleTick(y *space.Style, phase float64, w []float64) r3.Vec {
	if !y.Any(w) {
		return r3.Vec{}
	}
	move, _ := y.Body(phase, w)
	for leg := 0; leg < 6; leg += 2 {
		move = r3.Add(move, y.Foot(leg, 0.4, w))
	}
	return move
}

func BenchmarkStyleFourClips(b *testing.B) {
	strut, creep, jog := runStyle(), runStyle(), runStyle()
	strut.Name, creep.Name, jog.Name = "strut", "creep", "jog"
	strut.Lift, creep.Period, jog.Stride = .3, 5, .6
	s := baked(b, loadRig(b, "hexapod"), walkStyle(), strut, creep, jog)
	y, _, err := space.NewStyle(s)
	if err != nil {
		b.Fatal(err)
	}
	for name, w := range map[string][]float64{"live": {.1, .3, .3, .3}, "zero": {0, 0, 0, 0}} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			phase, sum := 0.0, r3.Vec{}
			for b.Loop() {
				phase += 0.013
				sum = r3.Add(sum, styleTick(y, phase, w))
			}
			_ = sum
		})
	}
}

func BenchmarkSteer(b *testing.B) {
	s := baked(b, loadRig(b, "hexapod"), walkStyle())
	p := play(s)
	p.step(tick)
	g := space.Goal{At: r2.Vec{X: 30, Y: 20}}
	for b.Loop() {
		p.st.Touched = 1
		s.Steer(p.st, g, space.Guide{}, tick)
	}
}
