package configs

import (
	"reflect"

	"legctl/control"
	"legctl/rig"
	"legctl/sim"
)

// Script is a list of commands and world events by time.
type Script struct {
	Name     string
	Commands []Timed      // by time
	Events   []TimedEvent // by time
}

// Timed is a command and when it is given, seconds from the start.
type Timed struct {
	At      float64
	Command control.Command
}

// TimedEvent is something that happens to the world, seconds from the start.
type TimedEvent struct {
	At    float64
	Event sim.Event
}

// MaxHold is how long, seconds, a scripted twist may last: the longest time to
// live the controller takes.
const MaxHold = 3600.0

// LoadScript returns a script by the name of a shipped one or by path. Legs
// and gaits are named in the file: r and gaits turn the names into indices.
func LoadScript(name string, r *rig.Rig, gaits, motions []string) (Script, error) {
	file, data, err := read("scripts", name)
	if err != nil {
		return Script{}, err
	}
	return ParseScript(file, data, r, gaits, motions)
}

// Scripts returns the names of the shipped scripts, sorted.
func Scripts() []string { return shipped("scripts") }

// ParseScript returns the script a file describes, sorted by time; entries of
// one time keep their order.
func ParseScript(file string, data []byte, r *rig.Rig, gaits, motions []string) (Script, error) {
	rep, root := parse(file, data)
	if root == nil {
		return Script{}, rep.err()
	}
	f := new(scriptFile)
	d := decoder{report: rep}
	d.mapping(root, reflect.ValueOf(f).Elem(), at(root, ""))
	b := scriptBuilder{report: rep, rig: r, gaits: gaits, motions: motions, out: Script{Name: f.Name.V}}
	for i := range f.Steps {
		b.step(&f.Steps[i])
	}
	if err := rep.err(); err != nil {
		return Script{}, err
	}
	b.finish()
	return b.out, nil
}
