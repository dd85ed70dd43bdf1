package drivers

import (
	"fmt"

	"legctl/drivers/dxl1"
	"legctl/drivers/dxl2"
	"legctl/drivers/feetech"
	"legctl/drivers/firmata"
	"legctl/drivers/lx16a"
	"legctl/drivers/maestro"
	"legctl/drivers/pca9685"
	"legctl/drivers/servo"
	"legctl/drivers/ssc32"
)

// Protocol is one row of the table.
type Protocol struct {
	Name  string
	Caps  servo.Caps
	Bauds []int // a serial bus is searched at, the usual one first; none: I2C
	// Driver returns a driver on what the link has. It sends nothing.
	Driver func(l *Link, c *servo.Config) (servo.Driver, error)
	// Demand is what a tick asks of the bus for servos of these ids.
	Demand func(c *servo.Config, ids []int) servo.Demand
	// Off appends what takes torque off these servos, for whoever holds the port
	// when nothing else works any more. Nil where that is no message on a serial line.
	Off func(c *servo.Config, dst []byte, ids []int) ([]byte, error)
	// Alone says what the servos do when the host falls silent and no watchdog of
	// the hardware is armed.
	Alone string
}

// I2C reports whether the protocol is spoken on an I2C bus of a board.
func (p *Protocol) I2C() bool { return len(p.Bauds) == 0 }

// Link is what a driver is joined to: a serial bus, or the boards of an I2C bus.
type Link struct {
	Bus   *servo.Bus // serial
	Port  servo.Port // serial, of protocols that read by themselves
	Clock servo.Clock
	Board Board // I2C
	I2C   int   // number of the I2C bus
}

const (
	holds = "holds the last goal for ever"
	goes  = "goes on with the last pulses"
)

// Protocols is the table.
func Protocols() []Protocol {
	return []Protocol{
		{"dxl1", dxl1.Caps, dxl1.Bauds(),
			func(l *Link, _ *servo.Config) (servo.Driver, error) { return dxl1.New(l.Bus), nil },
			func(_ *servo.Config, ids []int) servo.Demand { return dxl1.Demand(len(ids)) },
			func(_ *servo.Config, dst []byte, ids []int) ([]byte, error) { return dxl1.Off(dst, ids) }, holds},
		{"dxl2", dxl2.Caps, dxl2.Bauds(),
			func(l *Link, _ *servo.Config) (servo.Driver, error) { return dxl2.New(l.Bus), nil },
			func(_ *servo.Config, ids []int) servo.Demand { return dxl2.Demand(len(ids)) },
			func(_ *servo.Config, dst []byte, ids []int) ([]byte, error) { return dxl2.Off(dst, ids) }, holds},
		feetechRow(feetech.STS), feetechRow(feetech.SCS),
		{"lx16a", lx16a.Caps, lx16a.Bauds(),
			func(l *Link, _ *servo.Config) (servo.Driver, error) { return lx16a.New(l.Bus), nil },
			func(_ *servo.Config, ids []int) servo.Demand { return lx16a.Demand(len(ids)) },
			func(_ *servo.Config, dst []byte, ids []int) ([]byte, error) { return lx16a.Off(dst, ids) }, holds},
		{"ssc32", ssc32.Caps, ssc32.Bauds(),
			func(l *Link, _ *servo.Config) (servo.Driver, error) { return ssc32.New(l.Bus), nil },
			func(_ *servo.Config, ids []int) servo.Demand { return ssc32.Demand(ids) },
			func(_ *servo.Config, dst []byte, ids []int) ([]byte, error) { return ssc32.Off(dst, ids) }, goes},
		{"maestro", maestro.Caps, maestro.Bauds(),
			func(l *Link, c *servo.Config) (servo.Driver, error) { return maestro.New(l.Bus, c), nil },
			func(c *servo.Config, ids []int) servo.Demand { return maestro.DialectOf(c).Demand(ids) },
			func(c *servo.Config, dst []byte, ids []int) ([]byte, error) {
				return maestro.DialectOf(c).Off(dst, ids)
			},
			goes + ", unless \"serial timeout\" is set in the board"},
		{"pca9685", pca9685.Caps, nil, newPCA9685,
			func(_ *servo.Config, ids []int) servo.Demand { return pca9685.Demand(ids) }, nil,
			goes + ", unless OE is wired to a pin that falls with the host"},
		{"firmata", firmata.Caps, []int{57_600, 115_200},
			func(l *Link, c *servo.Config) (servo.Driver, error) { return firmata.New(l.Port, l.Clock, c), nil },
			func(_ *servo.Config, ids []int) servo.Demand { return firmata.Demand(ids) },
			func(_ *servo.Config, dst []byte, ids []int) ([]byte, error) { return firmata.Off(dst, ids) }, goes},
	}
}

func feetechRow(s feetech.Series) Protocol {
	return Protocol{s.String(), s.Caps(), feetech.Bauds(),
		func(l *Link, c *servo.Config) (servo.Driver, error) { return feetech.New(l.Bus, s, c), nil },
		func(_ *servo.Config, ids []int) servo.Demand { return s.Demand(len(ids)) },
		func(_ *servo.Config, dst []byte, ids []int) ([]byte, error) { return s.Off(dst, ids) }, holds}
}

// newPCA9685 connects to every board of the setup.
func newPCA9685(l *Link, c *servo.Config) (servo.Driver, error) {
	var buses []pca9685.Bus
	for _, a := range c.Pulses.Addresses {
		b, err := l.Board.GetI2cConnection(int(a), l.I2C)
		if err != nil {
			return nil, fmt.Errorf("drivers: I2C bus %d, address %#x: %w: is I2C switched on in the system?", l.I2C, a, err)
		}
		buses = append(buses, b)
	}
	return pca9685.New(buses, l.Board, l.Clock, c.Pulses)
}

// ProtocolOf returns the row of a name.
func ProtocolOf(name string) (*Protocol, error) {
	all := Protocols()
	for i := range all {
		if all[i].Name == name {
			return &all[i], nil
		}
	}
	return nil, fmt.Errorf("drivers: protocol %q, want one of %v", name, servo.Protocols())
}

// Stops says in a sentence what happens to the servos of a config when the host
// dies with all its processes.
func Stops(p *Protocol, c *servo.Config) string {
	if p.Caps.Watchdog && p.Name == "dxl2" && c.Watchdog > 0 {
		return fmt.Sprintf("%s: the servos stop by themselves after %g s of silence", p.Name, c.Watchdog)
	}
	return fmt.Sprintf("%s: no watchdog of the hardware is armed: when the host dies, each servo %s", p.Name, p.Alone)
}
