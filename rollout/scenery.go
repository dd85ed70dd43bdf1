package rollout

import (
	"image/color"

	"legctl/record"
	"legctl/sim"
	"legctl/sim/terrain"

	"gonum.org/v1/gonum/spatial/r3"
)

// Scenery is the ground of a recording, for drawing: world events change it as
// they changed that of the run. One goroutine at a time.
type Scenery struct{ ground *terrain.Terrain }

// NewScenery returns the ground a header describes.
func NewScenery(h *record.Header) (*Scenery, error) {
	var s terrain.Spec
	if err := s.UnmarshalBinary(h.Terrain); err != nil {
		return nil, err
	}
	g, err := terrain.New(s)
	return &Scenery{ground: g}, err
}

// Mesh returns the ground within half, metres, of centre: points in W, a colour
// a point, three indices a triangle.
func (s *Scenery) Mesh(centre r3.Vec, half float64) (points []r3.Vec, tints []color.RGBA, triangles []uint32) {
	m := s.ground.Mesh(centre, half)
	return m.Points, m.Tints, m.Triangles
}

// Take lets a recorded world event happen, if the ground shows it, and reports
// whether it has changed. An event that is not possible changes nothing.
func (s *Scenery) Take(event []byte) bool {
	var e sim.Event
	return e.UnmarshalBinary(event) == nil && e.Kind == sim.EventRemove && s.ground.Remove(int(e.Block)) == nil
}
