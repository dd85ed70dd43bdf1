package terrain

import (
	"errors"
	"fmt"
	"math"
)

// Spec says what a terrain is like, in plain numbers. Which fields count
// depends on the kind (see Kinds); the others are ignored. Use Default for a
// filled one in multiples of U, and Scaled to bring it to metres.
type Spec struct {
	Kind      string
	Start     float64 // radius of the level ground round the origin, and where the first feature begins, m, >= 0
	Height    float64 // ledge, wall, image, world: height of the feature, m
	Rise      float64 // stairs, world: height of a step, m; negative goes down
	Run       float64 // stairs: depth of a step; gaps: ground between; blocks: side; wall: thickness, m
	Width     float64 // gaps: the gap; wall, world: extent across x, m
	Depth     float64 // gaps, blocks: how far down the bottom is, m
	Amplitude float64 // rough, world: largest height above and below 0, m
	Cell      float64 // rough, image, world: side of a cell or a pixel, m
	Angle     float64 // slope, world: inclination, rad, up when positive, |Angle| < 80 degrees
	Axis      float64 // slope: heading in which it climbs, rad
	Count     int     // stairs, gaps, world: how many; blocks: a side
	Seed      uint64  // rough, world
	Material  uint8   // index into Materials, of the whole terrain
	Image     []byte  // image: a PNG file, 8 bits grey or converted to it; not changed
}

// The bounds of a Spec.
const (
	MaxCount = 256     // steps, gaps, blocks a side
	MaxImage = 4 << 20 // bytes of a PNG file
	MaxPixel = 2048    // pixels a side
	maxAngle = 80 * math.Pi / 180
	maxSize  = 1e6 // metres
)

// Scaled returns s with every length multiplied by u, metres: the same shape
// for a rig of another size. Angles, counts, seed and image stay.
func (s Spec) Scaled(u float64) Spec {
	for _, v := range s.lengths() {
		*v.at *= u
	}
	return s
}

type length struct {
	name string
	at   *float64
}

func (s *Spec) lengths() [8]length {
	return [8]length{
		{"start", &s.Start},
		{"height", &s.Height},
		{"rise", &s.Rise},
		{"run", &s.Run},
		{"width", &s.Width},
		{"depth", &s.Depth},
		{"amplitude", &s.Amplitude},
		{"cell", &s.Cell},
	}
}

// Validate returns every fault of s at once, or nil.
func (s *Spec) Validate() error {
	k, ok := find(s.Kind)
	if !ok {
		return fmt.Errorf("terrain: kind %q is not known, one of %v", s.Kind, Names())
	}
	var errs []error
	bad := func(name string, value any, bound string) {
		errs = append(errs, fmt.Errorf("terrain: %s %s is %v, must be %s", s.Kind, name, value, bound))
	}
	for _, v := range s.lengths() {
		x := *v.at
		switch {
		case !(math.Abs(x) <= maxSize):
			bad(v.name, x, "finite and within 1e6 m")
		case x < 0 && v.name != "rise" && v.name != "height":
			bad(v.name, x, ">= 0")
		case x == 0 && k.needs(v.name):
			bad(v.name, x, "other than 0")
		}
	}
	if !(math.Abs(s.Angle) <= maxAngle) {
		bad("angle", s.Angle, "within 80 degrees (1.396 rad)")
	}
	if !(math.Abs(s.Axis) <= 2*math.Pi) {
		bad("axis", s.Axis, "within 2 pi rad")
	}
	if s.Count < 0 || s.Count > MaxCount || s.Count == 0 && k.needs("count") {
		bad("count", s.Count, fmt.Sprintf("1 to %d", MaxCount))
	}
	if int(s.Material) >= len(materials) {
		bad("material", s.Material, fmt.Sprintf("below %d", len(materials)))
	}
	if len(s.Image) > MaxImage {
		bad("image", len(s.Image), fmt.Sprintf("at most %d bytes", MaxImage))
	}
	return errors.Join(errs...)
}
