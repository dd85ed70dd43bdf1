package socket

import "gobot.io/x/gobot/v2/drivers/i2c"

// chip is one address of a bus: a connection as gobot's drivers use them.
type chip struct {
	b            *Board
	bus, address byte
}

var _ i2c.Connection = (*chip)(nil)

// transfer writes, then reads.
func (c *chip) transfer(out, in []byte) error {
	return c.b.ask(&Request{Op: OpTransfer, Bus: c.bus, Address: c.address, Read: len(in), Data: out}, in)
}

// Read reads from the register the last transfer ended at.
func (c *chip) Read(p []byte) (int, error) {
	if err := c.transfer(nil, p); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Write is one transfer.
func (c *chip) Write(p []byte) (int, error) {
	if err := c.transfer(p, nil); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Close does nothing: the board is closed by its owner.
func (c *chip) Close() error { return nil }

// ReadByte is Read of one byte.
func (c *chip) ReadByte() (byte, error) {
	var b [1]byte
	err := c.transfer(nil, b[:])
	return b[0], err
}

// ReadByteData reads a register.
func (c *chip) ReadByteData(reg uint8) (uint8, error) {
	var b [1]byte
	err := c.ReadBlockData(reg, b[:])
	return b[0], err
}

// ReadWordData reads the low byte first, as SMBus does.
func (c *chip) ReadWordData(reg uint8) (uint16, error) {
	var b [2]byte
	err := c.ReadBlockData(reg, b[:])
	return uint16(b[0]) | uint16(b[1])<<8, err
}

// ReadBlockData reads registers in one transfer.
func (c *chip) ReadBlockData(reg uint8, data []byte) error { return c.transfer([]byte{reg}, data) }

// WriteByte writes one byte.
func (c *chip) WriteByte(v byte) error { return c.transfer([]byte{v}, nil) }

// WriteByteData writes a register.
func (c *chip) WriteByteData(reg, v uint8) error { return c.transfer([]byte{reg, v}, nil) }

// WriteWordData writes the low byte first.
func (c *chip) WriteWordData(reg uint8, v uint16) error {
	return c.transfer([]byte{reg, byte(v), byte(v >> 8)}, nil)
}

// WriteBlockData writes registers in one transfer.
func (c *chip) WriteBlockData(reg uint8, data []byte) error {
	return c.transfer(append([]byte{reg}, data...), nil)
}

// WriteBytes is Write.
func (c *chip) WriteBytes(data []byte) error { return c.transfer(data, nil) }
