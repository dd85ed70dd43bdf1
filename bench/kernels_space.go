package bench

import (
	"fmt"
	"math"

	"legctl/blend"
	"legctl/blend/retarget"
	"legctl/blend/space"
	"legctl/configs"

	"gonum.org/v1/gonum/spatial/r3"
)

// The sizes that motion spaces are timed at.
const (
	webFrames   = 300
	webPoints   = 5
	webHalf     = 5
	tableSteps  = 40
	tableStarts = 13
	tableFinals = 25
)

// spaceKernels time what building a motion space costs, and what one adds to a
// tick of a hexapod: its style with four clips alive, and with none.
func spaceKernels(*workload) ([]kernel, error) {
	cloud := webCloud()
	out := []kernel{{area: "space", name: "web300", ops: 1, once: true, run: func() float64 {
		w, err := space.NewWeb(cloud, cloud, space.WebOptions{Half: webHalf})
		if err != nil {
			return 0
		}
		return w.Cost[17][40]
	}}}
	s, err := benchSpace()
	if err != nil {
		return nil, err
	}
	out = append(out, kernel{area: "space", name: "goals", ops: 1, once: true, run: func() float64 {
		g, err := space.NewGoals(s, 0, space.GoalOptions{Starts: tableStarts, Finals: tableFinals, Horizon: tableSteps / 30.})
		if err != nil {
			return 0
		}
		return g.Fans[0].Places[3][7].X
	}})
	y, _, err := space.NewStyle(s)
	if err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	for _, k := range []struct {
		name    string
		weights []float64
	}{{"style4", []float64{.1, .3, .3, .3}}, {"style0", []float64{0, 0, 0, 0}}} {
		out = append(out, kernel{area: "space", name: k.name, ops: 256, run: func() float64 { return styleTicks(y, k.weights) }})
	}
	st, pose := space.NewState(s), blend.NewPoses(blend.Shape{Feet: s.Feet()}, 1)
	st.Weights, st.Target = [space.MaxMotions]float64{.5, .5}, [space.MaxMotions]float64{.5, .5}
	for i := range s.Motions { // between two clips each
		st.Blend[i], st.Final[i] = 0.3, 0.3
	}
	return append(out, kernel{area: "space", name: "step4", ops: 64, run: func() float64 {
		for range 64 {
			s.Step(&pose[0], st, 0.02)
		}
		return pose[0].Feet[0].X
	}}), nil
}

// styleTicks is what a style adds to 256 ticks: three swinging feet and the
// body.
func styleTicks(y *space.Style, weights []float64) float64 {
	var sum r3.Vec
	for k := range 256 {
		if !y.Any(weights) {
			continue
		}
		move, turn := y.Body(float64(k)/256, weights)
		sum = r3.Add(sum, r3.Add(move, turn))
		for leg := 0; leg < 6; leg += 2 {
			sum = r3.Add(sum, y.Foot(leg, float64(k)/256, weights))
		}
	}
	return sum.X + sum.Y + sum.Z
}

// webCloud is a clip of five points that step while the root turns.
func webCloud() *space.Cloud {
	c := &space.Cloud{}
	for range webPoints {
		c.Weights = append(c.Weights, 1)
	}
	for k := range webFrames {
		a := space.Alignment{Yaw: 0.01 * float64(k)}
		row := make([]r3.Vec, webPoints)
		for p := range row {
			sin, cos := math.Sincos(float64(k)/5 + 1.3*float64(p))
			row[p] = a.Apply(r3.Vec{X: 0.3*cos + 0.1*float64(p), Y: 0.1 * float64(p%2), Z: max(0, 0.1*sin)})
		}
		c.Points = append(c.Points, row)
	}
	return c
}

// benchSpace is a hexapod's space of four motions; the first has six heel
// strikes in a cycle.
func benchSpace() (*space.Space, error) {
	r, err := configs.LoadRig("hexapod")
	if err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	p := retarget.PlanFor(r, "bench")
	for i, name := range []string{"wave", "walk", "strut", "jog"} {
		st := &retarget.Style{Name: name, Wave: i == 0, Duty: 0.8 - 0.1*float64(i), Stride: 0.5, Period: 6 - float64(i), Lift: 0.1 + 0.05*float64(i)}
		loops, _, err := retarget.BakeSet(r, st)
		if err != nil {
			return nil, fmt.Errorf("bench: %w", err)
		}
		p.Motions = append(p.Motions, space.PlanMotion{Name: name, Loops: loops})
	}
	s, _, err := space.Build(p, nil)
	if err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	return s, nil
}
