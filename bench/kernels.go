package bench

import "regexp"

// kernelsOf returns the kernels that only lets through, and those that a ratio
// it lets through is made of, ready to run.
func kernelsOf(w *workload, only *regexp.Regexp) ([]kernel, error) {
	var all []kernel
	for _, room := range []func(*workload) ([]kernel, error){
		chainKernels, legKernels, supportKernels, blendKernels, spaceKernels, servoKernels, tickKernels, sweepKernels,
	} {
		ks, err := room(w)
		if err != nil {
			return nil, err
		}
		all = append(all, ks...)
	}
	kept := all[:0]
	for _, k := range all {
		if only.MatchString(k.key()) || wanted(k.key(), only) {
			kept = append(kept, k)
		}
	}
	return kept, nil
}

// wanted reports whether a line is an ingredient of a ratio that only lets
// through.
func wanted(key string, only *regexp.Regexp) bool {
	for _, r := range ratios {
		if only.MatchString("ratio/"+r.name) && (r.over == key || r.base == key) {
			return true
		}
	}
	for _, d := range differences {
		if only.MatchString("ratio/"+d.name) && (d.over == key || d.base == key) {
			return true
		}
	}
	return false
}
