package rig_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"legctl/geom"
	"legctl/rig"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
	"pgregory.net/rapid"
)

func TestValidateAcceptsAndFinishes(t *testing.T) {
	r := pairs(3)
	if err := r.Validate(); err != nil {
		t.Fatal(err)
	}
	for i := range r.Legs {
		l := &r.Legs[i]
		if l.First != 3*i {
			t.Errorf("leg %d: First %d, want %d", i, l.First, 3*i)
		}
		if want := coxa + femur + tibia; math.Abs(l.Length-want) > 1e-12 {
			t.Errorf("leg %d: Length %g, want %g", i, l.Length, want)
		}
		if l.Planar {
			t.Errorf("leg %d: planar, want not", i)
		}
	}
	if r.Groups.Row == nil {
		t.Error("no groups")
	}
}

// faultRow breaks one thing in a good rig and wants one fault that names it.
type faultRow struct {
	name  string
	spoil func(r *rig.Rig)
	want  string
}

func checkFaults(t *testing.T, rows []faultRow) {
	t.Helper()
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			r := pairs(3)
			row.spoil(r)
			err := r.Validate()
			var bad *rig.InvalidError
			if !errors.As(err, &bad) {
				t.Fatalf("error %v, want *InvalidError", err)
			}
			if !strings.Contains(err.Error(), row.want) {
				t.Errorf("got  %v\nwant %q in it", err, row.want)
			}
		})
	}
}

// TestFaultsOfParts: legs, joints and the body by themselves.
func TestFaultsOfParts(t *testing.T) {
	nan := math.NaN()
	checkFaults(t, []faultRow{
		{"one leg", func(r *rig.Rig) { r.Legs = r.Legs[:1] }, "fixture Legs: wrong number of legs: 1, want 2 to 64"},
		{"65 legs", func(r *rig.Rig) {
			for len(r.Legs) < 65 {
				r.Legs = append(r.Legs, r.Legs[0])
			}
		}, "wrong number of legs: 65"},
		{"no joints", func(r *rig.Rig) { r.Legs[2].Joints = nil }, "l1 Joints: wrong number of joints: 0, want 1 to 12"},
		{"13 joints", func(r *rig.Rig) {
			for len(r.Legs[2].Joints) < 13 {
				r.Legs[2].Joints = append(r.Legs[2].Joints, r.Legs[2].Joints[2])
			}
		}, "l1 Joints: wrong number of joints: 13, want 1 to 12"},
		{"last link without length", func(r *rig.Rig) { r.Legs[1].Foot = r3.Vec{} }, "r0_tibia Link: last link without length: 0"},
		{"leg without length", func(r *rig.Rig) {
			l := &r.Legs[1]
			l.Foot, l.Joints[1].Origin.P, l.Joints[2].Origin.P = r3.Vec{}, r3.Vec{}, r3.Vec{}
		}, "r0 Length: leg without length"},
		{"limits reversed", func(r *rig.Rig) { r.Legs[0].Joints[1].Min, r.Legs[0].Joints[1].Max = 1, -1 }, "l0_femur Limits: limits reversed: [57.2958, -57.2958] deg, want min < max"},
		{"limits NaN", func(r *rig.Rig) { r.Legs[0].Joints[1].Min = nan }, "l0_femur Limits: limits are not numbers"},
		{"limits too wide", func(r *rig.Rig) { r.Legs[0].Joints[1].Min = -20 }, "limits too wide"},
		{"rest outside", func(r *rig.Rig) { r.Legs[0].Joints[0].Min = 0.1 }, "l0_coxa Rest: rest outside limits: 0 deg"},
		{"rest NaN", func(r *rig.Rig) { r.Legs[0].Joints[0].Rest = nan }, "l0_coxa Rest: rest is not a number"},
		{"axis not unit", func(r *rig.Rig) { r.Legs[0].Joints[0].Axis = r3.Vec{Z: 2} }, "l0_coxa Axis: axis is not a unit vector: (0, 0, 2) with norm 2"},
		{"axis NaN", func(r *rig.Rig) { r.Legs[0].Joints[0].Axis = r3.Vec{Z: nan} }, "l0_coxa Axis"},
		{"turn not unit", func(r *rig.Rig) { r.Legs[0].Joints[0].Origin.Q = quat.Number{} }, "l0_coxa Origin: turn is not a unit quaternion"},
		{"origin NaN", func(r *rig.Rig) { r.Legs[0].Joints[0].Origin.P.X = nan }, "l0_coxa Origin: not a number"},
		{"no speed", func(r *rig.Rig) { r.Legs[0].Joints[0].Speed = 0 }, "l0_coxa Speed: out of range: 0, want > 0 and <= 1000"},
		{"negative torque", func(r *rig.Rig) { r.Legs[0].Joints[0].Torque = -1 }, "l0_coxa Torque: out of range: -1, want 0 to"},
		{"negative mass", func(r *rig.Rig) { r.Legs[0].Joints[0].Link.Mass = -1 }, "l0_coxa Link.Mass"},
		{"no body mass", func(r *rig.Rig) { r.Body.Mass = 0 }, "fixture Body.Mass: out of range: 0"},
		{"negative box", func(r *rig.Rig) { r.Body.Box.X = -1 }, "negative half extent"},
		{"too far", func(r *rig.Rig) { r.Body.CoM.X = 1e9 }, "fixture Body.CoM: too long"},
		{"foot radius", func(r *rig.Rig) { r.Legs[0].FootRadius = -1 }, "l0 FootRadius: out of range"},
		{"height", func(r *rig.Rig) { r.Height = nan }, "fixture Height: out of range: NaN"},
		{"gravity", func(r *rig.Rig) { r.Gravity = -1 }, "fixture Gravity: out of range: -1"},
		{"class", func(r *rig.Rig) { r.Class = 7 }, "no such class: 7"},
	})
}

