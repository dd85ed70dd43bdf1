package servo

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Register is one row of a control table.
type Register struct {
	Address, Size int // bytes; Size 1, 2 or 4, larger for blocks
	Name          string
}

// Unit is what one count of a register means.
type Unit struct {
	Name   string // of the register
	Value  float64
	Unit   string // such as rad/s
	Signed bool
	Offset float64
}

// ControlTable is a Dynamixel .model file.
type ControlTable struct {
	Registers []Register
	Units     []Unit
	// Of the older form, whose [type info] says where zero lies; else 0.
	Zero, MinPosition, MaxPosition int
	MinRad, MaxRad                 float64
	Overlaps                       [][2]string // registers on the same bytes, which files have on purpose and by mistake
}

// Find returns a register by name, whatever its capitals.
func (t *ControlTable) Find(name string) (Register, bool) {
	for _, r := range t.Registers {
		if strings.EqualFold(r.Name, name) {
			return r, true
		}
	}
	return Register{}, false
}

// mostTable is the size a table file may have, bytes.
const mostTable = 1 << 18

// ParseControlTable reads a Dynamixel .model file, in the form of
// dynamixel_hardware_interface or of the DynamixelSDK: tab-separated parts under
// [type info], [unit info] and [control table]. file is only used in errors.
func ParseControlTable(file string, data []byte) (*ControlTable, error) {
	if len(data) > mostTable {
		return nil, fmt.Errorf("servo: %s: %d bytes, want at most %d", file, len(data), mostTable)
	}
	t := &ControlTable{}
	part := ""
	s := bufio.NewScanner(bytes.NewReader(data))
	for n := 1; s.Scan(); n++ {
		line := strings.TrimSpace(s.Text())
		switch {
		case line == "":
		case line[0] == '[':
			part = strings.ToLower(strings.Trim(line, "[]"))
		default:
			if err := t.row(part, strings.Split(line, "\t")); err != nil {
				return nil, fmt.Errorf("servo: %s:%d: %w", file, n, err)
			}
		}
	}
	if err := s.Err(); err != nil {
		return nil, fmt.Errorf("servo: %s: %w", file, err)
	}
	if len(t.Registers) == 0 {
		return nil, fmt.Errorf("servo: %s: no [control table] with rows of address, size and name, separated by tabs", file)
	}
	t.overlaps()
	return t, nil
}

// row reads one line of a part; headings, which begin with a word, are skipped.
func (t *ControlTable) row(part string, cell []string) error {
	for i := range cell {
		cell[i] = strings.TrimSpace(cell[i])
	}
	switch part {
	case "control table":
		return t.register(cell)
	case "unit info":
		if len(cell) < 4 || strings.EqualFold(cell[0], "data name") {
			return nil
		}
		v, err := finite(cell[1])
		if err != nil {
			return err
		}
		u := Unit{Name: cell[0], Value: v, Unit: cell[2], Signed: cell[3] == "signed"}
		if len(cell) > 4 {
			if u.Offset, err = finite(cell[4]); err != nil {
				return err
			}
		}
		t.Units = append(t.Units, u)
	case "type info":
		return t.kind(cell)
	}
	return nil
}

func (t *ControlTable) register(cell []string) error {
	if strings.EqualFold(cell[0], "address") {
		return nil
	}
	if len(cell) < 3 {
		return fmt.Errorf("%d columns, want address, size and name separated by tabs", len(cell))
	}
	addr, err := strconv.Atoi(cell[0])
	size, err2 := strconv.Atoi(cell[1])
	if err != nil || err2 != nil || addr < 0 || addr > 65535 || size < 1 || size > 1024 || cell[2] == "" {
		return fmt.Errorf("register %q of %q bytes named %q, want address 0 to 65535, size 1 to 1024 and a name", cell[0], cell[1], cell[2])
	}
	t.Registers = append(t.Registers, Register{addr, size, cell[2]})
	return nil
}

// kind reads a row of [type info].
func (t *ControlTable) kind(cell []string) error {
	if len(cell) < 2 || cell[0] == "name" {
		return nil
	}
	v, err := finite(cell[1])
	if err != nil {
		return err
	}
	switch cell[0] {
	case "value_of_zero_radian_position":
		t.Zero = int(v)
	case "value_of_max_radian_position":
		t.MaxPosition = int(v)
	case "value_of_min_radian_position":
		t.MinPosition = int(v)
	case "min_radian":
		t.MinRad = v
	case "max_radian":
		t.MaxRad = v
	}
	return nil
}

