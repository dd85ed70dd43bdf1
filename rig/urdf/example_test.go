package urdf_test

import (
	"fmt"
	"strings"

	"legctl/configs"
	"legctl/rig/urdf"
)

// A shipped rig as a URDF robot: its joints by name.
func ExampleWrite() {
	r, err := configs.LoadRig("bittle")
	if err != nil {
		fmt.Println(err)
		return
	}
	var file strings.Builder
	if err := urdf.Write(&file, r); err != nil {
		fmt.Println(err)
		return
	}
	for _, line := range strings.Split(file.String(), "\n") {
		if strings.Contains(line, `<joint name="lf_`) {
			fmt.Println(strings.TrimSpace(line))
		}
	}
	// Output:
	// <joint name="lf_shoulder" type="revolute">
	// <joint name="lf_knee" type="revolute">
	// <joint name="lf_foot" type="fixed">
}
