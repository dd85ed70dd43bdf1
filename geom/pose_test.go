package geom_test

import (
	"math"
	"testing"

	"legctl/geom"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
	"pgregory.net/rapid"
)

func drawVec(t *rapid.T, name string) r3.Vec {
	c := rapid.Float64Range(-10, 10)
	return r3.Vec{X: c.Draw(t, name+"x"), Y: c.Draw(t, name+"y"), Z: c.Draw(t, name+"z")}
}

func drawPose(t *rapid.T, name string) geom.Pose {
	a := rapid.Float64Range(-math.Pi, math.Pi)
	return geom.Pose{P: drawVec(t, name), Q: geom.FromRPY(a.Draw(t, name+"r"), a.Draw(t, name+"p"), a.Draw(t, name+"w"))}
}

func apart(a, b r3.Vec) float64 { return r3.Norm(r3.Sub(a, b)) }

func TestPoseProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ab, bc, v := drawPose(t, "ab"), drawPose(t, "bc"), drawVec(t, "v")
		if d := apart(ab.Mul(bc).Apply(v), ab.Apply(bc.Apply(v))); d > 1e-12*40 {
			t.Fatalf("the letters do not cancel: off by %v", d)
		}
		if d := apart(ab.Inverse().Apply(ab.Apply(v)), v); d > 1e-12*40 {
			t.Fatalf("the inverse is off by %v", d)
		}
		m := geom.RotOf(ab.Q)
		if d := apart(m.Apply(v), geom.Rotate(ab.Q, v)); d > 1e-12*40 {
			t.Fatalf("matrix and quaternion differ by %v", d)
		}
		if d := apart(m.ApplyInv(m.Apply(v)), v); d > 1e-12*40 {
			t.Fatalf("the transpose is off by %v", d)
		}
		n := m.Mul(geom.RotOf(bc.Q))
		if d := apart(n.Apply(v), geom.Rotate(quat.Mul(ab.Q, bc.Q), v)); d > 1e-12*40 {
			t.Fatalf("the product of matrices is off by %v", d)
		}
		if d := math.Abs(r3.Norm(geom.Rotate(ab.Q, v)) - r3.Norm(v)); d > 1e-12*40 {
			t.Fatalf("a rotation changes the length by %v", d)
		}
	})
}

func TestAngles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		roll := rapid.Float64Range(-3, 3).Draw(t, "roll")
		pitch := rapid.Float64Range(-1.5, 1.5).Draw(t, "pitch")
		yaw := rapid.Float64Range(-3, 3).Draw(t, "yaw")
		q := geom.FromRPY(roll, pitch, yaw)
		r, p, y := geom.RPY(q)
		if math.Abs(r-roll) > 1e-9 || math.Abs(p-pitch) > 1e-9 || math.Abs(y-yaw) > 1e-9 {
			t.Fatalf("%v %v %v came back as %v %v %v", roll, pitch, yaw, r, p, y)
		}
		if math.Abs(geom.Yaw(q)-yaw) > 1e-9 {
			t.Fatalf("yaw %v, want %v", geom.Yaw(q), yaw)
		}
		up := geom.Rotate(q, r3.Vec{Z: 1})
		if math.Abs(math.Cos(geom.Tilt(q))-up.Z) > 1e-9 {
			t.Fatalf("tilt %v of z axis %v", geom.Tilt(q), up)
		}
		// REP-103: yaw turns left, positive pitch lowers the front, positive roll
		// raises the left.
		x := geom.Rotate(geom.FromRPY(0, 0, 0.1), r3.Vec{X: 1})
		nose := geom.Rotate(geom.FromRPY(0, 0.1, 0), r3.Vec{X: 1})
		side := geom.Rotate(geom.FromRPY(0.1, 0, 0), r3.Vec{Y: 1})
		if x.Y <= 0 || nose.Z >= 0 || side.Z <= 0 {
			t.Fatalf("yaw %v, pitch %v, roll %v", x, nose, side)
		}
	})
}

