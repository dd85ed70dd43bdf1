package sensor_test

import (
	"math"
	"testing"

	"legctl/drivers/emulator"
	"legctl/drivers/sensor"
	"legctl/drivers/servo"
)

// The tests of this file are named after the public reports they answer, as
// listed in docs/reports.md. Report 67 is TestBNO055OutliersAreRefused.

// spy notes which registers of a chip are touched.
type spy struct {
	emulator.Chip
	wrote, read map[byte]byte
}

func (s *spy) WriteRegister(reg, v byte) {
	s.wrote[reg] = v
	s.Chip.WriteRegister(reg, v)
}

func (s *spy) ReadRegister(reg byte) byte {
	s.read[reg]++
	return s.Chip.ReadRegister(reg)
}

// TestReport68RegistersAreReadNotTheFIFO: the FIFO of an MPU6050 runs over when
// its bus is shared.
func TestReport68RegistersAreReadNotTheFIFO(t *testing.T) {
	s := &spy{emulator.NewMPU6050(), map[byte]byte{}, map[byte]byte{}}
	bus := emulator.NewI2C()
	bus.Attach(0x68, s)
	u, err := sensor.OpenIMU(&servo.IMU{Kind: "mpu6050"}, bus, nil)
	if err != nil {
		t.Fatal(err)
	}
	var one sensor.Sample
	for range 10 {
		if err := u.Read(&one); err != nil {
			t.Fatal(err)
		}
	}
	for _, reg := range []byte{0x23, 0x6A, 0x72, 0x73, 0x74} { // FIFO enable, control, count, data
		if v, ok := s.wrote[reg]; ok && v != 0 || s.read[reg] > 0 {
			t.Errorf("register %#02x of the FIFO was used", reg)
		}
	}
	if s.read[0x3B] < 10 {
		t.Error("the samples came from elsewhere")
	}
}

// fixed answers reads from a table.
type fixed map[byte]byte

func (f fixed) WriteRegister(byte, byte)   {}
func (f fixed) ReadRegister(reg byte) byte { return f[reg] }

// TestReport69HighByteFirst: 0x0102 read as 0x0201 is nonsense that looks alive.
func TestReport69HighByteFirst(t *testing.T) {
	bus := emulator.NewI2C()
	bus.Attach(0x68, fixed{0x43: 0x01, 0x44: 0x02, 0x45: 0xFF, 0x46: 0xFE, 0x3F: 0x40, 0x40: 0x00})
	u, err := sensor.OpenIMU(&servo.IMU{Kind: "mpu6050", GyroDeg: 250}, bus, nil)
	if err != nil {
		t.Fatal(err)
	}
	var s sensor.Sample
	if err := u.Read(&s); err != nil {
		t.Fatal(err)
	}
	perCount := 250.0 / 32768 * math.Pi / 180
	if math.Abs(s.Gyro.X-0x0102*perCount) > 1e-9 || math.Abs(s.Gyro.Y+2*perCount) > 1e-9 || math.Abs(s.Accel.Z-9.80665) > 1e-6 {
		t.Errorf("%+v", s)
	}
}
