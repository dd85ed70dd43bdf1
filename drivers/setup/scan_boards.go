package setup

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"legctl/drivers"
	"legctl/drivers/pca9685"
	"legctl/drivers/servo"
)

// Chip is what answers at an address of an I2C bus.
type Chip struct {
	Address int
	Pulses  bool // it looks like a PCA9685
	First   int  // channel that is its 0 in the config; -1: the config does not name it
}

// The addresses a PCA9685 can be soldered to.
const (
	firstAddress = 0x40
	lastAddress  = 0x7F
)

// groupAddresses are registers 2 to 5 of a PCA9685 as power finds them, which no
// driver here changes.
var groupAddresses = []byte{0xE2, 0xE4, 0xE8, 0xE0}

// ScanBoards reads a register of every address a PCA9685 can have, and writes
// nothing. Boards of the config that do not answer are in the error; those that
// were found are returned all the same.
func ScanBoards(ctx context.Context, l *drivers.Link, c *servo.Config) (out []Chip, err error) {
	for a := firstAddress; a <= lastAddress; a++ {
		if ctx.Err() != nil {
			return out, ctx.Err()
		}
		if a == pca9685.AllCall { // all boards at once
			continue
		}
		conn, err := l.Board.GetI2cConnection(a, l.I2C)
		if err != nil {
			return out, err
		}
		first, err := conn.ReadByteData(2)
		if errors.Is(err, servo.ErrGone) {
			return out, err
		}
		if err != nil {
			continue
		}
		f := Chip{Address: a, Pulses: first == groupAddresses[0], First: -1}
		for k := 1; k < len(groupAddresses) && f.Pulses; k++ {
			v, err := conn.ReadByteData(uint8(2 + k))
			f.Pulses = err == nil && v == groupAddresses[k]
		}
		if i := slices.Index(c.Pulses.Addresses, byte(a)); i >= 0 {
			f.First = i * pca9685.Channels
		}
		out = append(out, f)
	}
	for _, a := range c.Pulses.Addresses {
		if !slices.ContainsFunc(out, func(f Chip) bool { return f.Address == int(a) }) {
			err = errors.Join(err, fmt.Errorf("no board answers at %#02x: look at its SDA, SCL, 3.3 V and ground, and at the solder bridges of its address", a))
		}
	}
	return out, err
}