// TestFaultsOfTheWhole: names, couplings, feet, twins and given groups.
func TestFaultsOfTheWhole(t *testing.T) {
	nan := math.NaN()
	checkFaults(t, []faultRow{
		{"rig name", func(r *rig.Rig) { r.Name = "My Rig" }, `bad name: "My Rig"`},
		{"leg name", func(r *rig.Rig) { r.Legs[0].Name = "" }, `leg 0 Name: bad name: ""`},
		{"two legs of one name", func(r *rig.Rig) { r.Legs[2].Name = "l0" }, `l0 Name: duplicate name: "l0", already the name of a leg`},
		{"two joints of one name", func(r *rig.Rig) { r.Legs[2].Joints[1].Name = "l0_coxa" }, `duplicate name: "l0_coxa", already the name of a joint`},
		{"mimic of nothing", func(r *rig.Rig) { r.Legs[0].Joints[2].Mimic = 3 }, "l0_tibia Mimic: no such joint in this leg: 3, want -1 to 2"},
		{"mimic of itself", func(r *rig.Rig) { r.Legs[0].Joints[2].Mimic = 2 }, "l0_tibia Mimic: copies a joint that is itself a copy"},
		{"mimic cycle", func(r *rig.Rig) { r.Legs[0].Joints[2].Mimic, r.Legs[0].Joints[1].Mimic = 1, 2 }, "l0_femur Mimic: copies a joint that is itself a copy"},
		{"mimic factor", func(r *rig.Rig) { r.Legs[0].Joints[2].Mimic, r.Legs[0].Joints[2].Factor = 1, nan }, "l0_tibia Mimic: factor or offset is not a number"},
		{"mimic rest", func(r *rig.Rig) { r.Legs[0].Joints[2].Mimic = 1 }, "l0_tibia Rest: rest differs from what it copies"},
		{"neutral in the air", func(r *rig.Rig) { r.Legs[0].Neutral.Z += 0.01 }, "l0 Neutral: neutral foot is not on the ground"},
		{"rest off neutral", func(r *rig.Rig) { r.Legs[0].Neutral.X += 0.01 }, "l0 Neutral: rest angles do not reach the neutral foot: 0.01 m off"},
		{"neutral NaN", func(r *rig.Rig) { r.Legs[0].Neutral.X = nan }, "l0 Neutral: not a number"},
		{"feet coincide", func(r *rig.Rig) {
			r.Legs[2] = r.Legs[0]
			r.Legs[2].Name = "x"
			r.Legs[2].Joints = append([]rig.Joint(nil), r.Legs[0].Joints...)
			for j := range r.Legs[2].Joints {
				r.Legs[2].Joints[j].Name = "x_" + string(rune('a'+j))
			}
		}, "x Neutral: neutral foot coincides with that of l0"},
		{"mount mirrored wrongly", func(r *rig.Rig) { r.Legs[3].Joints[0].Origin.P.X, r.Legs[3].Neutral.X = 0.02, 0.02 }, "r1 Mount: mount is not the mirror image of l1: (0.02, -0.05, 0), want (0, -0.05, 0), or asymmetric: true in the file"},
		{"length unlike twin", func(r *rig.Rig) {
			l := &r.Legs[3]
			l.Joints[1].Origin.P.X += 0.01
			l.Neutral.Y -= 0.01
		}, "r1_coxa Link: length differs from its twin l1_coxa: 0.06 m, want 0.05 m"},
		{"no twin", func(r *rig.Rig) { r.Legs = r.Legs[:5] }, "l2 Legs: has no twin on the other side"},
		{"groups too short", func(r *rig.Rig) { r.Groups.Row = []int{0} }, "given groups are incomplete"},
		{"groups lopsided", func(r *rig.Rig) { r.Groups = groupsOf(r); r.Groups.Adjacent[0] |= 1 << 5 }, "given adjacency is wrong"},
		{"groups order", func(r *rig.Rig) { r.Groups = groupsOf(r); r.Groups.Order[0] = 5 }, "given order is not a permutation"},
		{"groups partner", func(r *rig.Rig) { r.Groups = groupsOf(r); r.Groups.Partner[0] = 9 }, "given partner is unknown: 9"},
	})
}

