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

// A tree of a stand and a walk, played for a second at half speed: the stand
// has no phase, so the walk keeps its pace.
func ExampleTree1D() {
	frames := blend.NewPoses(blend.Shape{Angles: 1}, 3)
	frames[1].Angles[0] = 0.6 // the swing of a hip, there and back
	for k := range frames {
		frames[k].Root.Move.X = 0.25
	}
	walk, err := blend.NewCycle(frames, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	stand, err := blend.NewStill(&blend.NewPoses(walk.Shape(), 1)[0])
	if err != nil {
		fmt.Println(err)
		return
	}
	var p blend.Parameters
	tree, err := blend.NewTree1D(&p, "speed", []blend.Child{{X: 0, Motion: stand}, {X: 1, Motion: walk}}, blend.MeanLength)
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := p.Set("speed", 0.5); err != nil {
		fmt.Println(err)
		return
	}
	var player blend.Player
	pose := blend.NewPoses(tree.Shape(), 1)[0]
	if err := player.Step(&pose, tree, 1); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("a pass takes %.1f s; hip %.2f rad, root moved %.3f m\n", tree.Length(), pose.Angles[0], pose.Root.Move.X)
	// Output: a pass takes 2.0 s; hip 0.30 rad, root moved 0.125 m
}
