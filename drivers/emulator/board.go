package emulator

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"legctl/drivers/servo"
	"legctl/geom"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// BoardOptions are what a Board is made of.
type BoardOptions struct {
	Config *servo.Config // whose PCA9685 boards, servos, sensors and pins it has
	Start  []float64     // pulses that stand for where its servos are, in us; none: their middle
	OscHz  []float64     // true oscillator of each PCA9685; none: as the config believes, else 25 MHz
	Faults []Fault
	Seed   uint64
	Clock  servo.Clock // nil: the system's
}

// Board is a computer with the I2C chips and pins of a rig, and servos that follow
// the pulses. The inertial unit lies level and still, the battery is full, the
// stop button is not pressed and no foot touches the ground. Use NewBoard. Its
// methods may be called from any goroutine.
type Board struct {
	*I2C
	o     BoardOptions
	chips []*PCA9685
	power func(volts float64) // what the voltage monitor sees

	mu     sync.Mutex
	start  time.Duration
	now    time.Duration
	motors [][]Motor // of each chip, one a channel
	pins   map[string]byte
	faults []Fault
	dice   dice
	struck int
}

// boardKinds are the faults that make sense here; the id of a fault is a channel,
// and where it is of the bus the board that has the channel.
var boardKinds = []Kind{Lost, Slow, Unplugged, BrownOut, Stuck, Sag}

// NewBoard makes a board.
func NewBoard(o BoardOptions) (*Board, error) {
	if o.Clock == nil {
		o.Clock = servo.SystemClock()
	}
	b := &Board{
		I2C: NewI2C(), o: o, start: o.Clock.Now(), pins: map[string]byte{},
		faults: slices.Clone(o.Faults), dice: dice(o.Seed + 1), power: func(float64) {},
	}
	for _, f := range o.Faults {
		if !slices.Contains(boardKinds, f.Kind) {
			return nil, fmt.Errorf("emulator: fault %s, want one of %v on an I2C bus", f.Kind, boardKinds)
		}
	}
	if err := b.build(); err != nil {
		return nil, err
	}
	b.before = b.judge
	return b, nil
}

// build puts chips on the bus and servos on their channels.
func (b *Board) build() error {
	c := b.o.Config
	for i, a := range c.Pulses.Addresses {
		osc := at(b.o.OscHz, i, at(c.Pulses.OscHz, i, 0))
		if osc != 0 && !(osc >= 20e6 && osc <= 30e6) {
			return fmt.Errorf("emulator: oscillator of %g Hz, want 20 to 30 MHz", osc)
		}
		chip := NewPCA9685(osc)
		chip.SetOE(c.Pulses.OE != "") // a pull-up holds it until somebody pulls it low
		if err := b.plug(int(a), chip); err != nil {
			return err
		}
		b.chips = append(b.chips, chip)
		b.motors = append(b.motors, make([]Motor, 16))
	}
	if c.Pulses.OE != "" {
		b.pins[c.Pulses.OE] = 1
	}
	for i := range c.Servos {
		s := &c.Servos[i]
		m, ok := servo.ModelOf(s.Model)
		if s.ID < 0 || s.ID >= 16*len(b.chips) || !ok {
			return fmt.Errorf("emulator: servo %s is a %q on channel %d, want a known model on channel 0 to %d", s.Name, s.Model, s.ID, 16*len(b.chips)-1)
		}
		motor := newMotor(m, (m.Volts[0]+m.Volts[1])/2)
		motor.Position = at(b.o.Start, i, s.Center)
		motor.Goal = motor.Position
		b.motors[s.ID/16][s.ID%16] = motor
	}
	return b.sensors(&c.Sensors)
}

// at is the i-th number of a list, and def where it has none.
func at(list []float64, i int, def float64) float64 {
	if i < len(list) && list[i] != 0 {
		return list[i]
	}
	return def
}

