package drivers_test

import (
	"slices"
	"testing"

	"legctl/control"
	"legctl/control/mode"
	"legctl/loop"
)

// TestLeaveSitsDownFirst: a robot that is asked to leave in mid-stride stops, sits
// down and goes limp, within 4 s of its grace of 10. Those that lean for each step come
// down over their feet where they stand.
func TestLeaveSitsDownFirst(t *testing.T) {
	for _, name := range robots() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, name)
			care := &loop.Care{Dt: b.dt}
			b.tick.Care = care
			b.stand()
			b.run(2, b.forward())
			care.Leave()
			n, modes := 0, []mode.Mode{}
			for ; !care.Left(b.cell.State.Mode); n++ {
				b.step(control.Command{})
				if m := b.cell.State.Mode; len(modes) == 0 || modes[len(modes)-1] != m {
					modes = append(modes, m)
				}
			}
			took := float64(n) * b.dt
			t.Logf("limp after %.1f s, by %v", took, modes)
			if b.cell.State.Mode != mode.Limp || took > 4 || !slices.Contains(modes, mode.Sitting) {
				t.Errorf("after %.1f s by %v", took, modes)
			}
			for i := range b.cfg.Servos {
				if m, _ := b.bank.Motor(b.cfg.Servos[i].ID); m.Torque {
					t.Errorf("%s holds", b.cfg.Servos[i].Name)
				}
			}
		})
	}
}
