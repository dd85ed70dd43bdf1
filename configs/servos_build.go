package configs

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"legctl/drivers/servo"
	"legctl/rig"
)

// LoadRobot returns a rig and the servos that move it, by the same names as
// LoadRig. A rig without a servos section comes with nil. Joints of servos that
// say narrow have the limits their servos reach.
func LoadRobot(name string) (*rig.Rig, *servo.Config, error) {
	base, size, err := cutSize(name)
	if err != nil {
		return nil, nil, err
	}
	file, data, err := read("rigs", base)
	if err != nil {
		return nil, nil, err
	}
	return parseRobot(file, data, size)
}

// ParseRobot returns the rig and the servos a file describes; file is only used
// in errors.
func ParseRobot(file string, data []byte) (*rig.Rig, *servo.Config, error) {
	return parseRobot(file, data, 0)
}

func parseRobot(file string, data []byte, size float64) (*rig.Rig, *servo.Config, error) {
	b, err := buildRig(file, data, size)
	if err != nil {
		return nil, nil, err
	}
	b.narrow()
	if err := b.err(); err != nil {
		return nil, nil, err
	}
	return b.r, b.servos, nil
}

// servoBuilder turns a servos section into a Config for a rig that is built.
type servoBuilder struct {
	*rigBuilder
	f      *servosFile
	c      *servo.Config
	joints map[string]servo.Term // by name: index in q
	legs   map[string]int        // leg of a joint
}

// servoSection reads the servos section of a rig without other faults.
func (b *rigBuilder) servoSection() {
	if b.f.Servos == nil {
		return
	}
	s := &servoBuilder{rigBuilder: b, f: b.f.Servos, c: &servo.Config{}, joints: map[string]servo.Term{}, legs: map[string]int{}}
	for i := range b.r.Legs {
		l := &b.r.Legs[i]
		for j := range l.Joints {
			s.joints[l.Joints[j].Name] = servo.Term{Joint: l.First + j, Factor: 1}
			s.legs[l.Joints[j].Name] = i
		}
	}
	s.bus()
	s.protect()
	s.sensors()
	for i := range s.f.Channels {
		s.channel(&s.f.Channels[i])
	}
	s.whole()
	b.servos = s.c
}

// bus copies what belongs to all servos.
func (s *servoBuilder) bus() {
	f, c := s.f, s.c
	c.Protocol, c.Port, c.Baud = f.Protocol.V, f.Port.V, f.Baud.V
	c.Echo, c.Latency, c.ReturnDelay = f.Echo.V, f.Latency.V, f.ReturnDelay.V
	c.Rate = f.Rate.or(servo.DefaultRate)
	c.Watchdog, c.MostStep = f.Watchdog.V, f.MostStep.V
	c.SoftStart = f.SoftStart.or(servo.DefaultSoftStart)
	c.Maestro = servo.Maestro{Pololu: f.Maestro.Pololu.V, Device: f.Maestro.Device.or(12), CRC: f.Maestro.CRC.V}
	c.Firmata.Reset = f.Firmata.Reset.V
	if f.Protocol.V != "pca9685" {
		return
	}
	p := &f.Pulses
	c.Board = p.Board.or("raspi")
	c.Port = strconv.Itoa(p.Bus.or(1))
	c.Pulses = servo.Pulses{Hz: p.Hz.or(servo.DefaultPulseHz), OscHz: p.OscHz, BitRate: p.BitRate.or(servo.DefaultBitRate), OE: p.OE.V, Stagger: p.Stagger.or(true)}
	c.Pulses.Addresses = []byte{0x40}
	if len(p.Boards) > 0 {
		c.Pulses.Addresses = nil
	}
	for i, a := range p.Boards {
		if a == 0x70 || slices.Contains(p.Boards[:i], a) {
			s.add(p.at, "address %#x: want each once, and not 0x70, which all boards answer", a)
		}
		c.Pulses.Addresses = append(c.Pulses.Addresses, byte(a))
	}
	if n := len(p.OscHz); n > 0 && n != len(c.Pulses.Addresses) {
		s.add(p.at, "osc_hz for %d boards, want one each of %d", n, len(c.Pulses.Addresses))
	}
}

