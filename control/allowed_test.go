package control_test

import (
	"math"
	"testing"

	"legctl/control"

	"pgregory.net/rapid"
)

// drawAllowed draws a table as preflight might fill one.
func drawAllowed(t *rapid.T) *control.AllowedTwist {
	a := &control.AllowedTwist{Turn: rapid.Float64Range(0.1, 2).Draw(t, "turn"), TurnBind: control.BindJointSpeed}
	for i := range a.Linear {
		a.Linear[i] = rapid.Float64Range(0.05, 1).Draw(t, "linear")
		a.LinearBind[i] = control.BindReach
		for m := range a.Mix[i] {
			a.Mix[i][m] = rapid.Float64Range(0.7, 1.4).Draw(t, "mix")
		}
		a.Mix[i][control.Mixes/2] = 1
	}
	left, right := a.Mix[0][control.Mixes-1], a.Mix[0][0]
	for i := range a.Mix {
		a.Mix[i][0], a.Mix[i][control.Mixes-1] = right, left
	}
	return a
}

// TestAllowedKeepsDirection: a share is between 0 and 1, asking for more of the
// same gives the same twist, and asking for what is given gives all of it.
func TestAllowedKeepsDirection(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := drawAllowed(t)
		wish := rapid.Float64Range(-3, 3)
		vx, vy, wz := wish.Draw(t, "vx"), wish.Draw(t, "vy"), wish.Draw(t, "wz")
		s, bind := a.Limit(vx, vy, wz)
		if !(s >= 0 && s <= 1) || (s == 1) != (bind == control.BindNone) {
			t.Fatalf("share %v, bound by %v", s, bind)
		}
		if s == 1 {
			return
		}
		if s2, _ := a.Limit(2*vx, 2*vy, 2*wz); math.Abs(2*s2-s) > 1e-9 {
			t.Fatalf("share %v of a wish, %v of twice the wish", s, s2)
		}
		if s3, _ := a.Limit(s*vx, s*vy, s*wz); s3 < 1-1e-9 {
			t.Fatalf("what is allowed is allowed by %v only", s3)
		}
	})
}

// TestAllowedHasNoSteps: limits by bearing were a staircase of 45 degree treads
// in the controller we learned most from. Here a small change of the wish is a
// small change of what is had, all round.
func TestAllowedHasNoSteps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := drawAllowed(t)
		mix := rapid.Float64Range(-3, 3).Draw(t, "wz")
		const n = 36000
		last := 0.0
		for k := 0; k <= n; k++ {
			sn, cs := math.Sincos(2 * math.Pi * float64(k) / n)
			s, _ := a.Limit(3*cs, 3*sn, mix)
			if k > 0 && math.Abs(s-last) > 0.02 {
				t.Fatalf("at %v deg the share goes from %v to %v", 360*float64(k)/n, last, s)
			}
			last = s
		}
		for k := 0; k <= n; k++ {
			sn, cs := math.Sincos(math.Pi * (float64(k)/n - 0.5))
			s, _ := a.Limit(3*cs, 0, 3*sn)
			if k > 0 && math.Abs(s-last) > 0.02 {
				t.Fatalf("at mix %v the share goes from %v to %v", k, last, s)
			}
			last = s
		}
	})
}

// TestAllowedEntries: at the entries of the table the limit is the entry.
func TestAllowedEntries(t *testing.T) {
	a := control.AllowedTwist{Turn: 0.5, TurnBind: control.BindRule}
	for i := range a.Linear {
		a.Linear[i] = 0.1 + 0.01*float64(i)
		a.LinearBind[i] = control.BindReach
	}
	a.Mix[3][6], a.MixBind[3][6] = 1.3, control.BindJointSpeed
	for _, c := range []struct {
		name   string
		i, m   int
		factor float64
		bind   control.Binding
	}{
		{"filled", 3, 6, 1.3, control.BindJointSpeed},
		{"not filled: one budget", 5, 6, 1, control.BindReach},
		{"travel alone", 2, 4, 1, control.BindReach},
		{"turning alone", 0, 8, 1, control.BindRule},
		{"turning right alone", 0, 0, 1, control.BindRule},
		{"mostly turning", 7, 7, 1, control.BindRule},
	} {
		sn, cs := math.Sincos(2 * math.Pi * float64(c.i) / control.Headings)
		b, d := math.Sincos(float64(c.m-4) * math.Pi / 8)
		r := c.factor / (math.Abs(b) + math.Abs(d))
		v, w := r*d*a.Linear[c.i], r*b*a.Turn
		s, bind := a.Limit(2*v*cs, 2*v*sn, 2*w)
		if math.Abs(s-0.5) > 1e-9 || bind != c.bind && c.m != 6 {
			t.Errorf("%s: share %v of twice the entry, bound by %v, want 0.5 and %v", c.name, s, bind, c.bind)
		}
	}
}

// TestAllowedOfNothing: what may not be had at all is refused, with the name.
func TestAllowedOfNothing(t *testing.T) {
	a := control.AllowedTwist{Turn: 0, TurnBind: control.BindPlanar}
	a.Linear[0], a.LinearBind[4] = 0.1, control.BindPlanar
	if s, b := a.Limit(0, 1, 0); s != 0 || b != control.BindPlanar {
		t.Errorf("sideways: %v by %v", s, b)
	}
	if s, b := a.Limit(0, 0, 1); s != 0 || b != control.BindPlanar {
		t.Errorf("turning: %v by %v", s, b)
	}
	if s, b := a.Limit(0, 0, 0); s != 1 || b != control.BindNone {
		t.Errorf("nothing asked: %v by %v", s, b)
	}
	if s, _ := a.Limit(math.NaN(), 0, 0); s != 0 {
		t.Errorf("NaN: %v", s)
	}
	if n := testing.AllocsPerRun(100, func() { a.Limit(0.1, 0.05, 0.2) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkAllowedLimit(b *testing.B) {
	a := control.AllowedTwist{Turn: 0.5}
	for i := range a.Linear {
		a.Linear[i] = 0.1 + 0.01*float64(i)
		for m := range a.Mix[i] {
			a.Mix[i][m] = 1.1
		}
	}
	b.ReportAllocs()
	sum := 0.0
	for i := range b.N {
		s, _ := a.Limit(0.2-float64(i%7)*0.05, 0.11, 0.3)
		sum += s
	}
	if sum < 0 {
		b.Fatal(sum)
	}
}
