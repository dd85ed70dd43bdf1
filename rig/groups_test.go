package rig_test

import (
	"math"
	"math/bits"
	"slices"
	"testing"

	"legctl/rig"

	"pgregory.net/rapid"
)

// TestGroupingProperty1 is property 1 of the gait rules: for even N in 2..16.
func TestGroupingProperty1(t *testing.T) {
	for n := 2; n <= 16; n += 2 {
		r := pairs(n / 2)
		if err := r.Validate(); err != nil {
			t.Fatal(err)
		}
		g := &r.Groups
		count := [2]int{}
		for i := range n {
			count[g.Colour[i]]++
			for k := range n {
				if has(g.Adjacent[i], k) != has(g.Adjacent[k], i) {
					t.Errorf("N=%d: adjacency of %d and %d is one-sided", n, i, k)
				}
				if has(g.Adjacent[i], k) && g.Colour[i] == g.Colour[k] {
					t.Errorf("N=%d: adjacent legs %d and %d share a set", n, i, k)
				}
				if has(g.Diagonal[i], k) && g.Colour[i] != g.Colour[k] {
					t.Errorf("N=%d: diagonal legs %d and %d differ in set", n, i, k)
				}
			}
			if want := diagonals(i, n); g.Diagonal[i] != want {
				t.Errorf("N=%d: diagonals of %d are %b, want %b", n, i, g.Diagonal[i], want)
			}
			if want := neighbours(i, n); g.Adjacent[i] != want {
				t.Errorf("N=%d: neighbours of %d are %b, want %b", n, i, g.Adjacent[i], want)
			}
		}
		if count[0] != n/2 || count[1] != n/2 {
			t.Errorf("N=%d: sets have %v legs, want half each", n, count)
		}
	}
}

func has(set uint64, i int) bool { return set>>uint(i)&1 == 1 }

func set(n int, legs ...int) uint64 {
	var s uint64
	for _, l := range legs {
		if l >= 0 && l < n {
			s |= 1 << uint(l)
		}
	}
	return s
}

// neighbours and diagonals are the index arithmetic of gait-rules 1.3.
func neighbours(i, n int) uint64 {
	if i%2 == 0 {
		return set(n, i-2, i+2, i+1)
	}
	return set(n, i-2, i+2, i-1)
}

func diagonals(i, n int) uint64 {
	if i%2 == 0 {
		return set(n, i-1, i+3)
	}
	return set(n, i-3, i+1)
}

// TestGroupsDoNotDependOnLegOrder shuffles the legs of a hexapod.
func TestGroupsDoNotDependOnLegOrder(t *testing.T) {
	base := pairs(3)
	if err := base.Validate(); err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		r := pairs(3)
		perm := rapid.Permutation([]int{0, 1, 2, 3, 4, 5}).Draw(t, "order")
		legs := slices.Clone(r.Legs)
		for i, p := range perm {
			r.Legs[i] = legs[p]
		}
		if err := r.Validate(); err != nil {
			t.Fatal(err)
		}
		for i, p := range perm {
			a, b := &r.Groups, &base.Groups
			if a.Colour[i] != b.Colour[p] || a.Row[i] != b.Row[p] || a.Side[i] != b.Side[p] || a.Dominant[i] != b.Dominant[p] {
				t.Fatalf("leg %s changed its group", r.Legs[i].Name)
			}
		}
		for k, i := range r.Groups.Order {
			if perm[i] != base.Groups.Order[k] {
				t.Fatalf("order %v of %v", r.Groups.Order, perm)
			}
		}
	})
}

