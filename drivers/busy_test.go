package drivers_test

import (
	"testing"

	"legctl/drivers"
	"legctl/drivers/emulator"
	"legctl/drivers/servo"
)

// TestSaturatedBusIsBusy: asked as fast as it goes, a bus has bytes on its wire at
// least 95 % of the time: no driver waits for what it need not wait for.
func TestSaturatedBusIsBusy(t *testing.T) {
	for _, protocol := range []string{"dxl1", "dxl2", "feetech_sts", "feetech_scs", "lx16a"} {
		var ids []int
		for id := 1; id <= 18; id++ {
			ids = append(ids, id)
		}
		bank, err := emulator.New(emulator.Options{Protocol: protocol, IDs: ids, Wire: true})
		if err != nil {
			t.Fatal(err)
		}
		line := emulator.NewLine(bank)
		proto, err := drivers.ProtocolOf(protocol)
		if err != nil {
			t.Fatal(err)
		}
		cfg := &servo.Config{Protocol: protocol, Latency: 1e-9}
		link := drivers.LinkOf(line, line, proto, cfg)
		drv, err := proto.Driver(link, cfg)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := drv.Open(ids); err != nil {
			t.Fatal(err)
		}
		goals, seen := make([]servo.Goal, len(ids)), make([]servo.Feedback, len(ids))
		for i, id := range ids {
			goals[i].ID, seen[i].ID = id, id
		}
		if err := drv.Enable(goals); err != nil {
			t.Fatal(err)
		}
		begin, wire := line.Now(), link.Bus.Stats.Wire
		for range 100 {
			if err := drv.Write(goals, 0.02); err != nil {
				t.Fatal(err)
			}
			if err := drv.Read(seen); err != nil {
				t.Fatal(err)
			}
			for _, f := range seen {
				if f.Has&servo.HasPos == 0 {
					t.Fatalf("%s: servo %d: %v", protocol, f.ID, f.Fault)
				}
			}
		}
		busy := float64(link.Bus.Stats.Wire-wire) / float64(line.Now()-begin)
		t.Logf("%s: busy %.1f %%", protocol, 100*busy)
		if busy < 0.95 {
			t.Errorf("%s: busy %.1f %% of the time, want 95", protocol, 100*busy)
		}
	}
}
