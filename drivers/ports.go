package drivers

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"go.bug.st/serial"
	"go.bug.st/serial/enumerator"
)

// byID is where Linux keeps links with stable names.
const byID = "/dev/serial/by-id"

// Port is a serial port of this computer.
type Port struct {
	Name    string  // stable: a by-id link, "serial:" and a USB serial number, or the device itself
	Device  string  // as the system calls it today
	Product string  // what it says of itself
	Serial  string  // USB serial number
	USB     string  // vendor and product, as 0403:6014
	Latency float64 // seconds the adaptor holds what it received; 0: unknown
	Trouble string  // why it could not be opened now, in words; "" when it probably can
}

// Ports lists the serial ports of this computer, stable names first. Nothing is
// opened and nothing sent.
func Ports() ([]Port, error) {
	details, err := enumerator.GetDetailedPortsList()
	if err != nil {
		return nil, fmt.Errorf("drivers: list serial ports: %w", err)
	}
	links := stableLinks(byID)
	var out []Port
	for _, d := range details {
		p := Port{Name: d.Name, Device: d.Name, Product: d.Product, Serial: d.SerialNumber}
		if d.IsUSB {
			p.USB = strings.ToLower(d.VID + ":" + d.PID)
			if d.SerialNumber != "" {
				p.Name = serialPrefix + d.SerialNumber
			}
		}
		if link := links[d.Name]; link != "" {
			p.Name = link
		}
		p.Latency, _ = adaptorOf(p.Device).latency()
		if err := accessible(p.Device); err != nil {
			p.Trouble = err.Error()
		}
		out = append(out, p)
	}
	slices.SortFunc(out, func(a, b Port) int { return strings.Compare(a.Name, b.Name) })
	return out, nil
}

// serialPrefix begins a name that is a USB serial number.
const serialPrefix = "serial:"

// stableLinks maps devices to the links of a folder that lead to them.
func stableLinks(dir string) map[string]string {
	links := map[string]string{}
	entries, _ := os.ReadDir(dir) // without the folder there are none
	for _, e := range entries {
		link := filepath.Join(dir, e.Name())
		if device, err := filepath.EvalSymlinks(link); err == nil && links[device] == "" {
			links[device] = link
		}
	}
	return links
}

// FindPort returns the device a name leads to at this moment: a device or link
// leads to itself, "serial:X" to the USB adaptor with that serial number.
func FindPort(name string) (string, error) {
	number, ok := strings.CutPrefix(name, serialPrefix)
	if !ok {
		return name, nil
	}
	ports, err := Ports()
	if err != nil {
		return "", err
	}
	for _, p := range ports {
		if p.Serial == number {
			return p.Device, nil
		}
	}
	return "", notFound(name, ports)
}

// notFound lists what there is instead.
func notFound(name string, ports []Port) error {
	var there []string
	for _, p := range ports {
		there = append(there, p.Name)
	}
	text := "there is no serial port at all: is the adaptor plugged in?"
	if len(there) > 0 {
		text = "there are " + strings.Join(there, ", ")
	}
	return fmt.Errorf("drivers: port %s: %w: %s", name, fs.ErrNotExist, text)
}

// explain says in words why a port could not be opened.
func explain(name, device string, err error) error {
	var p *serial.PortError
	code := serial.PortErrorCode(-1)
	if errors.As(err, &p) {
		code = p.Code()
	}
	switch {
	case errors.Is(err, fs.ErrNotExist), code == serial.PortNotFound:
		ports, _ := Ports()
		return notFound(name, ports)
	case errors.Is(err, fs.ErrPermission), code == serial.PermissionDenied:
		return fmt.Errorf("drivers: port %s: %w: %s", name, fs.ErrPermission, whoMay(device))
	case errors.Is(err, syscall.EBUSY), code == serial.PortBusy:
		return fmt.Errorf("drivers: port %s: another program has it open: %w; close it, and if none is yours, ModemManager probes new boards for some seconds",
			name, errBusy)
	case code == serial.InvalidSerialPort, errors.Is(err, syscall.EISDIR), errors.Is(err, syscall.ENXIO), errors.Is(err, syscall.ENOTTY):
		return noSerialPort(name, device)
	}
	return fmt.Errorf("drivers: port %s: %w", name, err)
}

// errBusy is in the error about a port that another program has.
var errBusy = errors.New("port busy")

// Busy reports whether an error says that another program has the port.
func Busy(err error) bool { return errors.Is(err, errBusy) }

// accessible says why this user may not open a device, nil when it may.
func accessible(device string) error {
	f, err := os.OpenFile(device, os.O_RDWR|syscall.O_NONBLOCK|syscall.O_NOCTTY, 0)
	if err == nil {
		return f.Close()
	}
	return explain(device, device, err)
}
