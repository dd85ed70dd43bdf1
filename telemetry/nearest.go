package telemetry

import "strings"

// nearest returns the known word closest to got by edit distance, if one is
// close enough to be what was meant: no more than half of its letters differ,
// or one is the beginning of the other (pitch_deg, pitch).
func nearest(got string, known []string) (string, bool) {
	if len(got) > 64 {
		return "", false
	}
	best, at := "", 1000
	for _, k := range known {
		d := distance(strings.ToLower(got), strings.ToLower(k))
		if len(k) > 1 && (strings.HasPrefix(got, k) || strings.HasPrefix(k, got) && got != "") {
			d = 1
		}
		if d < at && 2*d <= max(len(k), len(got)) {
			best, at = k, d
		}
	}
	return best, best != ""
}

// distance is Levenshtein's, over bytes, with two rows.
func distance(a, b string) int {
	prev := make([]int, len(b)+1)
	next := make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := range len(a) {
		next[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			next[j+1] = min(prev[j+1]+1, next[j]+1, prev[j]+cost)
		}
		prev, next = next, prev
	}
	return prev[len(b)]
}
