package rig_test

import (
	"math"
	"testing"

	"legctl/geom"
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r3"
	"pgregory.net/rapid"
)

func near(t *testing.T, what string, got, want r3.Vec, tol float64) {
	t.Helper()
	if r3.Norm(r3.Sub(got, want)) > tol {
		t.Errorf("%s %v, want %v", what, got, want)
	}
}

func valid(t *testing.T, n int) *rig.Rig {
	t.Helper()
	r := pairs(n)
	if err := r.Validate(); err != nil {
		t.Fatal(err)
	}
	return r
}

// TestFootByHand compares with trigonometry done by hand in the leg's plane.
func TestFootByHand(t *testing.T) {
	r := valid(t, 1)
	for _, row := range []struct {
		name string
		q    [3]float64
		want r3.Vec // from the mount, leg pointing left
	}{
		{"straight", [3]float64{0, 0, 0}, r3.Vec{Y: coxa + femur + tibia}},
		{"yaw a quarter turn", [3]float64{math.Pi / 2, 0, 0}, r3.Vec{X: -(coxa + femur + tibia)}},
		{"femur down", [3]float64{0, math.Pi / 2, 0}, r3.Vec{Y: coxa, Z: -(femur + tibia)}},
		{"tibia down", [3]float64{0, 0, math.Pi / 2}, r3.Vec{Y: coxa + femur, Z: -tibia}},
	} {
		q := append(append([]float64{}, row.q[:]...), 0, 0, 0)
		got := r3.Sub(rig.Foot(r, 0, q), r.Legs[0].Joints[0].Origin.P)
		near(t, row.name, got, row.want, 1e-12)
	}
}

// TestFootIsChainOfPoses compares with poses multiplied one by one.
func TestFootIsChainOfPoses(t *testing.T) {
	r := valid(t, 3)
	rapid.Check(t, func(rt *rapid.T) {
		q := drawAngles(rt, r)
		for i := range r.Legs {
			l := &r.Legs[i]
			pose := geom.Identity()
			for j := range l.Joints {
				pose = pose.Mul(l.Joints[j].Origin)
				pose = pose.Mul(geom.Pose{Q: geom.AxisAngle(l.Joints[j].Axis, r.Slice(q, i)[j])})
			}
			near(t, l.Name, rig.Foot(r, i, q), pose.Apply(l.Foot), 1e-12)
		}
	})
}

func drawAngles(t *rapid.T, r *rig.Rig) []float64 {
	q := make([]float64, r.Joints())
	for i := range q {
		q[i] = rapid.Float64Range(-2.5, 2.5).Draw(t, "q")
	}
	return q
}

// TestJacobian compares with central differences.
func TestJacobian(t *testing.T) {
	r := valid(t, 2)
	rapid.Check(t, func(rt *rapid.T) {
		q := drawAngles(rt, r)
		var cols [3]r3.Vec
		for i := range r.Legs {
			foot := rig.Jacobian(cols[:], &r.Legs[i], r.Slice(q, i))
			near(t, "foot", foot, rig.Foot(r, i, q), 1e-12)
			for j := range cols {
				const h = 1e-6
				at := &r.Slice(q, i)[j]
				keep := *at
				*at = keep + h
				up := rig.Foot(r, i, q)
				*at = keep - h
				down := rig.Foot(r, i, q)
				*at = keep
				near(t, "column", cols[j], r3.Scale(1/(2*h), r3.Sub(up, down)), 1e-8)
			}
		}
	})
}

// TestFoldMimic drives a coupled leg by its free joints alone.
func TestFoldMimic(t *testing.T) {
	r := pairs(1)
	for i := range r.Legs {
		k := &r.Legs[i].Joints[2]
		k.Mimic, k.Factor = 1, -0.5
		k.Offset = k.Rest + 0.5*r.Legs[i].Joints[1].Rest
	}
	if err := r.Validate(); err != nil {
		t.Fatal(err)
	}
	if !r.Legs[0].Planar {
		t.Error("two free joints, but not planar")
	}
	l := &r.Legs[0]
	pose := func(femur float64) r3.Vec {
		return rig.LegFoot(l, []float64{0.2, femur, -0.5*femur + l.Joints[2].Offset})
	}
	var cols [3]r3.Vec
	rig.Jacobian(cols[:], l, []float64{0.2, 0.3, -0.15 + l.Joints[2].Offset})
	rig.FoldMimic(cols[:], l)
	const h = 1e-6
	near(t, "folded column", cols[1], r3.Scale(1/(2*h), r3.Sub(pose(0.3+h), pose(0.3-h))), 1e-8)
	near(t, "column of the copy", cols[2], r3.Vec{}, 0)
}

func TestMassAndCoM(t *testing.T) {
	r := valid(t, 2)
	if got, want := r.Mass(), 2+12*0.05; math.Abs(got-want) > 1e-12 {
		t.Errorf("mass %g, want %g", got, want)
	}
	com := rig.CoM(r, r.RestPose(nil))
	if math.Abs(com.X) > 1e-12 || math.Abs(com.Y) > 1e-12 {
		t.Errorf("centre of mass %v of a symmetric rig is off the middle", com)
	}
	// Moving one leg's link masses by hand.
	r.Legs[0].Joints[0].Link.CoM = r3.Vec{X: 0.03}
	moved := rig.CoM(r, r.RestPose(nil))
	near(t, "shift", r3.Sub(moved, com), r3.Vec{Y: 0.03 * 0.05 / r.Mass()}, 1e-12)
	r.Body.CoM = r3.Vec{Z: 0.1}
	near(t, "body shift", r3.Sub(rig.CoM(r, r.RestPose(nil)), moved), r3.Vec{Z: 0.1 * 2 / r.Mass()}, 1e-12)
}

func TestLookups(t *testing.T) {
	r := valid(t, 3)
	if i, ok := r.Find("r1"); !ok || i != 3 {
		t.Errorf("Find(r1) = %d, %v", i, ok)
	}
	if _, ok := r.Find("x"); ok {
		t.Error("found a leg that is not there")
	}
	if r.G() != rig.Gravity {
		t.Errorf("gravity %g", r.G())
	}
	r.Gravity = 32
	if r.G() != 32 {
		t.Errorf("gravity %g, want 32", r.G())
	}
	if got := len(r.RestPose(make([]float64, 3, 100))); got != 18 {
		t.Errorf("rest pose of %d angles, want 18", got)
	}
	if o := rig.NewObservation(r); len(o.Q) != 18 || o.Has != 0 {
		t.Errorf("new observation %+v", o)
	}
	if s := rig.NewSetpoint(r); len(s.Q) != 18 || s.Q[2] != r.Legs[0].Joints[2].Rest {
		t.Errorf("new setpoint %+v", s)
	}
}

func TestKinematicsDoNotAllocate(t *testing.T) {
	r := valid(t, 3)
	q := r.RestPose(nil)
	var cols [3]r3.Vec
	n := testing.AllocsPerRun(100, func() {
		for i := range r.Legs {
			rig.Foot(r, i, q)
			rig.Jacobian(cols[:], &r.Legs[i], r.Slice(q, i))
		}
		rig.CoM(r, q)
	})
	if n != 0 {
		t.Errorf("%g allocations", n)
	}
}
