package dxl1

import "legctl/drivers/servo"

// Confine implements servo.Confiner.
func (d *Driver) Confine(id int, least, most float64) error {
	lo, hi, err := servo.Range("dxl1", least, most, 0, 4095)
	if err != nil {
		return err
	}
	if on, err := d.t.Get(id, RegTorqueEnable, 1); err != nil || on[0] != 0 {
		return err
	}
	_, err = d.t.Want(id, RegMinAngle, byte(lo), byte(lo>>8), byte(hi), byte(hi>>8))
	return err
}

// LimitTorque lets a servo push with a share of its largest torque only, 0 to 1,
// until it restarts, is enabled or is set again.
func (d *Driver) LimitTorque(id int, share float64) error {
	if !(share >= 0 && share <= 1) {
		return servo.Refuse("dxl1", "share of torque", share, "0 to 1")
	}
	most, err := d.t.Get(id, RegMaxTorque, 2)
	if err != nil {
		return err
	}
	v := uint16(share * float64(uint16(most[0])|uint16(most[1])<<8))
	_, err = d.t.Want(id, RegTorqueLimit, byte(v), byte(v>>8))
	return err
}
