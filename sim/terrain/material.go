package terrain

import "image/color"

// Material is what a surface is made of.
type Material struct {
	Name     string
	Friction float64 // factor on the simulator's friction, > 0
	Tint     color.RGBA
}

// The materials, indices for geom.Hit.Material.
const (
	Ground uint8 = iota
	Stone
	Wood
	Sand
	Ice
)

var materials = [...]Material{
	Ground: {"ground", 1, color.RGBA{R: 118, G: 104, B: 84, A: 255}},
	Stone:  {"stone", 1, color.RGBA{R: 136, G: 138, B: 140, A: 255}},
	Wood:   {"wood", 0.9, color.RGBA{R: 160, G: 122, B: 78, A: 255}},
	Sand:   {"sand", 0.7, color.RGBA{R: 210, G: 190, B: 140, A: 255}},
	Ice:    {"ice", 0.15, color.RGBA{R: 190, G: 215, B: 230, A: 255}},
}

// Materials returns a copy of the table that geom.Hit.Material indexes.
func Materials() []Material { return append([]Material(nil), materials[:]...) }

// Friction returns the friction factor of a material; an index beyond the
// table counts as Ground.
func Friction(material uint8) float64 {
	if int(material) >= len(materials) {
		return 1
	}
	return materials[material].Friction
}