func TestGroupTables(t *testing.T) {
	hex := pairs(3)
	odd := pairs(3)
	odd.Legs = odd.Legs[:5]
	odd.Asymmetric = true
	tail := pairs(2)
	tail.Legs = append(tail.Legs, leg("tail", -0.3, 0, math.Pi))
	tail.Legs[4].Joints[0].Origin.P.X = -0.2
	tail.Legs[4].Neutral.X = -0.2 - 0.05 - 0.12*math.Cos(math.Pi/6)
	for _, row := range []struct {
		name     string
		r        *rig.Rig
		ring     bool
		side     []int8
		row      []int
		colour   []uint8
		dominant []bool
		order    []int
	}{
		{
			"hexapod", hex, false,
			[]int8{1, -1, 1, -1, 1, -1},
			[]int{0, 0, 1, 1, 2, 2},
			[]uint8{0, 1, 1, 0, 0, 1},
			[]bool{true, false, false, true, true, false},
			[]int{0, 3, 4, 1, 2, 5},
		},
		{
			"right rear leg missing", odd, false,
			[]int8{1, -1, 1, -1, 1},
			[]int{0, 0, 1, 1, 2},
			[]uint8{0, 1, 1, 0, 0},
			[]bool{true, false, false, true, true},
			[]int{0, 3, 4, 1, 2},
		},
		{
			"four legs and a tail", tail, false,
			[]int8{1, -1, 1, -1, 0},
			[]int{0, 0, 1, 1, 2},
			[]uint8{0, 1, 1, 0, 2},
			[]bool{true, false, false, true, true},
			[]int{0, 3, 1, 2, 4},
		},
		{
			"ring of five", star(5), true,
			[]int8{0, 0, 0, 0, 0},
			[]int{0, 1, 2, 3, 4},
			[]uint8{0, 1, 0, 1, 2},
			[]bool{true, true, true, true, true},
			[]int{0, 2, 1, 3, 4},
		},
	} {
		t.Run(row.name, func(t *testing.T) {
			if err := row.r.Validate(); err != nil {
				t.Fatal(err)
			}
			g := &row.r.Groups
			if g.Ring != row.ring {
				t.Errorf("ring %v, want %v", g.Ring, row.ring)
			}
			equal(t, "side", g.Side, row.side)
			equal(t, "row", g.Row, row.row)
			equal(t, "colour", g.Colour, row.colour)
			equal(t, "dominant", g.Dominant, row.dominant)
			equal(t, "order", g.Order, row.order)
		})
	}
}

func equal[T comparable](t *testing.T, what string, got, want []T) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s %v, want %v", what, got, want)
	}
}

// TestTailIsAdjacentToItsNearestRow: a centre leg blocks both legs of a row.
func TestTailIsAdjacentToItsNearestRow(t *testing.T) {
	r := pairs(2)
	r.Legs = append(r.Legs, leg("tail", -0.2, 0, math.Pi))
	if err := r.Validate(); err != nil {
		t.Fatal(err)
	}
	if got, want := r.Groups.Adjacent[4], set(5, 2, 3); got != want {
		t.Errorf("tail is adjacent to %b, want %b", got, want)
	}
}

// TestUnevenOddRigIsNoRing: azimuths 90, -90 and 180, so gaps of 90, 90 and
// 180 degrees against an even 120.
func TestUnevenOddRigIsNoRing(t *testing.T) {
	r := pairs(1)
	r.Legs = append(r.Legs, leg("tail", -0.2, 0, math.Pi))
	if err := r.Validate(); err != nil {
		t.Fatal(err)
	}
	if r.Groups.Ring {
		t.Error("grouped as a ring")
	}
}

// TestRings checks colouring and adjacency of rings up to the size at which
// the feet of the fixture leg would coincide.
func TestRings(t *testing.T) {
	for n := 3; n <= 50; n++ {
		r := star(n)
		r.Groups.Ring = true
		if err := r.Validate(); err != nil {
			t.Fatal(err)
		}
		most := uint8(0)
		for i := range n {
			if got := bits.OnesCount64(r.Groups.Adjacent[i]); got != 2 {
				t.Errorf("n=%d: leg %d has %d neighbours, want 2", n, i, got)
			}
			for k := range n {
				if has(r.Groups.Adjacent[i], k) && r.Groups.Colour[i] == r.Groups.Colour[k] {
					t.Errorf("n=%d: neighbours %d and %d share a colour", n, i, k)
				}
			}
			most = max(most, r.Groups.Colour[i])
		}
		if want := uint8(1 + n%2); most != want {
			t.Errorf("n=%d: %d colours, want %d", n, most+1, want+1)
		}
	}
}

func TestNewRows(t *testing.T) {
	r := pairs(3)
	r.Index()
	g, err := rig.NewRows(r, [][]int{{0, 1}, {4, 5}, {2, 3}})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "row", g.Row, []int{0, 0, 2, 2, 1, 1})
	r.Groups = g
	if err := r.Validate(); err != nil {
		t.Fatal(err)
	}
	equal(t, "row after Validate", r.Groups.Row, []int{0, 0, 2, 2, 1, 1})
	for name, rows := range map[string][][]int{
		"twice":   {{0, 1}, {1, 2}, {3, 4}, {5}},
		"missing": {{0, 1}, {2, 3}},
		"unknown": {{0, 9}},
		"three":   {{0, 1, 2}, {3, 4, 5}},
	} {
		if _, err := rig.NewRows(r, rows); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

func TestTwinName(t *testing.T) {
	for name, want := range map[string]string{
		"lf": "rf", "rf": "lf", "left-front": "right-front", "right_rear": "left_rear", "l": "r", "tail": "tail", "a1": "a1",
	} {
		if got := rig.TwinName(name); got != want {
			t.Errorf("twin of %s is %s, want %s", name, got, want)
		}
	}
}
