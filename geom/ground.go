package geom

import "gonum.org/v1/gonum/spatial/r3"

// Hit is where a ray meets the ground, in W.
type Hit struct {
	Point    r3.Vec // metres
	Normal   r3.Vec // unit, away from the solid
	Material uint8  // index into the terrain's table of materials; 0 is the default
}

// Ground is what the controller and the simulator may ask of the world.
// Implementations are deterministic and safe for one reader at a time.
type Ground interface {
	// Cast follows the ray from (W, metres) along the unit vector dir for at
	// most max metres and returns the first surface met from outside. A ray
	// that starts inside a solid hits at once, at from, with normal -dir.
	Cast(from, dir r3.Vec, max float64) (Hit, bool)
	// Version changes whenever the ground does.
	Version() uint64
}

// Plane is an endless flat ground: the points p with Normal . p = Offset.
// It is the ground of a blind rig and of every flat test.
type Plane struct {
	Normal r3.Vec // unit, W
	Offset float64
	Serial uint64 // what Version reports
}

// Level returns the horizontal plane at height z, metres.
func Level(z float64) *Plane { return &Plane{Normal: r3.Vec{Z: 1}, Offset: z} }

// IsLevel reports whether g is a horizontal Plane: one ray
// down then tells the height everywhere.
func IsLevel(g Ground) bool {
	p, ok := g.(*Plane)
	return ok && p.Normal == r3.Vec{Z: 1}
}

// Down casts a ray straight down from a point (W, metres) and returns where it
// meets the ground, within most metres. It is Cast, and short for level ground.
func Down(g Ground, from r3.Vec, most float64) (r3.Vec, bool) {
	if p, ok := g.(*Plane); ok && p.Normal == (r3.Vec{Z: 1}) {
		h := max(from.Z-p.Offset, 0)
		from.Z -= h
		return from, !(h > most)
	}
	hit, ok := g.Cast(from, r3.Vec{Z: -1}, most)
	return hit.Point, ok
}

// Cast implements Ground.
func (p *Plane) Cast(from, dir r3.Vec, max float64) (Hit, bool) {
	h := r3.Dot(p.Normal, from) - p.Offset
	if h <= 0 {
		return Hit{Point: from, Normal: r3.Scale(-1, dir)}, true
	}
	d := r3.Dot(p.Normal, dir)
	if d >= 0 {
		return Hit{}, false
	}
	t := -h / d
	if t > max {
		return Hit{}, false
	}
	return Hit{Point: r3.Add(from, r3.Scale(t, dir)), Normal: p.Normal}, true
}

// Version implements Ground.
func (p *Plane) Version() uint64 { return p.Serial }
