package terrain

var roughDefault = Spec{Start: 3, Amplitude: 0.15, Cell: 0.8, Seed: 1}

// buildRough makes an endless field of random heights, level round the origin.
func buildRough(t *Terrain, s *Spec) error {
	f := newField(s)
	f.seed, f.amplitude = s.Seed, s.Amplitude
	f.lo, f.hi = -s.Amplitude, s.Amplitude
	t.field = f
	return nil
}

// newField returns a field that is level within Start of the origin and has
// its full height from about twice that on.
func newField(s *Spec) *field {
	f := &field{cell: s.Cell, per: 1 / s.Cell}
	if s.Start > 0 {
		// Every corner of a cell that the level disc touches must be level.
		r := s.Start/s.Cell + 1.5
		f.level = r * r
		f.fade = 1 / (3 * r * r)
	}
	return f
}
