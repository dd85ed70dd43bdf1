package rollout

import (
	"math"

	"legctl/control"
	"legctl/geom"

	"gonum.org/v1/gonum/spatial/r3"
)

// underfoot is the ground of a blind rig: the plane that fits the feet it
// believes to stand on best, in the world of its own intent. It is worked out
// once a tick, from the state alone, so a replay sees the same ground from
// wherever it begins. With fewer than three feet, or feet near one line, the
// plane has the slope the state remembers.
//
// This is a simplification with a known price: a slope of the ground is a slope
// of the rig's whole world, and a step up or down is not seen at all.
type underfoot struct {
	plane geom.Plane
	state *control.State
	tick  uint64
	known bool
}

// Cast implements geom.Ground.
func (u *underfoot) Cast(from, dir r3.Vec, max float64) (geom.Hit, bool) {
	u.fit()
	return u.plane.Cast(from, dir, max)
}

// Version implements geom.Ground. It never changes: no foot can lose the plane
// that is laid through it.
func (u *underfoot) Version() uint64 { return 0 }

// fit lays the plane z = a x + b y + c through the standing feet, by least
// squares about their mean.
func (u *underfoot) fit() {
	s := u.state
	if u.known && s.Tick == u.tick {
		return
	}
	u.known, u.tick = true, s.Tick
	n, mean := 0.0, r3.Vec{}
	for i := range s.Legs {
		if s.Legs[i].Planted() {
			n++
			mean = r3.Add(mean, s.Legs[i].Foot)
		}
	}
	if n == 0 {
		u.plane = *geom.Level(s.BaseW.Z - s.Height)
		return
	}
	mean = r3.Scale(1/n, mean)
	var xx, xy, yy, xz, yz float64
	for i := range s.Legs {
		if s.Legs[i].Planted() {
			d := r3.Sub(s.Legs[i].Foot, mean)
			xx, xy, yy = xx+d.X*d.X, xy+d.X*d.Y, yy+d.Y*d.Y
			xz, yz = xz+d.X*d.Z, yz+d.Y*d.Z
		}
	}
	normal := geom.Rotate(geom.FromRPY(s.Level[0], s.Level[1], s.Yaw), r3.Vec{Z: 1})
	// The smaller of the two spreads is about det/(xx+yy); below 1 % of the
	// larger the feet are as good as on one line.
	if det := xx*yy - xy*xy; det > 0.01*(xx+yy)*(xx+yy) {
		normal = r3.Vec{X: -(xz*yy - yz*xy) / det, Y: -(yz*xx - xz*xy) / det, Z: 1}
	}
	normal = r3.Scale(1/math.Sqrt(r3.Norm2(normal)), normal)
	u.plane = geom.Plane{Normal: normal, Offset: r3.Dot(normal, mean)}
}
