package clip_test

import (
	"fmt"

	"legctl/blend/clip"
)

func ExampleLoad() {
	file := `HIERARCHY
ROOT hip
{
	OFFSET 0 1 0
	CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
	End Site
	{
		OFFSET 0 -1 0
	}
}
MOTION
Frames: 2
Frame Time: 0.5
0 0 0 0 0 0
0 0 2 0 0 0
`
	clips, err := clip.Load("step.bvh", []byte(file), clip.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	c := clips[0]
	frames := make([]clip.Frame, len(c.Bones))
	c.Frames(frames, make([]clip.Local, len(c.Bones)), 0.25)
	fmt.Println(c.Name, c.Length, frames[1].P)
	// Output: step 0.5 {1 0 0}
}
