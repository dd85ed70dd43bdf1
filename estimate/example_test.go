package estimate_test

import (
	"fmt"

	"legctl/estimate"
	"legctl/geom"

	"gonum.org/v1/gonum/spatial/r3"
)

// Four feet carry a body ahead at 0.2 m/s; one of them drags behind it. The feet
// that agree are believed, and the slip of the fourth is booked to it alone.
func ExampleOdometry() {
	const dt = 0.01
	p := estimate.DefaultOdometry(0.4)
	o := estimate.NewOdometry(geom.Identity())
	tracks := make([]estimate.Track, 4)
	feet := []r3.Vec{{X: 0.2, Y: 0.1, Z: -0.3}, {X: 0.2, Y: -0.1, Z: -0.3}, {X: -0.2, Y: 0.1, Z: -0.3}, {X: -0.2, Y: -0.1, Z: -0.3}}
	for range 101 {
		o.Update(&p, tracks, &estimate.Standing{FeetB: feet, Down: 0b1111}, dt)
		for i := range feet {
			feet[i].X -= 0.2 * dt
		}
		feet[3].X += 0.1 * dt
	}
	fmt.Printf("went %.2f m\n", o.PoseWB.P.X)
	fmt.Printf("slipped %.1f %.1f %.1f %.1f m\n", tracks[0].Slip, tracks[1].Slip, tracks[2].Slip, tracks[3].Slip)
	// Output:
	// went 0.20 m
	// slipped 0.0 0.0 0.0 0.1 m
}
