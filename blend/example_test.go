package blend_test

import (
	"fmt"

	"legctl/blend"

	"gonum.org/v1/gonum/spatial/r2"
)

// Four motions by velocity: stand, walk, run and a walk to the left. Half of
// walking speed, a little to the left:
func ExampleGradientBand() {
	motions := []r2.Vec{{}, {X: 1}, {X: 3}, {Y: 1}}
	w := make([]float64, len(motions))
	if err := blend.GradientBand(w, motions, r2.Vec{X: .5, Y: .2}, blend.BandOptions{}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("stand %.2f, walk %.2f, run %.2f, left %.2f\n", w[0], w[1], w[2], w[3])
	// Output:
	// stand 0.42, walk 0.42, run 0.00, left 0.17
}
