package emulator

import (
	"fmt"
	"sync"
	"time"

	"legctl/drivers/socket"

	"gobot.io/x/gobot/v2/drivers/i2c"
)

// ErrNack is what an address without a chip, or with an unplugged one, answers.
var ErrNack = socket.ErrNack

// Chip is a device on an I2C bus: registers behind a pointer that goes up with
// each byte.
type Chip interface {
	// WriteRegister takes one byte for a register.
	WriteRegister(reg, v byte)
	// ReadRegister returns the byte of a register.
	ReadRegister(reg byte) byte
}

// I2C is a bus with chips, in the place of a gobot adaptor. Make it with NewI2C.
// Its methods may be called from any goroutine.
type I2C struct {
	// before is asked before each transfer, with nothing locked; an error is that of
	// the transfer. It may be nil.
	before func(address int) error

	mu    sync.Mutex
	chips map[int]Chip
	regs  map[int]byte // the register each chip is at
	gone  map[int]bool
	bits  int // that crossed the bus, as a real one would count them
	count int // transfers
	fail  int // transfers that fail from now on
}

// NewI2C returns a bus without chips.
func NewI2C() *I2C { return &I2C{chips: map[int]Chip{}, regs: map[int]byte{}, gone: map[int]bool{}} }

// Attach puts a chip at an address.
func (b *I2C) Attach(address int, c Chip) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.chips[address] = c
}

// Unplug makes an address answer no more, or again.
func (b *I2C) Unplug(address int, gone bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.gone[address] = gone
}

// Fail lets the next n transfers fail.
func (b *I2C) Fail(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.fail = n
}

// Traffic returns the transfers so far and the bits they took: start, stop,
// bytes and an acknowledgement for each.
func (b *I2C) Traffic() (transfers, bits int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.count, b.bits
}

// DefaultI2cBus implements i2c.Connector.
func (b *I2C) DefaultI2cBus() int { return 1 }

// GetI2cConnection implements i2c.Connector.
func (b *I2C) GetI2cConnection(address, _ int) (i2c.Connection, error) {
	if address < 0 || address > 0x7F {
		return nil, fmt.Errorf("emulator: I2C address %d, want 0 to 127", address)
	}
	return &connection{bus: b, address: address}, nil
}

// connection is one address of the bus.
type connection struct {
	bus     *I2C
	address int
}

// with locks the bus and hands out the chip with the register it is at, and keeps
// the one it returns; n is the bytes besides the address.
func (c *connection) with(n int, do func(chip Chip, reg byte) byte) error {
	if c.bus.before != nil {
		if err := c.bus.before(c.address); err != nil {
			return err
		}
	}
	c.bus.mu.Lock()
	defer c.bus.mu.Unlock()
	chip := c.bus.chips[c.address]
	c.bus.count++
	if chip == nil || c.bus.gone[c.address] || c.bus.fail > 0 {
		c.bus.fail = max(0, c.bus.fail-1)
		c.bus.bits += 11
		return fmt.Errorf("%w at address %#02x", ErrNack, c.address)
	}
	c.bus.bits += 9*(n+1) + 2
	c.bus.regs[c.address] = do(chip, c.bus.regs[c.address])
	return nil
}

func (c *connection) Write(p []byte) (int, error) {
	err := c.with(len(p), func(chip Chip, reg byte) byte {
		if len(p) == 0 {
			return reg
		}
		reg = p[0]
		for _, v := range p[1:] {
			chip.WriteRegister(reg, v)
			reg++
		}
		return reg
	})
	if err != nil {
		return 0, err
	}
	return len(p), nil
}

func (c *connection) Read(p []byte) (int, error) {
	err := c.with(len(p), func(chip Chip, reg byte) byte {
		for k := range p {
			p[k] = chip.ReadRegister(reg)
			reg++
		}
		return reg
	})
	if err != nil {
		return 0, err
	}
	return len(p), nil
}

func (c *connection) Close() error { return nil }

func (c *connection) ReadByte() (byte, error) {
	var b [1]byte
	_, err := c.Read(b[:])
	return b[0], err
}

func (c *connection) ReadByteData(reg uint8) (uint8, error) {
	var b [1]byte
	err := c.ReadBlockData(reg, b[:])
	return b[0], err
}

