package control_test

import (
	"fmt"

	"legctl/configs"
	"legctl/control"
	"legctl/geom"
)

// Example walks a hexapod forward for ten seconds without a plant: on flat
// ground, its own wish taken for the truth.
func Example() {
	r, err := configs.LoadRig("phantomx")
	if err != nil {
		fmt.Println(err)
		return
	}
	c, err := control.New(r, control.DefaultParams(r))
	if err != nil {
		fmt.Println(err)
		return
	}
	state, out := &control.NewStates(r, 1)[0], &control.NewOutputs(r, 1)[0]
	ground := geom.Level(0)
	c.Start(state, nil, ground, true)
	cmd := &control.Command{Kind: control.KindTwist, Vx: 0.05, TTL: 60}
	lifts := 0
	for range 1000 {
		c.Step(out, state, cmd, nil, ground)
		cmd = nil
		if out.LiftOff != 0 {
			lifts++
		}
	}
	fmt.Printf("%.1f m in mode %v, margin over 0.08 m: %v, stepped: %v\n",
		state.BaseW.X, state.Mode, out.Margin > 0.08, lifts > 10)
	// Output:
	// 0.5 m in mode walk, margin over 0.08 m: true, stepped: true
}
