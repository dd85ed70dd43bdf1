package space_test

import (
	"fmt"

	"legctl/blend/space"

	"gonum.org/v1/gonum/spatial/r2"
)

// A body that can bend its path from hard right to hard left, and a goal a
// little to the left.
func ExampleFans_Choose() {
	f := space.Fans{
		Starts: []float64{0.5},
		Finals: []float64{0, 0.5, 1},
		Places: [][]r2.Vec{{{X: 1, Y: -1}, {X: 2}, {X: 1, Y: 1}}},
	}
	c, err := f.Choose(make([]r2.Vec, 3), 0.5, r2.Vec{X: 4, Y: 1}, space.ByAngle, space.Bracket)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("go to %.2f, now %.2f\n", c.Final, space.Follow(0.5, c.Final, 3, 1./30))
	// Output: go to 0.66, now 0.60
}