// ReadWordData reads the low byte first, as SMBus does.
func (c *connection) ReadWordData(reg uint8) (uint16, error) {
	var b [2]byte
	err := c.ReadBlockData(reg, b[:])
	return uint16(b[0]) | uint16(b[1])<<8, err
}

func (c *connection) ReadBlockData(reg uint8, data []byte) error {
	return c.with(len(data)+2, func(chip Chip, _ byte) byte {
		for k := range data {
			data[k] = chip.ReadRegister(reg)
			reg++
		}
		return reg
	})
}

func (c *connection) WriteByte(v byte) error {
	_, err := c.Write([]byte{v})
	return err
}

func (c *connection) WriteByteData(reg, v uint8) error {
	_, err := c.Write([]byte{reg, v})
	return err
}

func (c *connection) WriteWordData(reg uint8, v uint16) error {
	_, err := c.Write([]byte{reg, byte(v), byte(v >> 8)})
	return err
}

func (c *connection) WriteBlockData(reg uint8, data []byte) error {
	_, err := c.Write(append([]byte{reg}, data...))
	return err
}

func (c *connection) WriteBytes(data []byte) error {
	_, err := c.Write(data)
	return err
}

var _ i2c.Connector = (*I2C)(nil)

// PCA9685 is one pulse generator with its registers. The zero value is not as
// after power-up: use NewPCA9685.
type PCA9685 struct {
	mu    sync.Mutex
	regs  [256]byte
	osc   float64
	wrong int  // writes that a real chip would not take
	shut  bool // OE is high
}

// NewPCA9685 returns a chip as after power-up: asleep, all channels off. osc is
// its true oscillator in Hz, 0 for 25 MHz.
func NewPCA9685(osc float64) *PCA9685 {
	if osc == 0 {
		osc = 25e6
	}
	c := &PCA9685{osc: osc}
	c.PowerUp()
	return c
}

// PowerUp sets the registers to what they are when power comes.
func (c *PCA9685) PowerUp() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.regs = [256]byte{0: 0x11, 1: 0x04, 2: 0xE2, 3: 0xE4, 4: 0xE8, 5: 0xE0, 0xFE: 0x1E}
	for ch := range 16 {
		c.regs[6+4*ch+3] = 0x10
	}
}

// SetOE sets the output enable input: high ends all pulses.
func (c *PCA9685) SetOE(high bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.shut = high
}

// WriteRegister implements Chip. The prescale is taken asleep only; the last
// four registers before it set all channels.
func (c *PCA9685) WriteRegister(reg, v byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case reg == 0xFE && c.regs[0]&0x10 == 0 || reg >= 0x46 && reg < 0xFA:
		c.wrong++
	case reg >= 0xFA && reg <= 0xFD:
		for ch := range 16 {
			c.regs[6+4*ch+int(reg-0xFA)] = v
		}
	default:
		c.regs[reg] = v
	}
}

// ReadRegister implements Chip.
func (c *PCA9685) ReadRegister(reg byte) byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.regs[reg]
}

// Micros is the pulse of a channel in microseconds, 0 for none: asleep, shut by
// OE, full off, or full on (which is no pulse either).
func (c *PCA9685) Micros(channel int) float64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	r := c.regs[6+4*channel:]
	if c.shut || c.regs[0]&0x10 != 0 || r[3]&0x10 != 0 || r[1]&0x10 != 0 {
		return 0
	}
	on, off := int(r[0])|int(r[1]&15)<<8, int(r[2])|int(r[3]&15)<<8
	return float64((off-on+4096)%4096) * 1e6 * (float64(c.regs[0xFE]) + 1) / c.osc
}

// Hz is the frequency of the pulses.
func (c *PCA9685) Hz() float64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.osc / (4096 * (float64(c.regs[0xFE]) + 1))
}

// Wrong counts writes a real chip would not have taken.
func (c *PCA9685) Wrong() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.wrong
}

// Follow lets motors follow the chip's pulses for a time, one a channel.
func (c *PCA9685) Follow(motors []Motor, dt time.Duration) {
	for ch := range motors {
		m := &motors[ch]
		if us := c.Micros(ch); us > 0 {
			m.Torque = true
			m.move(us, 0)
		} else if m.Torque {
			m.limp()
		}
		m.step(dt.Seconds())
	}
}