// modelOf returns a model that the protocol drives, with the section's own pulse
// range and travel.
func (s *servoBuilder) modelOf(name val[string], at pos) (servo.Model, bool) {
	m, ok := servo.ModelOf(name.V)
	var known []string
	for _, k := range servo.Models() {
		if k.Drives(s.f.Protocol.V) {
			known = append(known, k.Name)
		}
	}
	if !ok || !m.Drives(s.f.Protocol.V) {
		s.add(at, "model %q cannot be driven by %s; want one of %v", clip(name.V), s.f.Protocol.V, known)
		return m, false
	}
	if r := s.f.PulseRange.V; s.f.PulseRange.Set {
		if !(r[0] < r[1]) {
			s.add(s.f.PulseRange.at, "pulses from %g to %g us, want the least first", r[0], r[1])
			return m, false
		}
		m.PerTurn *= (r[1] - r[0]) / (m.Max - m.Min)
		m.Min, m.Max, m.Center = r[0], r[1], (r[0]+r[1])/2
	}
	if s.f.Travel.Set {
		m.PerTurn = (m.Max - m.Min) * 2 * math.Pi / s.f.Travel.V
	}
	return m, true
}

// protect copies limits, the model's where the file has none.
func (s *servoBuilder) protect() {
	m, _ := servo.ModelOf(s.f.Model.V)
	f, b := &s.f.Protect, &s.f.Battery
	s.c.Protect = servo.Protect{
		Celsius: f.Celsius.or(m.Celsius), Overload: f.Overload.V, OverloadTime: f.Time.or(1),
		LeastVolts: 0.9 * m.Volts[0], MostVolts: 1.1 * m.Volts[1],
	}
	if f.Volts.Set {
		s.c.Protect.LeastVolts, s.c.Protect.MostVolts = f.Volts.V[0], f.Volts.V[1]
		if !(f.Volts.V[0] < f.Volts.V[1]) {
			s.add(f.Volts.at, "volts from %g to %g, want the least first", f.Volts.V[0], f.Volts.V[1])
		}
	}
	s.c.Battery = servo.Battery{Warn: b.Warn.V, Sit: b.Sit.V, Off: b.Off.V, Ignore: b.Ignore.or(servo.DefaultIgnore)}
	if b.Warn.Set && b.Sit.Set && b.Warn.V < b.Sit.V || b.Sit.Set && b.Off.Set && b.Sit.V < b.Off.V || b.Warn.Set && b.Off.Set && b.Warn.V < b.Off.V {
		s.add(b.at, "warn_v %g, sit_v %g, off_v %g: want them in falling order", b.Warn.V, b.Sit.V, b.Off.V)
	}
}

// sensors copies what the rig carries besides.
func (s *servoBuilder) sensors() {
	f, c := &s.f.Sensors, &s.c.Sensors
	u := &f.IMU
	if u.Kind.Set {
		c.IMU = servo.IMU{
			Kind: u.Kind.V, Port: u.Port.V, Bus: u.Bus.V, Address: byte(u.Address.V),
			Roll: u.Mount.V[0], Pitch: u.Mount.V[1], Yaw: u.Mount.V[2],
			AccelG: u.AccelG.V, GyroDeg: u.GyroDeg.V, Filter: u.Filter.or(0.5),
		}
		if g := u.AccelG; g.Set && !slices.Contains([]int{2, 4, 8, 16}, g.V) {
			s.add(g.at, "%d, want 2, 4, 8 or 16", g.V)
		}
		if g := u.GyroDeg; g.Set && !slices.Contains([]int{250, 500, 1000, 2000}, g.V) {
			s.add(g.at, "%d, want 250, 500, 1000 or 2000", g.V)
		}
		if u.Kind.V == "bno055-uart" && !u.Port.Set {
			s.add(u.Kind.at, "bno055-uart wants a port")
		}
	}
	p := &f.Power
	if p.Kind.Set {
		c.Power = servo.Power{Kind: p.Kind.V, Bus: p.Bus.V, Address: byte(p.Address.V), Channel: p.Channel.V, Factor: p.Factor.or(1)}
	}
	for i := range f.Feet {
		w := &f.Feet[i]
		leg, ok := s.r.Find(w.Leg.V)
		if !ok {
			s.add(w.Leg.at, "%q is no leg of this rig", clip(w.Leg.V))
			continue
		}
		c.Feet = append(c.Feet, servo.Switch{Leg: leg, Pin: w.Pin.V, ActiveLow: w.ActiveLow.or(true)})
	}
	c.Push = f.Push.V
	if f.EStop != nil {
		c.EStop = servo.Switch{Pin: f.EStop.Pin.V, ActiveLow: f.EStop.ActiveLow.or(true)}
	}
	// The chips of a Raspberry Pi and the like are on the board named for pulses.
	if s.c.Board == "" && (c.Power.Kind != "" || len(c.Feet) > 0 || f.EStop != nil || c.IMU.Kind == "mpu6050" || c.IMU.Kind == "bno055") {
		s.c.Board = cmp.Or(s.f.Pulses.Board.V, "raspi")
	}
}
