package blend_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"legctl/blend"
	"legctl/geom"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// quatCase is one case of quat_blend.json.
type quatCase struct {
	ID, Rule, Expect string
	Quats            [][4]num
	Weights, Quat    []num
	Velocities       [][3]num
	Velocity         []num
}

func number(q []num) quat.Number {
	return quat.Number{Real: float64(q[0]), Imag: float64(q[1]), Jmag: float64(q[2]), Kmag: float64(q[3])}
}

func TestQuatVectors(t *testing.T) {
	var f struct{ Cases []quatCase }
	readVectors(t, "quat_blend", &f)
	if len(f.Cases) < 190 {
		t.Fatalf("%d cases, want at least 190", len(f.Cases))
	}
	for _, c := range f.Cases {
		t.Run(c.ID+"/"+c.Rule, func(t *testing.T) {
			poses := blend.NewPoses(blend.Shape{Joints: 1}, len(c.Quats))
			for i := range poses {
				poses[i].Joints[0] = number(c.Quats[i][:])
				if i < len(c.Velocities) {
					v := c.Velocities[i]
					poses[i].Root.Move = r3.Vec{X: float64(v[0]), Y: float64(v[1]), Z: float64(v[2])}
				}
			}
			dst := blend.NewPoses(blend.Shape{Joints: 1}, 1)[0]
			dst.Joints[0] = quat.Number{Kmag: 7}
			err := blend.Mix(&dst, poses, floats(c.Weights))
			if c.Expect == "error" {
				if err == nil || dst.Joints[0].Kmag != 7 {
					t.Errorf("got %v and %v, want an error and nothing written", err, dst.Joints[0])
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			sameRotation(t, dst.Joints[0], number(c.Quat), tol)
			if v := c.Velocity; v != nil {
				want := r3.Vec{X: float64(v[0]), Y: float64(v[1]), Z: float64(v[2])}
				if d := r3.Sub(dst.Root.Move, want); r3.Norm(d) > tol {
					t.Errorf("velocity %v, want %v", dst.Root.Move, want)
				}
			}
		})
	}
}

func sameRotation(t *testing.T, got, want quat.Number, within float64) {
	t.Helper()
	if d := min(quat.Abs(quat.Sub(got, want)), quat.Abs(quat.Add(got, want))); !(d <= within) {
		t.Errorf("rotation %v, want %v (off by %v)", got, want, d)
	}
}

// drawnPose is a pose with something in every field.
func drawnPose(rng *rand.Rand) blend.Pose {
	p := blend.NewPoses(blend.Shape{Joints: 3, Angles: 4, Feet: 2}, 1)[0]
	vec := func() r3.Vec { return r3.Vec{X: rng.NormFloat64(), Y: rng.NormFloat64(), Z: rng.NormFloat64()} }
	turn := func() quat.Number { return geom.FromRPY(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()) }
	p.Root = blend.RootMotion{Move: vec(), Yaw: rng.NormFloat64()}
	p.Body = geom.Pose{P: vec(), Q: turn()}
	for i := range p.Joints {
		p.Joints[i] = turn()
	}
	for i := range p.Angles {
		p.Angles[i] = rng.NormFloat64()
	}
	for i := range p.Feet {
		p.Feet[i], p.Ground[i] = vec(), float64(rng.IntN(2))
	}
	return p
}

// apart is the largest difference of two poses in any field.
func apart(a, b *blend.Pose) float64 {
	turn := func(p, q quat.Number) float64 {
		return min(quat.Abs(quat.Sub(p, q)), quat.Abs(quat.Add(p, q)))
	}
	d := max(r3.Norm(r3.Sub(a.Root.Move, b.Root.Move)), math.Abs(a.Root.Yaw-b.Root.Yaw),
		r3.Norm(r3.Sub(a.Body.P, b.Body.P)), turn(a.Body.Q, b.Body.Q))
	for i := range a.Joints {
		d = max(d, turn(a.Joints[i], b.Joints[i]))
	}
	for i := range a.Angles {
		d = max(d, math.Abs(geom.WrapAngle(a.Angles[i]-b.Angles[i])))
	}
	for i := range a.Feet {
		d = max(d, r3.Norm(r3.Sub(a.Feet[i], b.Feet[i])), math.Abs(a.Ground[i]-b.Ground[i]))
	}
	return d
}

func mixed(t *testing.T, poses []blend.Pose, w []float64) blend.Pose {
	t.Helper()
	dst := blend.NewPoses(poses[0].Shape(), 1)[0]
	if err := blend.Mix(&dst, poses, w); err != nil {
		t.Fatal(err)
	}
	return dst
}

// Complaint 10: blends take the long way, depend on the order of clips, drift
// off their axis.
func TestComplaint10AnyOrderAndSignGivesOneBlend(t *testing.T) {
	rng := rand.New(rand.NewPCG(10, 1))
	for range 300 {
		poses := []blend.Pose{drawnPose(rng), drawnPose(rng), drawnPose(rng), drawnPose(rng)}
		w := []float64{.1, .4, .3, .2}
		want := mixed(t, poses, w)
		order := rng.Perm(4)
		shuffled, v := make([]blend.Pose, 4), make([]float64, 4)
		for i, k := range order {
			shuffled[i], v[i] = poses[k], 5*w[k]
			shuffled[i].Joints = append([]quat.Number(nil), poses[k].Joints...)
			if rng.IntN(2) == 0 {
				for j := range shuffled[i].Joints {
					shuffled[i].Joints[j] = quat.Scale(-3, shuffled[i].Joints[j])
				}
			}
		}
		got := mixed(t, shuffled, v)
		if d := apart(&got, &want); d > 1e-12 {
			t.Fatalf("order %v: off by %v", order, d)
		}
	}
	// About one axis the blend stays on it and goes the short way.
	a := blend.NewPoses(blend.Shape{Joints: 1, Angles: 1}, 2)
	a[0].Joints[0], a[1].Joints[0] = geom.AxisAngle(r3.Vec{Y: 1}, 3), geom.AxisAngle(r3.Vec{Y: 1}, -3)
	a[0].Angles[0], a[1].Angles[0] = 3, -3
	got := mixed(t, a, []float64{.5, .5})
	sameRotation(t, got.Joints[0], geom.AxisAngle(r3.Vec{Y: 1}, math.Pi), 1e-12)
	if math.Abs(geom.WrapAngle(got.Angles[0]-math.Pi)) > 1e-12 {
		t.Errorf("angle %v, want pi", got.Angles[0])
	}
}

// Complaint 13: weights silently normalised, the rest pose shows when their sum
// drops.
func TestComplaint13TheSumOfWeightsDoesNotShow(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 1))
	poses := []blend.Pose{drawnPose(rng), drawnPose(rng)}
	whole, tenth := mixed(t, poses, []float64{.7, .3}), mixed(t, poses, []float64{.07, .03})
	if d := apart(&whole, &tenth); d > 1e-12 {
		t.Errorf("a sum of 0.1 changes the pose by %v", d)
	}
	one := mixed(t, poses, []float64{0, .2})
	if d := apart(&one, &poses[1]); d > 1e-12 {
		t.Errorf("one motion alone is off by %v", d)
	}
}

