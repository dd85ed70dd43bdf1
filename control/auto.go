package control

import "math"

// autoNames are the gaits the controller chooses among by speed, slow first.
var autoNames = [...]string{"creep", "crawl", "wave", "ripple", "tripod", "tetrapod", "trot", "gallop"}

// The Froude number v2/(g h) above which animals leave a walk for a trot and a
// trot for a gallop (Alexander 1989: about 0.5 and 2.5), and below which such
// a gait is not taken up even where it could go as fast.
const (
	froudeWalk = 0.5
	froudeTrot = 2.5
)

// rung is one gait of the ladder of auto.
type rung struct {
	gait   uint16
	froude float64 // it is left above this
}

// autoDown is how far inside a slower gait's limits a wish must be before auto
// goes back to it; autoHold how long a gait is kept at least, k.
const (
	autoDown = 0.8
	autoHold = 20
)

// makeLadder lists the gaits of auto the rig is offered, each faster ahead than
// the one before.
func (c *Controller) makeLadder() {
	fastest := 0.0
	for _, name := range autoNames {
		i, ok := c.params.Index(name)
		if !ok || c.gaits[i].refused != "" {
			continue
		}
		g := &c.gaits[i]
		v := g.allowed.Linear[0]
		if v < fastest*1.1 {
			continue // no use: the slower one is as fast
		}
		fastest = v
		r := rung{gait: uint16(i), froude: froudeTrot}
		switch {
		case g.plan.Rules.Gallop:
			r.froude = math.Inf(1)
		case g.static:
			r.froude = froudeWalk
		}
		c.ladder = append(c.ladder, r)
	}
}

// auto picks the gait of auto for the wish of the tick: the slowest that can
// do it, with hysteresis, and not before the present one has had its time.
func (c *Controller) auto(s *State) {
	if !s.Auto || len(c.ladder) == 0 {
		return
	}
	if s.Dwell -= c.params.Dt; s.Dwell > 0 {
		return
	}
	w := c.tick.wish
	if w == [3]float64{} {
		return
	}
	fr := (w[0]*w[0] + w[1]*w[1]) / (c.rig.G() * c.rig.Height)
	best := c.ladder[len(c.ladder)-1].gait
	for _, r := range c.ladder {
		more := 1.0
		if c.faster(s.Gait, r.gait) {
			more = 1 / autoDown
		}
		share, _ := c.gaits[r.gait].allowed.Limit(w[0]*more, w[1]*more, w[2]*more)
		if share >= 1 && fr*more*more <= r.froude {
			best = r.gait
			break
		}
	}
	if best != s.Gait {
		s.Gait = best
		s.Dwell = autoHold * c.gaits[best].sizing.K
		c.tick.prog = c.chosen(s)
	}
}

// faster reports whether gait a stands above gait b on the ladder.
func (c *Controller) faster(a, b uint16) bool {
	over := false
	for _, r := range c.ladder {
		if r.gait == b {
			over = true
		} else if r.gait == a {
			return over
		}
	}
	return true
}
