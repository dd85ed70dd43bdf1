package control_test

import (
	"math"
	mathbits "math/bits"

	"legctl/geom"
)

// tickLog is what a tick did.
type tickLog struct {
	lift, touch uint64 // bit sets of legs
	moving      uint64 // in swing at the end of the tick
	grounded    uint64 // planted at the end of the tick
	eligible    uint64 // neither disabled nor without ground
	waiting     bool
	p           geom.Pose // fact
	clamped     uint64
}

// inK is how many ticks n k last, rounded to the nearest.
func (w *world) inK(n float64) int { return int(math.Round(n * w.size.K / w.dt)) }

// lifts returns the ticks in which a leg lifted, from tick from on.
func (w *world) lifts(leg, from int) []int {
	var list []int
	for k := from; k < len(w.ticks); k++ {
		if w.ticks[k].lift>>leg&1 == 1 {
			list = append(list, k)
		}
	}
	return list
}

// stride is how a rig steps in the steady state: times in ticks of the log.
type stride struct {
	period      float64 // mean over legs
	least, most int     // single periods
	swingLeast  int
	swingMost   int
	duty        float64
	speed       float64 // mean, U/k
}

// strides measures the ticks from from on.
func (w *world) strides(from int) stride {
	w.t.Helper()
	st := stride{least: math.MaxInt, swingLeast: math.MaxInt}
	sum, n, air := 0, 0, 0
	for i := range w.rig.Legs {
		lifts := w.lifts(i, from)
		for k := 1; k < len(lifts); k++ {
			p := lifts[k] - lifts[k-1]
			st.least, st.most = min(st.least, p), max(st.most, p)
			sum += p
			n++
		}
		for _, l := range lifts {
			for k := l; k < len(w.ticks); k++ {
				if w.ticks[k].touch>>i&1 == 1 {
					st.swingLeast, st.swingMost = min(st.swingLeast, k-l), max(st.swingMost, k-l)
					break
				}
			}
		}
	}
	for k := from; k < len(w.ticks); k++ {
		air += len(w.rig.Legs) - mathbits.OnesCount64(w.ticks[k].grounded)
	}
	if n == 0 {
		w.t.Fatal("no leg stepped twice")
	}
	span := len(w.ticks) - from
	st.period = float64(sum) / float64(n)
	st.duty = 1 - float64(air)/float64(span*len(w.rig.Legs))
	a, b := w.ticks[from].p.P, w.ticks[len(w.ticks)-1].p.P
	way := math.Hypot(b.X-a.X, b.Y-a.Y)
	st.speed = way / w.size.U / (float64(span-1) * w.dt / w.size.K)
	return st
}

// any returns the union of the sets of all ticks.
func (w *world) any(set func(*tickLog) uint64) uint64 {
	all := uint64(0)
	for k := range w.ticks {
		all |= set(&w.ticks[k])
	}
	return all
}
