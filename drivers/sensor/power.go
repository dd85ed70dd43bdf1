package sensor

import (
	"fmt"

	"legctl/drivers/servo"

	"gobot.io/x/gobot/v2/drivers/i2c"
)

// Voltmeter reads the battery in volts.
type Voltmeter interface {
	Volts() (float64, error)
	Close() error
}

// OpenPower starts the voltage monitor of a rig through gobot: an ADS1015 or
// ADS1115 behind a divider, or an INA3221.
func OpenPower(c *servo.Power, bus i2c.Connector) (Voltmeter, error) {
	if bus == nil {
		return nil, fmt.Errorf("sensor: %s wants an I2C bus", c.Kind)
	}
	factor := c.Factor
	if factor == 0 {
		factor = 1
	}
	var m Voltmeter
	var start func() error
	at := i2c.WithBus(busOf(c.Bus, bus))
	switch c.Kind {
	case "ads1015", "ads1115":
		make := i2c.NewADS1115Driver
		if c.Kind == "ads1015" {
			make = i2c.NewADS1015Driver
		}
		if c.Channel < 0 || c.Channel > 3 {
			return nil, fmt.Errorf("sensor: %s channel %d, want 0 to 3", c.Kind, c.Channel)
		}
		d := make(bus, at, i2c.WithAddress(address(c.Address, 0x48)), i2c.WithADS1x15Gain(1), i2c.WithADS1x15WaitSingleCycle())
		m, start = &ads{d, c.Channel, factor}, d.Start
	case "ina3221":
		if c.Channel < 0 || c.Channel > 2 {
			return nil, fmt.Errorf("sensor: ina3221 channel %d, want 0 to 2", c.Channel)
		}
		d := i2c.NewINA3221Driver(bus, at, i2c.WithAddress(address(c.Address, 0x40)))
		m, start = &ina{d, i2c.INA3221Channel(c.Channel + 1), factor}, d.Start
	default:
		return nil, fmt.Errorf("sensor: power monitor %q, want ads1015, ads1115 or ina3221", c.Kind)
	}
	if err := start(); err != nil {
		return nil, fmt.Errorf("sensor: %s: %w: look at the wiring (\"legctl servo scan\" must list it), or take it out of the rig's file", c.Kind, err)
	}
	return m, nil
}

// ads is a converter; gain 1 measures up to 4.096 V at its input.
type ads struct {
	d       *i2c.ADS1x15Driver
	channel int
	factor  float64
}

func (a *ads) Volts() (float64, error) {
	v, err := a.d.ReadWithDefaults(a.channel)
	if err != nil {
		return 0, fmt.Errorf("sensor: ads1x15: %w", err)
	}
	return v * a.factor, nil
}

func (a *ads) Close() error { return a.d.Halt() }

type ina struct {
	d       *i2c.INA3221Driver
	channel i2c.INA3221Channel
	factor  float64
}

func (a *ina) Volts() (float64, error) {
	v, err := a.d.GetBusVoltage(a.channel)
	if err != nil {
		return 0, fmt.Errorf("sensor: ina3221: %w", err)
	}
	return v * a.factor, nil
}

func (a *ina) Close() error { return a.d.Halt() }
