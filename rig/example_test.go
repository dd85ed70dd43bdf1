package rig_test

import (
	"fmt"

	"legctl/rig"
)

// A rig is validated once; then legs, groups and kinematics are read from it.
func Example() {
	r := pairs(3)
	if err := r.Validate(); err != nil {
		fmt.Println(err)
		return
	}
	q := r.RestPose(nil)
	foot := rig.Foot(r, 0, q)
	fmt.Printf("%d legs, %d joints, %.2f kg\n", len(r.Legs), r.Joints(), r.Mass())
	fmt.Printf("foot of %s at %.3f %.3f %.3f\n", r.Legs[0].Name, foot.X, foot.Y, foot.Z)
	fmt.Println("colours", r.Groups.Colour)
	// Output:
	// 6 legs, 18 joints, 2.90 kg
	// foot of l0 at 0.200 0.204 -0.120
	// colours [0 1 1 0 0 1]
}
