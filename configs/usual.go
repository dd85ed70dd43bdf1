package configs

import (
	"legctl/blend"
	"legctl/blend/retarget"
)

// usualStyles are the shipped styles every rig is given without any file, from
// slow to fast; walk is the plain one.
var usualStyles = [...]string{"creep", "sneak", "walk", "strut", "jog", "run", "limp", "skitter"}

// UsualRecipe returns the recipe of the space a rig has when no other is named:
// every shipped style, baked for it. name is that of the rig.
func UsualRecipe(name string) (*retarget.Recipe, error) {
	rc := &retarget.Recipe{Name: name, Rig: name, Advance: blend.Dominant, Reference: "walk", Keys: ParseKeys}
	for _, n := range usualStyles {
		s, err := LoadStyle(n)
		if err != nil {
			return nil, err
		}
		rc.Motions = append(rc.Motions, retarget.RecipeMotion{Name: n, Style: s})
	}
	return rc, nil
}
