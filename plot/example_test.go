package plot_test

import (
	"bytes"
	"fmt"

	"legctl/gait"
	"legctl/plot"
)

func ExampleWrite() {
	trot := gait.Gait{Name: "trot", Duty: []float64{.6, .6, .6, .6}, Offset: []float64{0, .5, .5, 0}}
	p := &plot.Hildebrand{
		Title:   "trot, duty 0.6",
		Diagram: trot.Sample([]string{"LF", "RF", "LR", "RR"}, 200),
		Side:    []int8{1, -1, 1, -1},
	}
	var svg bytes.Buffer
	if err := plot.Write(&svg, p, "svg"); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(bytes.Contains(svg.Bytes(), []byte("trot, duty 0.6")))
	// Output: true
}
