package drivers

import (
	"math"
	"time"

	"legctl/drivers/servo"
	"legctl/rig"
)

// defaults of what is tolerated.
const (
	tolerance    = 500 * time.Millisecond // without a good answer before a servo is lost
	warmBelow    = 10                     // degrees below the limit
	hotBelow     = 5
	overloadTime = time.Second
)

// power is what the supply does.
type power struct {
	out  bool // brown-out: several servos went at once; nothing is sent
	mute bool // a board left its last question unanswered: were it written to now, it could not be seen that it has restarted
	low  time.Duration
	sit  time.Duration
	gone time.Duration // since when the voltage is below each step; 0: it is not
}

// judge writes what is wrong with servos into an observation.
func (p *Plant) judge(dst *rig.Observation) {
	silent, reset, on := 0, 0, 0
	for i := range p.servos {
		s := &p.servos[i]
		s.sense.Alarms = 0
		if p.conn != nil {
			s.sense.Alarms = p.alarmsOf(s)
		}
		if s.missed > 0 {
			silent++
		}
		if s.alarms&servo.AlarmReset != 0 {
			reset++
		}
		if s.on {
			on++
		}
		dst.Alarms |= s.sense.Alarms
		if s.lost || s.on && s.alarms&servo.AlarmReset != 0 {
			dst.Faults |= 1 << s.leg
		}
		if p.conn != nil && s.joint >= 0 && s.joint < len(dst.Servos) {
			merge(&dst.Servos[s.joint], &s.sense)
			dst.Has |= rig.HasServos
		}
	}
	p.brownout(dst, silent, reset, on)
}

// brownout tells a supply or a cable that is gone from a servo that is: several at
// once. Nothing is sent until they answer again.
func (p *Plant) brownout(dst *rig.Observation, silent, reset, on int) {
	if p.conn == nil {
		p.power.out = false
		return
	}
	if p.power.mute {
		dst.Alarms |= rig.AlarmBusErrors
	}
	dead := (silent >= min(several, len(p.servos)) || p.power.mute) && p.conn.link.Bus != nil && p.now-p.conn.link.Bus.Heard() > deadTime
	restarted := on > 0 && (reset >= 2 || reset > 0 && !p.proto.Caps.Feedback)
	if p.power.out = dead || restarted; p.power.out {
		dst.Alarms |= rig.AlarmBrownout
		dst.Faults = 0 // no leg is broken
	}
}

// several is how many servos must be silent before a supply is taken for gone, and
// not they: while one answers, the others are.
const several = 3

// deadTime is how long nothing at all may come from a bus before its supply or
// cable is taken for gone; shorter dips are borne.
const deadTime = 200 * time.Millisecond

// alarmsOf a servo, as facts for everybody.
func (p *Plant) alarmsOf(s *state) (a rig.Alarm) {
	s.lost = p.proto.Caps.Feedback && s.missed >= readTries && p.now-s.since > tolerance
	for _, row := range [...]struct {
		on bool
		is rig.Alarm
	}{
		{s.lost, rig.AlarmLost},
		{s.missed > 0 && !s.lost, rig.AlarmBusErrors},
		{s.on && s.alarms&servo.AlarmReset != 0, rig.AlarmReset},
		{s.alarms&servo.AlarmLimit != 0, rig.AlarmLimit},
		{s.alarms&servo.AlarmOverload != 0 || s.over > 0 && p.now-s.over > p.overTime(), rig.AlarmOverload},
		{p.stuck(s), rig.AlarmStuck},
		{s.alarms&(servo.AlarmSensor|servo.AlarmShock|servo.AlarmCurrent|servo.AlarmBoard|servo.AlarmVoltage) != 0, rig.AlarmServo},
		{s.on && s.alarms&servo.AlarmWatchdog != 0, rig.AlarmWatchdog},
		{s.alarms&servo.AlarmHeat != 0, rig.AlarmOverheat},
	} {
		if row.on {
			a |= row.is
		}
	}
	if c := s.sense.Celsius; s.limit > 0 && c > 0 {
		switch {
		case c >= s.limit:
			a |= rig.AlarmOverheat
		case c >= s.limit-hotBelow:
			a |= rig.AlarmHot
		case c >= s.limit-warmBelow:
			a |= rig.AlarmWarm
		}
	}
	return a
}