// plug puts a chip where none is yet.
func (b *Board) plug(address int, c Chip) error {
	if b.I2C.chips[address] != nil {
		return fmt.Errorf("emulator: two chips at I2C address %#02x: solder another address on one of them", address)
	}
	b.Attach(address, c)
	return nil
}

// sensors adds the inertial unit and the voltage monitor of a rig.
func (b *Board) sensors(s *servo.Sensors) error {
	if s.EStop.Pin != "" && s.EStop.ActiveLow {
		b.pins[s.EStop.Pin] = 1
	}
	for _, f := range s.Feet {
		if f.ActiveLow {
			b.pins[f.Pin] = 1
		}
	}
	mount := geom.FromRPY(s.IMU.Roll, s.IMU.Pitch, s.IMU.Yaw)
	switch s.IMU.Kind {
	case "mpu6050":
		up := geom.Rotate(quat.Conj(mount), r3.Vec{Z: 1})
		u := NewMPU6050()
		u.Set([3]float64{up.X, up.Y, up.Z}, [3]float64{})
		if err := b.plug(or(s.IMU.Address, 0x68), u); err != nil {
			return err
		}
	case "bno055":
		u := NewBNO055()
		u.Set([4]float64{mount.Real, mount.Imag, mount.Jmag, mount.Kmag}, [3]float64{})
		if err := b.plug(or(s.IMU.Address, 0x28), u); err != nil {
			return err
		}
	}
	return b.monitor(&s.Power)
}

// monitor adds the voltage monitor.
func (b *Board) monitor(p *servo.Power) (err error) {
	factor := p.Factor
	if factor == 0 {
		factor = 1
	}
	switch p.Kind {
	case "ads1015", "ads1115":
		c := &ADS1115{}
		b.power = func(v float64) { c.Set(p.Channel, v/factor) }
		err = b.plug(or(p.Address, 0x48), c)
	case "ina3221":
		c := &INA3221{}
		b.power = func(v float64) { c.Set(p.Channel, v/factor) }
		err = b.plug(or(p.Address, 0x40), c)
	}
	b.power(b.full())
	return err
}

// full is the battery's voltage: above the first warning.
func (b *Board) full() float64 {
	if w := b.o.Config.Battery.Warn; w > 0 {
		return 1.08 * w
	}
	return 7.4
}

func or(address byte, def int) int {
	if address != 0 {
		return int(address)
	}
	return def
}

// DigitalRead returns the level of a pin.
func (b *Board) DigitalRead(pin string) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return int(b.pins[pin]), nil
}

// DigitalWrite sets a pin: that of OE opens the outputs of all boards when low.
func (b *Board) DigitalWrite(pin string, level byte) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.advance()
	b.pins[pin] = level
	if pin == b.o.Config.Pulses.OE && pin != "" {
		for _, c := range b.chips {
			c.SetOE(level != 0)
		}
	}
	return nil
}

// Connect and Finalize do nothing: they make it a board like those of gobot.
func (b *Board) Connect() error { return nil }

// Finalize does nothing.
func (b *Board) Finalize() error { return nil }

// Motor returns a copy of the servo of a channel; false when there is none.
func (b *Board) Motor(channel int) (Motor, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if channel < 0 || channel >= 16*len(b.chips) {
		return Motor{}, false
	}
	b.advance()
	m := b.motors[channel/16][channel%16]
	return m, m.Model.Name != ""
}

// Micros is the pulse of a channel in microseconds, 0 for none.
func (b *Board) Micros(channel int) float64 {
	if channel < 0 || channel >= 16*len(b.chips) {
		return 0
	}
	return b.chips[channel/16].Micros(channel % 16)
}

// Change lets f change the servo of a channel, as a hand on the robot would.
func (b *Board) Change(channel int, f func(*Motor)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	f(&b.motors[channel/16][channel%16])
}

// Faults counts what went wrong on request.
func (b *Board) Faults() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.struck
}
