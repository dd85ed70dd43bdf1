package show

import (
	"image/color"

	"legctl/geom"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// Time is a time as the well-known schemas write it.
type Time struct {
	Sec  uint32 `json:"sec"`
	Nsec uint32 `json:"nsec"`
}

// TimeOf returns nanoseconds as a Time.
func TimeOf(nanos uint64) Time { return Time{uint32(nanos / 1e9), uint32(nanos % 1e9)} }

// Vector is a vector or a point, metres.
type Vector struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
	Z float64 `json:"z"`
}

// Quaternion is a turn.
type Quaternion struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
	Z float64 `json:"z"`
	W float64 `json:"w"`
}

// Pose is a place and a turn.
type Pose struct {
	Position    Vector     `json:"position"`
	Orientation Quaternion `json:"orientation"`
}

// Color has parts from 0 to 1.
type Color struct {
	R float64 `json:"r"`
	G float64 `json:"g"`
	B float64 `json:"b"`
	A float64 `json:"a"`
}

// FrameTransform is foxglove.FrameTransform: where a frame is in its parent.
type FrameTransform struct {
	Timestamp   Time       `json:"timestamp"`
	Parent      string     `json:"parent_frame_id"`
	Child       string     `json:"child_frame_id"`
	Translation Vector     `json:"translation"`
	Rotation    Quaternion `json:"rotation"`
}

// FrameTransforms is foxglove.FrameTransforms.
type FrameTransforms struct {
	Transforms []FrameTransform `json:"transforms"`
}

// Log is foxglove.Log: a line for people.
type Log struct {
	Timestamp Time   `json:"timestamp"`
	Level     int    `json:"level"`
	Message   string `json:"message"`
	Name      string `json:"name"`
	File      string `json:"file"`
	Line      int    `json:"line"`
}

// The levels of Log.
const (
	LevelInfo    = 2
	LevelWarning = 3
	LevelError   = 4
)

// Update is foxglove.SceneUpdate.
type Update struct {
	Deletions []Deletion `json:"deletions"`
	Entities  []Entity   `json:"entities"`
}

// Deletion is foxglove.SceneEntityDeletion.
type Deletion struct {
	Timestamp Time   `json:"timestamp"`
	Type      int    `json:"type"` // 0: that of the id, 1: all
	ID        string `json:"id"`
}

// Entity is foxglove.SceneEntity.
type Entity struct {
	Timestamp Time       `json:"timestamp"`
	Frame     string     `json:"frame_id"`
	ID        string     `json:"id"`
	Lifetime  Time       `json:"lifetime"` // 0: until replaced
	Locked    bool       `json:"frame_locked"`
	Metadata  []KeyValue `json:"metadata"`
	Arrows    []Arrow    `json:"arrows"`
	Cubes     []Cube     `json:"cubes"`
	Spheres   []Sphere   `json:"spheres"`
	Cylinders []Cylinder `json:"cylinders"`
	Lines     []Line     `json:"lines"`
	Triangles []Surface  `json:"triangles"`
	Texts     []Text     `json:"texts"`
	Models    []Model    `json:"models"`
}

// KeyValue is foxglove.KeyValuePair.
type KeyValue struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// Arrow is foxglove.ArrowPrimitive.
type Arrow struct {
	Pose          Pose    `json:"pose"`
	ShaftLength   float64 `json:"shaft_length"`
	ShaftDiameter float64 `json:"shaft_diameter"`
	HeadLength    float64 `json:"head_length"`
	HeadDiameter  float64 `json:"head_diameter"`
	Color         Color   `json:"color"`
}

// Cube is foxglove.CubePrimitive.
type Cube struct {
	Pose  Pose   `json:"pose"` // of the middle
	Size  Vector `json:"size"`
	Color Color  `json:"color"`
}

// Sphere is foxglove.SpherePrimitive.
type Sphere struct {
	Pose  Pose   `json:"pose"`
	Size  Vector `json:"size"` // diameters
	Color Color  `json:"color"`
}

// Cylinder is foxglove.CylinderPrimitive: along z about its middle.
type Cylinder struct {
	Pose   Pose    `json:"pose"`
	Size   Vector  `json:"size"`
	Bottom float64 `json:"bottom_scale"`
	Top    float64 `json:"top_scale"`
	Color  Color   `json:"color"`
}

// Line is foxglove.LinePrimitive.
type Line struct {
	Type           int      `json:"type"` // 0 strip, 1 loop, 2 list
	Pose           Pose     `json:"pose"`
	Thickness      float64  `json:"thickness"`
	ScaleInvariant bool     `json:"scale_invariant"`
	Points         []Vector `json:"points"`
	Color          Color    `json:"color"`
	Colors         []Color  `json:"colors"`
	Indices        []uint32 `json:"indices"`
}

// Surface is foxglove.TriangleListPrimitive.
type Surface struct {
	Pose    Pose     `json:"pose"`
	Points  []Vector `json:"points"`
	Color   Color    `json:"color"`
	Colors  []Color  `json:"colors"`
	Indices []uint32 `json:"indices"`
}

// Text is foxglove.TextPrimitive.
type Text struct {
	Pose           Pose    `json:"pose"`
	Billboard      bool    `json:"billboard"`
	FontSize       float64 `json:"font_size"`
	ScaleInvariant bool    `json:"scale_invariant"`
	Color          Color   `json:"color"`
	Text           string  `json:"text"`
}

// Model is foxglove.ModelPrimitive.
type Model struct {
	Pose          Pose   `json:"pose"`
	Scale         Vector `json:"scale"`
	Color         Color  `json:"color"`
	OverrideColor bool   `json:"override_color"`
	URL           string `json:"url"`
	MediaType     string `json:"media_type"`
	Data          string `json:"data"`
}

// still is the pose that changes nothing.
var still = Pose{Orientation: Quaternion{W: 1}}

func vectorOf(v r3.Vec) Vector              { return Vector{v.X, v.Y, v.Z} }
func quaternionOf(q quat.Number) Quaternion { return Quaternion{q.Imag, q.Jmag, q.Kmag, q.Real} }
func poseOf(p geom.Pose) Pose               { return Pose{vectorOf(p.P), quaternionOf(p.Q)} }

func colorOf(c color.RGBA) Color {
	return Color{float64(c.R) / 255, float64(c.G) / 255, float64(c.B) / 255, float64(c.A) / 255}
}

// newEntity returns an entity whose lists are empty and not null.
func newEntity(at Time, frame, id string) Entity {
	return Entity{
		Timestamp: at, Frame: frame, ID: id, Metadata: []KeyValue{}, Arrows: []Arrow{}, Cubes: []Cube{}, Spheres: []Sphere{},
		Cylinders: []Cylinder{}, Lines: []Line{}, Triangles: []Surface{}, Texts: []Text{}, Models: []Model{},
	}
}
