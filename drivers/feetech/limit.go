package feetech

import "legctl/drivers/servo"

// Registers of torque, per mille.
const (
	regMostTorque  = 16 // kept, 2 bytes
	regTorqueLimit = 48 // STS only, in RAM, 2 bytes; of SCS this is the lock
)

// LimitTorque lets a servo push with a share of its largest torque only, 0 to 1,
// until it restarts or is set again. SCS servos have no such register that is
// not kept for ever: they are left as they are.
func (d *Driver) LimitTorque(id int, share float64) error {
	if !(share >= 0 && share <= 1) {
		return servo.Refuse(d.series.String(), "share of torque", share, "0 to 1")
	}
	if d.series == SCS {
		return nil
	}
	b, err := d.t.Get(id, regMostTorque, 2)
	if err != nil {
		return err
	}
	most, _ := d.series.Word(b)
	_, err = d.t.Want(id, regTorqueLimit, d.series.AppendWord(nil, uint16(share*float64(most)))...)
	return err
}
