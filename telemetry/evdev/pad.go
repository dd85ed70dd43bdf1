package evdev

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Range is what an axis can say.
type Range struct{ Min, Max, Flat int32 }

// usual is the range of an axis nobody knows more about.
var usual = Range{Min: -32768, Max: 32767}

// Pad is an open gamepad. Read is for one goroutine; Close ends it from any.
type Pad struct {
	Name   string
	Path   string
	Ranges map[uint16]Range // of its axes

	file *os.File
	buf  [Size]byte
}

// Open opens a gamepad by the path of its event device. A path that is no
// device is read all the same, with the usual ranges.
func Open(path string) (*Pad, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("evdev: %w: is the user in the group input?", err)
	}
	p := &Pad{Path: path, Name: filepath.Base(path), file: f, Ranges: map[uint16]Range{}}
	if name, ok := deviceName(f); ok {
		p.Name = name
	}
	for _, axis := range []uint16{AbsX, AbsY, AbsZ, AbsRX, AbsRY, AbsRZ, AbsHatX, AbsHatY} {
		if r, ok := axisRange(f, axis); ok {
			p.Ranges[axis] = r
		}
	}
	return p, nil
}

// Read waits for the next event. When the pad is pulled out it fails.
func (p *Pad) Read() (Event, error) {
	e, err := read(p.file, &p.buf)
	if err != nil {
		return e, fmt.Errorf("evdev: %s: %w", p.Name, err)
	}
	return e, nil
}

// Close ends a Read that waits.
func (p *Pad) Close() error { return p.file.Close() }

// Find returns the paths of the gamepads there are, in the order of their
// numbers.
func Find() []string { return find("/dev/input") }

func find(dir string) []string {
	paths, err := filepath.Glob(filepath.Join(dir, "event*"))
	if err != nil {
		return nil
	}
	slices.SortFunc(paths, func(a, b string) int { return number(a) - number(b) })
	return slices.DeleteFunc(paths, func(path string) bool {
		f, err := os.Open(path)
		if err != nil {
			return true
		}
		defer f.Close()
		return !isGamepad(f)
	})
}

func number(path string) int {
	n, err := strconv.Atoi(strings.TrimPrefix(filepath.Base(path), "event"))
	if err != nil {
		return 1 << 30
	}
	return n
}
