package estimate_test

import (
	"math"
	"math/rand"
	"testing"

	"legctl/estimate"
	"legctl/geom"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
	"pgregory.net/rapid"
)

// strider moves a body by a twist over feet that stand still in W.
type strider struct {
	pose  geom.Pose
	feetW []r3.Vec
	feetB []r3.Vec
}

func newStrider(feetB ...r3.Vec) *strider {
	s := &strider{pose: geom.Identity(), feetB: append([]r3.Vec(nil), feetB...)}
	for _, f := range feetB {
		s.feetW = append(s.feetW, s.pose.Apply(f))
	}
	return s
}

// tick moves the body by the twist t, B, for dt and works the feet out.
func (s *strider) tick(t geom.Twist, dt float64) {
	turn := func(w r3.Vec) quat.Number {
		if n := r3.Norm(w); n > 0 {
			return geom.AxisAngle(r3.Scale(1/n, w), n)
		}
		return quat.Number{Real: 1}
	}
	half := quat.Mul(s.pose.Q, turn(r3.Scale(dt/2, t.W)))
	s.pose.P = r3.Add(s.pose.P, geom.Rotate(half, r3.Scale(dt, t.V)))
	s.pose.Q = geom.Unit(quat.Mul(s.pose.Q, turn(r3.Scale(dt, t.W))))
	inv := s.pose.Inverse()
	for i := range s.feetW {
		s.feetB[i] = inv.Apply(s.feetW[i])
	}
}

func square(x, y, z float64) []r3.Vec {
	return []r3.Vec{{X: x, Y: y, Z: z}, {X: x, Y: -y, Z: z}, {X: -x, Y: y, Z: z}, {X: -x, Y: -y, Z: z}}
}

func all(n int) uint64 { return 1<<n - 1 }

// TestOdometryIsExact lets any body with three or more feet move at any twist:
// without slip the way is found to a thousandth.
func TestOdometryIsExact(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		near := rapid.Float64Range(-0.3, 0.3)
		var feet []r3.Vec
		for range rapid.IntRange(0, 5).Draw(rt, "more") {
			feet = append(feet, r3.Vec{X: near.Draw(rt, "x"), Y: near.Draw(rt, "y"), Z: -0.2})
		}
		feet = append(feet, r3.Vec{X: 0.2, Z: -0.2}, r3.Vec{X: -0.2, Y: 0.2, Z: -0.2}, r3.Vec{X: -0.2, Y: -0.2, Z: -0.25})
		v := rapid.Float64Range(-0.5, 0.5)
		tw := geom.Twist{V: r3.Vec{X: v.Draw(rt, "vx"), Y: v.Draw(rt, "vy"), Z: v.Draw(rt, "vz") / 10},
			W: r3.Vec{X: v.Draw(rt, "wx") / 5, Y: v.Draw(rt, "wy") / 5, Z: v.Draw(rt, "wz")}}
		const dt = 0.01
		b := newStrider(feet...)
		p := estimate.DefaultOdometry(0.4)
		o := estimate.NewOdometry(geom.Identity())
		tracks := make([]estimate.Track, len(feet))
		o.Update(&p, tracks, &estimate.Standing{FeetB: feet, Down: all(len(feet))}, dt)
		for range 100 {
			b.tick(tw, dt)
			o.Update(&p, tracks, &estimate.Standing{FeetB: b.feetB, Down: all(len(feet))}, dt)
		}
		off := r3.Norm(r3.Sub(o.PoseWB.P, b.pose.P))
		turn := r3.Norm(r3.Sub(o.TwistB.W, tw.W)) + r3.Norm(r3.Sub(o.TwistB.V, tw.V))
		if off > 2e-3*(0.1+o.Way) || turn > 5e-3 || o.Quality < 0.99 || o.Spread > 1e-3 {
			rt.Fatalf("off by %v m, twist by %v, quality %v, spread %v", off, turn, o.Quality, o.Spread)
		}
		for i := range tracks {
			if tracks[i].Slip > 1e-3 {
				rt.Fatalf("foot %d slipped %v", i, tracks[i].Slip)
			}
		}
	})
}

