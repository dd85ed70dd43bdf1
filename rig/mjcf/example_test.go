package mjcf_test

import (
	"fmt"
	"strings"

	"legctl/configs"
	"legctl/rig/mjcf"
)

// A shipped rig as a MuJoCo model with softer actuators than its own.
func ExampleWrite() {
	r, err := configs.LoadRig("a1")
	if err != nil {
		fmt.Println(err)
		return
	}
	var file strings.Builder
	if err := mjcf.Write(&file, r, mjcf.Options{KP: 100}); err != nil {
		fmt.Println(err)
		return
	}
	for _, line := range strings.Split(file.String(), "\n") {
		if strings.Contains(line, `<position name="lf_`) {
			fmt.Println(strings.TrimSpace(line))
		}
	}
	// Output:
	// <position name="lf_hip" joint="lf_hip" kp="100" forcerange="-33.5 33.5" ctrlrange="-0.802851456 0.802851456"></position>
	// <position name="lf_thigh" joint="lf_thigh" kp="100" forcerange="-33.5 33.5" ctrlrange="-1.04719755 4.1887902"></position>
	// <position name="lf_calf" joint="lf_calf" kp="100" forcerange="-33.5 33.5" ctrlrange="-2.69653369 -0.916297857"></position>
}
