package control_test

import (
	"testing"
	"fmt"
	"legctl/gait"
)

func TestZ(t *testing.T) {
	for _, cross := range []float64{0,1} {
	for _, dt := range []float64{.05,.01} {
	for _, n := range []string{"quadruped","hexapod","octopod"} {
		ru := gait.ReferenceWalk()
		ru.CrossPair = cross
		w := build(t, setting{rig: n, rules: ru, dt: dt})
		w.twist(0.15,0,0)
		w.run(w.inK(400))
		var cl uint64; wait := 0
		for i := range w.ticks { cl |= w.ticks[i].clamped; if w.ticks[i].waiting {wait++} }
		fmt.Printf("%s cross %v dt %v: %+v clamp %b wait %d falls %d pose %v\n", n, cross, dt, w.strides(w.inK(100)), cl, wait, w.sim.Falls(), w.sim.Pose().P)
	}}}
}
