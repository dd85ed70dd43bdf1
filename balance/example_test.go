package balance_test

import (
	"fmt"

	"legctl/balance"

	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/gonum/spatial/r3"
)

// A quadruped that has lifted its left front foot: first it leans away from it,
// then over it.
func ExampleMargin() {
	feet := []r3.Vec{{X: 0.2, Y: 0.1}, {X: 0.2, Y: -0.1}, {X: -0.2, Y: 0.1}, {X: -0.2, Y: -0.1}}
	stance := []bool{false, true, true, true}
	support := balance.Support(make([]r2.Vec, 0, 4), feet, stance)
	for _, com := range []r3.Vec{{X: -0.03, Y: -0.02, Z: 0.2}, {X: 0.03, Y: 0.02, Z: 0.2}} {
		flat := r2.Vec{X: com.X, Y: com.Y}
		where, _ := balance.Locate(support, flat)
		f := balance.Force(support, com, 9.81)
		fmt.Printf("%v: margin %.4f m, force (%.2f, %.2f, %.2f)\n", where, balance.Margin(support, flat), f.X, f.Y, f.Z)
	}
	// Output:
	// inside: margin 0.0313 m, force (0.00, 0.00, 9.81)
	// outside: margin -0.0313 m, force (0.68, 1.36, 9.69)
}
