package retarget

import (
	"fmt"
	"math"
	"sort"
	"strings"

	"legctl/blend/clip"
	"legctl/geom"
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/gonum/spatial/r3"
)

// Map says which bones of a clip are which legs of a rig.
type Map struct {
	Facing float64 // heading of the clip's body, radians; 0 = along x
	Legs   []Limb  // of the rig, in its order
}

// Limb is one leg of a clip: the bone it begins with and the one that touches
// the ground, by name.
type Limb struct {
	Leg, Hip, Foot string
}

// limb is a Limb by index.
type limb struct{ hip, foot int }

// resolve returns the bones of each leg of the rig.
func (m *Map) resolve(c *clip.Clip, r *rig.Rig) ([]limb, error) {
	out := make([]limb, len(r.Legs))
	for i := range out {
		out[i] = limb{-1, -1}
	}
	for _, l := range m.Legs {
		i, ok := r.Find(l.Leg)
		if !ok {
			return nil, fmt.Errorf("retarget: leg %q, want one of rig %s: %s", l.Leg, r.Name, legNames(r))
		}
		hip, ok1 := c.Find(l.Hip)
		foot, ok2 := c.Find(l.Foot)
		if !ok1 || !ok2 {
			return nil, fmt.Errorf("retarget: leg %s: bones %q and %q, want ones of clip %q", l.Leg, l.Hip, l.Foot, c.Name)
		}
		if out[i].hip >= 0 {
			return nil, fmt.Errorf("retarget: leg %s is mapped twice", l.Leg)
		}
		out[i] = limb{hip, foot}
	}
	for i := range out {
		if out[i].hip < 0 {
			return nil, fmt.Errorf("retarget: leg %s of rig %s has no bones: map every leg", r.Legs[i].Name, r.Name)
		}
	}
	if !(math.Abs(m.Facing) < 1e6) {
		return nil, fmt.Errorf("retarget: facing %v, want a finite heading", m.Facing)
	}
	return out, nil
}

func legNames(r *rig.Rig) string {
	var names []string
	for i := range r.Legs {
		names = append(names, r.Legs[i].Name)
	}
	return strings.Join(names, ", ")
}

// track is how a bone moves over the whole clip.
type track struct {
	mean r3.Vec // of its origin
	path [guessSamples]r3.Vec
	low  float64 // least height of the contact point
	flat float64 // spread of the height over the lowest of its samples
}

// guessSamples are the moments a clip is looked at to tell its feet.
const guessSamples = 48

// Guess finds the legs of a clip for a rig. Feet are the bones that reach the
// ground: skinned ones where there is a mesh, ranked by their lowest vertex, as
// many groups as the rig has legs by where they stand; bones nothing hangs on
// are controls and not looked at. The hip is the first bone of the leg's chain,
// which a foot that hangs under the armature is nearest to. Rows and sides
// follow the rig's groups. The answer can be written out and edited.
func Guess(c *clip.Clip, r *rig.Rig) (*Map, error) {
	if m, ok := named(c, r); ok {
		return m, nil
	}
	g := &guess{c: c, want: len(r.Legs)}
	g.follow()
	var first error
	for _, low := range lows {
		m, err := g.try(r, low)
		if err == nil {
			return m, nil
		}
		if first == nil {
			first = err
		}
	}
	return nil, first
}

// named is the map of a clip whose bones are called by the rig's legs: lf.hip,
// lf.foot.
func named(c *clip.Clip, r *rig.Rig) (*Map, bool) {
	m := &Map{}
	for i := range r.Legs {
		l := Limb{Leg: r.Legs[i].Name, Hip: r.Legs[i].Name + ".hip", Foot: r.Legs[i].Name + ".foot"}
		_, hip := c.Find(l.Hip)
		_, foot := c.Find(l.Foot)
		if !hip || !foot {
			return nil, false
		}
		m.Legs = append(m.Legs, l)
	}
	return m, true
}

// lows are how high above the ground the feet of a clip may stay, in heights
// of its body, tried in this order.
var lows = [...]float64{0.03, 0.06, 0.1, 0.15, 0.25}

// try finds the legs with feet that come that low.
func (g *guess) try(r *rig.Rig, low float64) (*Map, error) {
	feet, err := g.feet(low)
	if err != nil {
		return nil, err
	}
	hips, err := g.hips(feet)
	if err != nil {
		return nil, err
	}
	m := &Map{}
	return m, g.assign(m, r, feet, hips)
}

// guess is a search for the legs of a clip.
type guess struct {
	c      *clip.Clip
	want   int
	bones  []track
	floor  float64
	height float64
}

func (g *guess) follow() {
	n := len(g.c.Bones)
	frames, locals := make([]clip.Frame, n), make([]clip.Local, n)
	heights := make([][]float64, n)
	g.bones = make([]track, n)
	top := math.Inf(-1)
	g.floor = math.Inf(1)
	for k := range guessSamples {
		g.c.Frames(frames, locals, g.c.Begin+g.c.Length*float64(k)/guessSamples)
		for i := range frames {
			p := frames[i].Apply(g.c.Bones[i].Low)
			g.bones[i].path[k] = frames[i].P
			g.bones[i].mean = r3.Add(g.bones[i].mean, r3.Scale(1./guessSamples, frames[i].P))
			heights[i] = append(heights[i], p.Z)
			if g.real(i) {
				top, g.floor = max(top, p.Z), min(g.floor, p.Z)
			}
		}
	}
	g.height = top - g.floor
	for i, h := range heights {
		sort.Float64s(h)
		low := h[:max(1, len(h)*35/100)]
		g.bones[i].low, g.bones[i].flat = h[0], low[len(low)-1]-low[0]
	}
}

