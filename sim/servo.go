package sim

import "legctl/rig"

// servo moves the actual joint angles for one tick towards the commanded ones:
// first-order lag, joint speed, limits, then joints that copy others. Legs
// without torque and frozen joints stay.
func (s *Sim) servo(sp *rig.Setpoint) {
	if sp.Limp {
		return
	}
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
				s.turn(at, &l.Joints[j], sp.Q[l.First+j], share)
			}
		}
		s.mimic(l)
	}
}

func (s *Sim) turn(at *joint, j *rig.Joint, want, share float64) {
	want = min(max(want, j.Min), j.Max)
	if s.par.Servo.Noise > 0 {
		want += s.par.Servo.Noise * s.noise()
	}
	step := want - at.Q
	if share < 1 {
		step *= share
	}
	if s.par.Servo.Limited || at.Speed < 1 {
		most := j.Speed * at.Speed * s.dt
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
