package configs

import (
	"fmt"
	"math"

	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r3"
)

// What is taken where a file says nothing.
const (
	density   = 100.0 // kg of rig for each cubed metre of its longest leg
	linkShare = 0.4   // of that mass in the links
	linkThick = 0.03  // radius of a link, of its leg's length
)

// assume records a value the file left open.
func (b *rigBuilder) assume(format string, args ...any) {
	b.r.Assumed = append(b.r.Assumed, fmt.Sprintf(format, args...))
}

// finish fills in what the file left open: size, masses, body, feet, rest.
func (b *rigBuilder) finish() {
	b.r.Assumed = append(b.r.Assumed, b.f.Assumed...)
	b.masses()
	b.shapes()
	b.stated()
	if b.f.Stretched.Set {
		scaleTo(b.r, b.f.Stretched.V)
	}
	b.feet()
	b.rows()
}

// masses shares out the mass of the rig.
func (b *rigBuilder) masses() {
	r, f := b.r, b.f
	total := f.Mass.V
	if !f.Mass.Set && !f.Body.Mass.Set {
		total = density * r.L() * r.L() * r.L()
		b.assume("mass_kg %.4g: %g kg/m3 times the longest leg cubed", total, density)
	}
	given, open := 0.0, 0.0
	b.eachLink(func(i int, k *rig.Joint, length float64) {
		if b.masse[i] {
			given += k.Link.Mass
		} else {
			open += length
		}
	})
	if open > 0 {
		share := linkShare * total
		if f.Body.Mass.Set {
			share = f.Body.Mass.V * linkShare / (1 - linkShare)
			if f.Mass.Set {
				share = total - f.Body.Mass.V
			}
		}
		share = math.Max(0, share-given)
		b.eachLink(func(i int, k *rig.Joint, length float64) {
			if !b.masse[i] {
				k.Link.Mass = share * length / open
			}
		})
		b.assume("links without mass_kg: %.4g kg shared by length", share)
	}
	b.bodyMass(total)
}

// bodyMass gives the body what is left and checks the sum.
func (b *rigBuilder) bodyMass(total float64) {
	r, f := b.r, b.f
	r.Body.Mass = 0
	links := r.Mass()
	r.Body.Mass = f.Body.Mass.V
	if !f.Body.Mass.Set {
		r.Body.Mass = total - links
		if r.Body.Mass <= 0 {
			b.add(f.Mass.at, "mass of %.4g kg, the links alone have %.4g kg", total, links)
		}
		return
	}
	if f.Mass.Set && math.Abs(r.Mass()-total) > 0.01*total {
		b.add(f.Mass.at, "mass of %.4g kg, but body and links add up to %.4g kg; want them within 1 %%", total, r.Mass())
	}
}

// eachLink calls fn with every joint, its index in the rig and the length of
// its link.
func (b *rigBuilder) eachLink(fn func(i int, k *rig.Joint, length float64)) {
	i := 0
	for n := range b.r.Legs {
		l := &b.r.Legs[n]
		for j := range l.Joints {
			v := l.Foot
			if j+1 < len(l.Joints) {
				v = l.Joints[j+1].Origin.P
			}
			fn(i, &l.Joints[j], r3.Norm(v))
			i++
		}
	}
}

// shapes sets the box, colours and link radii.
func (b *rigBuilder) shapes() {
	r, f := b.r, &b.f.Body
	lo, hi := b.mounts()
	grow := 0.1 * r.L()
	size := r3.Add(r3.Sub(hi, lo), r3.Vec{X: grow, Y: grow, Z: 1.5 * grow})
	mid := r3.Scale(0.5, r3.Add(lo, hi))
	if !f.Size.Set {
		b.assume("body.size_m [%.4g, %.4g, %.4g]: all mounts, grown", size.X, size.Y, size.Z)
	} else {
		size = vec3(f.Size.V)
	}
	if f.Mid.Set {
		mid = vec3(f.Mid.V)
	}
	r.Body.Box, r.Body.Mid, r.Body.CoM = r3.Scale(0.5, size), mid, vec3(f.CoM.V)
	r.Body.Tint = b.tint(f.Colour, "#4a5568")
	thick := false
	for i := range r.Legs {
		for j := range r.Legs[i].Joints {
			given := b.from[i].joints[j].Radius.Set || b.f.Joint.Radius.Set
			if !given {
				r.Legs[i].Joints[j].Link.Radius = linkThick * r.Legs[i].Length
				thick = true
			}
		}
	}
	if thick {
		b.assume("links without radius_m: %g of the leg's length", linkThick)
	}
}

