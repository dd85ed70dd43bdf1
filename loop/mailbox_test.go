package loop_test

import (
	"reflect"
	"sync"
	"testing"

	"legctl/control"
	"legctl/loop"
)

func twist(id uint64) control.Command { return control.Command{ID: id, Kind: control.KindTwist} }
func stop(id uint64) control.Command  { return control.Command{ID: id, Kind: control.KindStop} }

// ids takes n commands out, one a tick from tick 1.
func ids(m *loop.Mailbox, n int) []uint64 {
	var got []uint64
	for i := range n {
		var c control.Command
		m.Take(&c, uint64(i+1), 0.1)
		got = append(got, c.ID)
	}
	return got
}

func TestMailboxOrder(t *testing.T) {
	rows := []struct {
		name string
		put  []control.Command
		want []uint64
	}{
		{"nothing", nil, []uint64{0, 0}},
		{"one", []control.Command{stop(1)}, []uint64{1, 0}},
		{"in turn", []control.Command{stop(1), stop(2)}, []uint64{1, 2, 0}},
		{"newest twist", []control.Command{twist(1), twist(2), twist(3)}, []uint64{3, 0}},
		{"a stop is not overtaken", []control.Command{twist(1), stop(2), twist(3)}, []uint64{2, 3, 0}},
		{"a stop holds", []control.Command{twist(1), twist(2), stop(3)}, []uint64{2, 3, 0}},
		{"twist in the middle", []control.Command{stop(1), twist(2), stop(3), twist(4), stop(5)}, []uint64{1, 3, 4, 5, 0}},
	}
	for _, row := range rows {
		var m loop.Mailbox
		for _, c := range row.put {
			m.Put(c)
		}
		if got := ids(&m, len(row.want)); !reflect.DeepEqual(got, row.want) {
			t.Errorf("%s: %v, want %v", row.name, got, row.want)
		}
	}
}

func TestMailboxReceipts(t *testing.T) {
	var m loop.Mailbox
	if got, _ := m.Put(twist(1)); got != loop.Queued {
		t.Errorf("first twist: %v", got)
	}
	if got, old := m.Put(twist(2)); got != loop.Replaced || old != 1 {
		t.Errorf("second twist: %v, %d", got, old)
	}
	for i := range loop.MailboxSize - 1 {
		if got, _ := m.Put(stop(uint64(10 + i))); got != loop.Queued {
			t.Fatalf("stop %d: %v", i, got)
		}
	}
	if got, _ := m.Put(stop(99)); got != loop.Full {
		t.Errorf("one too many: %v", got)
	}
	if got, old := m.Put(twist(100)); got != loop.Replaced || old != 2 {
		t.Errorf("a twist for a twist in a full box: %v, %d", got, old)
	}
	if m.Len() != loop.MailboxSize {
		t.Errorf("%d wait", m.Len())
	}
	got := ids(&m, loop.MailboxSize)
	if got[0] != 10 || got[loop.MailboxSize-1] != 100 {
		t.Errorf("%v", got)
	}
}

func TestMailboxAgesTwists(t *testing.T) {
	rows := []struct {
		name      string
		ttl       float64
		behind    int // commands before it
		wantAbout float64
	}{
		{"at once", 0.5, 0, 0.5},
		{"after two ticks", 0.5, 2, 0.3},
		{"stale: one tick is left", 0.5, 9, 0.1},
		{"the default is the controller's", 0, 5, 0},
	}
	for _, row := range rows {
		var m loop.Mailbox
		for range row.behind {
			m.Put(stop(1))
		}
		c := twist(2)
		c.TTL = row.ttl
		m.Put(c)
		for i := range row.behind + 1 {
			m.Take(&c, uint64(i+1), 0.1)
		}
		if c.ID != 2 || c.TTL < row.wantAbout-1e-9 || c.TTL > row.wantAbout+1e-9 {
			t.Errorf("%s: %g s left of command %d, want %g", row.name, c.TTL, c.ID, row.wantAbout)
		}
	}
}

func TestMailboxUnderManyGoroutines(t *testing.T) {
	var m loop.Mailbox
	var wg sync.WaitGroup
	const each, writers = 200, 4
	for w := range writers {
		wg.Go(func() {
			for i := range each {
				id := uint64(w*each + i + 1)
				for got, _ := m.Put(stop(id)); got == loop.Full; got, _ = m.Put(stop(id)) {
				}
			}
		})
	}
	seen := map[uint64]bool{}
	for tick := uint64(1); len(seen) < each*writers; tick++ {
		var c control.Command
		if m.Take(&c, tick, 0.1); c.ID == 0 {
			continue
		}
		if seen[c.ID] {
			t.Fatalf("command %d came twice", c.ID)
		}
		seen[c.ID] = true
	}
	wg.Wait()
}
