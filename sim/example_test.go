package sim_test

import (
	"context"
	"fmt"
	"math/bits"

	"legctl/configs"
	"legctl/geom"
	"legctl/rig"
	"legctl/sim"

	"gonum.org/v1/gonum/spatial/r3"
)

// A rig held in neutral stance is pushed and comes to rest again.
func ExampleSim() {
	r, err := configs.LoadRig("phantomx")
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := sim.New(r, geom.Level(0), sim.Default(), sim.Scale{U: 0.05, K: 0.05, Gravity: 9.81}, 0.01, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	stand := rig.NewSetpoint(r)
	push := sim.Event{Kind: sim.EventPush, Vec: r3.Vec{X: 0.1}} // m/s
	if err := s.Do(push); err != nil {
		fmt.Println(err)
		return
	}
	for range 200 {
		if err := s.Apply(context.Background(), stand); err != nil {
			fmt.Println(err)
			return
		}
	}
	fmt.Printf("pushed %.3f m, on %d feet, %d falls\n", s.Pose().P.X, bits.OnesCount64(s.Contacts()), s.Falls())
	// Output: pushed 0.023 m, on 6 feet, 0 falls
}
