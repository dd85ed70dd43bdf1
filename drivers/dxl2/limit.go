package dxl2

import "legctl/drivers/servo"

// Registers of duty, 2 bytes each: in position mode the goal limits how hard a
// servo pushes.
const (
	regMostPWM = 36 // kept
	regGoalPWM = 100
)

// Confine implements servo.Confiner.
func (d *Driver) Confine(id int, least, most float64) error {
	lo, hi, err := servo.Range("dxl2", least, most, 0, 4095)
	if err != nil {
		return err
	}
	if on, err := d.get(id, RegTorqueEnable, 1); err != nil || on[0] != 0 {
		return err
	}
	return d.want(id, RegMaxPosition, byte(hi), byte(hi>>8), 0, 0, byte(lo), byte(lo>>8), 0, 0)
}

// LimitTorque lets a servo push with a share of its largest duty only, 0 to 1,
// until it restarts or is set again.
func (d *Driver) LimitTorque(id int, share float64) error {
	if !(share >= 0 && share <= 1) {
		return servo.Refuse("dxl2", "share of torque", share, "0 to 1")
	}
	b, err := d.get(id, regMostPWM, 2)
	if err != nil {
		return err
	}
	v := uint16(share * float64(uint16(b[0])|uint16(b[1])<<8))
	return d.put(id, regGoalPWM, byte(v), byte(v>>8))
}
