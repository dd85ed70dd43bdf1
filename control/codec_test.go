package control_test

import (
	"reflect"
	"testing"

	"legctl/control"
	"legctl/internal/codertest"
	"legctl/rig"
)

// twoLegs is a rig with three joints, as far as records look at one.
func twoLegs() *rig.Rig {
	return &rig.Rig{Legs: []rig.Leg{
		{Joints: []rig.Joint{{Rest: 0.1}, {Rest: 0.2}}},
		{Joints: []rig.Joint{{Rest: 0.3}}, First: 2},
	}}
}

func TestEveryFieldIsCoded(t *testing.T) {
	r := twoLegs()
	rows := []struct {
		name  string
		fresh func() codertest.Record
	}{
		{"command", func() codertest.Record { return &control.Command{} }},
		{"state", func() codertest.Record { return &control.NewStates(r, 1)[0] }},
		{"output", func() codertest.Record { return &control.NewOutputs(r, 1)[0] }},
		{"frame", func() codertest.Record { return control.NewFrame(r) }},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) { codertest.Check(t, row.fresh) })
	}
}

func TestNewStatesAreApart(t *testing.T) {
	r := twoLegs()
	states := control.NewStates(r, 3)
	before := control.NewStates(r, 3)
	i := 0
	codertest.Leaves(&states[1], func(_ string, v reflect.Value) { i++; codertest.Change(v, i) })
	states[1].Q = append(states[1].Q, 9)
	states[1].Legs = append(states[1].Legs, states[1].Legs[0])
	for _, k := range []int{0, 2} {
		if !reflect.DeepEqual(states[k], before[k]) {
			t.Errorf("state %d moved with state 1", k)
		}
	}
	if got := states[0].Q; !reflect.DeepEqual(got, []float64{0.1, 0.2, 0.3}) {
		t.Errorf("rest pose %v", got)
	}
}

func TestNewOutputsAreApart(t *testing.T) {
	outs := control.NewOutputs(twoLegs(), 2)
	outs[0].Set.Q[2], outs[0].Legs[1].Stance = 9, true
	if outs[1].Set.Q[0] != 0.1 || outs[1].Legs[0].Stance {
		t.Error("output 1 moved with output 0")
	}
	if !outs[1].Set.Limp {
		t.Error("a new output must be limp")
	}
}

func TestCopyIsDeepAndComplete(t *testing.T) {
	s := control.NewStates(twoLegs(), 2)
	src, dst := &s[0], &s[1]
	i := 0
	codertest.Leaves(src, func(_ string, v reflect.Value) { i++; codertest.Change(v, i) })
	control.Copy(dst, src)
	if !reflect.DeepEqual(src, dst) {
		t.Error("the copy differs")
	}
	codertest.Leaves(src, func(_ string, v reflect.Value) {
		was := reflect.New(v.Type()).Elem()
		was.Set(v)
		codertest.Change(v, 77)
		if reflect.DeepEqual(src, dst) {
			t.Error("the copy shares memory")
		}
		v.Set(was)
	})
	if n := testing.AllocsPerRun(10, func() { control.Copy(dst, src) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
	control.Copy(src, src)
	if !reflect.DeepEqual(src, dst) {
		t.Error("a copy onto itself changed the state")
	}
}
