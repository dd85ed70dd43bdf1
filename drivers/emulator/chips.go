package emulator

import "sync"

// registers is a chip that only keeps what is written.
type registers struct {
	mu   sync.Mutex
	regs [256]byte
}

func (c *registers) WriteRegister(reg, v byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.regs[reg] = v
}

func (c *registers) ReadRegister(reg byte) byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.regs[reg]
}

func (c *registers) big(reg byte, v int) {
	c.regs[reg], c.regs[reg+1] = byte(v>>8), byte(v)
}

func (c *registers) little(reg byte, v int) {
	c.regs[reg], c.regs[reg+1] = byte(v), byte(v>>8)
}

// MPU6050 is an inertial unit. Set says what it feels; its ranges are whatever
// the host has set.
type MPU6050 struct {
	registers
	accel, gyro [3]float64
}

// NewMPU6050 returns a chip at rest, level.
func NewMPU6050() *MPU6050 {
	c := &MPU6050{accel: [3]float64{0, 0, 1}}
	c.regs[0x75] = 0x68
	return c
}

// Set says the specific force in g and the rate in degrees a second, in the
// chip's axes.
func (c *MPU6050) Set(accel, gyro [3]float64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.accel, c.gyro = accel, gyro
}

// WriteRegister implements Chip; the reset bit clears itself.
func (c *MPU6050) WriteRegister(reg, v byte) {
	if reg == 0x6B {
		v &^= 0x80
	}
	c.registers.WriteRegister(reg, v)
}

// ReadRegister implements Chip: big-endian counts at the ranges of registers 1B
// and 1C, saturating.
func (c *MPU6050) ReadRegister(reg byte) byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	if reg >= 0x3B && reg < 0x49 {
		perG := 16384 / float64(int(1)<<(c.regs[0x1C]>>3&3))
		perDeg := 32768 / (250 * float64(int(1)<<(c.regs[0x1B]>>3&3)))
		for k := range 3 {
			c.big(byte(0x3B+2*k), counts(c.accel[k]*perG))
			c.big(byte(0x43+2*k), counts(c.gyro[k]*perDeg))
		}
		c.big(0x41, counts((25-36.53)*340))
	}
	return c.regs[reg]
}

func counts(v float64) int {
	return int(floor(min(max(v, -32768), 32767) + 0.5))
}

// BNO055 is an inertial unit with its own fusion.
type BNO055 struct {
	registers
}

// NewBNO055 returns a chip at rest, level, calibrated.
func NewBNO055() *BNO055 {
	c := &BNO055{}
	c.regs[0], c.regs[0x35] = 0xA0, 0xFF
	c.Set([4]float64{1, 0, 0, 0}, [3]float64{})
	return c
}

// Set says the attitude as a quaternion w, x, y, z and the rate in degrees a
// second. The accelerometer feels 9.8 m/s2 along the chip's z.
func (c *BNO055) Set(q [4]float64, gyro [3]float64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.little(0x0C, 980)
	for k, v := range q {
		c.little(byte(0x20+2*k), counts(v*16384))
	}
	for k, v := range gyro {
		c.little(byte(0x14+2*k), counts(v*16))
	}
}

// ADS1115 is an analogue converter; conversions are done at once. Registers are
// words, the high byte first.
type ADS1115 struct {
	mu     sync.Mutex
	volts  [4]float64
	config uint16
	half   bool
}

// Set says the voltage at an input.
func (c *ADS1115) Set(channel int, volts float64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.volts[channel&3] = volts
}

// WriteRegister implements Chip. A word's second byte comes with the next
// register number, as the bus counts them.
func (c *ADS1115) WriteRegister(reg, v byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch reg {
	case 1:
		c.config = c.config&0xFF | uint16(v)<<8
	case 2:
		c.config = c.config&0xFF00 | uint16(v)
	}
}

// ReadRegister implements Chip: register n is the high byte of word n, n+1 its
// low byte when read in one transfer.
func (c *ADS1115) ReadRegister(reg byte) byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	if reg == 0 {
		c.half = true
		return byte(c.value() >> 8)
	}
	if reg == 1 && c.half {
		c.half = false
		return byte(c.value())
	}
	if reg == 1 {
		return byte(c.config>>8) | 0x80
	}
	return byte(c.config)
}

// value is the conversion of the channel and gain that are set.
func (c *ADS1115) value() int {
	ranges := [...]float64{6.144, 4.096, 2.048, 1.024, 0.512, 0.256, 0.256, 0.256}
	mux, gain := c.config>>12&7, c.config>>9&7
	if mux < 4 {
		return 0
	}
	return counts(c.volts[mux-4] / ranges[gain] * 32768)
}

// INA3221 is a voltage monitor with three channels, words high byte first.
type INA3221 struct {
	mu    sync.Mutex
	volts [3]float64
}

// Set says the voltage of a channel, from 0.
func (c *INA3221) Set(channel int, volts float64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.volts[channel] = volts
}

// WriteRegister implements Chip; the settings do not matter here.
func (c *INA3221) WriteRegister(_, _ byte) {}

// ReadRegister implements Chip: bus voltages are words 2, 4 and 6, 8 mV a count,
// shifted left by 3, which makes the word millivolts.
func (c *INA3221) ReadRegister(reg byte) byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	if reg < 2 || reg > 7 {
		return 0
	}
	word := counts(c.volts[(reg-2)/2]*125) << 3
	if reg%2 == 0 {
		return byte(word >> 8)
	}
	return byte(word)
}
