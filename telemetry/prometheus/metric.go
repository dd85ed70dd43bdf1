package prometheus

import (
	"legctl/control"
	"legctl/control/mode"
	"legctl/rig"
	"legctl/telemetry"

	prom "github.com/prometheus/client_golang/prometheus"
)

// emit takes one value and the values of its labels.
type emit func(v float64, labels ...string)

// metric is one family of values and how they are read from a snapshot. An each
// that emits nothing leaves the family out.
type metric struct {
	name, help string
	kind       prom.ValueType
	labels     []string
	each       func(s *snapshot, e emit)
	spread     func(s *snapshot) Spread // a histogram in place of each
}

const (
	gauge   = prom.GaugeValue
	counter = prom.CounterValue
)

// metrics is the whole table; docs/metrics.md is made from it.
var metrics = [...]metric{
	{name: "legctl_info", help: "Always 1; says which rig and which program.", kind: gauge, labels: []string{"rig", "version"}, each: func(s *snapshot, e emit) { e(1, s.names.Rig, s.version) }},
	{name: "legctl_ticks_total", help: "Ticks done.", kind: counter, each: count(func(s *Sources) func() uint64 { return s.Ticks })},
	{name: "legctl_ticks_late_total", help: "Ticks that came a whole period late and were skipped.", kind: counter, each: count(func(s *Sources) func() uint64 { return s.Late })},
	{name: "legctl_tick_failures_total", help: "Ticks in which the plant or the world failed.", kind: counter, each: count(func(s *Sources) func() uint64 { return s.Failures })},
	{name: "legctl_tick_lateness_seconds", help: "From a deadline to the start of its tick.", spread: func(s *snapshot) Spread { return s.lateness }},
	{name: "legctl_tick_work_seconds", help: "From the start of a tick to its end.", spread: func(s *snapshot) Spread { return s.work }},
	{name: "legctl_records_dropped_total", help: "Records that recording and telemetry missed.", kind: counter, each: count(func(s *Sources) func() uint64 { return s.Dropped })},

	{name: "legctl_mode", help: "1 for the mode the rig is in, 0 for the others.", kind: gauge, labels: []string{"mode"}, each: func(s *snapshot, e emit) {
		for m := mode.Mode(0); m < mode.Count; m++ {
			e(truth(s.out.Mode == m), m.String())
		}
	}},
	{name: "legctl_gait", help: "1 for the gait in use, 0 for the others the rig may walk.", kind: gauge, labels: []string{"gait"}, each: func(s *snapshot, e emit) {
		for i, g := range s.names.Gaits {
			if i == int(s.out.Gait) || i >= len(s.names.Why) || s.names.Why[i] == "" {
				e(truth(i == int(s.out.Gait)), g)
			}
		}
	}},
	{name: "legctl_binding", help: "1 for the limit that keeps the body slower than asked, 0 for the others.", kind: gauge, labels: []string{"limit"}, each: func(s *snapshot, e emit) {
		for b := control.Binding(0); b < control.Bindings; b++ {
			e(truth(s.out.Binding == b), telemetry.BindingName(b))
		}
	}},
	{name: "legctl_velocity_meters_per_second", help: "Of the body, in its own frame.", kind: gauge, labels: []string{"axis"}, each: func(s *snapshot, e emit) { e(s.out.Twist[0], "x"); e(s.out.Twist[1], "y") }},
	{name: "legctl_velocity_wish_meters_per_second", help: "Asked for, after steering.", kind: gauge, labels: []string{"axis"}, each: func(s *snapshot, e emit) { e(s.out.Wish[0], "x"); e(s.out.Wish[1], "y") }},
	{name: "legctl_turn_radians_per_second", help: "Turn rate of the body, counter-clockwise.", kind: gauge, each: func(s *snapshot, e emit) { e(s.out.Twist[2]) }},
	{name: "legctl_turn_wish_radians_per_second", help: "Turn rate asked for.", kind: gauge, each: func(s *snapshot, e emit) { e(s.out.Wish[2]) }},
	{name: "legctl_position_meters", help: "Of the body in the world: observed where it is, else intended.", kind: gauge, labels: []string{"axis"}, each: func(s *snapshot, e emit) {
		p := s.out.PoseWB.P
		if s.obs.Has&rig.HasPose != 0 {
			p = s.obs.PoseWB.P
		}
		e(p.X, "x")
		e(p.Y, "y")
		e(p.Z, "z")
	}},
	{name: "legctl_margin_meters", help: "Static stability margin; -Inf with no foot down.", kind: gauge, each: func(s *snapshot, e emit) { e(s.out.Margin) }},
	{name: "legctl_pose_kept_ratio", help: "Share of the commanded body offset that is kept.", kind: gauge, each: func(s *snapshot, e emit) { e(s.out.Kept) }},

	{name: "legctl_leg_stance", help: "1 while the leg carries.", kind: gauge, labels: []string{"leg"}, each: legs(func(s *snapshot, i int) float64 { return truth(s.legs[i].Stance) })},
	{name: "legctl_leg_residual_meters", help: "What the solver missed the foot by.", kind: gauge, labels: []string{"leg"}, each: legs(func(s *snapshot, i int) float64 { return s.legs[i].Residual })},
	{name: "legctl_leg_fault", help: "1 while the plant reports a fault of the leg.", kind: gauge, labels: []string{"leg"}, each: legs(func(s *snapshot, i int) float64 { return truth(s.obs.Faults>>i&1 != 0) })},
	{name: "legctl_leg_lift_offs_total", help: "Steps begun.", kind: counter, labels: []string{"leg"}, each: legs(func(s *snapshot, i int) float64 { return float64(s.steps[i].lifts) })},
	{name: "legctl_leg_angle_clamps_total", help: "Ticks in which a joint angle was clamped.", kind: counter, labels: []string{"leg"}, each: legs(func(s *snapshot, i int) float64 { return float64(s.steps[i].angles) })},
	{name: "legctl_leg_speed_clamps_total", help: "Ticks in which a joint speed was clamped.", kind: counter, labels: []string{"leg"}, each: legs(func(s *snapshot, i int) float64 { return float64(s.steps[i].speeds) })},
	{name: "legctl_leg_unreached_total", help: "Ticks in which the foot was not reached.", kind: counter, labels: []string{"leg"}, each: legs(func(s *snapshot, i int) float64 { return float64(s.steps[i].missed) })},
	{name: "legctl_joint_angle_radians", help: "Commanded.", kind: gauge, labels: []string{"joint"}, each: joints(func(s *snapshot, i int) (float64, bool) { return s.q[i], true })},
	{name: "legctl_joint_measured_radians", help: "Measured.", kind: gauge, labels: []string{"joint"}, each: joints(func(s *snapshot, i int) (float64, bool) {
		if s.obs.Has&rig.HasQ == 0 || i >= len(s.measured) {
			return 0, false
		}
		return s.measured[i], true
	})},
	{name: "legctl_joint_temperature_celsius", help: "Of the servos of the joint.", kind: gauge, labels: []string{"joint"}, each: servos(func(v rig.Sense) float64 { return v.Celsius })},
	{name: "legctl_joint_load_ratio", help: "Share of the largest torque, signed.", kind: gauge, labels: []string{"joint"}, each: servos(func(v rig.Sense) float64 { return v.Load })},
	{name: "legctl_joint_volts", help: "At the servos of the joint.", kind: gauge, labels: []string{"joint"}, each: servos(func(v rig.Sense) float64 { return v.Volts })},

	{name: "legctl_battery_volts", help: "Of the battery.", kind: gauge, each: func(s *snapshot, e emit) {
		if s.obs.Battery != 0 {
			e(s.obs.Battery)
		}
	}},
	{name: "legctl_alarm", help: "1 for each alarm of plant and servos that stands.", kind: gauge, labels: []string{"alarm"}, each: func(s *snapshot, e emit) {
		for _, name := range s.alarms.Names() {
			e(1, name)
		}
	}},
	{name: "legctl_falls_total", help: "Times the belly or a link touched ground.", kind: counter, each: func(s *snapshot, e emit) { e(float64(s.obs.FellSince)) }},
	{name: "legctl_events_total", help: "What happened, by the words of the event topic.", kind: counter, labels: []string{"event"}, each: counts(func(s *snapshot) map[string]uint64 { return s.events })},
	{name: "legctl_commands_total", help: "Commands a tick has answered, by kind.", kind: counter, labels: []string{"kind"}, each: counts(func(s *snapshot) map[string]uint64 { return s.commands })},
	{name: "legctl_refusals_total", help: "Commands refused, by reason: those of a tick, and those before it.", kind: counter, labels: []string{"reason"}, each: counts(func(s *snapshot) map[string]uint64 { return s.refusals })},

	{name: "legctl_mqtt_connected", help: "1 while the broker is there.", kind: gauge, each: link(func(l *Link) float64 { return truth(l.Connected) })},
	{name: "legctl_mqtt_queued_messages", help: "Messages that wait to be published.", kind: gauge, each: link(func(l *Link) float64 { return float64(l.Queued) })},
	{name: "legctl_mqtt_durable_waiting_messages", help: "Durable messages the broker has not confirmed.", kind: gauge, each: link(func(l *Link) float64 { return float64(l.Waiting) })},
	{name: "legctl_mqtt_dropped_messages_total", help: "Messages lost for want of room.", kind: counter, each: link(func(l *Link) float64 { return float64(l.Dropped) })},
}

