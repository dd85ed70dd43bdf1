package telemetry

import "legctl/control"

// Event is the message on legctl/<rig>/event.
type Event struct {
	Tick  uint64 `json:"tick"`
	Time  Num    `json:"time"` // s
	Event string `json:"event"`
	Mode  string `json:"mode"`
	Gait  string `json:"gait"`
	Pose  Pose   `json:"pose"` // intended, W
}

// momentary are the events that mean something new each time they are set.
const momentary = control.EventModeChanged | control.EventGoalReached

// Events makes the messages of one tick: one for each event that was not
// already there in the tick before (prev), so that a lasting condition is
// announced once.
func (n *Names) Events(out *control.Output, prev control.Event, dt float64) []Event {
	var list []Event
	for _, name := range EventNames(out.Events &^ (prev &^ momentary)) {
		list = append(list, Event{
			Tick: out.Tick, Time: Num(float64(out.Tick) * dt), Event: name,
			Mode: out.Mode.String(), Gait: n.Gait(out.Gait), Pose: poseOf(out.PoseWB),
		})
	}
	return list
}
