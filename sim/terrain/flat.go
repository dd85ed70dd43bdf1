package terrain

var flatDefault = Spec{}

// buildFlat makes level ground at height 0.
func buildFlat(t *Terrain, _ *Spec) error {
	t.floor = 0
	return nil
}