// Info is a metric as documents name it.
type Info struct {
	Name, Help, Type string
	Labels           []string
}

// Table lists every metric, in the order of /metrics.md.
func Table() []Info {
	list := make([]Info, 0, len(metrics))
	for i := range metrics {
		m := &metrics[i]
		kind := "gauge"
		switch {
		case m.spread != nil:
			kind = "histogram"
		case m.kind == counter:
			kind = "counter"
		}
		list = append(list, Info{m.name, m.help, kind, m.labels})
	}
	return list
}

func truth(v bool) float64 {
	if v {
		return 1
	}
	return 0
}

// count reads a counter of the sources, if they have it.
func count(of func(s *Sources) func() uint64) func(*snapshot, emit) {
	return func(s *snapshot, e emit) {
		if f := of(&s.sources); f != nil {
			e(float64(f()))
		}
	}
}

func legs(at func(s *snapshot, i int) float64) func(*snapshot, emit) {
	return func(s *snapshot, e emit) {
		for i := range min(len(s.legs), len(s.names.Legs)) {
			e(at(s, i), s.names.Legs[i])
		}
	}
}

func joints(at func(s *snapshot, i int) (float64, bool)) func(*snapshot, emit) {
	return func(s *snapshot, e emit) {
		for i := range min(len(s.q), len(s.names.Joints)) {
			if v, ok := at(s, i); ok {
				e(v, s.names.Joints[i])
			}
		}
	}
}

func servos(at func(v rig.Sense) float64) func(*snapshot, emit) {
	return joints(func(s *snapshot, i int) (float64, bool) {
		if s.obs.Has&rig.HasServos == 0 || i >= len(s.senses) {
			return 0, false
		}
		v := at(s.senses[i])
		return v, v != 0
	})
}

func counts(of func(s *snapshot) map[string]uint64) func(*snapshot, emit) {
	return func(s *snapshot, e emit) {
		for k, v := range of(s) {
			e(float64(v), k)
		}
	}
}

func link(at func(l *Link) float64) func(*snapshot, emit) {
	return func(s *snapshot, e emit) {
		if s.link != nil {
			e(at(s.link))
		}
	}
}
