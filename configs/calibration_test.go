package configs

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"legctl/drivers/servo"
)

func TestCalibrationIsKeptExactlyAndUndone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "deep", "phantomx.yaml")
	k, err := LoadCalibration("phantomx")
	if err != nil {
		t.Fatal(err)
	}
	k.OscHz = []float64{26e6, 24.3123456789e6}
	if _, err := UndoCalibration(path); err == nil || !strings.Contains(err.Error(), "no earlier calibration") {
		t.Error("undo of nothing:", err)
	}
	for _, zero := range []float64{500.25, 1.0 / 3, 612} {
		k.Servos[0].Zero = zero
		k.Servos[0].Min, k.Servos[0].Max = zero-100, zero+100
		if err := SaveCalibration(path, k); err != nil {
			t.Fatal(err)
		}
		got, err := LoadCalibration(path)
		if err != nil || got.Servos[0].Zero != zero || len(got.OscHz) != 2 || got.OscHz[1] != k.OscHz[1] || !bytes.Equal(FormatCalibration(got), FormatCalibration(k)) {
			t.Fatalf("zero %v: read back %v (%v)", zero, got, err)
		}
	}
	for _, want := range []float64{1.0 / 3, 500.25} {
		if _, err := UndoCalibration(path); err != nil {
			t.Fatal(err)
		}
		if got, err := LoadCalibration(path); err != nil || got.Servos[0].Zero != want {
			t.Errorf("after undo: %v (%v), want zero %v", got, err, want)
		}
	}
	if _, err := UndoCalibration(path); err == nil {
		t.Error("undo beyond the first")
	}
}

func TestCalibrationThatCannotBeKeptIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.yaml")
	k := &servo.Calibration{Rig: "phantomx", Protocol: "dxl1", Date: "2026-11-30T12:00:00Z", Servos: []servo.Calibrated{{Name: "a", Zero: 1e300, PerRad: 1, Max: 1}}}
	if err := SaveCalibration(path, k); err == nil {
		t.Error("a zero out of range was written")
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("a file was left behind")
	}
}

func TestShippedAnswersAreOfTheirRig(t *testing.T) {
	a, err := LoadAnswers("phantomx")
	if err != nil {
		t.Fatal(err)
	}
	if a.Rig != "phantomx" || len(a.Moved) != 18 || len(a.Touched) != 24 || a.Touched[0].Native["lf_coxa"] == 0 {
		t.Errorf("%+v", a)
	}
}

// TestBadServos: want is what one issue must say.
func TestBadServos(t *testing.T) {
	good, err := files.ReadFile("rigs/phantomx.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, from, to, want string }{
		{"protocol", "protocol: dxl1", "protocol: dxl3", "did you mean dxl1"},
		{"model of another protocol", "model: ax12", "model: lx16a", `model "lx16a" cannot be driven by dxl1; want one of [ax12`},
		{"id twice", "joint: lf_femur, id: 3", "joint: lf_femur, id: 1", "id 1 belongs to lf_coxa already"},
		{"id too high", "joint: lf_femur, id: 3", "joint: lf_femur, id: 254", "id 254, want 0 to 253"},
		{"unknown joint", "joint: lf_femur", "joint: lf_femus", "did you mean lf_femur?"},
		{"joint twice", "joint: lf_femur, id: 3", "joint: lf_coxa, id: 3", "lf_coxa has a servo already"},
		{"servo missing", "    - {joint: lf_coxa, id: 1}\n", "", "no servo moves lf_coxa"},
		{"horn that cannot reach", "joint: lf_tibia, id: 5, offset_deg: -90", "joint: lf_tibia, id: 5, offset_deg: 0", "change offset_deg"},
		{"unknown key", "baud: 1000000", "boud: 1000000", "did you mean baud"},
		{"battery upside down", "warn_v: 10.5", "warn_v: 8", "want them in falling order"},
		{"value with a unit", "baud: 1000000", "baud: 1 MBd", "want"},
		{"sum that says nothing", "joint: lf_femur, id: 3", "joint: lf_femur, id: 3, sum: {lf_coxa: 1}", "no servo moves lf_femur"},
		{"not a number", "rate_hz: 50", "rate_hz: .nan", "finite number"},
	} {
		text := strings.Replace(string(good), c.from, c.to, 1)
		if text == string(good) {
			t.Errorf("%s: %q is not in the file", c.name, c.from)
			continue
		}
		if _, _, err := ParseRobot("x.yaml", []byte(text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v\nwant %q", c.name, err, c.want)
		}
	}
}

func TestNarrowGivesTheRigWhatItsServosReach(t *testing.T) {
	wide, err := LoadRig("spotmicro")
	if err != nil {
		t.Fatal(err)
	}
	r, c, err := LoadRobot("spotmicro")
	if err != nil {
		t.Fatal(err)
	}
	narrower := 0
	for i := range r.Legs {
		for j := range r.Legs[i].Joints {
			a, b := &wide.Legs[i].Joints[j], &r.Legs[i].Joints[j]
			if b.Min < a.Min || b.Max > a.Max {
				t.Errorf("%s grew", b.Name)
			}
			if b.Max-b.Min < a.Max-a.Min-1e-9 {
				narrower++
			}
		}
	}
	if narrower == 0 || c == nil {
		t.Error("no joint was narrowed")
	}
	if r, c, err := LoadRobot("octopod"); err != nil || r == nil || c != nil {
		t.Errorf("a rig without servos: %v %v", c, err)
	}
}
