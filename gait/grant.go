package gait

import "gonum.org/v1/gonum/spatial/r3"

// Sets are bit sets of legs as they stood when the tick began, before any foot
// moved, plus the lift-offs granted since. Every leg reads the same facts, so no rule
// depends on the order in which legs are looked at.
type Sets struct {
	Planted  uint64 // touching and not moving, minus granted
	Eligible uint64 // not disabled and with a grounded target
	Moving   uint64 // in swing, plus granted
	Off      uint64 // disabled
	Granted  uint64 // lifted in this tick
}

// Survey collects the sets of all legs.
func Survey(legs []LegState, off uint64) Sets {
	v := Sets{Off: off}
	for i := range legs {
		bit := uint64(1) << i
		l := &legs[i]
		if l.Moving {
			v.Moving |= bit
		} else if l.Touching {
			v.Planted |= bit
		}
		if l.Grounded && off&bit == 0 {
			v.Eligible |= bit
		}
	}
	v.Planted &^= off
	return v
}

// Grant marks a leg as lifted in this tick.
func (v *Sets) Grant(leg int) {
	bit := uint64(1) << leg
	v.Granted |= bit
	v.Moving |= bit
	v.Planted &^= bit
}

// May reports whether a leg that stands may lift now, by the rules alone: the
// support gate is the caller's. rest is the leg's rest point.
func (s *Sized) May(legs []LegState, leg int, v *Sets, b *Body, z *Zones, rest r3.Vec) bool {
	l := &legs[leg]
	if s.Stage < StageStep {
		return false
	}
	if !l.Grounded { // nothing to stand on: never blocked, never blocking
		return true
	}
	if s.Rules.Gallop && b.Walking {
		return s.mayGallop(legs, leg, v, b, z, rest)
	}
	return s.mayWalk(legs, leg, v, b, z, rest)
}

// mayWalk is the alternating rule (gait rules 2.7).
func (s *Sized) mayWalk(legs []LegState, leg int, v *Sets, b *Body, z *Zones, rest r3.Vec) bool {
	l := &legs[leg]
	l.Primary = true
	adjacent := s.adjacent[leg] & v.Eligible
	if s.Stage >= StageAlternate && adjacent&^v.Planted != 0 {
		return false
	}
	if s.CrossPair > 0 && youngest(legs, adjacent, landed) < s.CrossPair {
		return false
	}
	if s.SamePair > 0 && s.blockedBy(legs, s.diagonal[leg]&v.Eligible, v, s.SamePair) {
		return false
	}
	// A gait that leans chooses its leg by how far it lags, not by its zone.
	leaning := s.Rules.Shift > 0 && b.Walking
	if !leaning && l.Touching && z.InTrigger(l.Foot, rest) {
		return false
	}
	if !s.Far(l) {
		return false
	}
	return v.Planted != 0 || b.Belly
}

// mayGallop is the rule of leaders and followers (gait rules 3, with the
// vertical cooldown asking the neighbouring pairs).
func (s *Sized) mayGallop(legs []LegState, leg int, v *Sets, b *Body, z *Zones, rest r3.Vec) bool {
	l := &legs[leg]
	if v.Planted|v.Granted == 0 && !b.Belly {
		return false
	}
	partner := s.partner[leg]
	l.Primary = s.Leads(leg, v)
	if l.Primary {
		if s.CrossPair > 0 && s.blockedBy(legs, s.diagonal[leg]&v.Eligible&aloft(legs, v.Moving), v, s.CrossPair) {
			return false
		}
		return !z.InTrigger(l.Foot, rest) || !l.Touching
	}
	if !s.InComfort(l.Foot, rest, b.P.Z) {
		return true // a follower left behind would lock the body
	}
	bit := uint64(1) << partner
	if v.Moving&bit == 0 || !legs[partner].Moving {
		return false // it stands, or has just come down
	}
	since := legs[partner].SinceLift
	if v.Granted&bit != 0 {
		since = 0
	}
	return since >= s.SamePair
}

// aloft returns the legs of set that swing at this moment.
func aloft(legs []LegState, set uint64) uint64 {
	now := set
	for ; set != 0; set &= set - 1 {
		if i := trailing(set); !legs[i].Moving {
			now &^= 1 << i
		}
	}
	return now
}

// Leads reports whether a leg leads its pair: by its group, or because its
// partner cannot.
func (s *Sized) Leads(leg int, v *Sets) bool {
	p := s.partner[leg]
	return s.dominant[leg] || p < 0 || s.Stage >= StageAll && v.Eligible&(1<<p) == 0
}

// blockedBy reports whether any leg of set lifted less than cooldown ago.
func (s *Sized) blockedBy(legs []LegState, set uint64, v *Sets, cooldown int32) bool {
	return set&v.Granted != 0 || youngest(legs, set, lifted) < cooldown
}

// Which of a leg's two timers youngest reads.
const (
	landed = iota
	lifted
)

// youngest returns the smallest timer among the legs of set, or the largest
// int32 for none.
func youngest(legs []LegState, set uint64, timer int) int32 {
	least := int32(1<<31 - 1)
	for ; set != 0; set &= set - 1 {
		l := &legs[trailing(set)]
		t := l.SinceLand
		if timer == lifted {
			t = l.SinceLift
		}
		least = min(least, t)
	}
	return least
}
