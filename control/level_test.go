package control_test

import "testing"

// TestLevelComesToRest: on level ground the body is level after a while, and not a
// fraction of a fraction off it for ever.
func TestLevelComesToRest(t *testing.T) {
	for _, w := range walks {
		x := newBench(t, w.rig, w.gait, w.closed)
		x.s.Level = [2]float64{0.02, -0.03}
		for range 3000 {
			x.step()
		}
		if x.s.Level != [2]float64{} {
			t.Errorf("%s: tilted by %g and %g rad after 3000 ticks on level ground", w.name, x.s.Level[0], x.s.Level[1])
		}
	}
}
