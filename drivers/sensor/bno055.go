package sensor

import (
	"errors"
	"fmt"
	"math"
	"time"

	"legctl/drivers/servo"

	"gobot.io/x/gobot/v2/drivers/i2c"
	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// bno is a BNO055: fusion on the chip, without its magnetometer.
type bno struct {
	r     chipRegisters
	mount mount
	last  quat.Number
	had   bool
	odd   int // attitudes in a row that jumped
}

// chipRegisters is the way to a BNO055: I2C or its UART protocol.
type chipRegisters interface {
	read(reg byte, dst []byte) error
	write(reg byte, v byte) error
	close() error
}

// Registers of a BNO055.
const (
	bnoChip = 0x00 // reads A0
	bnoAcc  = 0x08 // 6 bytes, 100 counts for 1 m/s2
	bnoGyro = 0x14 // 6 bytes, 16 counts for a degree a second
	bnoQuat = 0x20 // 8 bytes w x y z, 2^14 counts for 1
	bnoUnit = 0x3B
	bnoMode = 0x3D
	bnoIMU  = 0x08 // accelerometer and gyroscope fused
)

// openBNO identifies the chip and starts its fusion.
func openBNO(c *servo.IMU, r chipRegisters) (*bno, error) {
	b := &bno{r: r, mount: mountOf(c)}
	var id [1]byte
	err := errors.New("no answer")
	for try := 0; try < 5 && err != nil; try++ {
		err = r.read(bnoChip, id[:])
	}
	if err == nil && id[0] != 0xA0 {
		err = fmt.Errorf("chip id %#02x, want 0xa0", id[0])
	}
	for _, w := range [][2]byte{{bnoMode, 0}, {bnoUnit, 0}, {bnoMode, bnoIMU}} {
		if err == nil {
			err = r.write(w[0], w[1])
			time.Sleep(20 * time.Millisecond) // the chip is deaf for 7 to 19 ms after a change of mode
		}
	}
	if err != nil {
		r.close()
		return nil, fmt.Errorf("sensor: bno055: %w: look at the wiring; on a Raspberry Pi use its UART (PS1 high), the I2C bus flips bits", err)
	}
	return b, nil
}

// ErrOutlier is in the error of a sample that cannot be: a quaternion without
// length 1, or an attitude that jumped.
var ErrOutlier = errors.New("outlier")

// Read implements Unit. A single jump of more than 20 degrees is refused; the
// third in a row is believed.
func (b *bno) Read(dst *Sample) error {
	var raw [8]byte
	if err := b.r.read(bnoQuat, raw[:]); err != nil {
		return fmt.Errorf("sensor: bno055: %w", err)
	}
	q := quat.Number{Real: le(raw[0:]), Imag: le(raw[2:]), Jmag: le(raw[4:]), Kmag: le(raw[6:])}
	q = quat.Scale(1.0/(1<<14), q)
	if n := q.Real*q.Real + q.Imag*q.Imag + q.Jmag*q.Jmag + q.Kmag*q.Kmag; n < 0.96 || n > 1.04 {
		return fmt.Errorf("sensor: bno055: quaternion of length %.3f: %w", math.Sqrt(n), ErrOutlier)
	}
	if b.had && b.odd < 2 && between(b.last, q) > 20*math.Pi/180 {
		b.odd++
		return fmt.Errorf("sensor: bno055: attitude jumped by %.0f degrees: %w", between(b.last, q)*180/math.Pi, ErrOutlier)
	}
	b.last, b.had, b.odd = q, true, 0
	accel, err := b.vec(bnoAcc, 100)
	if err != nil {
		return err
	}
	gyro, err := b.vec(bnoGyro, 16*180/math.Pi)
	if err != nil {
		return err
	}
	*dst = Sample{Gyro: gyro, Accel: accel, Q: b.mount.attitude(q), Has: HasGyro | HasAccel | HasQ}
	return nil
}

// vec reads three counts and turns them into B.
func (b *bno) vec(reg byte, counts float64) (r3.Vec, error) {
	var raw [6]byte
	if err := b.r.read(reg, raw[:]); err != nil {
		return r3.Vec{}, fmt.Errorf("sensor: bno055: %w", err)
	}
	return b.mount.vec(r3.Vec{X: le(raw[0:]) / counts, Y: le(raw[2:]) / counts, Z: le(raw[4:]) / counts}), nil
}

// Close implements Unit.
func (b *bno) Close() error { return b.r.close() }

func le(b []byte) float64 { return float64(int16(uint16(b[0]) | uint16(b[1])<<8)) }

// between is the angle between two attitudes.
func between(a, b quat.Number) float64 {
	dot := a.Real*b.Real + a.Imag*b.Imag + a.Jmag*b.Jmag + a.Kmag*b.Kmag
	return 2 * math.Acos(min(1, math.Abs(dot)))
}

// i2cRegisters is a BNO055 on an I2C bus.
type i2cRegisters struct{ c i2c.Connection }

func (r i2cRegisters) read(reg byte, dst []byte) error { return r.c.ReadBlockData(reg, dst) }
func (r i2cRegisters) write(reg, v byte) error         { return r.c.WriteByteData(reg, v) }
func (r i2cRegisters) close() error                    { return r.c.Close() }

// uartRegisters is a BNO055 on a serial port: AA 01 reg n is answered by BB n
// data, or by EE and a status; AA 00 reg n data by EE 01.
type uartRegisters struct{ port servo.Port }

// uartPatience is how long an answer may take.
const uartPatience = 30 * time.Millisecond

func (r *uartRegisters) read(reg byte, dst []byte) error {
	b, err := r.ask([]byte{0xAA, 1, reg, byte(len(dst))}, 2+len(dst))
	if err != nil {
		return err
	}
	if b[0] != 0xBB || int(b[1]) != len(dst) {
		return fmt.Errorf("answer %x to a read of %d bytes", b, len(dst))
	}
	copy(dst, b[2:])
	return nil
}

func (r *uartRegisters) write(reg, v byte) error {
	b, err := r.ask([]byte{0xAA, 0, reg, 1, v}, 2)
	if err == nil && (b[0] != 0xEE || b[1] != 1) {
		err = fmt.Errorf("answer %x to a write", b)
	}
	return err
}

// ask sends a request and reads its answer. Status 7, "bus overrun", is the
// chip's way to be busy: the request is repeated.
func (r *uartRegisters) ask(tx []byte, n int) ([]byte, error) {
	var err error
	for range 3 {
		if err = r.port.ResetInputBuffer(); err != nil {
			return nil, err
		}
		if _, err = r.port.Write(tx); err != nil {
			return nil, err
		}
		b, short := r.answer(n)
		if short == nil && !(b[0] == 0xEE && b[1] == 7) {
			return b, nil
		}
		err = short
		if err == nil {
			err = errors.New("the chip is busy")
		}
	}
	return nil, err
}

// answer reads n bytes, or the two of a status.
func (r *uartRegisters) answer(n int) ([]byte, error) {
	if err := r.port.SetReadTimeout(uartPatience); err != nil {
		return nil, err
	}
	b := make([]byte, 0, n)
	buf := make([]byte, n)
	for len(b) < n {
		got, err := r.port.Read(buf[:n-len(b)])
		if err != nil {
			return nil, err
		}
		if got == 0 {
			return nil, fmt.Errorf("%d of %d bytes came", len(b), n)
		}
		b = append(b, buf[:got]...)
		if b[0] == 0xEE && len(b) >= 2 && n > 2 {
			if b[1] == 7 {
				return b, nil
			}
			return nil, fmt.Errorf("status %d", b[1])
		}
	}
	return b, nil
}

func (r *uartRegisters) close() error { return r.port.Close() }
