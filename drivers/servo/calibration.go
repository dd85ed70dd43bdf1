package servo

import (
	"fmt"
	"math"
)

// Calibration is what was found out about the servos of one built robot. It
// overlays the Config of its rig.
type Calibration struct {
	Rig      string
	Protocol string
	Date     string    // RFC 3339
	OscHz    []float64 // measured oscillator of each PCA9685; none: as in the config
	Servos   []Calibrated
}

// Calibrated is one servo of a Calibration, with what tells it from another.
type Calibrated struct {
	Name     string
	ID       int
	Number   int     // model number it stated, 0: none
	Firmware int     // it stated, 0: none
	Zero     float64 // native position at angle 0
	PerRad   float64 // native units for one radian, with the sign of its direction
	Min, Max float64 // native limits
	Residual float64 // rad, of the joint after the fit
}

// Apply overlays c with the calibration. A servo that is missing or whose id
// differs is refused by name: the file is another robot's. Nothing is changed
// then.
func (k *Calibration) Apply(c *Config) error {
	if k.Protocol != c.Protocol {
		return fmt.Errorf("servo: calibration is for protocol %s, the rig uses %s: calibrate again", k.Protocol, c.Protocol)
	}
	if n := len(k.OscHz); n > 0 && n != len(c.Pulses.Addresses) {
		return fmt.Errorf("servo: calibration knows the oscillators of %d boards, the rig has %d: measure them again", n, len(c.Pulses.Addresses))
	}
	at := make([]int, len(c.Servos))
	for i := range c.Servos {
		s := &c.Servos[i]
		n := k.index(s.Name)
		if n < 0 {
			return fmt.Errorf("servo: calibration has no servo %s: calibrate again", s.Name)
		}
		if k.Servos[n].ID != s.ID {
			return fmt.Errorf("servo: %s has id %d in the calibration and %d in the rig: calibrate again", s.Name, k.Servos[n].ID, s.ID)
		}
		if p := k.Servos[n].PerRad; p == 0 || p != p || math.IsInf(p, 0) {
			return fmt.Errorf("servo: calibration of %s: %v native units for a radian, want a number that is not zero", s.Name, p)
		}
		at[i] = n
	}
	c.Calibrated = k
	if len(k.OscHz) > 0 {
		c.Pulses.OscHz = k.OscHz
	}
	for i, n := range at {
		s, d := &c.Servos[i], &k.Servos[n]
		s.Zero, s.PerRad, s.Min, s.Max = d.Zero, d.PerRad, d.Min, d.Max
	}
	return nil
}

func (k *Calibration) index(name string) int {
	for i := range k.Servos {
		if k.Servos[i].Name == name {
			return i
		}
	}
	return -1
}

// Identity is what a servo says about itself; zero where it says nothing.
type Identity struct{ ID, Number, Firmware int }

// Compare returns what differs between the servos found and those that were
// calibrated, one sentence each: a servo that is missing, of another model, or
// with another firmware. None means the calibration may be used.
func (k *Calibration) Compare(found []Identity) []string {
	var out []string
	for i := range k.Servos {
		s := &k.Servos[i]
		var f *Identity
		for n := range found {
			if found[n].ID == s.ID {
				f = &found[n]
			}
		}
		switch {
		case s.Number == 0 && s.Firmware == 0: // it says nothing about itself
		case f == nil:
			out = append(out, fmt.Sprintf("%s (id %d) does not answer", s.Name, s.ID))
		case s.Number != 0 && f.Number != s.Number:
			out = append(out, fmt.Sprintf("%s (id %d) is model %d, calibrated as model %d", s.Name, s.ID, f.Number, s.Number))
		case s.Firmware != 0 && f.Firmware != s.Firmware:
			out = append(out, fmt.Sprintf("%s (id %d) has firmware %d, calibrated with %d", s.Name, s.ID, f.Firmware, s.Firmware))
		}
	}
	return out
}
