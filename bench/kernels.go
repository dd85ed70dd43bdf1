package bench

import "regexp"

// kernelsOf returns the kernels that only lets through, ready to run. What a
// ratio needs is kept whole: filter lines, not their ingredients, by "ratio".
func kernelsOf(w *workload, only *regexp.Regexp) ([]kernel, error) {
	var all []kernel
	for _, room := range []func(*workload) ([]kernel, error){
		chainKernels, legKernels, supportKernels, tickKernels, sweepKernels,
	} {
		ks, err := room(w)
		if err != nil {
			return nil, err
		}
		all = append(all, ks...)
	}
	if only.MatchString("ratio/") {
		return all, nil
	}
	kept := all[:0]
	for _, k := range all {
		if only.MatchString(k.key()) {
			kept = append(kept, k)
		}
	}
	return kept, nil
}
