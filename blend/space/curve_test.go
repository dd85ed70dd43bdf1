package space_test

import (
	"math"
	"testing"

	"legctl/blend/space"
)

func TestACurveThereAndBackIsNoChange(t *testing.T) {
	// A clip that lingers, then hurries, against one that does not.
	cost := make([][]float64, 12)
	for i := range cost {
		cost[i] = make([]float64, 17)
		for j := range cost[i] {
			d := float64(j)/16 - math.Pow(float64(i)/11, 1.6)
			cost[i][j] = d * d
		}
	}
	p, ok, err := space.Register(cost, 2)
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	curve := space.Curve(p)
	for k := range 1101 {
		x := float64(k) / 100
		y := space.At(curve, x)
		if back := space.Inverse(curve, y); math.Abs(back-x) > 1e-9 {
			t.Errorf("%v goes to %v and back to %v", x, y, back)
		}
		// Frames are whole: half of one either way, and the straight share.
		if want := 16 * math.Pow(x/11, 1.6); math.Abs(y-want) > 1.1 {
			t.Errorf("%v corresponds to %v, want about %v", x, y, want)
		}
	}
	if space.At(curve, -1) != 0 || space.At(curve, 99) != 16 || space.Inverse(curve, -1) != 0 || space.Inverse(curve, 99) != 11 || space.At(curve, math.NaN()) != 0 {
		t.Error("outside the curve its ends are not what is given")
	}
	if n := testing.AllocsPerRun(20, func() { space.Inverse(curve, space.At(curve, 3.3)) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
