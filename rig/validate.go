package rig

import (
	"fmt"
	"math"

	"legctl/geom"

	"gonum.org/v1/gonum/spatial/r3"
)

// Bounds of what Validate accepts. Lengths are metres, masses kilograms.
const (
	MaxLength = 100.0  // of any link, mount or body side
	MaxMass   = 1e6    // of any part
	MaxSpeed  = 1000.0 // of a joint, rad/s
	// RestTolerance is how far FK(Rest) may lie from Neutral, in units of the
	// leg's length: the solver's own accuracy.
	RestTolerance = 1e-9
)

// Index sets Leg.First and Leg.Length, which everything that solves a leg
// reads. It is the part of Validate that must run before neutral feet are
// known; it never fails.
func (r *Rig) Index() {
	first := 0
	for i := range r.Legs {
		l := &r.Legs[i]
		l.First = first
		first += len(l.Joints)
		l.Length = stretched(l)
	}
}

// stretched is the sum of the distances from joint to joint and to the foot.
func stretched(l *Leg) float64 {
	length := 0.0
	for j := 1; j < len(l.Joints); j++ {
		length += norm(l.Joints[j].Origin.P)
	}
	return length + norm(l.Foot)
}

// Validate checks the rig and finishes it: it sets First, Length and Planar of
// every leg and Groups, unless they were given (Groups.Row not nil). It returns
// nil or a *InvalidError with all faults at once; a rig with a fault must not
// be used. What Validate accepts, no other package needs to check again.
func (r *Rig) Validate() error {
	c := &checker{r: r}
	c.rig()
	sound := c.legCount()
	for i := range r.Legs {
		sound = c.leg(i) && sound
	}
	c.names()
	if sound {
		c.whole()
	}
	if len(c.faults) > 0 {
		return &InvalidError{Rig: c.name(-1, -1), Faults: c.faults}
	}
	return nil
}

// whole runs the checks that need every leg to be sound by itself.
func (c *checker) whole() {
	r := c.r
	r.Index()
	for i := range r.Legs {
		c.rest(i)
		r.Legs[i].Planar = planar(&r.Legs[i])
	}
	c.feet()
	switch {
	case r.Groups.Row == nil:
		r.Groups = NewGroups(r, r.Groups.Ring)
	default:
		c.groups()
	}
	if !r.Asymmetric && !r.Groups.Ring {
		c.mirror()
	}
}

// rig checks what belongs to no leg.
func (c *checker) rig() {
	r := c.r
	if !ValidName(r.Name) {
		c.add(-1, -1, "Name", "bad name", fmt.Sprintf("%q", r.Name), "want lower-case letters, digits, _ and -, letter or digit first")
	}
	c.within(-1, -1, "Gravity", r.Gravity, 0, 1000)
	c.positive(-1, -1, "Height", r.Height, MaxLength)
	c.positive(-1, -1, "Body.Mass", r.Body.Mass, MaxMass)
	c.vector(-1, -1, "Body.CoM", r.Body.CoM)
	c.vector(-1, -1, "Body.Mid", r.Body.Mid)
	c.vector(-1, -1, "Body.Box", r.Body.Box)
	b := r.Body.Box
	if b.X < 0 || b.Y < 0 || b.Z < 0 {
		c.add(-1, -1, "Body.Box", "negative half extent", vec(b), "want >= 0")
	}
	if r.Class > Ballistic {
		c.add(-1, -1, "Class", "no such class", fmt.Sprint(r.Class), "want 0 to 2")
	}
}

func (c *checker) legCount() bool {
	n := len(c.r.Legs)
	if n < MinLegs || n > MaxLegs {
		c.add(-1, -1, "Legs", "wrong number of legs", fmt.Sprint(n), fmt.Sprintf("want %d to %d", MinLegs, MaxLegs))
		return false
	}
	return true
}

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

// rest checks that the neutral angles put the foot on the neutral foot, which
// every other package takes for granted.
func (c *checker) rest(i int) {
	l := &c.r.Legs[i]
	if math.Abs(l.Neutral.Z+c.r.Height) > RestTolerance*l.Length {
		c.add(i, -1, "Neutral", "neutral foot is not on the ground", num(l.Neutral.Z)+" m", "want "+num(-c.r.Height)+" m, minus the height")
	}
	var q [MaxJoints]float64
	for j := range l.Joints {
		q[j] = l.Joints[j].Rest
	}
	foot := LegFoot(l, q[:len(l.Joints)])
	if off := norm(r3.Sub(foot, l.Neutral)); !(off <= RestTolerance*l.Length) {
		c.add(i, -1, "Neutral", "rest angles do not reach the neutral foot", num(off)+" m off, foot at "+vec(foot), "want "+vec(l.Neutral))
	}
}

// feet refuses two legs that stand on one spot: the unit of the step rules
// would be zero.
func (c *checker) feet() {
	least := 0.01 * c.r.L()
	for i := range c.r.Legs {
		for j := i + 1; j < len(c.r.Legs); j++ {
			d := norm(r3.Sub(c.r.Legs[i].Neutral, c.r.Legs[j].Neutral))
			if d < least {
				c.add(j, -1, "Neutral", "neutral foot coincides with that of "+c.name(i, -1), num(d)+" m apart", "want >= "+num(least)+" m")
			}
		}
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
