package configs

import (
	"testing"

	"legctl/drivers/servo"
)

func TestShippedRobotsHaveServos(t *testing.T) {
	want := map[string]string{
		"phantomx": "dxl1", "phoenix": "ssc32", "freenove": "pca9685", "spotmicro": "pca9685",
		"lx16a_hexapod": "lx16a", "sts3215_quadruped": "feetech_sts", "maestro_quadruped": "maestro", "xl430_octopod": "dxl2",
	}
	for name, protocol := range want {
		r, c, err := LoadRobot(name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if c == nil || c.Protocol != protocol || len(c.Servos) != r.Joints() {
			t.Errorf("%s: %+v", name, c)
			continue
		}
		l, err := servo.NewLinkage(c.Servos, r.Joints())
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		native := make([]float64, len(c.Servos))
		for _, q := range [][]float64{r.RestPose(nil), nil} {
			if q == nil {
				continue
			}
			l.Native(native, q)
			for i := range c.Servos {
				if _, clamped := c.Servos[i].Clamp(native[i]); clamped {
					t.Errorf("%s: %s stands at %.0f, outside %.0f to %.0f", name, c.Servos[i].Name, native[i], c.Servos[i].Min, c.Servos[i].Max)
				}
			}
			back := make([]float64, r.Joints())
			l.Joints(back, native)
			for j := range q {
				if d := back[j] - q[j]; d > 1e-9 || d < -1e-9 {
					t.Errorf("%s: joint %d comes back as %v, was %v", name, j, back[j], q[j])
				}
			}
		}
	}
}