// real reports whether a bone is part of the body: something hangs on it, or
// the file has no mesh at all.
func (g *guess) real(i int) bool {
	if g.c.Bones[i].Skinned > 0 {
		return true
	}
	for k := range g.c.Bones {
		if g.c.Bones[k].Skinned > 0 {
			return false
		}
	}
	return g.c.Bones[i].Parent >= 0 || len(g.c.Bones) == 1
}

// feet returns one bone for each leg.
func (g *guess) feet(below float64) ([]int, error) {
	var low []int
	for i := range g.bones {
		if g.real(i) && g.bones[i].low < g.floor+below*g.height && !strings.HasSuffix(g.c.Bones[i].Name, "_End") {
			low = append(low, i)
		}
	}
	groups := make([][]int, 0, len(low))
	for _, i := range low {
		groups = append(groups, []int{i})
	}
	for len(groups) > g.want {
		groups = g.join(groups)
	}
	if len(groups) < g.want {
		return nil, fmt.Errorf("retarget: clip %q has %d bones that reach the ground, want %d legs: write a map", g.c.Name, len(groups), g.want)
	}
	var feet []int
	for _, of := range groups {
		best := of[0]
		for _, i := range of[1:] {
			if g.bones[i].flat < g.bones[best].flat {
				best = i
			}
		}
		feet = append(feet, best)
	}
	return feet, nil
}

// join puts the two nearest groups together, measured by their furthest bones.
func (g *guess) join(groups [][]int) [][]int {
	a, b, best := 0, 1, math.Inf(1)
	for i := range groups {
		for j := i + 1; j < len(groups); j++ {
			d := 0.0
			for _, x := range groups[i] {
				for _, y := range groups[j] {
					d = max(d, g.apart(x, y))
				}
			}
			if d < best {
				a, b, best = i, j, d
			}
		}
	}
	groups[a] = append(groups[a], groups[b]...)
	return append(groups[:b], groups[b+1:]...)
}

// apart is the mean distance of two bones over the clip.
func (g *guess) apart(a, b int) float64 {
	sum := 0.0
	for k := range guessSamples {
		sum += r3.Norm(r3.Sub(g.bones[a].path[k], g.bones[b].path[k])) / guessSamples
	}
	return sum
}

// assign gives the feet to the legs of the rig by side and row.
func (g *guess) assign(m *Map, r *rig.Rig, feet, hips []int) error {
	mid := 0.0
	for _, f := range feet {
		mid += g.bones[f].mean.Y / float64(len(feet))
	}
	for _, side := range []int8{1, -1, 0} {
		var mine, theirs []int
		for i := range feet {
			if g.side(feet[i], mid) == side {
				mine = append(mine, i)
			}
		}
		for i := range r.Legs {
			if r.Groups.Side[i] == side {
				theirs = append(theirs, i)
			}
		}
		if len(mine) != len(theirs) {
			return fmt.Errorf("retarget: clip %q has %d feet on side %d, rig %s has %d: write a map", g.c.Name, len(mine), side, r.Name, len(theirs))
		}
		sort.Slice(mine, func(a, b int) bool { return g.bones[feet[mine[a]]].mean.X > g.bones[feet[mine[b]]].mean.X })
		sort.Slice(theirs, func(a, b int) bool { return r.Groups.Row[theirs[a]] < r.Groups.Row[theirs[b]] })
		for k, i := range mine {
			m.Legs = append(m.Legs, Limb{Leg: r.Legs[theirs[k]].Name, Hip: g.c.Bones[hips[i]].Name, Foot: g.c.Bones[feet[i]].Name})
		}
	}
	return nil
}

// heading returns the direction a body with these hips faces: square to the
// line from its right ones to its left ones, or along its rows.
func heading(hips []r3.Vec, r *rig.Rig) float64 {
	var left, right, front, back r2.Vec
	nl, nr := 0.0, 0.0
	for i, h := range hips {
		p := r2.Vec{X: h.X, Y: h.Y}
		switch r.Groups.Side[i] {
		case 1:
			left, nl = r2.Add(left, p), nl+1
		case -1:
			right, nr = r2.Add(right, p), nr+1
		}
		if r.Groups.Row[i] > 0 {
			back = r2.Add(back, p)
		} else {
			front = r2.Add(front, p)
		}
	}
	if nl == 0 || nr == 0 {
		d := r2.Sub(front, back)
		return math.Atan2(d.Y, d.X)
	}
	d := r2.Sub(r2.Scale(1/nl, left), r2.Scale(1/nr, right))
	return geom.WrapAngle(math.Atan2(d.Y, d.X) - math.Pi/2)
}
