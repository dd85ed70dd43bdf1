package servo_test

import (
	"math"
	"strings"
	"testing"

	"legctl/drivers/servo"

	"pgregory.net/rapid"
)

// two servos of a leg; the knee's is coupled to the thigh.
func coupled() *servo.Config {
	return &servo.Config{Protocol: "dxl1", Servos: []servo.Servo{
		{Name: "thigh", ID: 1, Model: "ax12", Terms: []servo.Term{{Joint: 0, Factor: 1}}, Zero: 512, PerRad: 195.6, Min: 0, Max: 1023, Center: 512},
		{Name: "knee", ID: 2, Model: "ax12", Terms: []servo.Term{{Joint: 0, Factor: 1}, {Joint: 1, Factor: -2}}, Offset: 0.3, Zero: 500, PerRad: -195.6, Min: 100, Max: 900, Center: 512},
	}}
}

func calibration() *servo.Calibration {
	return &servo.Calibration{Rig: "x", Protocol: "dxl1", Date: "2026-11-30T12:00:00Z", Servos: []servo.Calibrated{
		{Name: "knee", ID: 2, Number: 12, Firmware: 24, Zero: 480, PerRad: 195.6, Min: 200, Max: 800},
		{Name: "thigh", ID: 1, Number: 12, Firmware: 24, Zero: 530, PerRad: -195.6, Min: 10, Max: 1000},
	}}
}

func TestLinkageIsItsOwnInverse(t *testing.T) {
	l, err := servo.NewLinkage(coupled().Servos, 2)
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		q := []float64{rapid.Float64Range(-3, 3).Draw(t, "thigh"), rapid.Float64Range(-3, 3).Draw(t, "knee")}
		native, back := make([]float64, 2), make([]float64, 2)
		l.Native(native, q)
		l.Joints(back, native)
		for j := range q {
			if math.Abs(back[j]-q[j]) > 1e-12 {
				t.Fatalf("%v came back as %v", q, back)
			}
		}
	})
	native := make([]float64, 2)
	l.Native(native, []float64{0.1, 0.2})
	if want := 500 - 195.6*(0.1-0.4+0.3); math.Abs(native[1]-want) > 1e-9 {
		t.Errorf("knee at %v, want %v", native[1], want)
	}
	if n := testing.AllocsPerRun(100, func() { l.Native(native, []float64{0, 0}); l.Joints(native, native) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestLinkageRefuses(t *testing.T) {
	for _, c := range []struct {
		name, want string
		change     func(s []servo.Servo) []servo.Servo
	}{
		{"servo missing", "1 servos move 2 joints", func(s []servo.Servo) []servo.Servo { return s[1:] }},
		{"the same sum twice", "follows from those of other servos", func(s []servo.Servo) []servo.Servo { s[0].Terms = s[1].Terms; return s }},
		{"joint unknown", "joint 7", func(s []servo.Servo) []servo.Servo { s[0].Terms[0].Joint = 7; return s }},
		{"no scale", "native units for a radian", func(s []servo.Servo) []servo.Servo { s[0].PerRad = 0; return s }},
	} {
		if _, err := servo.NewLinkage(c.change(coupled().Servos), 2); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestCalibrationOverlaysOrRefuses(t *testing.T) {
	c := coupled()
	if err := calibration().Apply(c); err != nil {
		t.Fatal(err)
	}
	if c.Servos[0].Zero != 530 || c.Servos[1].PerRad != 195.6 || c.Servos[1].Max != 800 || c.Calibrated == nil {
		t.Errorf("%+v", c.Servos)
	}
	for _, x := range []struct {
		name, want string
		change     func(k *servo.Calibration)
	}{
		{"protocol", "is for protocol dxl2", func(k *servo.Calibration) { k.Protocol = "dxl2" }},
		{"servo missing", "no servo thigh", func(k *servo.Calibration) { k.Servos = k.Servos[:1] }},
		{"id moved", "knee has id 9", func(k *servo.Calibration) { k.Servos[0].ID = 9 }},
		{"boards", "oscillators of 2 boards, the rig has 0", func(k *servo.Calibration) { k.OscHz = []float64{25e6, 26e6} }},
		{"no number", "calibration of thigh", func(k *servo.Calibration) { k.Servos[1].PerRad = math.NaN() }},
	} {
		k, c := calibration(), coupled()
		x.change(k)
		if err := k.Apply(c); err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: %v", x.name, err)
		}
		if c.Servos[0].Zero != 512 || c.Servos[1].Zero != 500 || c.Calibrated != nil {
			t.Errorf("%s: refused, but it changed the config", x.name)
		}
	}
}

func TestIdentitiesAreComparedAtStart(t *testing.T) {
	k := calibration()
	good := []servo.Identity{{ID: 1, Number: 12, Firmware: 24}, {ID: 2, Number: 12, Firmware: 24}}
	if got := k.Compare(good); len(got) != 0 {
		t.Errorf("the same servos: %v", got)
	}
	for _, c := range []struct {
		want  string
		found []servo.Identity
	}{
		{"thigh (id 1) does not answer", good[1:]},
		{"knee (id 2) is model 18", []servo.Identity{good[0], {ID: 2, Number: 18, Firmware: 24}}},
		{"knee (id 2) has firmware 25", []servo.Identity{good[0], {ID: 2, Number: 12, Firmware: 25}}},
	} {
		if got := k.Compare(c.found); len(got) != 1 || !strings.Contains(got[0], c.want) {
			t.Errorf("%v, want %q", got, c.want)
		}
	}
	k.Servos[0].Number, k.Servos[0].Firmware = 0, 0
	if got := k.Compare(good[:1]); len(got) != 0 {
		t.Errorf("a servo that says nothing about itself: %v", got)
	}
}

func TestModelsMakeSense(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range servo.Models() {
		if seen[m.Name] || len(m.Protocols) == 0 || !(m.Min < m.Center && m.Center < m.Max) || !(m.PerTurn >= m.Max-m.Min) || !(m.Volts[0] < m.Volts[1]) || m.Speed <= 0 {
			t.Errorf("%+v", m)
		}
		seen[m.Name] = true
		for _, p := range m.Protocols {
			if !m.Drives(p) || servo.Resolution(p) <= 0 {
				t.Errorf("%s by %s", m.Name, p)
			}
		}
	}
	ax, _ := servo.ModelOf("ax12")
	if deg := (ax.Max - ax.Min) / ax.PerTurn * 360; math.Abs(deg-300) > 1 {
		t.Errorf("ax12 turns %v degrees, want 300", deg)
	}
}
