package gait_test

import (
	"fmt"
	"strings"
	"testing"

	"legctl/gait"
)

func ExampleWave() {
	r := ladder(3)
	for i, n := range []string{"RR", "RM", "RF", "LR", "LM", "LF"} {
		r.Legs[i].Name = n
	}
	g, err := gait.Wave(r, 2.0/3)
	if err != nil {
		fmt.Println(err)
		return
	}
	var names []string
	for i := range r.Legs {
		names = append(names, r.Legs[i].Name)
	}
	d := g.Sample(names, 24)
	fmt.Print(string(d.AppendText(nil, 24)))
	// Output:
	// RR   |████████████········████| 0.67
	// RM   |····████████████████····| 0.67
	// RF   |████········████████████| 0.67
	// LR   |········████████████████| 0.67
	// LM   |████████········████████| 0.67
	// LF   |████████████████········| 0.67
	// feet |444444444444444444444444|
	//       0                      1 cycle
}

func TestDiagramText(t *testing.T) {
	for _, c := range []struct {
		name  string
		d     gait.Diagram
		width int
		want  []string
	}{
		{"empty", gait.Diagram{Names: []string{"A"}}, 10, []string{"A    || 0.00", "feet ||"}},
		{"no legs", gait.Diagram{Bits: []uint64{0, 0}}, 10, []string{"feet |00|"}},
		{
			"one a moment",
			gait.Diagram{Names: []string{"A", "B"}, Bits: []uint64{1, 3, 2, 0}, Step: .02, Unit: "s"},
			80,
			[]string{"A    |██··| 0.50", "B    |·██·| 0.50", "feet |1210|", "      0 0.08 s"},
		},
		{
			"two a column",
			gait.Diagram{Names: []string{"A", "B"}, Bits: []uint64{1, 3, 2, 0}},
			2,
			[]string{"A    |█·| 0.50", "B    |▒▒| 0.50", "feet |10|"},
		},
		{"width 0", gait.Diagram{Names: []string{"left"}, Bits: []uint64{1, 0}}, 0, []string{"left |▒| 0.50", "feet |0|"}},
		{
			"long names",
			gait.Diagram{Names: []string{"a", "größte"}, Bits: []uint64{2}},
			9,
			[]string{"a      |·| 0.00", "größte |█| 1.00", "feet   |1|"},
		},
	} {
		want := strings.Join(c.want, "\n") + "\n"
		if got := string(c.d.AppendText(nil, c.width)); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, want)
		}
	}
}

func TestDiagramManyLegs(t *testing.T) {
	d := gait.Diagram{Names: make([]string, 64), Bits: []uint64{^uint64(0), 1<<35 - 1}}
	text := string(d.AppendText([]byte("kept\n"), 9))
	if !strings.HasPrefix(text, "kept\n") || !strings.Contains(text, "feet |+z|") {
		t.Errorf("64 and 35 feet down are drawn as\n%s", text)
	}
}
