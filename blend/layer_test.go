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

func TestALayerPutOnItsReferenceIsThePose(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 1))
	for range 200 {
		ref, p := drawnPose(rng), drawnPose(rng)
		layer := blend.NewPoses(p.Shape(), 1)[0]
		if err := blend.Delta(&layer, &ref, &p); err != nil {
			t.Fatal(err)
		}
		got, none := blend.NewPoses(p.Shape(), 1)[0], blend.NewPoses(p.Shape(), 1)[0]
		if err := blend.Add(&got, &ref, &layer, 1, nil); err != nil {
			t.Fatal(err)
		}
		copy(p.Ground, ref.Ground) // contacts stay the base's
		if d := apart(&got, &p); d > 1e-12 {
			t.Fatalf("off by %v", d)
		}
		if err := blend.Add(&none, &ref, &layer, 0, nil); err != nil || apart(&none, &ref) > 1e-12 {
			t.Fatalf("weight 0: %v, off by %v", err, apart(&none, &ref))
		}
	}
}

// Complaint 12: additive rotation composed on the wrong side.
func TestComplaint12LayersTurnInTheJointsOwnFrame(t *testing.T) {
	p := blend.NewPoses(blend.Shape{Joints: 1}, 3)
	yaw, roll := geom.AxisAngle(r3.Vec{Z: 1}, 1), geom.AxisAngle(r3.Vec{X: 1}, .8)
	p[0].Joints[0], p[1].Joints[0] = yaw, roll
	if err := blend.Add(&p[2], &p[0], &p[1], .5, nil); err != nil {
		t.Fatal(err)
	}
	want := quat.Mul(yaw, geom.AxisAngle(r3.Vec{X: 1}, .4))
	sameRotation(t, p[2].Joints[0], want, 1e-12)
	// A negated quaternion is the same rotation and gives the same part of it.
	p[1].Joints[0] = quat.Scale(-1, roll)
	if err := blend.Add(&p[2], &p[0], &p[1], .5, nil); err != nil {
		t.Fatal(err)
	}
	sameRotation(t, p[2].Joints[0], want, 1e-12)
}

// Complaint 11: a joint jerks when a heavy masked layer is averaged with a
// base near 90 degrees.
func TestComplaint11MaskedLayersReplaceAndDoNotAverage(t *testing.T) {
	shape := blend.Shape{Joints: 2, Angles: 1, Feet: 1}
	p := blend.NewPoses(shape, 3)
	base, layer, out := &p[0], &p[1], &p[2]
	m := blend.FullMask(shape)
	m.Joints[1], m.Body, m.Angles[0], m.Feet[0] = 0, 0, 0, 0
	last := quat.Number{}
	for k := range 401 { // the layer sweeps past a half turn away from the base
		angle := math.Pi * float64(k) / 200
		layer.Joints[0] = geom.AxisAngle(r3.Vec{X: 1}, angle)
		layer.Joints[1], layer.Angles[0] = layer.Joints[0], angle
		if err := blend.Override(out, base, layer, 3, m); err != nil {
			t.Fatal(err)
		}
		sameRotation(t, out.Joints[0], layer.Joints[0], 1e-12)
		sameRotation(t, out.Joints[1], base.Joints[1], 1e-12)
		if out.Angles[0] != 0 || out.Body != base.Body {
			t.Fatalf("masked parts moved: %+v", out)
		}
		if step := min(quat.Abs(quat.Sub(last, out.Joints[0])), quat.Abs(quat.Add(last, out.Joints[0]))); k > 0 && step > .02 {
			t.Fatalf("a jerk of %v at %v rad", step, angle)
		}
		last = out.Joints[0]
	}
}

func TestOverrideHalfway(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 2))
	a, b := drawnPose(rng), drawnPose(rng)
	want := mixed(t, []blend.Pose{a, b}, []float64{.5, .5})
	if err := blend.Override(&a, &a, &b, .5, nil); err != nil || apart(&a, &want) > 1e-12 {
		t.Errorf("%v: off a mix of halves by %v", err, apart(&a, &want))
	}
}

func TestLayersRefuse(t *testing.T) {
	p := blend.NewPoses(blend.Shape{Joints: 1, Angles: 1}, 2)
	other := blend.NewPoses(blend.Shape{Joints: 2}, 1)[0]
	nan := math.NaN()
	for name, err := range map[string]error{
		"shape":       blend.Add(&p[0], &p[0], &other, 1, nil),
		"weight":      blend.Add(&p[0], &p[0], &p[1], nan, nil),
		"mask length": blend.Add(&p[0], &p[0], &p[1], 1, &blend.Mask{Joints: []float64{1, 1}}),
		"mask number": blend.Override(&p[0], &p[0], &p[1], 1, &blend.Mask{Angles: []float64{nan}}),
		"mask body":   blend.Override(&p[0], &p[0], &p[1], 1, &blend.Mask{Body: nan}),
		"delta":       blend.Delta(&p[0], &other, &p[1]),
		"copy":        blend.Copy(&p[0], &other),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestMirrorTwiceIsThePose(t *testing.T) {
	rng := rand.New(rand.NewPCG(22, 1))
	m := blend.Mirror{Joints: []int{0, 2, 1}, Angles: []int{1, 0, 3, 2}, Feet: []int{1, 0}, Flip: []bool{true, true, false, false}}
	p := drawnPose(rng)
	once, twice := blend.NewPoses(p.Shape(), 1)[0], blend.NewPoses(p.Shape(), 1)[0]
	if err := m.Apply(&once, &p); err != nil {
		t.Fatal(err)
	}
	if err := m.Apply(&twice, &once); err != nil || apart(&twice, &p) > 1e-15 {
		t.Errorf("%v: off by %v", err, apart(&twice, &p))
	}
	if once.Feet[0].Y != -p.Feet[1].Y || once.Angles[0] != -p.Angles[1] || once.Root.Yaw != -p.Root.Yaw {
		t.Errorf("got %+v of %+v", once, p)
	}
	// A mirrored rotation takes a mirrored vector to the mirrored image.
	v := r3.Vec{X: 1, Y: 2, Z: 3}
	img := geom.Rotate(p.Joints[2], v)
	if got := geom.Rotate(once.Joints[1], r3.Vec{X: 1, Y: -2, Z: 3}); r3.Norm(r3.Sub(got, r3.Vec{X: img.X, Y: -img.Y, Z: img.Z})) > 1e-12 {
		t.Errorf("mirrored joint takes v to %v, want the image of %v", got, img)
	}
	for _, bad := range []blend.Mirror{
		{}, {Joints: []int{1, 2, 0}, Angles: m.Angles, Feet: m.Feet, Flip: m.Flip},
		{Joints: []int{0, 1, 9}, Angles: m.Angles, Feet: m.Feet, Flip: m.Flip}, {Joints: m.Joints, Angles: m.Angles, Feet: m.Feet},
	} {
		if bad.Apply(&once, &p) == nil {
			t.Errorf("%+v is taken", bad)
		}
	}
}
