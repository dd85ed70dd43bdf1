package servo_test

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"legctl/drivers/servo"
)

// facts is what somebody else counted in the real files.
type facts struct {
	Dynamixel map[string]struct {
		Entries  int         `json:"entries"`
		Last     int         `json:"last_address"`
		Overlaps [][2]string `json:"overlaps"`
		Named    map[string]struct{ Address, Size int }
	}
	LeRobot map[string]struct {
		Motors   int      `json:"motors"`
		Inverted []string `json:"inverted"`
		Above    []string `json:"start_above_end"`
	} `json:"lerobot"`
}

func realFiles(t *testing.T) (string, *facts) {
	t.Helper()
	dir := os.Getenv("LEGCTL_DATA")
	if dir == "" {
		t.Skip("LEGCTL_DATA is not set: no real files to read")
	}
	data, err := os.ReadFile(filepath.Join(dir, "servo", "facts.json"))
	if err != nil {
		t.Fatal(err)
	}
	f := new(facts)
	if err := json.Unmarshal(data, f); err != nil {
		t.Fatal(err)
	}
	return dir, f
}

func TestRealControlTables(t *testing.T) {
	dir, f := realFiles(t)
	if len(f.Dynamixel) == 0 {
		t.Fatal("no facts")
	}
	for name, want := range f.Dynamixel {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		got, err := servo.ParseControlTable(name, data)
		if err != nil {
			t.Error(err)
			continue
		}
		last := 0
		for _, r := range got.Registers {
			last = max(last, r.Address+r.Size)
		}
		if len(got.Registers) != want.Entries || last != want.Last || len(got.Overlaps) != len(want.Overlaps) {
			t.Errorf("%s: %d registers up to %d, %d overlaps; want %d, %d, %d", name, len(got.Registers), last, len(got.Overlaps), want.Entries, want.Last, len(want.Overlaps))
		}
		for reg, at := range want.Named {
			if r, ok := got.Find(reg); !ok || r.Address != at.Address || r.Size != at.Size {
				t.Errorf("%s: %s is %+v, want %+v", name, reg, r, at)
			}
		}
	}
}

func TestRealLeRobotCalibrations(t *testing.T) {
	dir, f := realFiles(t)
	for name, want := range f.LeRobot {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		got, err := servo.ParseLeRobot(name, data)
		if err != nil {
			t.Error(err)
			continue
		}
		var inverted, above []string
		for i := range got {
			m := &got[i]
			if m.Reversed {
				inverted = append(inverted, m.Name)
			}
			if m.Start > m.End {
				above = append(above, m.Name)
			}
			k := m.Calibrated(i + 1)
			sign := 1.0
			if m.Reversed {
				sign = -1
			}
			// LeRobot's own sum, in degrees, must be 0 at the zero.
			if turns := (sign*k.Zero + float64(m.Homing)) / 4096; math.Abs(turns-math.Round(turns)) > 1e-9 {
				t.Errorf("%s %s: zero %v is no zero of LeRobot's", name, m.Name, k.Zero)
			}
		}
		if len(got) != want.Motors || strings.Join(inverted, " ") != strings.Join(want.Inverted, " ") || strings.Join(above, " ") != strings.Join(want.Above, " ") {
			t.Errorf("%s: %d motors, inverted %v, above %v; want %+v", name, len(got), inverted, above, want)
		}
	}
}

const smallTable = "[type info]\nname\tvalue\nvalue_of_zero_radian_position\t2048\nmin_radian\t-3.14\n\n[unit info]\nData Name\tvalue\tunit\tSign Type\nPresent Velocity\t0.0239\trad/s\tsigned\n\n[control table]\nAddress\tSize\tData Name\n0\t2\tModel Number\n1\t1\tOdd\n116\t4\tGoal Position\n"

func TestControlTable(t *testing.T) {
	got, err := servo.ParseControlTable("x", []byte(smallTable))
	if err != nil {
		t.Fatal(err)
	}
	if r, ok := got.Find("goal position"); !ok || r.Address != 116 || got.Zero != 2048 || got.MinRad != -3.14 || got.Units[0].Unit != "rad/s" || !got.Units[0].Signed {
		t.Errorf("%+v", got)
	}
	if len(got.Overlaps) != 1 || got.Overlaps[0] != [2]string{"Model Number", "Odd"} {
		t.Errorf("overlaps %v", got.Overlaps)
	}
	for _, c := range []struct{ text, want string }{
		{"", "no [control table]"},
		{"[control table]\n1 2 spaces", "x:2: 1 columns"},
		{"[control table]\n-1\t2\tName", "address 0 to 65535"},
		{"[control table]\n1\t2000\tName", "size 1 to 1024"},
		{"[unit info]\na\tNaN\tb\tsigned", "finite number"},
	} {
		if _, err := servo.ParseControlTable("x", []byte(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v", c.text, err)
		}
	}
}

func TestLeRobot(t *testing.T) {
	got, err := servo.ParseLeRobot("x", []byte(`{"b": {"id": 2, "drive_mode": 1, "homing_offset": 5, "range_min": 100, "range_max": 300}, "a": {"id": 1, "drive_mode": 0, "homing_offset": 0, "range_min": 0, "range_max": 4095}}`))
	if err != nil || len(got) != 2 || got[0].Name != "a" {
		t.Fatal(got, err)
	}
	if k := got[1].Calibrated(9); k.ID != 2 || k.Zero != 200 || k.PerRad >= 0 || k.Min != 100 || k.Max != 300 {
		t.Errorf("%+v", k)
	}
	for _, c := range []struct{ text, want string }{
		{`{`, "no LeRobot calibration"},
		{`{}`, "no motor"},
		{`{"a": {"id": 1}}`, "no range_min"},
		{`{"motor_names": ["a", "b"], "homing_offset": [1]}`, "want one each"},
	} {
		if _, err := servo.ParseLeRobot("x", []byte(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.text, err)
		}
	}
}

func FuzzImports(f *testing.F) {
	f.Add([]byte(smallTable))
	f.Add([]byte(`{"a": {"id": 1, "range_min": 0, "range_max": 4095}}`))
	f.Add([]byte(`{"homing_offset": [2048], "drive_mode": [1], "start_pos": [1], "end_pos": [2], "calib_mode": ["DEGREE"], "motor_names": ["a"]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if got, err := servo.ParseControlTable("x", data); err == nil {
			for _, r := range got.Registers {
				if r.Address < 0 || r.Size < 1 || r.Name == "" {
					t.Fatalf("%+v", r)
				}
			}
		}
		if got, err := servo.ParseLeRobot("x", data); err == nil {
			for i := range got {
				if k := got[i].Calibrated(1); k.PerRad == 0 || k.Zero != k.Zero {
					t.Fatalf("%+v", k)
				}
			}
		}
	})
}
