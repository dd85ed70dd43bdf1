package sensor_test

import (
	"errors"
	"math"
	"sync"
	"testing"
	"time"

	"legctl/drivers/emulator"
	"legctl/drivers/sensor"
	"legctl/drivers/servo"
	"legctl/rig"

	"go.uber.org/goleak"
)

func TestMPU6050ScaleIsRightAtEveryRange(t *testing.T) {
	for _, g := range []int{2, 4, 8, 16} {
		for _, deg := range []int{250, 500, 1000, 2000} {
			bus, chip := emulator.NewI2C(), emulator.NewMPU6050()
			bus.Attach(0x68, chip)
			u, err := sensor.OpenIMU(&servo.IMU{Kind: "mpu6050", AccelG: g, GyroDeg: deg}, bus, nil)
			if err != nil {
				t.Fatal(err)
			}
			chip.Set([3]float64{0.5, -0.25, 1}, [3]float64{100, -200, 50})
			var s sensor.Sample
			if err := u.Read(&s); err != nil {
				t.Fatal(err)
			}
			if math.Abs(s.Accel.Z-9.80665) > 0.005 || math.Abs(s.Accel.X-0.5*9.80665) > 0.005 {
				t.Errorf("%d g: 1 g reads %v m/s2", g, s.Accel)
			}
			if math.Abs(s.Gyro.X-100*math.Pi/180) > 0.001 || math.Abs(s.Gyro.Y+200*math.Pi/180) > 0.001 {
				t.Errorf("%d deg/s: 100 and -200 read %v rad/s", deg, s.Gyro)
			}
		}
	}
}

func TestMountingTurnsChipIntoBody(t *testing.T) {
	bus, chip := emulator.NewI2C(), emulator.NewMPU6050()
	bus.Attach(0x69, chip)
	// The board hangs upside down: rolled by 180 degrees, then turned left.
	u, err := sensor.OpenIMU(&servo.IMU{Kind: "mpu6050", Address: 0x69, Roll: math.Pi, Yaw: math.Pi / 2}, bus, nil)
	if err != nil {
		t.Fatal(err)
	}
	chip.Set([3]float64{0, 0, -1}, [3]float64{10, 0, 0})
	var s sensor.Sample
	if err := u.Read(&s); err != nil {
		t.Fatal(err)
	}
	if math.Abs(s.Accel.Z-9.80665) > 0.01 || math.Abs(s.Gyro.Y-10*math.Pi/180) > 0.001 {
		t.Errorf("in B: %v %v", s.Accel, s.Gyro)
	}
}

func TestTiltFindsAttitudeAndBias(t *testing.T) {
	var tilt sensor.Tilt
	roll, pitch := 0.2, -0.1
	still := sensor.Sample{Has: sensor.HasGyro | sensor.HasAccel}
	still.Gyro.X, still.Gyro.Y = 0.03, -0.02
	still.Accel.X = 9.80665 * -math.Sin(pitch)
	still.Accel.Y = 9.80665 * math.Sin(roll) * math.Cos(pitch)
	still.Accel.Z = 9.80665 * math.Cos(roll) * math.Cos(pitch)
	var rest []sensor.Sample
	for range 25 {
		rest = append(rest, still)
	}
	if err := tilt.Learn(rest); err != nil {
		t.Fatal(err)
	}
	for range 3000 {
		tilt.Update(&still, 0.01)
	}
	r, p, ok := tilt.RollPitch()
	if !ok || math.Abs(r-roll) > 1e-3 || math.Abs(p-pitch) > 1e-3 {
		t.Errorf("tilt %v %v, want %v %v: the bias is not removed", r, p, roll, pitch)
	}
	shaken := still
	shaken.Accel.X += 30
	for range 20 {
		tilt.Update(&shaken, 0.01)
	}
	if r2, p2, _ := tilt.RollPitch(); math.Abs(r2-roll)+math.Abs(p2-pitch) > 1e-3 {
		t.Errorf("a knock of 3 g moved the tilt to %v %v", r2, p2)
	}
	rest[3].Gyro.Z = 3
	if err := tilt.Learn(rest); err == nil {
		t.Error("a rig that moves was taken for one at rest")
	}
}

