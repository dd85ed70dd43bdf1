package blend

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// SomeHysteresis is how far past one half a vote has to go to change a contact.
const SomeHysteresis = 0.05

// Vote updates contacts from the shares of a blended pose (Pose.Ground): a foot
// comes down at 0.5 + hysteresis and goes up below 0.5 - hysteresis. Unequal
// lengths, a share that is not finite and a hysteresis outside 0 to 0.5 are
// errors and change nothing.
func Vote(contact []bool, shares []float64, hysteresis float64) error {
	if len(contact) != len(shares) || !(hysteresis >= 0 && hysteresis <= 0.5) {
		return fmt.Errorf("blend: %d contacts from %d shares with hysteresis %v, want equal numbers and 0 to 0.5", len(contact), len(shares), hysteresis)
	}
	for i, s := range shares {
		if s-s != 0 {
			return fmt.Errorf("blend: share of foot %d is %v, want a finite number", i, s)
		}
	}
	for i, s := range shares {
		if contact[i] {
			contact[i] = s >= 0.5-hysteresis-noSum
		} else {
			contact[i] = s >= 0.5+hysteresis-noSum
		}
	}
	return nil
}

// FootLock holds one foot in place while it is on the ground. The zero value
// is free. Plain data, owned by the caller.
type FootLock struct {
	Locked bool   // the foot is held at Pin
	Pin    r3.Vec // world, metres
	known  bool   // there has been a step
	late   bool   // pulled off its pin during this contact: free until the next
	foot   r3.Vec // as animated, in the last step
	ease   offset
	t      float64
}

// LockParams are how a foot is held.
type LockParams struct {
	Pull float64 // metres: animated further than this off its pin it comes free; about 0.15 of the leg
	Over float64 // seconds in which the change to hold and to free is evened out; about 0.2
}

// Step returns where the foot has to be: at its pin while in contact, at the
// animated place otherwise, and after a change on the way from one to the other
// with no jump. The pin is where the foot was shown as contact began, brought to
// the ground at height floor. foot is the animated place in the world, dt the
// seconds since the step before. Numbers that are not finite, Pull or Over not
// positive and dt not positive are errors and change nothing.
func (l *FootLock) Step(foot r3.Vec, contact bool, floor float64, p LockParams, dt float64) (r3.Vec, error) {
	if !(r3.Norm2(foot) < largest) || !(math.Abs(floor) < largest) || !(dt > 0 && dt < largest) || !(p.Pull > 0) || !(p.Over > 0 && p.Over < largest) {
		return foot, fmt.Errorf("blend: foot at %v, floor %v, dt %v with %+v, want finite numbers and dt, Pull, Over > 0", foot, floor, dt, p)
	}
	pace := r3.Scale(1/dt, r3.Sub(foot, l.foot))
	if !l.known {
		pace = r3.Vec{}
	}
	l.known, l.foot = true, foot
	l.t += dt
	if !contact {
		l.late = false
	}
	pulled := l.Locked && r3.Norm2(r3.Sub(foot, l.Pin)) > p.Pull*p.Pull
	switch {
	case l.Locked && (!contact || pulled):
		l.free(foot, pace, p.Over)
		l.late = contact
	case !l.Locked && contact && !l.late:
		l.hold(foot, floor, pace, p.Over)
	}
	if l.Locked {
		foot = l.Pin
	}
	return r3.Add(foot, l.ease.left(l.t)), nil
}

// hold pins the foot under where it is shown.
func (l *FootLock) hold(foot r3.Vec, floor float64, pace r3.Vec, over float64) {
	shown := r3.Add(foot, l.ease.left(l.t))
	speed := r3.Add(pace, l.ease.pace(l.t))
	l.Locked, l.Pin, l.t = true, r3.Vec{X: shown.X, Y: shown.Y, Z: floor}, 0
	l.ease = dying(r3.Sub(shown, l.Pin), speed, over)
}

// free lets the foot follow its motion again.
func (l *FootLock) free(foot, pace r3.Vec, over float64) {
	shown := r3.Add(l.Pin, l.ease.left(l.t))
	speed := r3.Sub(l.ease.pace(l.t), pace)
	l.Locked, l.t = false, 0
	l.ease = dying(r3.Sub(shown, foot), speed, over)
}
