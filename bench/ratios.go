package bench

import "slices"

// ratio compares two lines of one run: Min is the ratio of the least times,
// Median the median over the rounds of the ratio within a round.
type ratio struct {
	name       string
	over, base string // keys
}

// ratios are the comparisons that docs/speed.md states bounds for.
var ratios = []ratio{
	{"ik/leg3", "ik/leg3/random", "c/ik/leg3/random"},
	{"ik/ten10", "ik/ten10/random", "c/ik/ten10/random"},
	{"ik/leg3/near", "ik/leg3/near", "ik/leg3/random"},
	{"ik/leg3/collinear", "ik/leg3/collinear", "ik/leg3/random"},
	{"ik/leg3/inner", "ik/leg3/inner", "ik/leg3/random"},
	{"ik/ten10/near", "ik/ten10/near", "ik/ten10/random"},
	{"ik/ten10/collinear", "ik/ten10/collinear", "ik/ten10/random"},
	{"ik/leg3/far", "ik/leg3/far", "c/ik/leg3/far"},
	{"ik/ten10/far", "ik/ten10/far", "c/ik/ten10/far"},
	{"ik/leg3/track", "ik/leg3/track", "c/ik/leg3/track"},
	{"ik/ten10/track", "ik/ten10/track", "c/ik/ten10/track"},
	{"balance/polygon", "balance/polygon", "c/balance/polygon"},
	{"balance/polygon_plain", "balance/polygon", "c/balance/polygon_plain"},
	{"blend/band8", "blend/band8", "c/blend/band8"},
	{"blend/band8_plain", "blend/band8", "c/blend/band8_plain"},
	{"blend/band16", "blend/band16", "c/blend/band16"},
	{"blend/band16_plain", "blend/band16", "c/blend/band16_plain"},
	{"blend/band32", "blend/band32", "c/blend/band32"},
	{"blend/band32_plain", "blend/band32", "c/blend/band32_plain"},
	{"blend/polar16", "blend/polar16", "c/blend/polar16"},
	{"blend/polar16_plain", "blend/polar16", "c/blend/polar16_plain"},
	{"blend/mix67x4", "blend/mix67x4", "c/blend/mix67x4"},
	{"servo/dxl1", "servo/dxl1", "c/servo/dxl1"},
	{"servo/dxl2", "servo/dxl2", "c/servo/dxl2"},
	{"servo/lx16a", "servo/lx16a", "c/servo/lx16a"},
	{"servo/ssc32", "servo/ssc32", "c/servo/ssc32"},
	{"servo/maestro", "servo/maestro", "c/servo/maestro"},
	{"tick/hexapod", "tick/hexapod/fabrik", "c/tick/hexapod"},
	{"tick/hexapod/closed", "tick/hexapod/closed", "c/tick/hexapod"},
	{"tick/quadruped", "tick/quadruped/fabrik", "c/tick/quadruped"},
	{"tick/quadruped/closed", "tick/quadruped/closed", "c/tick/quadruped"},
}

// The lines that the cost of a rule is made of.
const (
	ruleLine = "ratio/tick/rule"
	allRules = "tick/hexapod/closed"
	noRules  = "tick/hexapod/none"
)

// ruleCount is the number of rules between the stages "none" and "all".
const ruleCount = 11

// ratios returns the comparisons for which both sides were measured, and the
// cost of a rule and a leg.
func (t *table) ratios() []Line {
	var out []Line
	for _, r := range ratios {
		a, b := t.samples[r.over], t.samples[r.base]
		if len(a) == 0 || len(b) == 0 {
			continue
		}
		each := make([]float64, min(len(a), len(b)))
		for i := range each {
			each[i] = a[i] / b[i]
		}
		out = append(out, Line{Area: "ratio", Name: r.name, Min: slices.Min(a) / slices.Min(b), Median: median(each), Unit: "x"})
	}
	all, none := t.samples[allRules], t.samples[noRules]
	if len(all) > 0 && len(all) == len(none) {
		each := make([]float64, len(all))
		for i := range each {
			each[i] = (all[i] - none[i]) / (ruleCount * 6)
		}
		out = append(out, Line{
			Area: "ratio", Name: "tick/rule", Unit: "ns",
			Min: (slices.Min(all) - slices.Min(none)) / (ruleCount * 6), Median: median(each),
		})
	}
	return out
}