// A servo is stuck when it has hardly moved while it was asked to, or stays far
// from where it was sent.
const (
	stuckTime  = 750 * time.Millisecond // a window
	stuckReads = 6                      // positions read within one, at least
	stuckMost  = 30                     // and at most, while too little was asked to tell
	stuckMove  = 0.1                    // rad asked within one
	stuckPart  = 0.15                   // of it done
	stuckFar   = 0.3                    // rad
)

// stuck says what the last whole window showed, and ends windows that are over.
func (p *Plant) stuck(s *state) bool {
	w := &s.win
	if !s.on || !p.proto.Caps.Feedback || s.missed > 0 || p.power.out || p.start.on {
		*w = window{}
		return false
	}
	if w.n >= stuckReads && p.now-w.begin >= stuckTime {
		asked, done := w.sent[1]-w.sent[0], w.pos[1]-w.pos[0]
		far := w.near > stuckFar*s.perRad
		if moved := asked > stuckMove*s.perRad; moved || far || w.n >= stuckMost {
			*w = window{stuck: moved && done < stuckPart*asked || far}
		}
	}
	return w.stuck
}

// sample adds a position that was read to the window, with what had been sent by
// then: both are seen at the same moments, however few they are.
func (w *window) sample(now time.Duration, sent, pos float64) {
	if w.n == 0 {
		*w = window{stuck: w.stuck, begin: now, sent: [2]float64{sent, sent}, pos: [2]float64{pos, pos}, near: math.Inf(1)}
	}
	w.n++
	w.sent = [2]float64{min(w.sent[0], sent), max(w.sent[1], sent)}
	w.pos = [2]float64{min(w.pos[0], pos), max(w.pos[1], pos)}
	w.near = min(w.near, math.Abs(sent-pos))
}

// window is what a servo was asked and did within a while.
type window struct {
	begin     time.Duration
	n         int        // positions read
	sent, pos [2]float64 // least and most
	near      float64    // least distance between the two
	stuck     bool       // the window before this one said so
}

// overTime is how long an overload may last.
func (p *Plant) overTime() time.Duration {
	if t := p.cfg.Protect.OverloadTime; t > 0 {
		return time.Duration(t * float64(time.Second))
	}
	return overloadTime
}

// merge joins what several servos of one joint say.
func merge(dst, s *rig.Sense) {
	if max(s.Load, -s.Load) > max(dst.Load, -dst.Load) {
		dst.Load = s.Load
	}
	if s.Volts > 0 && (dst.Volts == 0 || s.Volts < dst.Volts) {
		dst.Volts = s.Volts
	}
	dst.Celsius = max(dst.Celsius, s.Celsius)
	dst.Alarms |= s.Alarms
}

// battery adds the voltage, of a sensor or as the servos say it, and what follows
// from it. Dips shorter than the config says do not count.
func (p *Plant) battery(dst *rig.Observation) {
	if dst.Battery == 0 {
		dst.Battery = p.median()
	}
	b := &p.cfg.Battery
	ignore := b.Ignore
	if ignore == 0 {
		ignore = servo.DefaultIgnore
	}
	for _, step := range [...]struct {
		volts float64
		since *time.Duration
		is    rig.Alarm
	}{
		{b.Warn, &p.power.low, rig.AlarmBatteryLow},
		{b.Sit, &p.power.sit, rig.AlarmBatterySit},
		{b.Off, &p.power.gone, rig.AlarmBatteryEmpty},
	} {
		switch {
		case dst.Battery <= 0 || dst.Battery >= step.volts:
			*step.since = 0
		case *step.since == 0:
			*step.since = p.now + 1
		case float64(p.now-*step.since) >= ignore*float64(time.Second):
			dst.Alarms |= step.is
		}
	}
}

// median is the middle of the voltages the servos say: one that is wrong does not
// lay the rig down. 0: none says any.
func (p *Plant) median() float64 {
	n := 0
	for i := range p.servos {
		v := p.servos[i].sense.Volts
		if v <= 0 || p.servos[i].lost {
			continue
		}
		at := n
		for ; at > 0 && p.sorted[at-1] > v; at-- {
			p.sorted[at] = p.sorted[at-1]
		}
		p.sorted[at] = v
		n++
	}
	if n == 0 {
		return 0
	}
	return p.sorted[n/2]
}
