package rig

import (
	"fmt"
	"math"

	"legctl/geom"

	"gonum.org/v1/gonum/spatial/r3"
)

// leg checks one leg by itself and reports whether its kinematics may be run.
func (c *checker) leg(i int) bool {
	before := len(c.faults)
	l := &c.r.Legs[i]
	c.vector(i, -1, "Foot", l.Foot)
	c.vector(i, -1, "Neutral", l.Neutral)
	c.within(i, -1, "FootRadius", l.FootRadius, 0, MaxLength)
	n := len(l.Joints)
	if n < 1 || n > MaxJoints {
		c.add(i, -1, "Joints", "wrong number of joints", fmt.Sprint(n), fmt.Sprintf("want 1 to %d", MaxJoints))
		return false
	}
	for j := range l.Joints {
		c.joint(i, j)
	}
	switch {
	case stretched(l) == 0:
		c.add(i, -1, "Length", "leg without length", "0", "want > 0 m")
	case norm(l.Foot) < 1e-9*stretched(l):
		c.add(i, n-1, "Link", "last link without length", num(norm(l.Foot)), "want > 0 m")
	}
	return len(c.faults) == before
}

func (c *checker) joint(i, j int) {
	k := &c.r.Legs[i].Joints[j]
	c.vector(i, j, "Origin", k.Origin.P)
	if q := k.Origin.Q; !(math.Abs(quatNorm2(q)-1) < 1e-9) {
		c.add(i, j, "Origin", "turn is not a unit quaternion", num(quatNorm2(q)), "want norm 1")
	}
	if n := norm(k.Axis); !(math.Abs(n-1) < 1e-9) {
		c.add(i, j, "Axis", "axis is not a unit vector", fmt.Sprintf("%s with norm %s", vec(k.Axis), num(n)), "want norm 1")
	}
	c.limits(i, j)
	c.positive(i, j, "Speed", k.Speed, MaxSpeed)
	c.within(i, j, "Torque", k.Torque, 0, 1e6)
	c.within(i, j, "Link.Mass", k.Link.Mass, 0, MaxMass)
	c.vector(i, j, "Link.CoM", k.Link.CoM)
	c.within(i, j, "Link.Radius", k.Link.Radius, 0, MaxLength)
	c.mimic(i, j)
}

func (c *checker) limits(i, j int) {
	k := &c.r.Legs[i].Joints[j]
	got := fmt.Sprintf("[%s, %s] deg", num(deg(k.Min)), num(deg(k.Max)))
	switch {
	case !finite(k.Min) || !finite(k.Max):
		c.add(i, j, "Limits", "limits are not numbers", got, "want finite")
	case k.Min >= k.Max:
		c.add(i, j, "Limits", "limits reversed", got, "want min < max")
	case k.Min < -4*math.Pi || k.Max > 4*math.Pi:
		c.add(i, j, "Limits", "limits too wide", got, "want within -720 to 720 deg")
	case !finite(k.Rest):
		c.add(i, j, "Rest", "rest is not a number", num(k.Rest), "want finite")
	case k.Rest < k.Min || k.Rest > k.Max:
		c.add(i, j, "Rest", "rest outside limits", num(deg(k.Rest))+" deg", "want within "+got)
	}
}

// mimic allows one level only: the copied joint must be free. That also rules
// out every cycle.
func (c *checker) mimic(i, j int) {
	l := &c.r.Legs[i]
	k := &l.Joints[j]
	switch {
	case k.Mimic == -1:
	case k.Mimic < -1 || k.Mimic >= len(l.Joints):
		c.add(i, j, "Mimic", "no such joint in this leg", fmt.Sprint(k.Mimic), fmt.Sprintf("want -1 to %d", len(l.Joints)-1))
	case k.Mimic == j || l.Joints[k.Mimic].Mimic != -1:
		c.add(i, j, "Mimic", "copies a joint that is itself a copy", l.Joints[k.Mimic].Name, "want a free joint")
	case !finite(k.Factor) || !finite(k.Offset):
		c.add(i, j, "Mimic", "factor or offset is not a number", num(k.Factor)+", "+num(k.Offset), "want finite")
	case math.Abs(k.Factor*l.Joints[k.Mimic].Rest+k.Offset-k.Rest) > 1e-9:
		c.add(i, j, "Rest", "rest differs from what it copies", num(deg(k.Rest))+" deg", "want "+num(deg(k.Factor*l.Joints[k.Mimic].Rest+k.Offset))+" deg")
	}
}

func (c *checker) names() {
	seen := make(map[string]string)
	for i := range c.r.Legs {
		l := &c.r.Legs[i]
		if !c.unique(seen, i, -1, l.Name) {
			continue // its joints bear its name and would only repeat the fault
		}
		for j := range l.Joints {
			c.unique(seen, i, j, l.Joints[j].Name)
		}
	}
}

func (c *checker) unique(seen map[string]string, leg, joint int, name string) bool {
	before := len(c.faults)
	switch prev, dup := seen[name]; {
	case !ValidName(name):
		c.add(leg, joint, "Name", "bad name", fmt.Sprintf("%q", name), "want lower-case letters, digits, _ and -, letter or digit first")
	case dup:
		c.add(leg, joint, "Name", "duplicate name", fmt.Sprintf("%q", name), "already the name of "+prev)
	default:
		kind := "a joint"
		if joint < 0 {
			kind = "a leg"
		}
		seen[name] = kind
	}
	return len(c.faults) == before
}

// positive wants 0 < v <= bound.
func (c *checker) positive(leg, joint int, field string, v, bound float64) {
	if !(v > 0 && v <= bound) {
		c.add(leg, joint, field, "out of range", num(v), "want > 0 and <= "+num(bound))
	}
}

// within wants lo <= v <= hi.
func (c *checker) within(leg, joint int, field string, v, lo, hi float64) {
	if !(v >= lo && v <= hi) {
		c.add(leg, joint, field, "out of range", num(v), "want "+num(lo)+" to "+num(hi))
	}
}

func (c *checker) vector(leg, joint int, field string, v r3.Vec) {
	if !geom.FiniteVec(v) {
		c.add(leg, joint, field, "not a number", vec(v), "want finite")
	} else if norm(v) > MaxLength {
		c.add(leg, joint, field, "too long", vec(v), "want <= "+num(MaxLength)+" m")
	}
}
