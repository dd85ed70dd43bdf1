package drivers

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"legctl/drivers/pca9685"
	"legctl/drivers/servo"
	"legctl/drivers/socket"

	"gobot.io/x/gobot/v2/drivers/i2c"
	"gobot.io/x/gobot/v2/platforms/asus/tinkerboard"
	"gobot.io/x/gobot/v2/platforms/asus/tinkerboard2"
	"gobot.io/x/gobot/v2/platforms/beagleboard/beaglebone"
	"gobot.io/x/gobot/v2/platforms/beagleboard/pocketbeagle"
	"gobot.io/x/gobot/v2/platforms/friendlyelec/nanopct6"
	"gobot.io/x/gobot/v2/platforms/friendlyelec/nanopi"
	"gobot.io/x/gobot/v2/platforms/jetson"
	"gobot.io/x/gobot/v2/platforms/orangepi/orangepi5pro"
	"gobot.io/x/gobot/v2/platforms/pine64/rock64"
	"gobot.io/x/gobot/v2/platforms/radxa/rockpi"
	"gobot.io/x/gobot/v2/platforms/radxa/zero"
	"gobot.io/x/gobot/v2/platforms/raspi"
	"gobot.io/x/gobot/v2/platforms/upboard/up2"
)

// Board is a computer with an I2C bus and pins, as gobot's adaptors offer it.
// Connect comes first; Finalize frees what was taken.
type Board interface {
	i2c.Connector
	Connect() error
	Finalize() error
	DigitalRead(pin string) (int, error)
	DigitalWrite(pin string, level byte) error
}

// boards is the table of gobot's platforms that can carry a PCA9685.
func boards() map[string]func() Board {
	return map[string]func() Board{
		"raspi":        func() Board { return raspi.NewAdaptor() },
		"jetson":       func() Board { return jetson.NewAdaptor() },
		"beaglebone":   func() Board { return beaglebone.NewAdaptor() },
		"pocketbeagle": func() Board { return pocketbeagle.NewAdaptor() },
		"nanopi":       func() Board { return nanopi.NewNeoAdaptor() },
		"nanopct6":     func() Board { return nanopct6.NewAdaptor() },
		"orangepi5pro": func() Board { return orangepi5pro.NewAdaptor() },
		"rockpi":       func() Board { return rockpi.NewAdaptor() },
		"radxa-zero":   func() Board { return zero.NewAdaptor() },
		"rock64":       func() Board { return rock64.NewAdaptor() },
		"tinkerboard":  func() Board { return tinkerboard.NewAdaptor() },
		"tinkerboard2": func() Board { return tinkerboard2.NewAdaptor() },
		"up2":          func() Board { return up2.NewAdaptor() },
	}
}

// Boards lists the names OpenBoard knows.
func Boards() []string {
	var names []string
	for name := range boards() {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// OpenBoard returns a connected board by its name.
func OpenBoard(name string) (Board, error) {
	make, ok := boards()[name]
	if !ok {
		return nil, fmt.Errorf("drivers: board %q, want one of %s", name, strings.Join(Boards(), ", "))
	}
	b := make()
	if err := b.Connect(); err != nil {
		return nil, fmt.Errorf("drivers: board %s: %w", name, err)
	}
	return b, nil
}

// BoardOf returns the connected board of a config: the one behind its port where
// that is the socket of an emulated board, else the one of its name, when it has
// the I2C bus that is asked for.
func BoardOf(c *servo.Config) (Board, error) {
	if socket.Is(c.Port) {
		b, err := socket.Dial(c.Port)
		if err != nil {
			return nil, fmt.Errorf("drivers: %w", err)
		}
		return b, nil
	}
	p, err := ProtocolOf(c.Protocol)
	if err != nil {
		return nil, err
	}
	b, err := OpenBoard(c.Board)
	if err != nil {
		return nil, err
	}
	n := -1
	switch {
	case p.I2C():
		n, err = I2CBus(c.Port, b)
	case i2cSensors(&c.Sensors):
		n = cmp.Or(c.Sensors.IMU.Bus, c.Sensors.Power.Bus, b.DefaultI2cBus())
	}
	if n >= 0 && err == nil {
		err = busReady(devices, n)
	}
	if err != nil {
		return nil, errors.Join(err, b.Finalize())
	}
	return b, nil
}

// I2CBus is the number of the bus that a config's port names, the board's own
// choice when it names none or is a socket.
func I2CBus(port string, b Board) (int, error) {
	if s, ok := b.(shared); ok {
		b = s.Board
	}
	if _, far := b.(*socket.Board); far || port == "" {
		return b.DefaultI2cBus(), nil
	}
	n, err := strconv.Atoi(port)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("drivers: I2C bus %q, want its number, nothing for the board's own, or the socket that \"legctl servo emulate\" makes", port)
	}
	return n, nil
}

// Shared is a board that others use too: what is opened on it does not finalize
// it.
func Shared(b Board) Board { return shared{b} }

type shared struct{ Board }

// Finalize does nothing.
func (shared) Finalize() error { return nil }

// BoardsOff ends the pulses of all boards of a config, twice and by OE where it is
// wired, on a connection of its own: for whoever finds that the process that drove
// them has died.
func BoardsOff(c *servo.Config) error {
	b, err := BoardOf(c)
	if err != nil {
		return err
	}
	if c.Pulses.OE != "" {
		err = b.DigitalWrite(c.Pulses.OE, 1)
	}
	bus, e := I2CBus(c.Port, b)
	err = errors.Join(err, e)
	for range 2 {
		for _, a := range c.Pulses.Addresses {
			conn, e := b.GetI2cConnection(int(a), bus)
			if e == nil {
				_, e = conn.Write(pca9685.AppendAllOff(nil))
			}
			err = errors.Join(err, e)
		}
	}
	return errors.Join(err, b.Finalize())
}
