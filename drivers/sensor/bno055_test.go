package sensor_test

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"legctl/drivers/emulator"
	"legctl/drivers/sensor"
	"legctl/drivers/servo"
	"legctl/geom"
)

func contains(s, sub string) bool { return strings.Contains(s, sub) }

// uart is a BNO055 at the end of a serial line; busy counts the answers it
// still refuses, cut the bytes it holds back.
type uart struct {
	chip  *emulator.BNO055
	ready []byte
	busy  int
	cut   int
}

func (u *uart) Write(p []byte) (int, error) {
	switch {
	case len(p) < 4 || p[0] != 0xAA:
	case u.busy > 0:
		u.busy--
		u.ready = append(u.ready, 0xEE, 7)
	case p[1] == 1:
		u.ready = append(u.ready, 0xBB, p[3])
		for k := range int(p[3]) {
			u.ready = append(u.ready, u.chip.ReadRegister(p[2]+byte(k)))
		}
	case p[1] == 0:
		u.chip.WriteRegister(p[2], p[4])
		u.ready = append(u.ready, 0xEE, 1)
	}
	u.ready = u.ready[:max(0, len(u.ready)-u.cut)]
	return len(p), nil
}

func (u *uart) Read(p []byte) (int, error) {
	n := copy(p[:min(len(p), 3)], u.ready)
	u.ready = u.ready[n:]
	return n, nil
}

func (u *uart) ResetInputBuffer() error            { u.ready = nil; return nil }
func (u *uart) SetReadTimeout(time.Duration) error { return nil }
func (u *uart) Close() error                       { return nil }

// attitude is a quaternion for the chip.
func attitude(roll, pitch, yaw float64) [4]float64 {
	q := geom.FromRPY(roll, pitch, yaw)
	return [4]float64{q.Real, q.Imag, q.Jmag, q.Kmag}
}

func TestBNO055OverBothWays(t *testing.T) {
	for _, way := range []string{"bno055", "bno055-uart"} {
		chip := emulator.NewBNO055()
		bus, port := emulator.NewI2C(), &uart{chip: chip, busy: 2}
		bus.Attach(0x28, chip)
		u, err := sensor.OpenIMU(&servo.IMU{Kind: way}, bus, port)
		if err != nil {
			t.Fatal(way, err)
		}
		if chip.ReadRegister(0x3D) != 8 {
			t.Errorf("%s: mode %d, want fusion without magnetometer", way, chip.ReadRegister(0x3D))
		}
		chip.Set(attitude(0.3, -0.2, 0), [3]float64{90, 0, -45})
		var s sensor.Sample
		var tilt sensor.Tilt
		if err := u.Read(&s); err != nil {
			t.Fatal(way, err)
		}
		tilt.Update(&s, 0.01)
		roll, pitch, _ := tilt.RollPitch()
		if math.Abs(roll-0.3) > 1e-3 || math.Abs(pitch+0.2) > 1e-3 || math.Abs(s.Gyro.X-math.Pi/2) > 1e-3 || math.Abs(s.Accel.Z-9.8) > 0.02 {
			t.Errorf("%s: roll %v pitch %v rate %v", way, roll, pitch, s.Gyro)
		}
	}
}

func TestBNO055OutliersAreRefused(t *testing.T) {
	chip, bus := emulator.NewBNO055(), emulator.NewI2C()
	bus.Attach(0x28, chip)
	u, err := sensor.OpenIMU(&servo.IMU{Kind: "bno055"}, bus, nil)
	if err != nil {
		t.Fatal(err)
	}
	var s sensor.Sample
	if err := u.Read(&s); err != nil {
		t.Fatal(err)
	}
	chip.Set([4]float64{1.7, 0, 0, 0}, [3]float64{})
	if err := u.Read(&s); !errors.Is(err, sensor.ErrOutlier) {
		t.Errorf("a quaternion of length 1.7: %v", err)
	}
	chip.Set(attitude(1.5, 0, 0), [3]float64{})
	if err := u.Read(&s); !errors.Is(err, sensor.ErrOutlier) {
		t.Errorf("a jump: %v", err)
	}
	chip.Set(attitude(0.01, 0, 0), [3]float64{})
	if err := u.Read(&s); err != nil {
		t.Errorf("back after a flipped bit: %v", err)
	}
	chip.Set(attitude(1.5, 0, 0), [3]float64{})
	u.Read(&s)
	u.Read(&s)
	if err := u.Read(&s); err != nil {
		t.Errorf("the third time in a row it is true: %v", err)
	}
}

func TestBNO055AnswersThatAreCut(t *testing.T) {
	chip := emulator.NewBNO055()
	port := &uart{chip: chip}
	u, err := sensor.OpenIMU(&servo.IMU{Kind: "bno055-uart"}, nil, port)
	if err != nil {
		t.Fatal(err)
	}
	port.cut = 3
	var s sensor.Sample
	if err := u.Read(&s); err == nil || s.Has != 0 {
		t.Errorf("half an answer was taken: %v %+v", err, s)
	}
}
