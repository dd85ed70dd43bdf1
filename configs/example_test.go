package configs_test

import (
	"fmt"
	"strings"

	"legctl/configs"
)

// A shipped rig is loaded by name; @metres scales it.
func ExampleLoadRig() {
	r, err := configs.LoadRig("octopod@0.06")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s: %d legs, %d joints, longest leg %.3f m, %.1f g\n", r.Name, len(r.Legs), r.Joints(), r.L(), 1000*r.Mass())
	// Output:
	// octopod-60mm: 8 legs, 32 joints, longest leg 0.060 m, 19.5 g
}

// Every fault of a file comes at once, with its place.
func ExampleParseRig() {
	_, err := configs.ParseRig("my.yaml", []byte(`rig: my
hight_m: 0.1
joints:
  - {name: hip, axis: pitch, link_m: 0.1, limits_deg: [90, -90]}
legs:
  - {name: l, mirror: r, mount_m: [0, 0.1]}
`))
	for _, line := range strings.Split(err.Error(), "\n") {
		if strings.HasPrefix(line, "my.yaml") {
			fmt.Println(line)
		}
	}
	// Output:
	// my.yaml:2:1: hight_m: unknown key; did you mean height_m?
	// my.yaml:4:55: joints[0].limits_deg: l_hip: limits reversed: [90, -90] deg, want min < max
	// my.yaml:6:35: legs[0].mount_m: a list of 2, want 3
}
