package record_test

import (
	"bytes"
	"fmt"
	"io"

	"legctl/control"
	"legctl/record"
	"legctl/rig"
)

// One tick is written and read again.
func Example() {
	r := &rig.Rig{Legs: []rig.Leg{{Joints: make([]rig.Joint, 3)}}}
	h := &record.Header{Dt: 0.02, Seed: 1}
	h.Describe(r)
	var file bytes.Buffer
	w, err := record.NewWriter(&file, h)
	if err != nil {
		fmt.Println(err)
		return
	}
	tick, _ := control.NewFrame(r).AppendBinary(nil)
	_ = w.Put(control.TagFrame, 0, tick) // Close returns the first error
	if err := w.Close(); err != nil {
		fmt.Println(err)
		return
	}

	from, err := record.NewReader(&file)
	if err != nil {
		fmt.Println(err)
		return
	}
	for {
		rec, err := from.Next()
		if err != nil {
			fmt.Println(err == io.EOF)
			return
		}
		f := control.NewFrame(r)
		fmt.Println("tick", rec.Tick, f.UnmarshalBinary(rec.Data))
	}
	// Output:
	// tick 0 <nil>
	// true
}
