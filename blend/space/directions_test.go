package space_test

import (
	"math"
	"testing"

	"legctl/blend"
	"legctl/blend/retarget"
	"legctl/blend/space"
)

// thereAndBack is a space of a straight walk and the same backwards.
func thereAndBack(t *testing.T) *space.Space {
	t.Helper()
	r := loadRig(t, "a1")
	l, _, err := retarget.Bake(r, walkStyle(), 0)
	if err != nil {
		t.Fatal(err)
	}
	back, err := space.Entry{Reverse: true}.Apply(l)
	if err != nil {
		t.Fatal(err)
	}
	p := retarget.PlanFor(r, "ways")
	p.Motions = []space.PlanMotion{{Name: "walk", Loops: []*space.Loop{l}}, {Name: "back", Loops: []*space.Loop{back}}}
	s, _, err := space.Build(p, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestDirectionsGoByWhatTheClipsDo(t *testing.T) {
	s := thereAndBack(t)
	d, err := space.NewDirections(s, nil, nil, 0.2)
	if err != nil {
		t.Fatal(err)
	}
	if on, ways := d.Ways(true); len(on) != 1 || on[0] != 1 || math.Abs(math.Abs(ways[0].Angle)-math.Pi) > 1e-9 {
		t.Errorf("behind: motions %v that go %v, want motion 1 straight back", on, ways)
	}
	st, h := space.NewState(s), blend.Heading{}
	for _, row := range []struct {
		name             string
		direction, speed float64
		back             float64
	}{
		{"ahead", 0, 1, 0}, {"within the hysteresis", math.Pi/2 + 0.1, 1, 0}, {"behind", math.Pi, 1, 1}, {"still behind", math.Pi/2 - 0.1, 1, 1},
		{"standing keeps it", 0, 0, 1}, {"no number keeps it", math.NaN(), 1, 1}, {"ahead again", 1, 1, 0},
	} {
		if rate := d.Want(st, &h, row.direction, row.speed); rate < 0.7 || rate > 1.4 {
			t.Errorf("%s: play rate %v", row.name, rate)
		}
		if st.Target[1] != row.back || st.Target[0] != 1-row.back {
			t.Errorf("%s: wants %v, want %v backwards", row.name, st.Target[:2], row.back)
		}
	}
	if n := testing.AllocsPerRun(100, func() { d.Want(st, &h, 0.3, 1) }); n != 0 {
		t.Errorf("Want allocates %v times", n)
	}
}

func TestDirectionsRefuse(t *testing.T) {
	s := thereAndBack(t)
	for _, row := range []struct {
		name          string
		ahead, behind []int
		hysteresis    float64
	}{{"no such motion", []int{2}, nil, 0}, {"none ahead", nil, []int{1}, 0}, {"twice the same", []int{0, 0}, nil, 0}, {"hysteresis", []int{0}, nil, 4}} {
		if _, err := space.NewDirections(s, row.ahead, row.behind, row.hysteresis); err == nil {
			t.Errorf("%s: taken", row.name)
		}
	}
}
