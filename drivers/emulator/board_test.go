package emulator_test

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"legctl/drivers/emulator"
	"legctl/drivers/pca9685"
	"legctl/drivers/servo"
	"legctl/drivers/servo/servotest"

	"gobot.io/x/gobot/v2/drivers/i2c"
)

// pulseBoard is a board with two PCA9685, servos on channels 0 and 17, and its
// driver.
func pulseBoard(t *testing.T, faults ...emulator.Fault) (*emulator.Board, *pca9685.Driver, *servotest.Stepped) {
	t.Helper()
	clock := &servotest.Stepped{}
	c := &servo.Config{Pulses: servo.Pulses{Addresses: []byte{0x41, 0x40}, OE: "7", OscHz: []float64{26e6, 24.5e6}}}
	for _, ch := range []int{0, 17} {
		c.Servos = append(c.Servos, servo.Servo{Name: "s", ID: ch, Model: "mg996r", Center: 1500})
	}
	c.Sensors.Power = servo.Power{Kind: "ads1115", Channel: 1, Factor: 4}
	c.Battery.Warn = 7
	b, err := emulator.NewBoard(emulator.BoardOptions{Config: c, Start: []float64{1400, 0}, Faults: faults, Clock: clock})
	if err != nil {
		t.Fatal(err)
	}
	var buses []pca9685.Bus
	for _, a := range c.Pulses.Addresses {
		conn, err := b.GetI2cConnection(int(a), 1)
		if err != nil {
			t.Fatal(err)
		}
		buses = append(buses, conn)
	}
	d, err := pca9685.New(buses, b, clock, c.Pulses)
	if err != nil {
		t.Fatal(err)
	}
	return b, d, clock
}

func goals(us float64) []servo.Goal { return []servo.Goal{{ID: 0, Pos: us}, {ID: 17, Pos: us}} }

// TestBoardServosFollowPulses: each at its own pulse, whatever the oscillators are,
// and not beyond OE.
func TestBoardServosFollowPulses(t *testing.T) {
	b, d, clock := pulseBoard(t)
	if m, _ := b.Motor(0); m.Position != 1400 || m.Torque {
		t.Errorf("at first %+v", m)
	}
	if _, err := d.Open([]int{0, 17}); err != nil {
		t.Fatal(err)
	}
	if err := d.Enable(goals(1600)); err != nil {
		t.Fatal(err)
	}
	clock.Sleep(time.Second)
	for _, ch := range []int{0, 17} {
		if m, ok := b.Motor(ch); !ok || !m.Torque || math.Abs(m.Position-1600) > 3 || math.Abs(b.Micros(ch)-1600) > 3 {
			t.Errorf("channel %d: %.1f at a pulse of %.1f us", ch, m.Position, b.Micros(ch))
		}
	}
	if err := b.DigitalWrite("7", 1); err != nil || b.Micros(0) != 0 {
		t.Errorf("OE is high, pulse %.1f us, %v", b.Micros(0), err)
	}
	clock.Sleep(time.Millisecond)
	if m, _ := b.Motor(17); m.Torque {
		t.Error("torque without pulses")
	}
	if _, ok := b.Motor(3); ok || b.Micros(99) != 0 {
		t.Error("a servo where none is")
	}
}

// TestBoardFaults: what goes wrong on an I2C bus on request, and ends again.
func TestBoardFaults(t *testing.T) {
	for _, c := range []struct {
		text   string
		nack   [3]bool // of the first board at 0.5, 1.5 and 2.5 s
		second bool    // the other board is touched too
	}{
		{"unplugged,at=1,for=1", [3]bool{false, true, false}, true},
		{"unplugged,id=3,at=1,for=1", [3]bool{false, true, false}, false},
		{"lost,at=1,for=1", [3]bool{false, true, false}, true},
		{"lost,id=3,at=1", [3]bool{false, true, true}, false},
		{"brownout,at=1,by=0.7", [3]bool{false, true, false}, true},
		{"stuck,id=0,at=1", [3]bool{}, false},
	} {
		f, err := emulator.ParseFault(c.text)
		if err != nil {
			t.Fatal(err)
		}
		b, d, clock := pulseBoard(t, f)
		if _, err := d.Open(nil); err != nil {
			t.Fatal(err)
		}
		if err := d.Enable(goals(1500)); err != nil {
			t.Fatal(err)
		}
		for k, want := range c.nack {
			clock.Sleep(time.Duration(k)*time.Second + 500*time.Millisecond - clock.Now())
			_, first := d.Ping(0)
			_, second := d.Ping(16)
			if errors.Is(first, emulator.ErrNack) != want || errors.Is(second, emulator.ErrNack) != (want && c.second) {
				t.Errorf("%s after %v: %v; %v", c.text, clock.Now(), first, second)
			}
		}
		if strings.HasPrefix(c.text, "brownout") && b.Micros(0) != 0 {
			t.Errorf("%s: pulses of %.0f us went on", c.text, b.Micros(0))
		}
		if strings.HasPrefix(c.text, "stuck") {
			if err := d.Write(goals(1700), 0); err != nil {
				t.Fatal(err)
			}
			clock.Sleep(time.Second)
			if m, _ := b.Motor(0); math.Abs(m.Position-1500) > 3 {
				t.Errorf("%s: turned to %.0f", c.text, m.Position)
			}
		}
		if b.Faults() == 0 {
			t.Errorf("%s: no fault was counted", c.text)
		}
	}
}

func TestBoardSlowAndSag(t *testing.T) {
	b, d, clock := pulseBoard(t)
	b.Inject(emulator.Fault{Kind: emulator.Slow, ID: -1, By: 0.016})
	b.Inject(emulator.Fault{Kind: emulator.Sag, ID: -1, At: time.Second, By: 6})
	before := clock.Now()
	if _, err := d.Ping(0); err != nil {
		t.Fatal(err)
	}
	if took := clock.Now() - before; took != 16*time.Millisecond {
		t.Errorf("a slow transfer took %v", took)
	}
	ads := i2c.NewADS1115Driver(b, i2c.WithADS1x15Gain(1), i2c.WithADS1x15WaitSingleCycle())
	if err := ads.Start(); err != nil {
		t.Fatal(err)
	}
	for _, want := range []float64{1.08 * 7 / 4, 1.5} {
		if v, err := ads.ReadWithDefaults(1); err != nil || math.Abs(v-want) > 0.01 {
			t.Errorf("%.3f V at the monitor, want %.3f, %v", v, want, err)
		}
		clock.Sleep(1500 * time.Millisecond)
	}
}

func TestBoardRefuses(t *testing.T) {
	two := servo.Pulses{Addresses: []byte{0x40, 0x40}}
	for name, o := range map[string]emulator.BoardOptions{
		"two chips at I2C address 0x40": {Config: &servo.Config{Pulses: two}},
		"20 to 30 MHz":                  {Config: &servo.Config{Pulses: servo.Pulses{Addresses: []byte{0x40}}}, OscHz: []float64{25}},
		"fault echo":                    {Config: &servo.Config{}, Faults: []emulator.Fault{{Kind: emulator.Echo}}},
		"on channel 16":                 {Config: &servo.Config{Pulses: servo.Pulses{Addresses: []byte{0x40}}, Servos: []servo.Servo{{ID: 16, Model: "mg996r"}}}},
	} {
		if _, err := emulator.NewBoard(o); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%v, want %q", err, name)
		}
	}
}
