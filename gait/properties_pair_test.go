package gait_test

import (
	"slices"
	"testing"

	"legctl/gait"
)

// leaders returns the legs that lead with the given ones disabled.
func (f *fixture) leaders(off uint64) []int {
	for i := range f.legs {
		f.legs[i].Grounded = off>>i&1 == 0
	}
	v := gait.Survey(f.legs, off)
	var list []int
	for i := range f.legs {
		if v.Eligible>>i&1 == 1 && f.Leads(i, &v) {
			list = append(list, i)
		}
	}
	return list
}

func TestProperty19Dominance(t *testing.T) {
	rows := []struct {
		rig  string
		off  uint64
		want []int
	}{
		{"quadruped", 0, []int{0, 3}},
		{"hexapod", 0, []int{0, 3, 4}},
		{"octopod", 0, []int{0, 3, 4, 7}},
		{"quadruped", 1 << 0, []int{1, 3}},
		{"hexapod", 1 << 0, []int{1, 3, 4}},
		{"octopod", 1 << 0, []int{1, 3, 4, 7}},
		{"octopod", 1 << 3, []int{0, 2, 4, 7}},
		{"octopod", 1 << 1, []int{0, 3, 4, 7}}, // a follower is missed by nobody
		{"octopod", 1<<0 | 1<<7, []int{1, 3, 4, 6}},
		{"starfish", 0, []int{0, 1, 2, 3, 4}}, // nobody has a partner
	}
	for _, r := range rows {
		f := stand(t, r.rig, places[0], gait.ReferenceGallop())
		if got := f.leaders(r.off); !slices.Equal(got, r.want) {
			t.Errorf("%s without %b: %v lead, want %v", r.rig, r.off, got, r.want)
		}
	}
}

// TestProperty19Stranded: a leg over nothing hands its lead over, too.
func TestProperty19Stranded(t *testing.T) {
	f := stand(t, "octopod", places[0], gait.ReferenceGallop())
	f.legs[4].Grounded = false
	v := gait.Survey(f.legs, 0)
	if f.Leads(5, &v) == false || f.Leads(1, &v) {
		t.Error("leg 5 must lead its pair and leg 1 must not")
	}
}

// TestProperty5And6May asks the rules about one leg beside neighbours in every
// state: what has no ground is never blocked and never blocks.
func TestProperty5And6May(t *testing.T) {
	rows := []struct {
		name  string
		leg   func(l *gait.LegState)
		other func(l *gait.LegState) // leg 1, adjacent to 0
		off   uint64
		want  bool
	}{
		{"all stand", nil, nil, 0, true},
		{"neighbour swings", nil, func(l *gait.LegState) { l.Moving = true }, 0, false},
		{"neighbour hangs over ground", nil, func(l *gait.LegState) { l.Touching = false }, 0, false},
		{"neighbour has just landed", nil, func(l *gait.LegState) { l.SinceLand = 3 }, 0, false},
		{"neighbour landed a cooldown ago", nil, func(l *gait.LegState) { l.SinceLand = 4 }, 0, true},
		{"neighbour swings over nothing", nil, func(l *gait.LegState) { l.Moving, l.Grounded = true, false }, 0, true},
		{"neighbour off and swinging", nil, func(l *gait.LegState) { l.Moving, l.Touching, l.SinceLand = true, false, 0 }, 1 << 1, true},
		{"stranded itself", func(l *gait.LegState) { l.Grounded = false }, func(l *gait.LegState) { l.Moving = true }, 0, true},
		{"stranded in its zone", func(l *gait.LegState) { l.Grounded, l.Foot = false, l.Target }, nil, 0, true},
		{"nowhere to go", func(l *gait.LegState) { l.Foot = l.Target }, nil, 0, false},
	}
	rules := gait.ReferenceWalk()
	rules.SamePair, rules.CrossPair = 4, 4
	for _, r := range rows {
		f := stand(t, "quadruped", places[0], rules)
		f.move(0.15, 0, 0)
		f.away(0, -1, 0.48)
		if r.leg != nil {
			r.leg(&f.legs[0])
		}
		if r.other != nil {
			r.other(&f.legs[1])
		}
		z := f.Zones(&f.body)
		v := gait.Survey(f.legs, r.off)
		if got := f.May(f.legs, 0, &v, &f.body, &z, f.Rest(&f.body, &z, 0)); got != r.want {
			t.Errorf("%s: may lift %v, want %v", r.name, got, r.want)
		}
	}
}

// TestNoFootLifts: the last feet do not lift, unless the belly lies.
func TestNoFootLifts(t *testing.T) {
	for _, belly := range []bool{false, true} {
		f := stand(t, "quadruped", places[0], gait.ReferenceWalk())
		f.move(0.15, 0, 0)
		for i := range f.legs {
			f.away(i, -1, 0.48)
			f.legs[i].Touching = false
		}
		for i := 1; i < 4; i++ { // so that the neighbours do not block
			f.legs[i].Grounded = false
		}
		f.body.Belly = belly
		if got := f.may(0); got != belly {
			t.Errorf("belly on the ground %v: may lift %v", belly, got)
		}
	}
}

// TestOrderFree is the mending of fault 14: a grant counts for legs looked at
// later, and a leg looked at earlier reads the same clocks.
func TestOrderFree(t *testing.T) {
	f := stand(t, "octopod", places[0], gait.ReferenceWalk())
	f.move(0.15, 0, 0)
	for i := range f.legs {
		f.away(i, -1, 0.48)
	}
	ask := func(order []int) []int {
		z := f.Zones(&f.body)
		v := gait.Survey(f.legs, 0)
		var lifted []int
		for _, i := range order {
			if f.May(f.legs, i, &v, &f.body, &z, f.Rest(&f.body, &z, i)) {
				v.Grant(i)
				lifted = append(lifted, i)
			}
		}
		return lifted
	}
	// One tick apart: 3 and 7 wait for 0 and 4, the other colour for them all.
	if got := ask(f.Order()); !slices.Equal(got, []int{0, 4}) {
		t.Errorf("lifted %v, want 0 and 4", got)
	}
	for i := range f.legs { // a tick after 0 and 4 lifted
		if i == 0 || i == 4 {
			f.legs[i].Moving, f.legs[i].SinceLift = true, 1
		}
	}
	if got := ask([]int{3, 7, 1, 2, 5, 6}); !slices.Equal(got, []int{3, 7}) {
		t.Errorf("then %v, want 3 and 7", got)
	}
	if got := ask([]int{6, 5, 2, 1, 7, 3}); slices.Contains(got, 1) || slices.Contains(got, 5) {
		t.Errorf("in another order %v: neighbours of swinging legs", got)
	}
}