// overlaps notes registers that share bytes.
func (t *ControlTable) overlaps() {
	for i, a := range t.Registers {
		for _, b := range t.Registers[i+1:] {
			if a.Address < b.Address+b.Size && b.Address < a.Address+a.Size {
				t.Overlaps = append(t.Overlaps, [2]string{a.Name, b.Name})
			}
		}
	}
}

// finite reads a number that is one.
func finite(s string) (float64, error) {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, fmt.Errorf("%q, want a finite number", s)
	}
	return v, nil
}

// LeRobotMotor is one motor of a LeRobot calibration.
type LeRobotMotor struct {
	Name         string
	ID           int  // 0 in the older form
	Reversed     bool // drive_mode 1
	Homing       int  // steps
	Start, End   int  // older form: positions at the start and end pose; newer: least and greatest
	LinearTravel bool // a gripper, in percent of its travel rather than degrees
	New          bool // newer form: Start and End are the range of the joint
}

// ParseLeRobot reads a LeRobot calibration file in either form: parallel arrays
// (homing_offset, drive_mode, start_pos, end_pos, calib_mode, motor_names), or an
// object of motors with id, drive_mode, homing_offset, range_min, range_max.
func ParseLeRobot(file string, data []byte) ([]LeRobotMotor, error) {
	if len(data) > mostTable {
		return nil, fmt.Errorf("servo: %s: %d bytes, want at most %d", file, len(data), mostTable)
	}
	var old struct {
		Homing []int    `json:"homing_offset"`
		Drive  []int    `json:"drive_mode"`
		Start  []int    `json:"start_pos"`
		End    []int    `json:"end_pos"`
		Mode   []string `json:"calib_mode"`
		Names  []string `json:"motor_names"`
	}
	if err := json.Unmarshal(data, &old); err == nil && len(old.Names) > 0 {
		n := len(old.Names)
		if len(old.Homing) != n || len(old.Drive) != n || len(old.Start) != n || len(old.End) != n || len(old.Mode) != n {
			return nil, fmt.Errorf("servo: %s: %d motors, but %d offsets, %d drive modes, %d starts, %d ends, %d modes; want one each",
				file, n, len(old.Homing), len(old.Drive), len(old.Start), len(old.End), len(old.Mode))
		}
		var out []LeRobotMotor
		for i, name := range old.Names {
			out = append(out, LeRobotMotor{Name: name, Reversed: old.Drive[i] != 0, Homing: old.Homing[i], Start: old.Start[i], End: old.End[i], LinearTravel: old.Mode[i] == "LINEAR"})
		}
		return out, nil
	}
	return parseNewLeRobot(file, data)
}

func parseNewLeRobot(file string, data []byte) ([]LeRobotMotor, error) {
	type motor struct {
		ID     int  `json:"id"`
		Drive  int  `json:"drive_mode"`
		Homing int  `json:"homing_offset"`
		Min    *int `json:"range_min"`
		Max    *int `json:"range_max"`
	}
	var all map[string]motor
	if err := json.Unmarshal(data, &all); err != nil {
		return nil, fmt.Errorf("servo: %s: no LeRobot calibration: %w", file, err)
	}
	var out []LeRobotMotor
	for name, m := range all {
		if m.Min == nil || m.Max == nil {
			return nil, fmt.Errorf("servo: %s: motor %q has no range_min and range_max", file, name)
		}
		out = append(out, LeRobotMotor{Name: name, ID: m.ID, Reversed: m.Drive != 0, Homing: m.Homing, Start: *m.Min, End: *m.Max, New: true})
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("servo: %s: no motor in it", file)
	}
	sortMotors(out)
	return out, nil
}

// Calibrated returns a motor of the older form as legctl keeps it. There the
// angle in degrees is (sign x position + homing)/2048 x 180, so the position at
// angle 0 is -sign x homing; it is brought into 0 to 4095, whole turns left out.
// Of the newer form the zero is the middle of the range, in the servo's own
// offset.
func (m *LeRobotMotor) Calibrated(id int) Calibrated {
	per := 2048 / math.Pi
	sign := 1
	if m.Reversed {
		per, sign = -per, -1
	}
	k := Calibrated{Name: m.Name, ID: id, PerRad: per, Zero: float64(wrap(-sign * m.Homing)), Min: 0, Max: 4095}
	if m.New {
		k.ID, k.Zero = m.ID, float64(m.Start+m.End)/2
		k.Min, k.Max = float64(min(m.Start, m.End)), float64(max(m.Start, m.End))
	}
	return k
}

func wrap(v int) int { return (v%4096 + 4096) % 4096 }

// sortMotors orders motors by id, then by name: a file of names has no order.
func sortMotors(m []LeRobotMotor) {
	slices.SortFunc(m, func(a, b LeRobotMotor) int { return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.Name, b.Name)) })
}
