package mode_test

import (
	"fmt"
	"testing"

	"legctl/control/mode"
)

func Example() {
	m := mode.Limp
	for _, in := range []mode.Input{mode.Twist, mode.Arm, mode.Rise, mode.Settled, mode.Rise, mode.Settled, mode.Twist, mode.Settled} {
		next, ok := mode.Next(m, in)
		fmt.Println(m, in, next, ok)
		m = next
	}
	// Output:
	// limp twist limp false
	// limp arm hold true
	// hold rise unpacking true
	// unpacking settled sitting true
	// sitting rise rising true
	// rising settled stand true
	// stand twist walk true
	// walk settled stand true
}

// TestTable walks every mode through every input.
func TestTable(t *testing.T) {
	for m := mode.Limp; m < mode.Count; m++ {
		for in := mode.Arm; in < mode.Inputs; in++ {
			next, ok := mode.Next(m, in)
			if !ok && next != m {
				t.Errorf("%v on %v: refused, yet became %v", m, in, next)
			}
			if next >= mode.Count {
				t.Errorf("%v on %v: no such mode %d", m, in, next)
			}
			if in == mode.Disarm && next != mode.Limp {
				t.Errorf("%v on disarm: %v, want limp: taking torque off is never refused", m, next)
			}
			if want := mode.Fault; in == mode.Failed && next != want && m != mode.Limp {
				t.Errorf("%v on failed: %v, want fault", m, next)
			}
			if m == mode.Limp && in != mode.Arm && next != mode.Limp {
				t.Errorf("limp on %v: %v, only arm puts torque on", in, next)
			}
			if in == mode.EStop && (!ok || next != mode.Limp && next != mode.Stopped && next != mode.Fault) {
				t.Errorf("%v on estop: %v, %v", m, next, ok)
			}
			if next == mode.Walk && m == mode.Limp {
				t.Errorf("limp on %v walks: nothing moves before arm", in)
			}
		}
		if mode.Legal(m) == 0 {
			t.Errorf("%v: no legal command, it would be stuck", m)
		}
	}
	if _, ok := mode.Next(mode.Count, mode.Arm); ok {
		t.Error("a mode out of range was accepted")
	}
}

// TestReach proves that every mode can be reached from every other.
func TestReach(t *testing.T) {
	for from := mode.Limp; from < mode.Count; from++ {
		seen := map[mode.Mode]bool{from: true}
		for range mode.Count {
			for m := range seen {
				for in := mode.Arm; in < mode.Inputs; in++ {
					next, _ := mode.Next(m, in)
					seen[next] = true
				}
			}
		}
		if len(seen) != int(mode.Count) {
			t.Errorf("from %v only %d of %d modes can be reached", from, len(seen), mode.Count)
		}
	}
}

func TestNames(t *testing.T) {
	seen := map[string]bool{}
	for m := mode.Limp; m < mode.Count; m++ {
		seen[m.String()] = true
	}
	for in := mode.Arm; in < mode.Inputs; in++ {
		seen[in.String()] = true
	}
	if len(seen) != int(mode.Count)+int(mode.Inputs) || seen["unknown"] || seen[""] {
		t.Errorf("names are not complete and distinct: %v", seen)
	}
}
