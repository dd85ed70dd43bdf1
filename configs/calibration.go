package configs

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"legctl/drivers/servo"
)

// calibrationFile is the form of a stored calibration.
type calibrationFile struct {
	placed
	Rig      val[string]      `key:"rig" need:"yes" doc:"rig it was made for"`
	Protocol val[string]      `key:"protocol" need:"yes" doc:"protocol of its servos"`
	Date     val[string]      `key:"date" need:"yes" doc:"when it was made, such as 2026-11-30T20:15:00Z"`
	OscHz    []float64        `key:"osc_hz" in:"[20000000, 30000000]" default:"the rig's" doc:"measured oscillator of each PCA9685"`
	Servos   []calibratedFile `key:"servos" need:"yes" doc:"every servo of the rig"`
}

// calibratedFile is one servo of a calibration.
type calibratedFile struct {
	placed
	Name     val[string]     `key:"name" need:"yes" doc:"servo, as its channel in the rig's file"`
	ID       val[int]        `key:"id" in:"[0, 991]" need:"yes" doc:"id or channel"`
	Number   val[int]        `key:"model_number" in:"[0, 1000000]" default:"0: it states none" doc:"model it stated"`
	Firmware val[int]        `key:"firmware" in:"[0, 1000000]" default:"0: it states none" doc:"firmware it stated"`
	Zero     val[float64]    `key:"zero" in:"[-1000000, 1000000]" need:"yes" doc:"native position at angle 0"`
	PerRad   val[float64]    `key:"per_rad" in:"[-1000000, 1000000]" need:"yes" doc:"native units for one radian; negative: it turns the other way"`
	Range    val[[2]float64] `key:"range" in:"[-1000000, 1000000]" need:"yes" doc:"least and greatest native position"`
	Residual val[float64]    `key:"residual" unit:"deg" in:"[0, 360]" default:"0" doc:"what the fit left over at its joint"`
}

// LoadCalibration returns the calibration in a file by path, or a shipped example
// by name.
func LoadCalibration(name string) (*servo.Calibration, error) {
	file, data, err := read("calibrations", name)
	if err != nil {
		return nil, err
	}
	return ParseCalibration(file, data)
}

// ParseCalibration returns the calibration a file describes; file is only used in
// errors.
func ParseCalibration(file string, data []byte) (*servo.Calibration, error) {
	rep, root := parse(file, data)
	if root == nil {
		return nil, rep.err()
	}
	var f calibrationFile
	d := &decoder{report: rep}
	d.mapping(root, reflect.ValueOf(&f).Elem(), at(root, ""))
	k := &servo.Calibration{Rig: f.Rig.V, Protocol: f.Protocol.V, Date: f.Date.V, OscHz: f.OscHz}
	if _, err := time.Parse(time.RFC3339, f.Date.V); err != nil && f.Date.Set {
		rep.add(f.Date.at, "%q is no date, want one such as 2026-11-30T20:15:00Z", clip(f.Date.V))
	}
	for i := range f.Servos {
		s := &f.Servos[i]
		if s.PerRad.V == 0 && s.PerRad.Set {
			rep.add(s.PerRad.at, "0, want native units for a radian")
		}
		if r := s.Range.V; s.Range.Set && !(r[0] < r[1]) {
			rep.add(s.Range.at, "range %g to %g, want the least first", r[0], r[1])
		}
		k.Servos = append(k.Servos, servo.Calibrated{
			Name: s.Name.V, ID: s.ID.V, Number: s.Number.V, Firmware: s.Firmware.V,
			Zero: s.Zero.V, PerRad: s.PerRad.V, Min: s.Range.V[0], Max: s.Range.V[1], Residual: s.Residual.V,
		})
	}
	if err := rep.err(); err != nil {
		return nil, err
	}
	return k, nil
}

// FormatCalibration returns a calibration as LoadCalibration reads it, every
// number exactly.
func FormatCalibration(k *servo.Calibration) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "rig: %s\nprotocol: %s\ndate: %q\n", k.Rig, k.Protocol, k.Date)
	n := func(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
	if len(k.OscHz) > 0 {
		var all []string
		for _, hz := range k.OscHz {
			all = append(all, n(hz))
		}
		fmt.Fprintf(&b, "osc_hz: [%s]\n", strings.Join(all, ", "))
	}
	b.WriteString("servos:\n")
	for i := range k.Servos {
		s := &k.Servos[i]
		fmt.Fprintf(&b, "  - {name: %s, id: %d, model_number: %d, firmware: %d, zero: %s, per_rad: %s, range: [%s, %s], residual_rad: %s}\n",
			s.Name, s.ID, s.Number, s.Firmware, n(s.Zero), n(s.PerRad), n(s.Min), n(s.Max), n(s.Residual))
	}
	return b.Bytes()
}

// CalibrationPath is where the calibration of a rig is kept: in the user's own
// folder for configurations, legctl/calibration/RIG.yaml.
func CalibrationPath(rig string) (string, error) {
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", fmt.Errorf("configs: folder for calibrations: %w", err)
	}
	return filepath.Join(dir, "legctl", "calibration", rig+".yaml"), nil
}

// SaveCalibration writes a calibration, reads it back and compares. What was
// there before is kept beside it, see UndoCalibration. The file is never half
// written.
func SaveCalibration(path string, k *servo.Calibration) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("configs: %w", err)
	}
	data := FormatCalibration(k)
	back, err := ParseCalibration(path, data)
	if err != nil {
		return err
	}
	if !slices.Equal(back.Servos, k.Servos) || !slices.Equal(back.OscHz, k.OscHz) {
		return fmt.Errorf("configs: %s: the calibration reads back differently: it holds numbers out of range", path)
	}
	fresh := path + ".new"
	if err := os.WriteFile(fresh, data, 0o644); err != nil {
		return fmt.Errorf("configs: %w", err)
	}
	if _, err := os.Stat(path); err == nil {
		if err := os.Rename(path, historyName(path)); err != nil {
			return fmt.Errorf("configs: keep the calibration before: %w", err)
		}
	}
	if err := os.Rename(fresh, path); err != nil {
		return fmt.Errorf("configs: %w", err)
	}
	return nil
}

// historyName is the next free name for what is replaced: path.1, path.2 and on.
func historyName(path string) string { return path + "." + strconv.Itoa(lastHistory(path)+1) }

// lastHistory is the number of the newest file that was replaced, 0 for none.
func lastHistory(path string) int {
	names, _ := filepath.Glob(path + ".*") // the pattern has no more to it than a name
	last := 0
	for _, name := range names {
		if n, err := strconv.Atoi(strings.TrimPrefix(name, path+".")); err == nil {
			last = max(last, n)
		}
	}
	return last
}

// UndoCalibration brings back the calibration before the last one and returns
// its date. What it replaces is kept as path.undone.
func UndoCalibration(path string) (string, error) {
	n := lastHistory(path)
	if n == 0 {
		return "", fmt.Errorf("configs: %s: there is no earlier calibration to go back to", path)
	}
	before := path + "." + strconv.Itoa(n)
	data, err := os.ReadFile(before)
	if err != nil {
		return "", fmt.Errorf("configs: %w", err)
	}
	k, err := ParseCalibration(before, data)
	if err != nil {
		return "", err
	}
	if err := os.Rename(path, path+".undone"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("configs: %w", err)
	}
	if err := os.Rename(before, path); err != nil {
		return "", fmt.Errorf("configs: %w", err)
	}
	return k.Date, nil
}
