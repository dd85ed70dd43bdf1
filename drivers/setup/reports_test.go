package setup_test

import (
	"context"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"legctl/configs"
	"legctl/drivers"
	"legctl/drivers/calibrate"
	"legctl/drivers/emulator"
	"legctl/drivers/firmata"
	"legctl/drivers/pca9685"
	"legctl/drivers/servo"
	"legctl/drivers/setup"
	"legctl/rig"

	"pgregory.net/rapid"
)

// The tests of this file are named after the public reports they answer, as
// listed in docs/reports.md: those about calibration, ranges and settings.

// TestReport27DuplicateIDsAreFound: two servos that nobody told apart.
func TestReport27DuplicateIDsAreFound(t *testing.T) {
	for _, protocol := range []string{"dxl1", "dxl2", "feetech_sts", "feetech_scs", "lx16a"} {
		bank, err := emulator.New(emulator.Options{Protocol: protocol, IDs: []int{1, 4, 4, 6}})
		if err != nil {
			t.Fatal(err)
		}
		line := emulator.NewLine(bank)
		p, err := drivers.ProtocolOf(protocol)
		if err != nil {
			t.Fatal(err)
		}
		c := &servo.Config{Protocol: protocol}
		found, err := setup.Scan(context.Background(), p, drivers.LinkOf(line, line, p, c), c, setup.ScanOptions{IDs: []int{1, 2, 3, 4, 5, 6}})
		if err != nil {
			t.Fatal(err)
		}
		var ids, clash []int
		for _, f := range found {
			if f.Baud != p.Caps.DefaultBaud {
				t.Errorf("%s: found at %d baud", protocol, f.Baud)
			}
			ids = append(ids, f.ID)
			if f.Conflict {
				clash = append(clash, f.ID)
			}
		}
		if len(ids) != 3 || len(clash) != 1 || clash[0] != 4 {
			t.Errorf("%s: found %v, conflicts %v; want 1, 4, 6 and a conflict at 4", protocol, ids, clash)
		}
	}
}

// TestReport28OffsetsWrap: a homing offset of 2114 does not fit 11 bits and a
// sign.
func TestReport28OffsetsWrap(t *testing.T) {
	if got := calibrate.Homing(2114); got != -1982 {
		t.Errorf("2114 becomes %d, want -1982", got)
	}
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.IntRange(-1<<20, 1<<20).Draw(t, "offset")
		got := calibrate.Homing(v)
		off := ((v-got)%4096 + 4096) % 4096
		if got < -2047 || got > 2047 || off != 0 && off != 4095 {
			t.Fatalf("%d becomes %d", v, got)
		}
	})
}

// TestReport29WrapInsideTheTravel: the encoder jumps while the joint is swept.
func TestReport29WrapInsideTheTravel(t *testing.T) {
	var s calibrate.Sweep
	for v := 3800; v < 4400; v += 50 {
		s.Add(float64(v%4096), 4096)
	}
	if _, _, err := s.Range("wrist", 100); err == nil || !strings.Contains(err.Error(), "wraps") {
		t.Error(err)
	}
}

