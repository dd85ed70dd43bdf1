package retarget

import (
	"fmt"
	"math"
)

// hips returns, for each foot, the first bone of its leg: the highest one that
// leads to no other foot.
func (g *guess) hips(feet []int) ([]int, error) {
	tails := make([]int, len(feet))
	for i, f := range feet {
		if tails[i] = g.tail(f, feet); tails[i] < 0 {
			return nil, fmt.Errorf("retarget: clip %q: no leg above foot %q: write a map", g.c.Name, g.c.Bones[f].Name)
		}
	}
	hips := make([]int, len(feet))
	for i, t := range tails {
		for k := range i {
			if tails[k] == t {
				return nil, fmt.Errorf("retarget: clip %q: feet %q and %q are of one leg: it has fewer than %d; write a map", g.c.Name, g.c.Bones[feet[k]].Name, g.c.Bones[feet[i]].Name, len(feet))
			}
		}
		hips[i] = g.top(t, tails)
	}
	for moved := true; moved; { // bones that begin in one point do not tell the legs apart
		moved = false
		for i, h := range hips {
			if h != tails[i] && g.shared(hips, i) {
				hips[i], moved = g.below(h, tails[i]), true
			}
		}
	}
	return hips, nil
}

// tail returns the last bone of the leg a foot belongs to: the foot itself
// where it hangs on a leg, else, where it hangs under the armature, the bone
// of the body that stays nearest to it.
func (g *guess) tail(foot int, feet []int) int {
	if h := g.top(foot, feet); g.high(h) && h != foot {
		return foot
	}
	best, near := -1, math.Inf(1)
	for i := range g.c.Bones {
		if g.c.Bones[i].Parent < 0 || g.loose(i, feet) || !g.hangs(i) {
			continue
		}
		if d := g.apart(i, foot); d < near {
			best, near = i, d
		}
	}
	return best
}

// loose reports whether a bone hangs with a foot under the armature, or leads
// to one.
func (g *guess) loose(i int, feet []int) bool {
	for _, f := range feet {
		if h := g.top(f, feet); !g.high(h) && (g.under(i, h) || g.under(f, i)) {
			return true
		}
	}
	return false
}

// high reports whether a bone is well above the ground.
func (g *guess) high(i int) bool { return g.bones[i].mean.Z > g.floor+0.25*g.height }

// hangs reports whether a bone, or one above it, is well above the ground.
func (g *guess) hangs(i int) bool {
	for ; i >= 0; i = g.c.Bones[i].Parent {
		if g.high(i) {
			return true
		}
	}
	return false
}

// top returns the highest bone above i, or i, that leads to none of the others.
func (g *guess) top(i int, others []int) int {
	for p := g.c.Bones[i].Parent; p >= 0; p = g.c.Bones[p].Parent {
		for _, o := range others {
			if o != i && g.under(o, p) && !g.under(o, i) {
				return i
			}
		}
		if g.c.Bones[p].Parent < 0 {
			return i
		}
		i = p
	}
	return i
}

// under reports whether a bone hangs on the other, or is it.
func (g *guess) under(i, top int) bool {
	for ; i >= 0; i = g.c.Bones[i].Parent {
		if i == top {
			return true
		}
	}
	return false
}

// shared reports whether a hip lies where another one does.
func (g *guess) shared(hips []int, i int) bool {
	for k, h := range hips {
		if k != i && g.apart(h, hips[i]) < 0.02*g.height {
			return true
		}
	}
	return false
}

// below returns the bone that follows top on the way to tail.
func (g *guess) below(top, tail int) int {
	for i := tail; i >= 0; i = g.c.Bones[i].Parent {
		if g.c.Bones[i].Parent == top {
			return i
		}
	}
	return tail
}

// side is the side of the body a foot stands on, 0 near its middle.
func (g *guess) side(i int, mid float64) int8 {
	switch y := g.bones[i].mean.Y - mid; {
	case y > 0.02*g.height:
		return 1
	case y < -0.02*g.height:
		return -1
	}
	return 0
}
