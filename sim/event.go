package sim

import (
	"fmt"

	"legctl/geom"

	"gonum.org/v1/gonum/spatial/r3"
)

// Event is something that happens to the world at a tick, in plain numbers: a
// recording carries it with that tick.
type Event struct {
	Kind  EventKind
	Leg   int32  // Freeze, Slow: index of the leg, -1 = all
	Joint int32  // Freeze, Slow: index of the joint within the leg, -1 = all
	Block int32  // Remove: number of the block
	Vec   r3.Vec // Push: change of velocity, W, m/s; Spin: change of rotation, W, rad/s
	Value float64
}

// EventKind says what an Event does.
type EventKind uint8

// The kinds of event.
const (
	EventNone   EventKind = iota
	EventPush             // the body gets Vec on top of its velocity
	EventSpin             // the body gets Vec on top of its rotation
	EventRemove           // block Block is taken away
	EventFreeze           // joints hold their angle whatever is commanded; Value 0 frees them
	EventSlow             // joints move at Value times their speed, [0, 10]; 1 is as built
	EventIMU              // the IMU gets the Fault that is Value
	EventKinds
)

// Do lets e happen before the next tick. An event that is not possible is
// refused with the reason and changes nothing.
func (s *Sim) Do(e Event) error {
	if !geom.FiniteVec(e.Vec) || e.Value-e.Value != 0 {
		return fmt.Errorf("sim: event %d holds a number that is not finite: %v, %v", e.Kind, e.Vec, e.Value)
	}
	switch e.Kind {
	case EventNone:
		return nil
	case EventPush:
		s.st.Slide = r3.Add(s.st.Slide, r3.Vec{X: e.Vec.X, Y: e.Vec.Y})
		s.st.Fall += e.Vec.Z
		return nil
	case EventSpin:
		s.st.Spin = r3.Add(s.st.Spin, e.Vec)
		return nil
	case EventRemove:
		return s.remove(int(e.Block))
	case EventFreeze:
		return s.eachJoint(e, func(i int) { s.st.Joints[i].Frozen = e.Value != 0 })
	case EventSlow:
		if e.Value < 0 || e.Value > 10 {
			return fmt.Errorf("sim: servo speed factor is %v, must be from 0 to 10", e.Value)
		}
		return s.eachJoint(e, func(i int) { s.st.Joints[i].Speed = e.Value })
	case EventIMU:
		if !(e.Value >= 0 && e.Value < float64(Faults)) || s.par.IMU.None {
			return fmt.Errorf("sim: fault of the IMU is %v, must be below %d, and there must be one", e.Value, Faults)
		}
		s.st.IMU = Fault(e.Value)
		return nil
	}
	return fmt.Errorf("sim: event kind is %d, must be below %d", e.Kind, EventKinds)
}

// remover is a ground with blocks that can be taken away.
type remover interface{ Remove(block int) error }

func (s *Sim) remove(block int) error {
	g, ok := s.ground.(remover)
	if !ok {
		return fmt.Errorf("sim: block %d cannot be removed: this ground has no blocks", block)
	}
	return g.Remove(block)
}

// eachJoint calls f with the index in q of every joint e names.
func (s *Sim) eachJoint(e Event, f func(i int)) error {
	if e.Leg < -1 || int(e.Leg) >= len(s.rig.Legs) {
		return fmt.Errorf("sim: leg is %d, must be from -1 to %d", e.Leg, len(s.rig.Legs)-1)
	}
	if e.Leg >= 0 && (e.Joint < -1 || int(e.Joint) >= len(s.rig.Legs[e.Leg].Joints)) {
		return fmt.Errorf("sim: joint is %d, leg %s has %d", e.Joint, s.rig.Legs[e.Leg].Name, len(s.rig.Legs[e.Leg].Joints))
	}
	for leg := range s.rig.Legs {
		l := &s.rig.Legs[leg]
		for j := range l.Joints {
			if (e.Leg < 0 || int(e.Leg) == leg) && (e.Joint < 0 || int(e.Joint) == j) {
				f(l.First + j)
			}
		}
	}
	return nil
}
