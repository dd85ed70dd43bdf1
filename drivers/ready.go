package drivers

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"legctl/drivers/servo"
	"legctl/drivers/socket"

	"golang.org/x/sys/unix"
)

// Ready says in words why the port, or the board, of a config and those of its
// sensors cannot be opened now; nil when they probably can. Nothing is opened for
// longer than it takes, and nothing sent.
func Ready(c *servo.Config) error {
	p, err := ProtocolOf(c.Protocol)
	if err != nil {
		return err
	}
	if p.I2C() || needsBoard(&c.Sensors) {
		b, err := BoardOf(c)
		if err != nil {
			return err
		}
		if err := b.Finalize(); err != nil {
			return fmt.Errorf("drivers: board %s: %w", c.Board, err)
		}
	}
	if !p.I2C() {
		if c.Port == "" {
			return errNoPort
		}
		err = portReady(c.Port)
	}
	if c.Sensors.IMU.Port != "" {
		err = errors.Join(err, portReady(c.Sensors.IMU.Port))
	}
	return err
}

var errNoPort = errors.New(`drivers: no port: name one in the rig's servos section or by --device; "legctl servo ports" lists them`)

// NeedsRest is the error of a protocol whose servos tell no position, without the
// operator's word for where they are; nil for others.
func NeedsRest(p *Protocol) error {
	if p.Caps.Feedback {
		return nil
	}
	return fmt.Errorf("drivers: %s servos tell no position: put the rig into its rest pose and say so (--at-rest)", p.Name)
}

// needsBoard reports whether sensors hang on the board's own I2C bus or pins.
func needsBoard(s *servo.Sensors) bool {
	return i2cSensors(s) || len(s.Feet) > 0 || s.EStop.Pin != ""
}

func i2cSensors(s *servo.Sensors) bool {
	return s.IMU.Kind != "" && s.IMU.Port == "" || s.Power.Kind != ""
}

// portReady says why a serial port cannot be opened.
func portReady(name string) error {
	device, err := FindPort(name)
	if err != nil {
		return err
	}
	st, err := os.Stat(device)
	if err == nil && st.Mode()&fs.ModeCharDevice == 0 {
		return noSerialPort(name, device)
	} else if err == nil {
		err = unix.Access(device, unix.R_OK|unix.W_OK)
	}
	if err == nil {
		return nil
	}
	return explain(name, device, err)
}

// noSerialPort is the error about a file that is none.
func noSerialPort(name, device string) error {
	hint := `"legctl servo ports" lists those of this computer`
	if socket.Is(device) {
		hint = "it is the socket of an emulated computer with PCA9685 boards, and this rig's servos hang on a serial port"
	}
	return fmt.Errorf("drivers: port %s: it is no serial port: %s", name, hint)
}

// devices is where Linux keeps its devices.
const devices = "/dev"

// busReady says why an I2C bus cannot be opened.
func busReady(dev string, n int) error {
	node := fmt.Sprintf("%s/i2c-%d", dev, n)
	switch err := unix.Access(node, unix.R_OK|unix.W_OK); {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("drivers: I2C bus %d: %w: %s", n, fs.ErrPermission, whoMay(node))
	case !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("drivers: I2C bus %d: %w", n, err)
	}
	others, _ := filepath.Glob(dev + "/i2c-*")
	for i := range others {
		others[i] = strings.TrimPrefix(others[i], dev+"/i2c-")
	}
	what := `this computer has none that is switched on (Raspberry Pi: "sudo raspi-config nonint do_i2c 0", then restart); without hardware, "legctl servo emulate RIG --link ./bus" and --device ./bus`
	if len(others) > 0 {
		slices.Sort(others)
		what = "there is " + strings.Join(others, " and ") + ": give it by --device or as bus in the rig's file"
	}
	return &sentence{fmt.Sprintf("drivers: I2C bus %d: there is no %s: %s", n, node, what), fs.ErrNotExist}
}

// Missing says in one sentence which servos of a bus did not answer, where err, of
// Open or of Ping after Ping, is about nothing else. Other errors are returned as
// they are.
func Missing(p *Protocol, c *servo.Config, asked []int, found []servo.Identity, err error) error {
	if err == nil || !p.Caps.Feedback || !silent(err) {
		return err
	}
	var names []string
	for _, id := range asked {
		if slices.ContainsFunc(found, func(who servo.Identity) bool { return who.ID == id }) {
			continue
		}
		name := fmt.Sprintf("id %d", id)
		for i := range c.Servos {
			if c.Servos[i].ID == id {
				name = fmt.Sprintf("%s (id %d)", c.Servos[i].Name, id)
			}
		}
		names = append(names, name)
	}
	baud := baudOf(p, c)
	switch {
	case len(names) == 0: // some question after the first was not answered
		return err
	case len(names) == len(asked) && len(asked) > 1:
		return &sentence{fmt.Sprintf("drivers: %s: none of %d %s servos answers at %d baud: look at their power and at the data wire; \"legctl servo scan\" tries every baud and id", c.Port, len(asked), p.Name, baud), err}
	}
	return &sentence{fmt.Sprintf("drivers: %s: no answer from %s, %d of %d answer: look at the plug of the first, then at its id (\"legctl servo scan\")", c.Port, strings.Join(names, ", "), len(asked)-len(names), len(asked)), err}
}

// sentence says in words what err is about.
type sentence struct {
	text string
	err  error
}

func (s *sentence) Error() string { return s.text }
func (s *sentence) Unwrap() error { return s.err }

// silent reports whether an error is of questions that nobody answered, and of
// nothing else.
func silent(err error) bool {
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		return !slices.ContainsFunc(many.Unwrap(), func(e error) bool { return !silent(e) })
	}
	var f servo.Fault
	return errors.As(err, &f) && f.Class == servo.Timeout && !errors.Is(err, servo.ErrGone)
}
