package sensor

import (
	"fmt"

	"legctl/drivers/servo"
	"legctl/geom"

	"gobot.io/x/gobot/v2/drivers/i2c"
	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// Sample is one reading of an inertial unit, in B.
type Sample struct {
	Gyro  r3.Vec      // rad/s
	Accel r3.Vec      // specific force, m/s2: +9.8 upwards at rest; zero without HasAccel
	Q     quat.Number // attitude of B in a frame whose z points up, from the chip's own fusion
	Has   Parts
}

// Parts says which fields of a Sample are there.
type Parts uint8

// The parts.
const (
	HasGyro Parts = 1 << iota
	HasAccel
	HasQ
)

// Unit is an inertial unit. Read fills one sample; Close lets go of the chip.
type Unit interface {
	Read(dst *Sample) error
	Close() error
}

// Standard gravity, m/s2.
const gravity = 9.80665

// mount is the turn from the chip's axes into B.
type mount quat.Number

func mountOf(c *servo.IMU) mount { return mount(geom.FromRPY(c.Roll, c.Pitch, c.Yaw)) }

func (m mount) vec(v r3.Vec) r3.Vec { return geom.Rotate(quat.Number(m), v) }

// attitude turns the chip's attitude into that of B.
func (m mount) attitude(q quat.Number) quat.Number {
	return geom.Unit(quat.Mul(q, quat.Conj(quat.Number(m))))
}

// OpenIMU starts the unit of a rig: mpu6050 or bno055 on an I2C bus, or
// bno055-uart on a port that is open at 115200 baud.
func OpenIMU(c *servo.IMU, bus i2c.Connector, port servo.Port) (Unit, error) {
	switch {
	case c.Kind == "mpu6050" && bus != nil:
		return openMPU(c, bus)
	case c.Kind == "bno055" && bus != nil:
		conn, err := bus.GetI2cConnection(address(c.Address, 0x28), busOf(c.Bus, bus))
		if err != nil {
			return nil, fmt.Errorf("sensor: bno055: %w", err)
		}
		return openBNO(c, i2cRegisters{conn})
	case c.Kind == "bno055-uart" && port != nil:
		return openBNO(c, &uartRegisters{port: port})
	}
	return nil, fmt.Errorf("sensor: IMU %q, want mpu6050 or bno055 with an I2C bus, or bno055-uart with a serial port", c.Kind)
}

func address(given byte, def int) int {
	if given != 0 {
		return int(given)
	}
	return def
}

func busOf(given int, c i2c.Connector) int {
	if given != 0 {
		return given
	}
	return c.DefaultI2cBus()
}
