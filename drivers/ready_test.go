package drivers

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"legctl/drivers/servo"
)

// TestBusReadySaysWhatToDo: of an I2C bus that cannot be opened, by whom, and what
// to do about it.
func TestBusReadySaysWhatToDo(t *testing.T) {
	dir := t.TempDir()
	if err := busReady(dir, 1); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "raspi-config") || !strings.Contains(err.Error(), "servo emulate") {
		t.Errorf("no bus at all: %v", err)
	}
	for _, n := range []string{"i2c-20", "i2c-3"} {
		if err := os.WriteFile(filepath.Join(dir, n), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := busReady(dir, 1); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "there is 20 and 3: give it by --device") {
		t.Errorf("another bus: %v", err)
	}
	if err := busReady(dir, 3); err != nil {
		t.Errorf("a bus that can be opened: %v", err)
	}
	if os.Getuid() == 0 {
		return // root may open anything
	}
	if err := os.Chmod(filepath.Join(dir, "i2c-3"), 0o060); err != nil {
		t.Fatal(err)
	}
	if err := busReady(dir, 3); !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), "usermod") {
		t.Errorf("a bus of another group: %v", err)
	}
}

func TestReadySaysWhatToDo(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		c    servo.Config
		want string
	}{
		{"no port", servo.Config{Protocol: "dxl1"}, "legctl servo ports"},
		{"a port that is not there", servo.Config{Protocol: "dxl1", Port: dir + "/none"}, "port " + dir + "/none: file does not exist"},
		{"a file", servo.Config{Protocol: "ssc32", Port: file}, "no serial port: \"legctl servo ports\""},
		{"a folder", servo.Config{Protocol: "lx16a", Port: dir}, "no serial port"},
		{"a port of a sensor", servo.Config{Protocol: "dxl1", Port: "/dev/null", Sensors: servo.Sensors{IMU: servo.IMU{Kind: "bno055-uart", Port: file}}}, file},
		{"no I2C bus", servo.Config{Protocol: "pca9685", Board: "raspi", Port: "99"}, "there is no /dev/i2c-99"},
		{"no number", servo.Config{Protocol: "pca9685", Board: "raspi", Port: "./bus"}, "servo emulate"},
		{"no board", servo.Config{Protocol: "pca9685", Board: "abacus", Port: "1"}, "abacus"},
		{"a sensor's bus", servo.Config{Protocol: "dxl1", Port: "/dev/null", Board: "raspi", Sensors: servo.Sensors{IMU: servo.IMU{Kind: "mpu6050", Bus: 99}}}, "there is no /dev/i2c-99"},
		{"no protocol", servo.Config{Protocol: "telepathy"}, "telepathy"},
	} {
		if err := Ready(&c.c); err == nil || !strings.Contains(err.Error(), c.want) || strings.Count(err.Error(), "\n") > 0 {
			t.Errorf("%s: %v, want %q in one line", c.name, err, c.want)
		}
	}
	if err := Ready(&servo.Config{Protocol: "dxl1", Port: "/dev/null"}); err != nil {
		t.Errorf("what can be opened: %v", err)
	}
}

func TestMissingIsOneSentence(t *testing.T) {
	c := &servo.Config{Port: "./bus", Baud: 57600, Servos: []servo.Servo{{Name: "lf_coxa", ID: 1}, {Name: "lf_femur", ID: 2}}}
	bus, _ := ProtocolOf("dxl1")
	pulses, _ := ProtocolOf("ssc32")
	silence := servo.Fault{Class: servo.Timeout}.Err()
	for _, r := range []struct {
		name  string
		p     *Protocol
		found []servo.Identity
		err   error
		want  string
	}{
		{"all", bus, nil, errors.Join(silence, silence), "none of 2 dxl1 servos answers at 57600 baud"},
		{"one", bus, []servo.Identity{{ID: 2}}, errors.Join(silence), "no answer from lf_coxa (id 1), 1 of 2 answer"},
		{"another fault", bus, nil, errors.Join(silence, servo.Fault{Class: servo.Checksum}.Err()), "servo: timeout\nservo: checksum"},
		{"a lost port", bus, nil, errors.Join(silence, servo.ErrGone), "the port is gone"},
		{"a board", pulses, nil, silence, "servo: timeout"},
		{"none", bus, nil, nil, ""},
	} {
		err := Missing(r.p, c, []int{1, 2}, r.found, r.err)
		if (err == nil) != (r.err == nil) || err != nil && (!strings.Contains(err.Error(), r.want) || !errors.Is(err, r.err) && err != r.err) {
			t.Errorf("%s: %v, want %q", r.name, err, r.want)
		}
	}
}
