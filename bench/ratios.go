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
	{"tick/phases", "tick/hexapod/phases", "tick/hexapod/fabrik"},
	{"tick/quadruped", "tick/quadruped/fabrik", "c/tick/quadruped"},
	{"tick/quadruped/closed", "tick/quadruped/closed", "c/tick/quadruped"},
}

// difference is what one line costs more than another, shared among per.
type difference struct {
	name       string
	over, base string // keys
	per        float64
}

// ruleCount is the number of rules between the stages "none" and "all".
const ruleCount = 11

// differences are the costs that docs/speed.md states bounds for: a rule and a leg,
// and what a style adds to a tick.
var differences = []difference{
	{"tick/rule", "tick/hexapod/still", "tick/hexapod/none", ruleCount * 6},
	{"tick/style", "tick/hexapod/styled", "tick/hexapod/fabrik", 1},
	{"tick/style_zero", "tick/hexapod/unstyled", "tick/hexapod/fabrik", 1},
}

// ratios returns the comparisons and differences for which both sides were
// measured.
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
	for _, d := range differences {
		a, b := t.samples[d.over], t.samples[d.base]
		if len(a) == 0 || len(a) != len(b) {
			continue
		}
		each := make([]float64, len(a))
		for i := range each {
			each[i] = (a[i] - b[i]) / d.per
		}
		out = append(out, Line{Area: "ratio", Name: d.name, Unit: "ns", Min: (slices.Min(a) - slices.Min(b)) / d.per, Median: median(each)})
	}
	return out
}
