package space

import (
	"fmt"
	"math"
	"sort"
)

// Event is a moment at which a foot comes down or goes up.
type Event struct {
	Foot, Cycle int
	Lift        bool
	Phase       float64 // of the pass, [0, 1)
}

// Events returns the touchdowns and lift-offs of a loop in the order of the
// pass; feet that never lift have none.
func (l *Loop) Events() []Event {
	var out []Event
	for f, s := range l.Stances {
		for c, x := range s {
			if x.Duty < 1 {
				out = append(out, Event{f, c, false, x.Touch}, Event{f, c, true, x.Lift()})
			}
		}
	}
	sort.SliceStable(out, func(a, b int) bool { return out[a].Phase < out[b].Phase })
	return out
}

// Tie is how close two touchdowns are that count as one, in cycles.
const Tie = 0.03

// pair is an event as both loops have it.
type pair struct{ x, y float64 }

// RegisterKeys registers a loop with a reference by their key times, touchdowns
// and lift-offs: exact at every event of both, straight between. The two must
// have the same cyclic order of touchdowns; those within Tie of one another
// count as one. Where only the lift-offs come in another order, touchdowns
// alone are used, and exactly so.
func RegisterKeys(ref, l *Loop) (Warp, error) {
	if err := sameFeet(ref, l); err != nil {
		return Warp{}, err
	}
	for _, lifts := range []bool{true, false} {
		best, cost := Warp{}, math.Inf(1)
		for shift := range ref.Cycles { // which step of the one is which of the other
			w, c, ok := register(ref, l, shift, lifts)
			if ok && c < cost {
				best, cost = w, c
			}
		}
		if !math.IsInf(cost, 1) {
			return best, nil
		}
	}
	return Warp{}, fmt.Errorf("space: %q and %q put their feet down in another order: no one curve brings them into step", ref.Name, l.Name)
}

// register tries one way to pair the steps of two loops.
func register(ref, l *Loop, shift int, lifts bool) (Warp, float64, bool) {
	var pairs []pair
	n := ref.Cycles
	tie := Tie / float64(n)
	first, there := -1.0, 0.0
	for f := range ref.Stances {
		for c, a := range ref.Stances[f] {
			b := l.Stances[f][(c+shift)%n]
			if a.Duty >= 1 || b.Duty >= 1 {
				continue
			}
			if first < 0 {
				first, there = a.Touch, b.Touch
			}
			pairs = append(pairs, pair{wrap01(a.Touch - first), wrap01(b.Touch - there)})
			if lifts {
				pairs = append(pairs, pair{wrap01(a.Lift() - first), wrap01(b.Lift() - there)})
			}
		}
	}
	if len(pairs) == 0 {
		return Shifted(0), 0, true
	}
	for i := range pairs { // a tie with the first event may come round as the last
		for _, v := range []*float64{&pairs[i].x, &pairs[i].y} {
			if *v > 1-tie {
				*v--
			}
		}
	}
	sort.Slice(pairs, func(a, b int) bool {
		return pairs[a].x < pairs[b].x || pairs[a].x == pairs[b].x && pairs[a].y < pairs[b].y
	})
	w, cost := Warp{}, 0.0
	for i := 0; i < len(pairs); {
		// Events that come in another order by less than a tie are one.
		j, sx, sy, high := i, 0.0, 0.0, pairs[i].y
		for ; j < len(pairs) && (j == i || pairs[j].x-pairs[i].x < 1e-9 || pairs[j].y < high+1e-9); j++ {
			if high-pairs[j].y > tie || pairs[j].y-pairs[i].y > tie || pairs[j].x-pairs[i].x > 2*tie {
				return Warp{}, 0, false
			}
			sx, sy, high = sx+pairs[j].x, sy+pairs[j].y, max(high, pairs[j].y)
		}
		x, y := sx/float64(j-i), sy/float64(j-i)
		cost += wrapHalf(x-y) * wrapHalf(x-y)
		w.X, w.Y = append(w.X, first+x), append(w.Y, there+y)
		i = j
	}
	w.X, w.Y = append(w.X, w.X[0]+1), append(w.Y, w.Y[0]+1)
	if n := len(w.X); w.X[n-2] >= w.X[n-1] || w.Y[n-2] >= w.Y[n-1] {
		return Warp{}, 0, false
	}
	return w, cost, w.Check() == nil
}

// CommonShift returns the shift of phase that brings the middles of the stances
// of a loop nearest to those of a reference, and the largest of the shifts that
// are then left, in passes. The legs keep their own order.
func CommonShift(ref, l *Loop) (shift, left float64) {
	left = math.Inf(1)
	const steps = 720
	for k := range steps {
		s, worst := float64(k)/steps, 0.0
		for f := range ref.Stances {
			for c := range ref.Stances[f] {
				d := wrapHalf(l.Stances[f][c].Mid() - ref.Stances[f][c].Mid() - s)
				worst = max(worst, math.Abs(d))
			}
		}
		if worst < left {
			shift, left = s, worst
		}
	}
	return shift, left
}

// FarApart is the shift left to a leg beyond which two gaits are not blended
// leg by leg, in passes.
const FarApart = 0.35
