package rig

import (
	"fmt"
	"math"

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
