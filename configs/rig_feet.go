package configs

import (
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"
)

// feet settles the rest pose of every leg on its neutral foot.
func (b *rigBuilder) feet() {
	if !b.f.Height.Set {
		for i := range b.from {
			if b.from[i].given {
				b.add(b.f.at, "key height_m is missing: a file that gives neutral feet must give the height of the body over them")
				return
			}
		}
	}
	b.neutrals()
	found := false
	for i := range b.r.Legs {
		l, from := &b.r.Legs[i], &b.from[i]
		off := 0.0
		switch {
		case from.image:
			// The same angles on mirrored axes: exact, and the same bits.
			for j := range l.Joints {
				l.Joints[j].Rest = b.r.Legs[i-1].Joints[j].Rest
			}
			continue
		case b.template(i):
			arch(l, l.Neutral)
			off = settle(l, l.Neutral)
		case from.bend:
			off = settle(l, l.Neutral)
		default:
			found = true
			off = kneesUp(l, l.Neutral)
		}
		if !(off <= settleTolerance*l.Length) {
			b.add(b.place(i, from.neutral), "leg %s cannot stand on its neutral foot %s: it comes no nearer than %.4g m within its limits; move neutral_m, height_m or the limits", l.Name, show(l.Neutral), off)
		}
	}
	if found {
		b.assume("legs without rest_deg: the bend with the knees up")
	}
}

// template reports whether a leg came from a segments template.
func (b *rigBuilder) template(i int) bool {
	j := b.from[i].joints
	return len(j) >= 2 && j[0].Name.V == "coxa" && j[1].Name.V == "s1" && !j[1].Name.Set
}

// place returns p, or where the leg stands when p is unknown.
func (b *rigBuilder) place(leg int, p pos) pos {
	if p.known() {
		return p
	}
	return b.from[leg].at
}

func show(v r3.Vec) string { return fmt.Sprintf("(%.4g, %.4g, %.4g)", v.X, v.Y, v.Z) }