// TestOrderOfLegs checks that relabelled legs give the same answer.
func TestOrderOfLegs(t *testing.T) {
	draw := rand.New(rand.NewSource(5))
	feet := square(0.2, 0.1, -0.2)
	perm := []int{2, 0, 3, 1}
	mixed := make([]r3.Vec, 4)
	p := estimate.DefaultOdometry(0.4)
	a, b := estimate.NewOdometry(geom.Identity()), estimate.NewOdometry(geom.Identity())
	ta, tb := make([]estimate.Track, 4), make([]estimate.Track, 4)
	for range 50 {
		for i := range feet {
			feet[i] = stir(draw, feet[i], 0.001)
		}
		for i, j := range perm {
			mixed[j] = feet[i]
		}
		a.Update(&p, ta, &estimate.Standing{FeetB: feet, Down: 0b0111}, 0.01)
		b.Update(&p, tb, &estimate.Standing{FeetB: mixed, Down: 1<<2 | 1<<0 | 1<<3}, 0.01)
	}
	if off := r3.Norm(r3.Sub(a.PoseWB.P, b.PoseWB.P)); off > 1e-9 {
		t.Errorf("relabelled legs end %v m apart", off)
	}
	for i, j := range perm {
		if math.Abs(ta[i].Total-tb[j].Total) > 1e-9 {
			t.Errorf("slip of leg %d is %v or %v", i, ta[i].Total, tb[j].Total)
		}
	}
}

// walked runs a trot of the body at speed v: two diagonal pairs in turn, one
// foot slipping at slide, and returns the odometry.
func walked(gyro bool, slide float64, pairs bool) (estimate.Odometry, []estimate.Track, geom.Pose) {
	const dt = 0.01
	tw := geom.Twist{V: r3.Vec{X: 0.2}, W: r3.Vec{Z: 0.3}}
	p := estimate.DefaultOdometry(0.4)
	o := estimate.NewOdometry(geom.Identity())
	b := newStrider(square(0.2, 0.1, -0.25)...)
	tracks := make([]estimate.Track, 4)
	for k := range 400 {
		down := all(4)
		if pairs {
			down = 0b1001
			if k/25%2 == 1 {
				down = 0b0110
			}
			for i := range b.feetW { // swing feet go back to their places
				if down>>i&1 == 0 {
					b.feetW[i] = b.pose.Apply(square(0.2, 0.1, -0.25)[i])
				}
			}
		}
		b.feetW[0].X += slide * dt
		in := estimate.Standing{FeetB: b.feetB, Down: down, Gyro: tw.W, HasGyro: gyro, HasTilt: gyro}
		b.tick(tw, dt)
		o.Update(&p, tracks, &in, dt)
	}
	return o, tracks, b.pose
}

func TestOdometryOfGaits(t *testing.T) {
	rows := []struct {
		name        string
		gyro, pairs bool
		slide       float64
		off, yaw    float64
	}{
		{"four feet", false, false, 0, 0.005, 0.005},
		{"two feet at a time", false, true, 0, 0.03, 0.01},
		{"two feet and a gyro", true, true, 0, 0.03, 0.01},
		{"one of four slips", false, false, 0.05, 0.02, 0.02},
		{"one of four slips, gyro", true, false, 0.05, 0.02, 0.01},
	}
	for _, w := range rows {
		t.Run(w.name, func(t *testing.T) {
			o, tracks, truth := walked(w.gyro, w.slide, w.pairs)
			if off := r3.Norm(r3.Sub(o.PoseWB.P, truth.P)); off > w.off {
				t.Errorf("off by %.4f m of %.3f", off, o.Way)
			}
			if yaw := math.Abs(geom.WrapAngle(geom.Yaw(o.PoseWB.Q) - geom.Yaw(truth.Q))); yaw > w.yaw {
				t.Errorf("heading off by %.4f rad", yaw)
			}
			if w.slide > 0 && (math.Abs(tracks[0].Slip-0.2) > 0.02 || tracks[1].Slip+tracks[2].Slip+tracks[3].Slip > 0.02) {
				t.Errorf("slip booked as %.3f %.3f %.3f %.3f m, want 0.2 on the first", tracks[0].Slip, tracks[1].Slip, tracks[2].Slip, tracks[3].Slip)
			}
		})
	}
}