// TestReport30CalibratingTwiceIsTheSame: offsets kept in the servo made each
// calibration shift the next.
func TestReport30CalibratingTwiceIsTheSame(t *testing.T) {
	b := newRobot(t, "sts3215_quadruped", 4)
	var zero [2][]float64
	for k := range zero {
		b.leg, b.mark = 0, 0
		s := setup.Session{Rig: b.r, Config: b.c, Mover: b.m, Dialog: b}
		got, err := s.Run(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		for i := range got.Servos {
			zero[k] = append(zero[k], got.Servos[i].Zero)
			if w := b.bank.Word(got.Servos[i].ID, 31); w != 0 {
				t.Errorf("%s: an offset of %d is in the servo", got.Servos[i].Name, w)
			}
		}
	}
	for i := range zero[0] {
		if math.Abs(zero[0][i]-zero[1][i]) > 0.5 {
			t.Errorf("servo %d: zero %v, the second time %v", i, zero[0][i], zero[1][i])
		}
	}
}

// TestReport33BacklashIsNoContradiction: a degree of play in the gears is far more
// than a step, and the tolerances know it.
func TestReport33BacklashIsNoContradiction(t *testing.T) {
	b := newRobot(t, "sts3215_quadruped", 5)
	var ms []calibrate.Measure
	n := 0.0
	for leg := range b.r.Legs {
		for _, p := range calibrate.Marks(b.r, leg, 6, 0) {
			native := make([]float64, len(b.built))
			b.link.Native(native, b.on(leg, p))
			for i := range native { // half a degree either way
				n++
				native[i] += 0.5 * math.Pi / 180 * math.Abs(b.built[i].PerRad) * math.Sin(7*n)
			}
			ms = append(ms, calibrate.Measure{Name: "mark", Leg: leg, Native: native, Foot: &p})
		}
	}
	got, err := calibrate.Solve(b.r, b.c, ms, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range got.Servos {
		if d := math.Abs((got.Servos[i].Zero - b.built[i].Zero) / b.built[i].PerRad); d > 1*math.Pi/180 {
			t.Errorf("%s: zero off by %.2f degrees", b.built[i].Name, d*180/math.Pi)
		}
	}
}

// TestReport38LimitsTheRightWayRound: least above greatest cut a servo's range.
func TestReport38LimitsTheRightWayRound(t *testing.T) {
	for _, name := range []string{"phantomx", "spotmicro", "lx16a_hexapod"} {
		r, c, err := configs.LoadRobot(name)
		if err != nil {
			t.Fatal(err)
		}
		found := make([]servo.Calibrated, len(c.Servos))
		for i := range found {
			found[i] = servo.Calibrated{Name: c.Servos[i].Name, Zero: c.Servos[i].Zero, PerRad: c.Servos[i].PerRad}
		}
		if err := calibrate.Ranges(r, c, found, 0.8); err != nil {
			t.Fatal(err)
		}
		for i := range found {
			s, k := &c.Servos[i], &found[i]
			m, _ := servo.ModelOf(s.Model)
			j := jointOf(r, s)
			travel := (j.Max - j.Min) * math.Abs(k.PerRad)
			if !(k.Min < k.Max) || k.Min < m.Min || k.Max > m.Max || k.Max-k.Min < 0.8*travel {
				t.Errorf("%s %s: %v to %v for a joint of %v", name, s.Name, k.Min, k.Max, travel)
			}
		}
	}
}

func jointOf(r *rig.Rig, s *servo.Servo) *rig.Joint {
	l := &r.Legs[s.Leg]
	return &l.Joints[s.Terms[0].Joint-l.First]
}

// TestReport49PulsesAreTrueOnEveryBoard: 1500 us were 1327 to 1570 us, and a
// factor of 0.9 hid in the frequency (reports 47, 48 and 50).
func TestReport49PulsesAreTrueOnEveryBoard(t *testing.T) {
	for _, osc := range []float64{23e6, 25e6, 26.4e6, 27e6} {
		chip, bus := emulator.NewPCA9685(osc), emulator.NewI2C()
		bus.Attach(0x40, chip)
		conn, err := bus.GetI2cConnection(0x40, 1)
		if err != nil {
			t.Fatal(err)
		}
		prescale, err := pca9685.Prescale(50, osc)
		if err != nil {
			t.Fatal(err)
		}
		set, _ := pca9685.AppendPrescale(nil, prescale)
		for _, w := range [][]byte{pca9685.AppendSleep(nil), set, pca9685.AppendWake(nil)} {
			if _, err := conn.Write(w); err != nil {
				t.Fatal(err)
			}
		}
		var b pca9685.Board
		ticks, err := pca9685.Ticks(1500, prescale, osc)
		if err != nil {
			t.Fatal(err)
		}
		if err := b.Set(3, pca9685.Stagger(3), ticks); err != nil {
			t.Fatal(err)
		}
		if err := b.Flush(conn); err != nil {
			t.Fatal(err)
		}
		if us := chip.Micros(3); math.Abs(us-1500) > 2.7 || math.Abs(chip.Hz()-50) > 0.5 || chip.Wrong() != 0 || chip.Micros(4) != 0 {
			t.Errorf("clock of %g MHz: pulse of %v us at %v Hz", osc/1e6, us, chip.Hz())
		}
	}
}

// TestReport53FirmataTakesMicroseconds: whole degrees are ten microseconds each.
func TestReport53FirmataTakesMicroseconds(t *testing.T) {
	for _, pin := range []int{9, 22} { // 22 has no message of its own
		bank, err := emulator.New(emulator.Options{Protocol: "firmata", IDs: []int{pin}})
		if err != nil {
			t.Fatal(err)
		}
		line := emulator.NewLine(bank)
		tx, _ := firmata.AppendServoConfig(nil, pin, 544, 2400)
		if tx, err = firmata.AppendMicros(tx, pin, 1507); err != nil {
			t.Fatal(err)
		}
		if _, err := line.Write(tx); err != nil {
			t.Fatal(err)
		}
		line.Sleep(time.Second)
		if m, _ := bank.Motor(pin); m.Goal != 1507 {
			t.Errorf("pin %d: %v us", pin, m.Goal)
		}
	}
}

// TestReport54PeriodsShorterThanPulses: a frequency too high for the pulse.
func TestReport54PeriodsShorterThanPulses(t *testing.T) {
	if _, err := pca9685.Ticks(2500, 14, 25e6); err == nil {
		t.Error("2500 us were put into a period of 2458 us")
	}
	_, _, err := configs.ParseRobot("x.yaml", []byte(strings.Replace(freenove(t), "hz: 50, bit_rate", "hz: 400, bit_rate", 1)))
	if err == nil || !strings.Contains(err.Error(), "want fewer pulses a second") {
		t.Error(err)
	}
}

// freenove is the text of a shipped rig.
func freenove(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../configs/rigs/freenove.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
