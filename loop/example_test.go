package loop_test

import (
	"context"
	"fmt"

	"legctl/control"
	"legctl/loop"
)

// Three ticks of a scripted controller on a plant that prints what it is asked.
func ExampleCycle() {
	p := &plant{on: func(call string) { fmt.Println(call) }}
	c := loop.NewCell(twoLegs(), p, &script{}, nil)
	for _, kind := range []control.Kind{control.KindNone, control.KindMode, control.KindNone} {
		c.Frame.Cmd = control.Command{Kind: kind}
		if err := loop.Cycle(context.Background(), c); err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// observe
	// limp
	// observe
	// enable 3
	// apply 1
	// observe
	// apply 2
}