// mounts returns the corners of the box of all mounts.
func (b *rigBuilder) mounts() (lo, hi r3.Vec) {
	lo = b.r.Legs[0].Joints[0].Origin.P
	hi = lo
	for i := range b.r.Legs {
		p := b.r.Legs[i].Joints[0].Origin.P
		lo = r3.Vec{X: math.Min(lo.X, p.X), Y: math.Min(lo.Y, p.Y), Z: math.Min(lo.Z, p.Z)}
		hi = r3.Vec{X: math.Max(hi.X, p.X), Y: math.Max(hi.Y, p.Y), Z: math.Max(hi.Z, p.Z)}
	}
	return lo, hi
}

// stated records joint figures and limits that came from defaults.
func (b *rigBuilder) stated() {
	speed, torque, limits := false, false, false
	for i := range b.from {
		for _, j := range b.from[i].joints {
			speed = speed || !(j.Speed.Set || b.f.Joint.Speed.Set)
			torque = torque || !(j.Torque.Set || b.f.Joint.Torque.Set)
			limits = limits || !j.Limits.at.known()
		}
	}
	if speed {
		b.assume("joints without speed_rad_s: 6 rad/s")
	}
	if torque {
		b.assume("joints without torque_nm: unknown, static torque is not checked")
	}
	if limits {
		b.assume("segments: hip yaw, hip pitch or hinge limits are the template's own")
	}
}

// rows sets groups the file gave by rows.
func (b *rigBuilder) rows() {
	g := &b.f.Groups
	if len(g.rows) == 0 {
		return
	}
	var rows [][]int
	for _, names := range g.rows {
		var row []int
		for _, name := range names {
			i, ok := b.r.Find(name)
			if !ok {
				b.add(g.at, "%q is no leg of this rig", clip(name))
				return
			}
			row = append(row, i)
		}
		rows = append(rows, row)
	}
	groups, err := rig.NewRows(b.r, rows)
	if err != nil {
		b.add(g.at, "%v", err)
		return
	}
	b.r.Groups = groups
}

// scaleTo scales a rig so that its longest leg, stretched, is length metres.
// At one density masses go with the cube and torques with the fourth power of
// the factor; joint speeds stay.
func scaleTo(r *rig.Rig, length float64) {
	s := length / r.L()
	r.Height *= s
	scaleVecs(s, &r.Body.CoM, &r.Body.Box, &r.Body.Mid)
	r.Body.Mass *= s * s * s
	for i := range r.Legs {
		l := &r.Legs[i]
		scaleVecs(s, &l.Foot, &l.Neutral)
		l.FootRadius *= s
		for j := range l.Joints {
			k := &l.Joints[j]
			scaleVecs(s, &k.Origin.P, &k.Link.CoM)
			k.Link.Mass *= s * s * s
			k.Link.Radius *= s
			k.Torque *= s * s * s * s
		}
	}
	r.Index()
	if s != 1 {
		r.Assumed = append(r.Assumed, fmt.Sprintf("scaled by %.6g: lengths by s, masses by s^3, torques by s^4, joint speeds as they were", s))
	}
}

func scaleVecs(s float64, vs ...*r3.Vec) {
	for _, v := range vs {
		*v = r3.Scale(s, *v)
	}
}