func TestAxisAngle(t *testing.T) {
	v := geom.Rotate(geom.AxisAngle(r3.Vec{Z: 1}, math.Pi/2), r3.Vec{X: 2})
	if apart(v, r3.Vec{Y: 2}) > 1e-15 {
		t.Errorf("a quarter turn about z takes x to %v", v)
	}
	if q := geom.Unit(quat.Number{}); q != geom.Identity().Q {
		t.Errorf("the unit of zero is %v, want identity", q)
	}
	if q := geom.Unit(quat.Number{Imag: -3}); q != (quat.Number{Imag: -1}) {
		t.Errorf("unit %v", q)
	}
}

func TestWrapAngle(t *testing.T) {
	for _, c := range []struct{ in, want float64 }{
		{0, 0},
		{math.Pi, math.Pi},
		{-math.Pi, math.Pi},
		{3 * math.Pi, math.Pi},
		{-3 * math.Pi, math.Pi},
		{1 + 4*math.Pi, 1},
		{-1 - 4*math.Pi, -1},
		{math.Pi + 0.5, 0.5 - math.Pi},
	} {
		if got := geom.WrapAngle(c.in); math.Abs(got-c.want) > 1e-12 || got <= -math.Pi || got > math.Pi {
			t.Errorf("%v becomes %v, want %v", c.in, got, c.want)
		}
	}
}

func TestFiniteVec(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(-1)
	for _, c := range []struct {
		v    r3.Vec
		want bool
	}{
		{r3.Vec{}, true},
		{r3.Vec{X: math.MaxFloat64, Y: math.MaxFloat64, Z: -math.MaxFloat64}, true},
		{r3.Vec{X: nan}, false},
		{r3.Vec{Y: inf}, false},
		{r3.Vec{Z: nan}, false},
	} {
		if got := geom.FiniteVec(c.v); got != c.want {
			t.Errorf("%v: %v", c.v, got)
		}
	}
}

func TestPlaneCast(t *testing.T) {
	down := r3.Vec{Z: -1}
	slope := &geom.Plane{Normal: r3.Unit(r3.Vec{X: -1, Z: 1}), Serial: 7}
	for _, c := range []struct {
		name      string
		g         *geom.Plane
		from, dir r3.Vec
		max       float64
		want      r3.Vec
		hit       bool
	}{
		{"straight down", geom.Level(0.5), r3.Vec{X: 1, Y: 2, Z: 2}, down, 3, r3.Vec{X: 1, Y: 2, Z: 0.5}, true},
		{"too short", geom.Level(0.5), r3.Vec{Z: 2}, down, 1.4, r3.Vec{}, false},
		{"just long enough", geom.Level(0.5), r3.Vec{Z: 2}, down, 1.5, r3.Vec{Z: 0.5}, true},
		{"along it", geom.Level(0), r3.Vec{Z: 1}, r3.Vec{X: 1}, 9, r3.Vec{}, false},
		{"away", geom.Level(0), r3.Vec{Z: 1}, r3.Vec{Z: 1}, 9, r3.Vec{}, false},
		{"from inside: at once", geom.Level(0), r3.Vec{X: 3, Z: -1}, down, 9, r3.Vec{X: 3, Z: -1}, true},
		{"slope", slope, r3.Vec{X: 2, Z: 5}, down, 9, r3.Vec{X: 2, Z: 2}, true},
	} {
		h, ok := c.g.Cast(c.from, c.dir, c.max)
		if ok != c.hit || ok && apart(h.Point, c.want) > 1e-12 {
			t.Errorf("%s: %v %v, want %v %v", c.name, h, ok, c.want, c.hit)
		}
		if ok && r3.Dot(h.Normal, c.dir) >= 0 {
			t.Errorf("%s: the normal %v does not face the ray", c.name, h.Normal)
		}
	}
	if slope.Version() != 7 {
		t.Errorf("version %d", slope.Version())
	}
}
