package ik_test

import (
	"fmt"

	"legctl/configs"
	"legctl/ik"
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r3"
)

// A chain of three links that lies straight is asked to put its end on a point
// of its own line, where plain FABRIK would stand still.
func ExampleFabrik() {
	lengths := []float64{0.05, 0.12, 0.18}
	joints := []r3.Vec{{}, {X: 0.05}, {X: 0.17}, {X: 0.35}}
	res := ik.Fabrik(joints, lengths, r3.Vec{X: 0.25}, ik.Options{})
	fmt.Println(res.Status, res.Residual)
	fmt.Printf("%.3f\n", joints[3].X)

	res = ik.Fabrik(joints, lengths, r3.Vec{Z: -0.5}, ik.Options{})
	fmt.Printf("%v, %.2f m short\n", res.Status, res.Residual)
	// Output:
	// reached 0
	// 0.250
	// out of reach, 0.15 m short
}

// The left front foot of a real hexapod is put two centimetres ahead of and
// one above its neutral place.
func ExampleSolver() {
	r, err := configs.LoadRig("phantomx")
	if err != nil {
		fmt.Println(err)
		return
	}
	s := ik.NewSolver(r, ik.DefaultParams())
	q := r.RestPose(nil) // the angles of the whole rig: warm start and answer
	foot := r3.Add(r.Legs[0].Neutral, r3.Vec{X: 0.02, Z: 0.01})
	res := s.Solve(q, 0, ik.Target{Foot: foot})
	off := r3.Norm(r3.Sub(rig.Foot(r, 0, q), foot))
	fmt.Println(res.Status, off < 1e-10)

	res = s.Solve(q, 0, ik.Target{Foot: r3.Add(foot, r3.Vec{X: 1})})
	fmt.Println(res.Status)
	// Output:
	// reached true
	// out of reach
}
