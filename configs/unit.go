package configs

import (
	"math"
	"strings"
)

// spelling is one way to write a quantity: the suffix of its key and what one
// of it is worth in SI.
type spelling struct {
	suffix string
	worth  float64
	word   string
}

// spellings lists, per unit tag, the suffixes a key may carry; the first is
// the one bounds and defaults are stated in.
var spellings = map[string][]spelling{
	"m":     {{"_m", 1, "metres"}, {"_mm", 1e-3, "millimetres"}},
	"deg":   {{"_deg", math.Pi / 180, "degrees"}, {"_rad", 1, "radians"}},
	"rad/s": {{"_rad_s", 1, "radians a second"}, {"_deg_s", math.Pi / 180, "degrees a second"}},
	"kg":    {{"_kg", 1, "kilograms"}, {"_g", 1e-3, "grams"}},
	"Nm":    {{"_nm", 1, "newton metres"}, {"_kgcm", 0.0980665, "kilogram-force centimetres"}},
	"s":     {{"_s", 1, "seconds"}, {"_ms", 1e-3, "milliseconds"}},
	"m/s":   {{"_mps", 1, "metres a second"}},
	"m/s2":  {{"_mps2", 1, "metres a second squared"}},
	"U":     {{"_m", 1, "metres"}, {"_u", 1, unitWords}},
	"rad":   {{"", 1, "radians"}, {"_deg", math.Pi / 180, "degrees"}},
}

// unitWords marks the spelling whose worth is the rig's own length unit U.
const unitWords = "length units U of the rig"

// keysOf returns the keys under which a field may stand, with their worth.
func (f *field) keysOf() []spelling {
	if f.unit == "" {
		return []spelling{{f.key, 1, ""}}
	}
	keys := make([]spelling, 0, 2)
	for _, s := range spellings[f.unit] {
		keys = append(keys, spelling{f.key + s.suffix, s.worth, s.word})
	}
	return keys
}

// nearest returns the known key closest to the wrong one, or "". A key that
// differs only in its unit suffix is always near.
func nearest(wrong string, known []string) string {
	best, found := len(wrong)/2+1, ""
	for _, k := range known {
		d := distance(strings.ToLower(wrong), k)
		if stem(strings.ToLower(wrong)) == stem(k) {
			d = min(d, 1)
		}
		if d < best {
			best, found = d, k
		}
	}
	return found
}

// stem is a key without what may be its unit.
func stem(key string) string {
	if i := strings.IndexByte(key, '_'); i > 0 {
		return key[:i]
	}
	return key
}

// distance is the edit distance of Levenshtein (1965).
func distance(a, b string) int {
	if len(a) > 64 {
		a = a[:64]
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diagonal := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			change := diagonal
			if a[i-1] != b[j-1] {
				change++
			}
			diagonal = row[j]
			row[j] = min(change, row[j]+1, row[j-1]+1)
		}
	}
	return row[len(b)]
}
