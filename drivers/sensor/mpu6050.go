package sensor

import (
	"fmt"
	"math"

	"legctl/drivers/servo"

	"gobot.io/x/gobot/v2/drivers/i2c"
	"gonum.org/v1/gonum/spatial/r3"
)

// mpu is an MPU6050, or one of its kin with the same registers, through gobot.
type mpu struct {
	d           *i2c.MPU6050Driver
	mount       mount
	accel, gyro float64 // what gobot's numbers have to be multiplied by
}

// mpuRanges are full scales, what gobot divides by, and what the chip has.
var (
	mpuAccel = []struct {
		g           int
		gobot, chip float64
	}{{2, 16384, 16384}, {4, 8192, 8192}, {8, 4096, 4096}, {16, 2028, 2048}}
	mpuGyro = []struct {
		deg         int
		gobot, chip float64
	}{{250, 131, 32768.0 / 250}, {500, 65.5, 32768.0 / 500}, {1000, 32.8, 32768.0 / 1000}, {2000, 16.4, 32768.0 / 2000}}
)

// openMPU starts the chip with its filter at 44 Hz, against the shaking of
// servos.
func openMPU(c *servo.IMU, bus i2c.Connector) (*mpu, error) {
	m := &mpu{mount: mountOf(c)}
	g, deg := c.AccelG, c.GyroDeg
	if g == 0 {
		g = 2
	}
	if deg == 0 {
		deg = 500
	}
	a, w := -1, -1
	for k := range mpuAccel {
		if mpuAccel[k].g == g {
			a = k
		}
		if mpuGyro[k].deg == deg {
			w = k
		}
	}
	if a < 0 || w < 0 {
		return nil, fmt.Errorf("sensor: mpu6050 ranges of %d g and %d degrees a second, want 2, 4, 8 or 16 g and 250, 500, 1000 or 2000", g, deg)
	}
	m.accel = mpuAccel[a].gobot / mpuAccel[a].chip
	m.gyro = mpuGyro[w].gobot / mpuGyro[w].chip * math.Pi / 180
	m.d = i2c.NewMPU6050Driver(bus, i2c.WithBus(busOf(c.Bus, bus)), i2c.WithAddress(address(c.Address, 0x68)),
		i2c.WithMPU6050AccelFullScaleRange(i2c.MPU6050AccelFsConfig(a)),
		i2c.WithMPU6050GyroFullScaleRange(i2c.MPU6050GyroFsConfig(w)),
		i2c.WithMPU6050DigitalFilter(i2c.MPU6050General_Dlpf44Hz))
	if err := m.d.Start(); err != nil {
		return nil, fmt.Errorf("sensor: mpu6050 at %#02x: %w: look at the wiring (\"legctl servo scan\" must list it), or take it out of the rig's file", address(c.Address, 0x68), err)
	}
	return m, nil
}

// Read implements Unit. The fields of gobot's driver are copied in the
// goroutine that fetched them: nothing else may call GetData.
func (m *mpu) Read(dst *Sample) error {
	if err := m.d.GetData(); err != nil {
		return fmt.Errorf("sensor: mpu6050: %w", err)
	}
	a, w := m.d.Accelerometer, m.d.Gyroscope
	dst.Accel = m.mount.vec(r3.Scale(m.accel, r3.Vec{X: a.X, Y: a.Y, Z: a.Z}))
	dst.Gyro = m.mount.vec(r3.Scale(m.gyro, r3.Vec{X: w.X, Y: w.Y, Z: w.Z}))
	dst.Has = HasGyro | HasAccel
	return nil
}

// Close implements Unit.
func (m *mpu) Close() error { return m.d.Halt() }
