package gait_test

import (
	"math"
	"testing"

	"legctl/configs"
	"legctl/gait"
	"legctl/geom"

	"gonum.org/v1/gonum/spatial/r3"
)

// shelf is ground at height 0 where x < Edge, and far below beyond.
type shelf struct{ edge float64 }

func (s shelf) Version() uint64 { return 0 }

func (s shelf) Cast(from, dir r3.Vec, most float64) (geom.Hit, bool) {
	z := 0.0
	if from.X >= s.edge {
		z = -10
	}
	d := from.Z - z
	return geom.Hit{Point: r3.Vec{X: from.X, Y: from.Y, Z: z}, Normal: r3.Vec{Z: 1}}, dir.Z < 0 && d >= 0 && d <= most
}

// TestFoothold sends a swinging foot of a rig towards an edge: it lands with
// its whole radius on the ground, wherever the edge is.
func TestFoothold(t *testing.T) {
	r, err := configs.LoadRig("phantomx")
	if err != nil {
		t.Fatal(err)
	}
	radius := r.Legs[0].FootRadius
	if radius == 0 {
		t.Fatal("the rig has point feet: nothing to test")
	}
	s := gait.Size(r, gait.Walk(), gait.Scale{U: 0.05, K: 0.1, H: r.Height, L: r.L()}, 0.01, gait.StageAll)
	b := gait.Body{P: r3.Vec{Z: r.Height}, Rot: geom.RotOf(geom.Identity().Q), Yaw: geom.RotOf(geom.Identity().Q)}
	z := s.Zones(&b)
	rest := s.Rest(&b, &z, 0)
	moved := 0
	for off := -2.0; off <= 2; off += 0.1 {
		g := shelf{edge: rest.X + off*radius}
		l := gait.LegState{Foot: rest, Target: rest, Moving: true}
		s.AimAt(&l, g, &b, &z, rest, rest, false)
		if !l.Grounded {
			continue
		}
		if gap := g.edge - l.Target.X; gap < radius-1e-9 {
			t.Errorf("edge %.1f radii away: lands %.2f radii from it", off, gap/radius)
		}
		if l.Target.X != rest.X {
			moved++
		}
		if math.Abs(l.Target.X-rest.X) > 6*radius {
			t.Errorf("edge %.1f radii away: moved %.2f radii", off, (l.Target.X-rest.X)/radius)
		}
	}
	if moved == 0 {
		t.Error("no target was moved off the edge")
	}
}
