package configs

import (
	"fmt"
	"math"
	"slices"

	"legctl/drivers/servo"
	"legctl/rig"
)

// channel adds one servo.
func (s *servoBuilder) channel(f *channelFile) {
	name := f.Model
	if !name.Set {
		name = s.f.Model
	}
	m, ok := s.modelOf(name, name.at)
	if !ok || !s.known(f.Joint.V, f.Joint.at) {
		return
	}
	least, most := m.Reach(s.f.Protocol.V)
	v := servo.Servo{
		Name: f.Joint.V, ID: f.ID.V, Model: m.Name, Leg: s.legs[f.Joint.V], Offset: f.Offset.V,
		Zero: f.Zero.or(m.Center), PerRad: m.PerRad(), Min: least, Max: most, Center: m.Center,
	}
	if f.Reverse.V {
		v.PerRad = -v.PerRad
	}
	v.Terms = s.terms(f)
	s.identity(f, &v)
	if !s.reach(f, &v) {
		return
	}
	s.c.Servos = append(s.c.Servos, v)
}

// known reports whether the rig has a joint, and says so if not.
func (s *servoBuilder) known(joint string, at pos) bool {
	if _, ok := s.joints[joint]; ok {
		return true
	}
	var names []string
	for n := range s.joints {
		names = append(names, n)
	}
	slices.Sort(names)
	// Not nearest: the part before the underscore is the leg here, not a key.
	hint, best := "", len(joint)/2+1
	for _, n := range names {
		if d := distance(joint, n); d < best {
			hint, best = ", did you mean "+n+"?", d
		}
	}
	s.add(at, "%q is no joint of this rig%s", clip(joint), hint)
	return false
}

// terms are the joints whose sum is the servo's angle, in the order of the rig.
func (s *servoBuilder) terms(f *channelFile) []servo.Term {
	if len(f.Sum) == 0 {
		return []servo.Term{s.joints[f.Joint.V]}
	}
	var out []servo.Term
	for name, factor := range f.Sum {
		if s.known(name, factor.at) {
			out = append(out, servo.Term{Joint: s.joints[name].Joint, Factor: factor.V})
		}
	}
	slices.SortFunc(out, func(a, b servo.Term) int { return a.Joint - b.Joint })
	return out
}

// identity refuses names and ids given twice, and ids the protocol has not.
func (s *servoBuilder) identity(f *channelFile, v *servo.Servo) {
	most := 253
	switch s.f.Protocol.V {
	case "dxl2":
		most = 252
	case "ssc32":
		most = 31
	case "maestro":
		most = 23
	case "firmata":
		most = 127
	case "pca9685":
		most = 16*len(s.c.Pulses.Addresses) - 1
	}
	if v.ID > most {
		s.add(f.ID.at, "id %d, want 0 to %d for %s", v.ID, most, s.f.Protocol.V)
	}
	for i := range s.c.Servos {
		if o := &s.c.Servos[i]; o.ID == v.ID {
			s.add(f.ID.at, "id %d belongs to %s already", v.ID, o.Name)
		} else if o.Name == v.Name {
			s.add(f.Joint.at, "%s has a servo already", v.Name)
		}
	}
}

// reach sets the limits of a servo: those given, or what the limits of its
// joints ask for, within what the model can do. A servo that cannot reach all
// its joint may be asked for is refused unless it says narrow.
func (s *servoBuilder) reach(f *channelFile, v *servo.Servo) bool {
	if f.Range.Set {
		r := f.Range.V
		if !(r[0] < r[1]) || r[0] < v.Min || r[1] > v.Max {
			s.add(f.Range.at, "range %g to %g, want the least first, within %g to %g of %s", r[0], r[1], v.Min, v.Max, v.Model)
			return false
		}
		v.Min, v.Max = r[0], r[1]
	}
	lo, hi := v.Offset, v.Offset
	for _, t := range v.Terms {
		j := s.jointAt(t.Joint)
		a, b := t.Factor*j.Min, t.Factor*j.Max
		lo, hi = lo+min(a, b), hi+max(a, b)
	}
	from, to := v.Zero+v.PerRad*lo, v.Zero+v.PerRad*hi
	from, to = min(from, to), max(from, to)
	const slack = 1e-6
	inside := from >= v.Min-slack && to <= v.Max+slack
	switch {
	case inside && !f.Range.Set && len(v.Terms) == 1:
		v.Min, v.Max = max(from, v.Min), min(to, v.Max)
	case !inside && len(v.Terms) == 1 && f.Narrow.V:
		v.Min, v.Max = max(from, v.Min), min(to, v.Max)
	case !inside && len(v.Terms) == 1:
		s.add(f.at, "%s: its joint's limits ask for positions %.0f to %.0f, the servo (%s) has %.0f to %.0f: change offset_deg, the model or the joint's limits, or say narrow: true",
			v.Name, from, to, v.Model, v.Min, v.Max)
		return false
	}
	if !(v.Min < v.Max) {
		s.add(f.at, "%s: no position of the servo is within its joint's limits: change offset_deg or zero", v.Name)
		return false
	}
	return true
}

