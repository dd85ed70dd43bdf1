package terrain

import (
	"slices"
	"strings"
)

// Kind is one sort of terrain: a file of this package and a line of the table.
type Kind struct {
	Name    string
	Doc     string // one line for a person
	Needs   string // the fields of Spec that count and must not be 0, space separated
	Default Spec   // lengths in multiples of U
	build   func(t *Terrain, s *Spec) error
}

// kinds is the one table of terrains.
var kinds = [...]Kind{
	{"flat", "level ground", "", flatDefault, buildFlat},
	{"slope", "level start, then an endless slope along Axis", "angle", slopeDefault, buildSlope},
	{"stairs", "Count steps along x, then a level", "rise run count", stairsDefault, buildStairs},
	{"ledge", "the ground beyond Start lies Height lower", "height", ledgeDefault, buildLedge},
	{"gaps", "Count gaps across x with ground of Run between", "run width depth count", gapsDefault, buildGaps},
	{"wall", "a wall across x at Start", "height run", wallDefault, buildWall},
	{"rough", "endless bumps from Seed", "amplitude cell", roughDefault, buildRough},
	{"image", "heights from an 8-bit PNG, black 0, white Height", "height cell", imageDefault, buildImage},
	{"blocks", "Count x Count blocks over a pit that can be taken away", "run depth count", blocksDefault, buildBlocks},
	{"world", "rough ground with stairs, a ledge and a slope ahead", "rise run width amplitude cell angle count", worldDefault, buildWorld},
}

// Kinds returns a copy of the table, in the order of the documentation.
func Kinds() []Kind { return append([]Kind(nil), kinds[:]...) }

// Names returns the names of all kinds.
func Names() []string {
	names := make([]string, len(kinds))
	for i := range kinds {
		names[i] = kinds[i].Name
	}
	return names
}

// Default returns the terrain of that kind as shipped, for a rig whose length
// unit is u metres (u = 1: in multiples of U), and whether the kind exists.
func Default(kind string, u float64) (Spec, bool) {
	k, ok := find(kind)
	if !ok {
		return Spec{}, false
	}
	s := k.Default.Scaled(u)
	s.Kind = kind
	s.Image = slices.Clone(s.Image)
	return s, true
}

func find(name string) (*Kind, bool) {
	for i := range kinds {
		if kinds[i].Name == name {
			return &kinds[i], true
		}
	}
	return nil, false
}

func (k *Kind) needs(field string) bool {
	return slices.Contains(strings.Fields(k.Needs), field)
}
