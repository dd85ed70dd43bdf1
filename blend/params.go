package blend

import (
	"fmt"
	"math"
)

// Parameters are named values that trees read: speed, turn, mood. The zero
// value has none. Trees made on the same Parameters share them.
type Parameters struct {
	names  []string
	values []float64
}

// Declare returns the index of a parameter, which is made with the value 0 if
// it is not there yet. The name must not be empty.
func (p *Parameters) Declare(name string) (int, error) {
	if name == "" {
		return 0, fmt.Errorf("blend: parameter with an empty name")
	}
	if i := p.find(name); i >= 0 {
		return i, nil
	}
	p.names, p.values = append(p.names, name), append(p.values, 0)
	return len(p.names) - 1, nil
}

func (p *Parameters) find(name string) int {
	for i, n := range p.names {
		if n == name {
			return i
		}
	}
	return -1
}

// Names returns the declared names, in the order of their indices. The slice
// must not be changed.
func (p *Parameters) Names() []string { return p.names }

// Set gives a parameter a value. An unknown name and a value that is not
// finite or beyond 1e100 are errors, and the last good value stays.
func (p *Parameters) Set(name string, value float64) error {
	i := p.find(name)
	if i < 0 {
		return fmt.Errorf("blend: parameter %q is not declared, known are %q", name, p.names)
	}
	return p.SetAt(i, value)
}

// SetAt is Set by index, for a tick.
func (p *Parameters) SetAt(i int, value float64) error {
	if i < 0 || i >= len(p.values) || !(math.Abs(value) < largest) {
		return fmt.Errorf("blend: parameter %d set to %v, want 0 to %d and a finite number below %g", i, value, len(p.values)-1, largest)
	}
	p.values[i] = value
	return nil
}

// Value returns a parameter and whether it is declared.
func (p *Parameters) Value(name string) (float64, bool) {
	if i := p.find(name); i >= 0 {
		return p.values[i], true
	}
	return 0, false
}
