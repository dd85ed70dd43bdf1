package drivers

import (
	"errors"

	"legctl/drivers/servo"
)

// confine writes the limits of the joints into the servos that can keep some: the
// last of the clamps, which holds when everything before it fails. Servos that
// will not take theirs are used as they are; the error says which.
func (p *Plant) confine(c *connection) (all error) {
	k, ok := c.drv.(servo.Confiner)
	if !ok {
		return nil
	}
	for i := range p.cfg.Servos {
		s := &p.cfg.Servos[i]
		at := []servo.Feedback{{ID: s.ID}}
		err := c.drv.Read(at)
		if err == nil && at[0].Has&servo.HasPos != 0 {
			least, most := s.Confines(p.cfg.Protocol, at[0].Pos)
			err = k.Confine(s.ID, least, most)
		}
		if errors.Is(err, servo.ErrGone) {
			return err
		}
		all = errors.Join(all, err)
	}
	return all
}