// jointAt is a joint by its index in q.
func (s *servoBuilder) jointAt(q int) *rig.Joint {
	for i := range s.r.Legs {
		if l := &s.r.Legs[i]; q < l.First+len(l.Joints) {
			return &l.Joints[q-l.First]
		}
	}
	return nil
}

// whole checks that the servos move every joint that does not copy another.
func (s *servoBuilder) whole() {
	if len(s.issues) > 0 {
		return
	}
	driven := map[int]bool{}
	for i := range s.c.Servos {
		for _, t := range s.c.Servos[i].Terms {
			driven[t.Joint] = true
		}
	}
	for i := range s.r.Legs {
		l := &s.r.Legs[i]
		for j := range l.Joints {
			if l.Joints[j].Mimic < 0 && !driven[l.First+j] {
				s.add(s.f.at, "no servo moves %s: want a channel for it", l.Joints[j].Name)
			}
		}
	}
	if hz := s.c.Pulses.Hz; hz > 0 {
		longest := 0.0
		for i := range s.c.Servos {
			longest = max(longest, s.c.Servos[i].Max)
		}
		if period := 1e6 / hz; period <= longest {
			s.add(s.f.Pulses.at, "hz %g leaves %.0f us for a pulse, the longest has %.0f: want fewer pulses a second", hz, period, longest)
		}
	}
	if _, err := servo.NewLinkage(s.c.Servos, s.r.Joints()); err != nil && len(s.issues) == 0 {
		s.add(s.f.at, "%v", err)
	}
}

// narrow gives joints the limits their servos reach, where those are narrower
// and the channel says so. The rest angle must stay within.
func (b *rigBuilder) narrow() {
	if b.servos == nil {
		return
	}
	for i := range b.f.Servos.Channels {
		f := &b.f.Servos.Channels[i]
		n := b.servos.Index(f.Joint.V)
		if !f.Narrow.V || n < 0 || len(b.servos.Servos[n].Terms) != 1 {
			continue
		}
		v := &b.servos.Servos[n]
		l := &b.r.Legs[v.Leg]
		j := &l.Joints[v.Terms[0].Joint-l.First]
		lo, hi := b.angle(v, v.Min), b.angle(v, v.Max)
		lo, hi = max(j.Min, min(lo, hi)), min(j.Max, max(lo, hi))
		if j.Rest < lo || j.Rest > hi {
			b.add(f.at, "%s: its servo reaches %.1f to %.1f degrees, the rest angle is %.1f: change offset_deg", j.Name, lo*180/math.Pi, hi*180/math.Pi, j.Rest*180/math.Pi)
			continue
		}
		if lo > j.Min+1e-9 || hi < j.Max-1e-9 {
			b.r.Assumed = append(b.r.Assumed, fmt.Sprintf("%s: limits narrowed to the servo's %.1f to %.1f degrees", j.Name, lo*180/math.Pi, hi*180/math.Pi))
		}
		j.Min, j.Max = lo, hi
	}
	b.faults(func(*rig.Fault) bool { return true })
}

// angle is the joint's angle at a position of a servo with one term.
func (b *rigBuilder) angle(v *servo.Servo, native float64) float64 {
	return ((native-v.Zero)/v.PerRad - v.Offset) / v.Terms[0].Factor
}
