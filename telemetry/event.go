package telemetry

import (
	"legctl/control"
	"legctl/rig"
)

// Event is the message on legctl/<rig>/event. It is durable: while the broker
// is away it waits, and Seq tells whoever gets it twice.
type Event struct {
	Seq    uint64   `json:"seq,omitempty" doc:"counts the durable messages of this rig, over restarts where they wait on disk"`
	Tick   uint64   `json:"tick" doc:"in which it happened"`
	Time   Num      `json:"time" unit:"s" doc:"since the start"`
	Event  string   `json:"event" doc:"what happened"`
	Mode   string   `json:"mode" doc:"of the mode machine"`
	Gait   string   `json:"gait" doc:"by name"`
	Pose   Pose     `json:"pose" doc:"intended, W"`
	Legs   []string `json:"legs,omitempty" doc:"of fault and fault_cleared: the legs"`
	Alarms []string `json:"alarms,omitempty" doc:"of alarm: all that stand, the gravest first"`
	Joints []string `json:"joints,omitempty" doc:"of alarm: those whose servos report the gravest"`
	Advice string   `json:"advice,omitempty" doc:"of alarm: what to do about the gravest"`
	Legal  []string `json:"legal,omitempty" doc:"of fault and alarm: the commands that are legal now"`
	Holder string   `json:"holder,omitempty" doc:"of a lease: who holds it now"`
	Was    string   `json:"was,omitempty" doc:"of a lease: who held it"`
}

// momentary are the events that mean something new each time they are set.
const momentary = control.EventModeChanged | control.EventGoalReached

// The events that Watcher finds in observations.
const (
	EventFault        = "fault"
	EventFaultCleared = "fault_cleared"
	EventAlarm        = "alarm"
	EventFall         = "fall"
)

// Events makes the messages of one tick: one for each event that was not
// already there in the tick before (prev), so that a lasting condition is
// announced once.
func (n *Names) Events(out *control.Output, prev control.Event, dt float64) []Event {
	var list []Event
	for _, name := range EventNames(out.Events &^ (prev &^ momentary)) {
		list = append(list, n.event(out, name, dt))
	}
	return list
}

func (n *Names) event(out *control.Output, name string, dt float64) Event {
	return Event{
		Tick: out.Tick, Time: Num(float64(out.Tick) * dt), Event: name,
		Mode: out.Mode.String(), Gait: n.Gait(out.Gait), Pose: poseOf(out.PoseWB),
	}
}

// Watcher finds what is new from tick to tick. The zero value has seen nothing.
type Watcher struct {
	events control.Event
	faults uint64
	alarms rig.Alarm
	falls  uint32
	seen   bool
}

// Look returns the events of one tick: those of the controller, and faults,
// alarms and falls that obs (may be nil) reports for the first time.
func (w *Watcher) Look(n *Names, out *control.Output, obs *rig.Observation, dt float64) []Event {
	list := n.Events(out, w.events, dt)
	w.events = out.Events
	if obs == nil {
		return list
	}
	add := func(name string, legs uint64, alarms rig.Alarm) {
		e := n.event(out, name, dt)
		e.Legs, e.Alarms = bitNames(n.Legs, legs), alarms.Names()
		if name == EventFault || name == EventAlarm {
			e.Legal = legal(out.Mode)
			e.Joints = n.alarmed(obs, alarms.Worst())
			e.Advice = n.adviceOn(alarms, e.Joints)
		}
		list = append(list, e)
	}
	if bad := obs.Faults &^ w.faults; bad != 0 {
		add(EventFault, bad, 0)
	}
	if good := w.faults &^ obs.Faults; good != 0 {
		add(EventFaultCleared, good, 0)
	}
	if now := Alarms(obs); now&^w.alarms != 0 {
		add(EventAlarm, 0, now)
	}
	if w.seen && obs.FellSince > w.falls {
		add(EventFall, 0, 0)
	}
	w.faults, w.alarms, w.falls, w.seen = obs.Faults, Alarms(obs), obs.FellSince, true
	return list
}

// EventOfLease makes the message of a change of the lease in the tick of out.
func (n *Names) EventOfLease(out *control.Output, c LeaseChange, dt float64) Event {
	e := n.event(out, c.Event, dt)
	e.Holder, e.Was = c.To, c.From
	return e
}

// AllEvents returns every word Event.Event may be.
func AllEvents() []string {
	return append(append([]string{}, eventNames[:]...), EventFault, EventFaultCleared, EventAlarm, EventFall,
		LeaseAcquired, LeaseTaken, LeaseReleased, LeaseExpired)
}