func groupsOf(r *rig.Rig) rig.Groups {
	r.Index()
	return rig.NewGroups(r, false)
}

func TestAsymmetricIsAllowedWhenSaid(t *testing.T) {
	r := pairs(3)
	r.Legs = r.Legs[:5]
	r.Asymmetric = true
	if err := r.Validate(); err != nil {
		t.Error(err)
	}
}

func TestAllFaultsAtOnce(t *testing.T) {
	r := pairs(3)
	r.Body.Mass = -1
	r.Legs[0].Joints[0].Speed = 0
	r.Legs[1].Joints[1].Min = 3
	r.Legs[4].Name = "l0"
	var bad *rig.InvalidError
	if !errors.As(r.Validate(), &bad) {
		t.Fatal("accepted")
	}
	if len(bad.Faults) < 4 {
		t.Errorf("%d faults, want at least 4: %v", len(bad.Faults), bad)
	}
	if got := strings.Count(bad.Error(), "\n"); got != len(bad.Faults) {
		t.Errorf("%d lines for %d faults", got, len(bad.Faults))
	}
}

// TestPlanar takes the hip yaw away: what is left moves in one plane.
func TestPlanar(t *testing.T) {
	r := pairs(2)
	for i := range r.Legs {
		l := &r.Legs[i]
		mount := l.Joints[0].Origin
		l.Joints = l.Joints[1:]
		l.Joints[0].Origin = geom.Pose{P: mount.Apply(l.Joints[0].Origin.P), Q: mount.Q}
	}
	if err := r.Validate(); err != nil {
		t.Fatal(err)
	}
	for i := range r.Legs {
		if !r.Legs[i].Planar {
			t.Errorf("leg %d: not planar", i)
		}
	}
}

// TestValidateNeverPanics throws numbers of any kind at every field.
func TestValidateNeverPanics(t *testing.T) {
	odd := rapid.SampledFrom([]float64{0, 1, -1, 1e300, -1e300, math.NaN(), math.Inf(1), math.Inf(-1), 5e-324})
	rapid.Check(t, func(t *rapid.T) {
		r := pairs(rapid.IntRange(1, 4).Draw(t, "pairs"))
		for range rapid.IntRange(1, 6).Draw(t, "spoilt") {
			l := &r.Legs[rapid.IntRange(0, len(r.Legs)-1).Draw(t, "leg")]
			k := &l.Joints[rapid.IntRange(0, 2).Draw(t, "joint")]
			at := []*float64{
				&k.Min, &k.Max, &k.Rest, &k.Speed, &k.Torque, &k.Axis.X, &k.Axis.Z, &k.Origin.P.Y, &k.Origin.Q.Real,
				&k.Link.Mass, &k.Link.CoM.X, &l.Foot.X, &l.Neutral.X, &l.Neutral.Y, &l.FootRadius, &r.Height, &r.Body.Mass,
			}
			*rapid.SampledFrom(at).Draw(t, "field") = odd.Draw(t, "value")
			if rapid.Bool().Draw(t, "mimic") {
				k.Mimic = rapid.IntRange(-3, 5).Draw(t, "of")
			}
		}
		err := r.Validate()
		for i := range r.Legs {
			if f := rig.Foot(r, i, r.RestPose(nil)); err == nil && !geom.FiniteVec(f) {
				t.Fatalf("accepted a rig whose foot is %v", f)
			}
		}
	})
}
