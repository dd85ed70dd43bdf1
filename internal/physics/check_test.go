package physics

import (
	"math"
	"math/rand"
	"testing"

	"legctl/configs"
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r3"
)

// TestEveryRigLoads lets MuJoCo load every shipped rig and compares where it has
// the feet, at random joint angles, with our own forward kinematics.
func TestEveryRigLoads(t *testing.T) {
	engine(t)
	draw := rand.New(rand.NewSource(4))
	var rigs []*rig.Rig
	var qs [][]float64
	for _, name := range configs.Rigs() {
		r := load(t, name)
		q := r.RestPose(nil)
		for i := range r.Legs {
			l := &r.Legs[i]
			for j := range l.Joints {
				k := &l.Joints[j]
				q[l.First+j] = k.Min + draw.Float64()*(k.Max-k.Min)
				if k.Mimic >= 0 {
					q[l.First+j] = k.Factor*q[l.First+k.Mimic] + k.Offset
				}
			}
		}
		rigs, qs = append(rigs, r), append(qs, q)
	}
	list, err := Check(rigs, qs)
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range rigs {
		got := list[i]
		if got.Error != "" || got.Joints != r.Joints() || len(got.Feet) != len(r.Legs) {
			t.Errorf("%s: %+v", r.Name, got)
			continue
		}
		for leg := range r.Legs {
			l := &r.Legs[leg]
			want := r3.Add(rig.Foot(r, leg, qs[i]), r3.Vec{Z: r.Height})
			radius := max(l.FootRadius, 1e-3*r.L())
			if off := r3.Norm(r3.Sub(got.Feet[leg], want)); math.Abs(off-radius) > 1e-6 {
				t.Errorf("%s: foot %s is %.6f m from the rig's, want its radius %.6f", r.Name, l.Name, off, radius)
			}
		}
	}
}

// TestCheckSaysWhatIsWrong hands MuJoCo a rig it must refuse.
func TestCheckSaysWhatIsWrong(t *testing.T) {
	engine(t)
	bad := *load(t, "a1")
	bad.Legs = append([]rig.Leg(nil), bad.Legs...)
	bad.Legs[1].Joints = append([]rig.Joint(nil), bad.Legs[1].Joints...)
	bad.Legs[1].Joints[0].Name = bad.Legs[0].Joints[0].Name // twice the same
	list, err := Check([]*rig.Rig{&bad}, [][]float64{{}})
	if err != nil || len(list) != 1 || list[0].Error == "" {
		t.Errorf("%+v, %v", list, err)
	}
}
