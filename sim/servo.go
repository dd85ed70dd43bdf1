package sim

import (
	"math"

	"legctl/rig"
)

// servo moves the actual joint angles for one tick towards the commanded ones:
// first-order lag, joint speed, limits, then joints that copy others. Legs
// without torque and frozen joints stay.
func (s *Sim) servo(sp *rig.Setpoint) {
	if sp.Limp {
		s.supply(0)
		return
	}
	load := 0.0
	share := s.r.lag
	if sp.Time > s.dt {
		share *= s.dt / sp.Time
	}
	for leg := range s.rig.Legs {
		if s.st.Enabled>>leg&1 == 0 {
			continue
		}
		l := &s.rig.Legs[leg]
		for j := range l.Joints {
			at := &s.st.Joints[l.First+j]
			if l.Joints[j].Mimic < 0 && !at.Frozen {
				was := at.Q
				s.turn(at, &l.Joints[j], sp.Q[l.First+j], share)
				load += min(1, math.Abs(at.Q-was)/(l.Joints[j].Speed*s.dt))
			}
		}
		s.mimic(l)
	}
	s.supply(load / float64(len(s.st.Joints)))
}

// supply lets the battery sag under a load of 0 to 1, and empty.
func (s *Sim) supply(load float64) {
	b := &s.par.Battery
	if b.Volts == 0 {
		return
	}
	s.st.Drained = min(s.st.Drained+b.Drain*(1+2*load)*s.dt, b.Volts)
	s.st.Volts = max(0, b.Volts-s.st.Drained-b.Sag*load)
}

// strength is the share of its speed a servo has left at the voltage of the
// tick before: the speed of a motor without load goes with its voltage.
func (s *Sim) strength() float64 {
	if v := s.par.Battery.Volts; v > 0 && s.st.Volts > 0 {
		return s.st.Volts / v
	}
	return 1
}

// blunt is the angle a servo with steps and play goes to from where its horn is.
// Inside the play the horn stays: what pushes it is out of reach of the motor.
func (s *Sim) blunt(at, want float64) float64 {
	p := &s.par.Servo
	if p.Step > 0 {
		want = math.Floor(want/p.Step+0.5) * p.Step
	}
	half := p.Backlash / 2
	switch {
	case half == 0:
		return want
	case want > at+half:
		return want - half
	case want < at-half:
		return want + half
	}
	return at
}

func (s *Sim) turn(at *joint, j *rig.Joint, want, share float64) {
	want = s.blunt(at.Q, min(max(want, j.Min), j.Max))
	if s.par.Servo.Noise > 0 {
		want += s.par.Servo.Noise * s.noise()
	}
	step := want - at.Q
	if share < 1 {
		step *= share
	}
	if s.par.Servo.Limited || at.Speed < 1 {
		most := j.Speed * at.Speed * s.strength() * s.dt
		step = min(max(step, -most), most)
	}
	if step == want-at.Q {
		at.Q = want // not Q + step: an ideal servo is exact
		return
	}
	at.Q += step
}

// mimic sets the joints of a leg that copy another.
func (s *Sim) mimic(l *rig.Leg) {
	for j := range l.Joints {
		if m := l.Joints[j].Mimic; m >= 0 && !s.st.Joints[l.First+j].Frozen {
			s.st.Joints[l.First+j].Q = l.Joints[j].Factor*s.st.Joints[l.First+m].Q + l.Joints[j].Offset
		}
	}
}

// noise is uniform in [-1, 1).
func (s *Sim) noise() float64 { return mixed(&s.st.Noise) }

// mixed is the next number of a stream, uniform in [-1, 1) (SplitMix64).
func mixed(stream *uint64) float64 {
	*stream += 0x9e3779b97f4a7c15
	z := *stream
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	z ^= z >> 31
	return float64(int64(z)) * (1.0 / (1 << 63))
}
