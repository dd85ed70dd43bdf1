package geom_test

import (
	"fmt"

	"legctl/geom"

	"gonum.org/v1/gonum/spatial/r2"
)

func ExampleHull() {
	feet := []r2.Vec{{X: 1, Y: 1}, {X: -1, Y: -1}, {X: 1, Y: -1}, {X: 1, Y: 0}, {X: -1, Y: 1}}
	hull := geom.Hull(make([]r2.Vec, 0, len(feet)), feet)
	fmt.Println(hull)
	fmt.Println(geom.SignedArea(hull), "m2")
	q, d := geom.Closest(hull, r2.Vec{X: 0.25})
	fmt.Println(q, d)
	// Output:
	// [{-1 -1} {1 -1} {1 1} {-1 1}]
	// 4 m2
	// {1 0} 0.75
}