// TestComplaint13_SlipIsSeenBothWays walks ahead with a rear foot that slips and
// backwards with a front one, which is the same thing in a mirror: the slip must
// be seen alike, and the way be as long.
func TestComplaint13_SlipIsSeenBothWays(t *testing.T) {
	run := func(v float64, foot int) (way, slip float64) {
		p := estimate.DefaultOdometry(0.4)
		o := estimate.NewOdometry(geom.Identity())
		b := newStrider(square(0.2, 0.1, -0.25)...)
		tracks := make([]estimate.Track, 4)
		for k := range 201 {
			o.Update(&p, tracks, &estimate.Standing{FeetB: b.feetB, Down: all(4)}, 0.01)
			if s := tracks[foot].Speed; k > 40 && math.Abs(s-0.075) > 0.02 {
				t.Fatalf("the foot slips at 0.075 m/s, seen %v in tick %d", s, k)
			}
			b.feetW[foot].X += 0.5 * v * 0.01
			b.tick(geom.Twist{V: r3.Vec{X: v}}, 0.01)
		}
		return o.PoseWB.P.X, tracks[foot].Slip
	}
	ahead, slipA := run(0.15, 2)
	back, slipB := run(-0.15, 0)
	if math.Abs(ahead+back) > 1e-6 || math.Abs(slipA-slipB) > 1e-6 || math.Abs(slipA-0.15) > 0.02 || math.Abs(ahead-0.3) > 0.02 {
		t.Errorf("ahead %.4f m with %.4f m of slip, back %.4f with %.4f, want 0.3 and 0.15", ahead, slipA, back, slipB)
	}
}

// TestComplaint50_NeutralDoesNotDrift stands for a minute with noisy joints:
// the place must stay.
func TestComplaint50_NeutralDoesNotDrift(t *testing.T) {
	draw := rand.New(rand.NewSource(8))
	p := estimate.DefaultOdometry(0.4)
	o := estimate.NewOdometry(geom.Identity())
	tracks := make([]estimate.Track, 4)
	feet := make([]r3.Vec, 4)
	for range 6000 {
		for i, f := range square(0.2, 0.1, -0.25) {
			feet[i] = stir(draw, f, 0.0005)
		}
		o.Update(&p, tracks, &estimate.Standing{FeetB: feet, Down: all(4)}, 0.01)
	}
	if off := r3.Norm(o.PoseWB.P); off > 0.02 {
		t.Errorf("drifted %.4f m in a minute of standing", off)
	}
	if turn := math.Abs(geom.Yaw(o.PoseWB.Q)); turn > 0.02 {
		t.Errorf("turned %.4f rad in a minute of standing", turn)
	}
}

func TestScaleAndFlight(t *testing.T) {
	p := estimate.DefaultOdometry(0.4)
	p.ScaleX, p.ScaleW = 0.9, 0.8
	o := estimate.NewOdometry(geom.Identity())
	b := newStrider(square(0.2, 0.1, -0.25)...)
	tracks := make([]estimate.Track, 4)
	for range 101 {
		o.Update(&p, tracks, &estimate.Standing{FeetB: b.feetB, Down: all(4)}, 0.01)
		b.tick(geom.Twist{V: r3.Vec{X: 0.3}}, 0.01)
	}
	if math.Abs(o.PoseWB.P.X-0.27) > 1e-3 {
		t.Errorf("0.3 m at a scale of 0.9 became %v", o.PoseWB.P.X)
	}
	x := o.PoseWB.P.X
	for range 10 {
		o.Update(&p, tracks, &estimate.Standing{FeetB: b.feetB, Gyro: r3.Vec{Z: 1}, HasGyro: true}, 0.01)
	}
	if o.Quality != 0 || o.Feet != 0 || o.PoseWB.P.X < x+0.01 || math.Abs(geom.Yaw(o.PoseWB.Q)-0.08) > 1e-6 {
		t.Errorf("in flight: quality %v, x from %v to %v, yaw %v", o.Quality, x, o.PoseWB.P.X, geom.Yaw(o.PoseWB.Q))
	}
	if tracks[0].Speed != 0 {
		t.Error("a foot in the air slips")
	}
	for range 300 {
		o.Update(&p, tracks, &estimate.Standing{FeetB: b.feetB}, 0.01)
	}
	if r3.Norm(o.TwistB.V) > 1e-3 {
		t.Errorf("after 3 s in the air it still moves at %v", o.TwistB.V)
	}
}