// pins are switches in memory.
type pins struct {
	mu  sync.Mutex
	low map[string]bool
	err error
}

func (p *pins) DigitalRead(pin string) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.low[pin] {
		return 0, p.err
	}
	return 1, p.err
}

func (p *pins) set(pin string, low bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.low[pin] = low
}

// eventually waits until ok is true.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for until := time.Now().Add(5 * time.Second); !ok(); time.Sleep(time.Millisecond) {
		if time.Now().After(until) {
			t.Fatal("never: ", what)
		}
	}
}

func TestSetFillsTheObservation(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	bus, chip, ads := emulator.NewI2C(), emulator.NewMPU6050(), &emulator.ADS1115{}
	bus.Attach(0x68, chip)
	bus.Attach(0x48, ads)
	ads.Set(2, 1.85)
	p := &pins{low: map[string]bool{"11": true}}
	c := servo.Sensors{
		IMU:   servo.IMU{Kind: "mpu6050"},
		Power: servo.Power{Kind: "ads1115", Channel: 2, Factor: 4},
		Feet:  []servo.Switch{{Leg: 0, Pin: "11", ActiveLow: true}, {Leg: 3, Pin: "13", ActiveLow: true}},
		EStop: servo.Switch{Pin: "15", ActiveLow: true},
	}
	s, err := sensor.Open(&c, sensor.Devices{I2C: bus, Pins: p}, 200)
	if err != nil {
		t.Fatal(err)
	}
	o := rig.Observation{}
	eventually(t, "tilt, feet and battery", func() bool {
		o = rig.Observation{}
		s.Observe(&o)
		return o.Has == rig.HasTilt|rig.HasContact|rig.HasIMU && o.Battery > 0
	})
	if o.Contact != 1 || math.Abs(o.Battery-7.4) > 0.01 {
		t.Errorf("contact %b, battery %v", o.Contact, o.Battery)
	}
	p.set("15", true)
	eventually(t, "emergency stop", func() bool { return s.Observe(&o) })
	bus.Unplug(0x68, true)
	eventually(t, "no tilt rather than level", func() bool {
		o = rig.Observation{}
		s.Observe(&o)
		return o.Has&rig.HasTilt == 0
	})
	if s.Facts().Errors[servo.Timeout] == 0 {
		t.Error("errors of a chip that is gone are not counted")
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	s.Close()
}

func TestINA3221(t *testing.T) {
	bus, chip := emulator.NewI2C(), &emulator.INA3221{}
	bus.Attach(0x40, chip)
	chip.Set(1, 11.1)
	m, err := sensor.OpenPower(&servo.Power{Kind: "ina3221", Channel: 1}, bus)
	if err != nil {
		t.Fatal(err)
	}
	if v, err := m.Volts(); err != nil || math.Abs(v-11.1) > 0.01 {
		t.Errorf("%v %v", v, err)
	}
	if _, err := sensor.OpenPower(&servo.Power{Kind: "ina3221", Channel: 3}, bus); err == nil {
		t.Error("channel 3 was taken")
	}
}

func TestMissingChipsAreNamedTogether(t *testing.T) {
	c := servo.Sensors{IMU: servo.IMU{Kind: "mpu6050"}, Power: servo.Power{Kind: "ina3221"}}
	_, err := sensor.Open(&c, sensor.Devices{I2C: emulator.NewI2C()}, 0)
	if err == nil || !errors.Is(err, emulator.ErrNack) {
		t.Fatal(err)
	}
	for _, want := range []string{"mpu6050 at 0x68", "ina3221"} {
		if !contains(err.Error(), want) {
			t.Errorf("%v: does not name %s", err, want)
		}
	}
}