// Complaint 21: speed not divided by the sum of weights; clips at the origin
// weighted wrongly.
func TestComplaint21SpeedIsDividedByTheSum(t *testing.T) {
	poses := blend.NewPoses(blend.Shape{}, 2)
	poses[0].Root.Move, poses[1].Root.Move = r3.Vec{X: 1}, r3.Vec{X: 3}
	if got := mixed(t, poses, []float64{2, 2}); !near(got.Root.Move.X, 2) {
		t.Errorf("speed %v, want 2", got.Root.Move.X)
	}
}

func TestMixRefuses(t *testing.T) {
	good := blend.NewPoses(blend.Shape{Joints: 1, Angles: 1, Feet: 1}, 2)
	broken := func(change func(p *blend.Pose)) []blend.Pose {
		p := blend.NewPoses(good[0].Shape(), 2)
		change(&p[1])
		return p
	}
	nan := math.NaN()
	for name, c := range map[string]struct {
		poses []blend.Pose
		w     []float64
	}{
		"none":        {nil, nil},
		"lengths":     {good, []float64{1}},
		"weight":      {good, []float64{1, nan}},
		"endless":     {good, []float64{1, math.Inf(1)}},
		"joint":       {broken(func(p *blend.Pose) { p.Joints[0].Jmag = nan }), []float64{1, 0}},
		"no rotation": {broken(func(p *blend.Pose) { p.Joints[0] = quat.Number{} }), []float64{1, 0}},
		"angle":       {broken(func(p *blend.Pose) { p.Angles[0] = nan }), []float64{1, 0}},
		"foot":        {broken(func(p *blend.Pose) { p.Feet[0].Z = nan }), []float64{1, 0}},
		"contact":     {broken(func(p *blend.Pose) { p.Ground[0] = nan }), []float64{1, 0}},
		"root":        {broken(func(p *blend.Pose) { p.Root.Yaw = nan }), []float64{1, 0}},
		"body":        {broken(func(p *blend.Pose) { p.Body.Q = quat.Number{} }), []float64{1, 0}},
		"shape":       {[]blend.Pose{good[0], {}}, []float64{1, 0}},
		"no contacts": {broken(func(p *blend.Pose) { p.Ground = nil }), []float64{1, 0}},
	} {
		dst := blend.NewPoses(good[0].Shape(), 1)[0]
		dst.Angles[0] = 7
		if err := blend.Mix(&dst, c.poses, c.w); err == nil || dst.Angles[0] != 7 {
			t.Errorf("%s: %v, and angle %v", name, err, dst.Angles[0])
		}
	}
	all0 := mixed(t, good, []float64{0, -1})
	if all0.Joints[0] != (quat.Number{Real: 1}) || all0.Body != geom.Identity() {
		t.Errorf("no weight at all gives %+v, want the neutral pose", all0)
	}
}

func TestMixIntoAnInput(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	poses := []blend.Pose{drawnPose(rng), drawnPose(rng)}
	want := mixed(t, poses, []float64{.4, .6})
	if err := blend.Mix(&poses[0], poses, []float64{.4, .6}); err != nil || apart(&poses[0], &want) > 1e-12 {
		t.Errorf("%v: off by %v", err, apart(&poses[0], &want))
	}
}
