package control_test

import (
	"fmt"

	"legctl/configs"
	"legctl/control"
	"legctl/geom"
)

// A hexapod on flat ground is told once to walk, and walks two seconds. No
// plant is needed: without an observation the controller goes by its intent.
func ExampleController_Step() {
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

	c.Step(out, state, &control.Command{ID: 7, Kind: control.KindTwist, Vx: 0.05, TTL: 60}, nil, ground)
	fmt.Println("command", out.Reply.ID, "accepted:", out.Reply.Reason == control.Accepted)

	hit := uint64(0)
	for range int(2 / c.Params().Dt) {
		c.Step(out, state, nil, nil, ground)
		hit |= out.AngleLimit | out.SpeedLimit | out.Unreached
	}
	fmt.Printf("mode %v, %.2f m/s, margin over its floor: %v, limits hit: %v\n",
		out.Mode, out.Twist[0], out.Margin > 0.02*r.L(), hit != 0)
	// Output:
	// command 7 accepted: true
	// mode walk, 0.05 m/s, margin over its floor: true, limits hit: false
}
