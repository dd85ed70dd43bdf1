package terrain_test

import (
	"fmt"

	"legctl/sim/terrain"

	"gonum.org/v1/gonum/spatial/r3"
)

// The stairs that a rig with a length unit of 5 cm meets.
func ExampleNew() {
	spec, _ := terrain.Default("stairs", 0.05)
	ground, err := terrain.New(spec)
	if err != nil {
		fmt.Println(err)
		return
	}
	hit, _ := ground.Cast(r3.Vec{X: 0.23, Z: 1}, r3.Vec{Z: -1}, 2)
	fmt.Printf("%.3f m high, made of %s\n", hit.Point.Z, terrain.Materials()[hit.Material].Name)
	// Output: 0.015 m high, made of stone
}
