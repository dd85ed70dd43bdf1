package drivers_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"legctl/drivers"
	"legctl/drivers/servo"
)

// servosOf makes a config of n servos with ids from first on.
func servosOf(protocol string, first, n, baud int) *servo.Config {
	c := &servo.Config{Protocol: protocol, Baud: baud, Latency: 1e-3}
	for i := range n {
		c.Servos = append(c.Servos, servo.Servo{ID: first + i, PerRad: 100, Terms: []servo.Term{{Joint: i, Factor: 1}}})
	}
	c.Pulses.Addresses, c.Pulses.BitRate = []byte{0x40, 0x41}, baud
	return c
}

// TestBudgetAtLoad: what a tick's group write takes of each bus, for 18 and 24
// servos, is what a reference encoder's bytes take.
func TestBudgetAtLoad(t *testing.T) {
	for _, c := range []struct {
		protocol    string
		first, baud int
		ms18, ms24  float64
		crc         bool
	}{
		{"ssc32", 0, 9600, 143.75, 193.75, false},
		{"ssc32", 0, 38400, 35.94, 48.44, false},
		{"ssc32", 0, 115200, 11.98, 16.15, false},
		{"maestro", 0, 9600, 40.62, 53.12, false},
		{"maestro", 0, 115200, 3.39, 4.43, false},
		{"maestro", 0, 200000, 1.95, 2.55, false},
		{"maestro", 0, 115200, 3.65, 4.69, true},
		{"maestro", 0, 200000, 2.10, 2.70, true},
		{"dxl1", 1, 115200, 5.38, 6.94, false},
		{"dxl1", 1, 1000000, 0.62, 0.80, false},
		{"dxl2", 1, 57600, 18.06, 23.26, false},
		{"dxl2", 1, 1000000, 1.04, 1.34, false},
		{"dxl2", 1, 4000000, 0.26, 0.34, false},
		{"lx16a", 1, 115200, 15.62, 20.83, false},
		{"feetech_sts", 1, 500000, 1.24, 1.60, false},
		{"feetech_scs", 1, 1000000, 0.62, 0.80, false},
		{"firmata", 2, 57600, 11.46, 17.71, false},
		{"pca9685", 0, 100000, 6.88, 9.04, false},
		{"pca9685", 0, 400000, 1.72, 2.26, false},
	} {
		for n, want := range map[int]float64{18: c.ms18, 24: c.ms24} {
			cfg := servosOf(c.protocol, c.first, n, c.baud)
			cfg.Maestro = servo.Maestro{Pololu: c.crc, Device: 12, CRC: c.crc}
			b, err := drivers.BudgetOf(cfg, 1)
			if err != nil {
				t.Errorf("%s at %d: %v", c.protocol, c.baud, err)
			}
			if got := 1000 * b.Write; math.Abs(got-want) > 0.0051 {
				t.Errorf("%s, %d servos at %d: %.3f ms, want %.2f", c.protocol, n, c.baud, got, want)
			}
		}
	}
}

// TestBudgetRefuses: a rate the bus cannot carry is refused with the baud that
// could, and the highest rate that it can; both are true.
func TestBudgetRefuses(t *testing.T) {
	for _, c := range []struct {
		protocol string
		n, baud  int
		rate     float64
		words    []string
	}{
		{"ssc32", 18, 9600, 50, []string{"50 ticks a second need at least", "at 9600 the highest rate is 4"}},
		{"lx16a", 24, 115200, 50, []string{"at 115200 the highest rate is"}},
		{"dxl2", 18, 57600, 100, []string{"at least"}},
		{"pca9685", 24, 100000, 100, []string{"an I2C bus of", "at 100000 the highest rate is 77"}},
		{"feetech_scs", 12, 1000000, 100, []string{"no baud is enough", "the highest rate is 50"}},
	} {
		cfg := servosOf(c.protocol, 1, c.n, c.baud)
		b, err := drivers.BudgetOf(cfg, c.rate)
		if err == nil {
			t.Errorf("%s: %g Hz at %d is accepted: %v", c.protocol, c.rate, c.baud, b)
			continue
		}
		for _, w := range c.words {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%s: %q does not say %q", c.protocol, err, w)
			}
		}
		if _, err := drivers.BudgetOf(cfg, math.Floor(b.Most)); err != nil {
			t.Errorf("%s: the highest rate named is refused: %v", c.protocol, err)
		}
		if _, err := drivers.BudgetOf(cfg, math.Floor(b.Most)+1); err == nil {
			t.Errorf("%s: more than the highest rate named is accepted", c.protocol)
		}
		if need := needed(err.Error()); need > 0 {
			cfg.Baud, cfg.Pulses.BitRate = need, need
			_, ok := drivers.BudgetOf(cfg, c.rate)
			cfg.Baud, cfg.Pulses.BitRate = need*99/100, need*99/100
			_, less := drivers.BudgetOf(cfg, c.rate)
			if ok != nil || less == nil {
				t.Errorf("%s: %d was said to be needed: at it %v, below it %v", c.protocol, need, ok, less)
			}
		}
	}
}

// needed is the baud that a refusal names.
func needed(text string) (n int) {
	for _, before := range []string{"at least ", "an I2C bus of "} {
		if _, rest, ok := strings.Cut(text, before); ok {
			for _, r := range rest {
				if r < '0' || r > '9' {
					break
				}
				n = 10*n + int(r-'0')
			}
		}
	}
	return n
}

func TestPlantRefusesWhatCannotBe(t *testing.T) {
	b := newBench(t, "phantomx")
	for _, c := range []struct {
		name   string
		change func(*servo.Config, *drivers.Options)
		words  string
	}{
		{"a protocol nobody speaks", func(c *servo.Config, _ *drivers.Options) { c.Protocol = "morse" }, `protocol "morse", want one of`},
		{"an id twice", func(c *servo.Config, _ *drivers.Options) { c.Servos[1].ID = c.Servos[0].ID }, "both have id"},
		{"an id that is none", func(c *servo.Config, _ *drivers.Options) { c.Servos[1].ID = 254 }, "want 0 to 253"},
		{"a rate too high", func(c *servo.Config, o *drivers.Options) { o.Dt = 1e-3 }, "1000 ticks a second need"},
		{"no rate", func(c *servo.Config, o *drivers.Options) { o.Dt = 0 }, "dt is 0 s"},
		{"a joint without a servo of its own", func(c *servo.Config, _ *drivers.Options) { c.Servos[1].Terms = c.Servos[0].Terms }, "servo"},
	} {
		cfg := *b.cfg
		cfg.Servos = append([]servo.Servo(nil), b.cfg.Servos...)
		o := drivers.Options{Dt: 0.02, Open: func() (*drivers.Link, func() error, error) { return nil, nil, errors.New("not opened") }}
		c.change(&cfg, &o)
		if _, err := drivers.New(b.rig, &cfg, o); err == nil || !strings.Contains(err.Error(), c.words) {
			t.Errorf("%s: %v, want %q", c.name, err, c.words)
		}
	}
}
