package telemetry_test

import (
	"fmt"

	"legctl/telemetry"
)

// A message that names a gait almost right is refused, and says what was meant.
func ExampleNames_Decode() {
	names := &telemetry.Names{Rig: "phantomx", Legs: []string{"lf"}, Gaits: []string{"tripod", "wave"}}
	var r telemetry.Request
	err := names.Decode(&r, "gait", []byte(`{"gait":"wave","id":12}`))
	fmt.Println(string(r.ID), names.Gait(r.Cmd.Gait), err)
	err = names.Decode(&r, "gait", []byte(`{"gait":"tripot"}`))
	fmt.Println(err)
	// Output:
	// 12 wave <nil>
	// telemetry: gait: unknown gait "tripot"; did you mean "tripod"?
}
