package configs

import (
	"fmt"
	"os"
	"reflect"
	"strconv"
	"strings"

	"legctl/rig"
)

// LoadRig returns a rig by the name of a shipped one or by the path of a file
// (anything with a slash, a backslash or a .yaml or .yml ending). Name or path
// may end in @metres: the rig is then scaled so that its longest leg,
// stretched, has that length, and its name carries the size in millimetres:
// octopod@0.06 is the rig octopod-60mm.
func LoadRig(name string) (*rig.Rig, error) {
	base, size, err := cutSize(name)
	if err != nil {
		return nil, err
	}
	file, data, err := read("rigs", base)
	if err != nil {
		return nil, err
	}
	return parseRig(file, data, size)
}

// ParseRig returns the rig a file describes. The name of the file is only used
// in errors. All faults come at once, as an *Error.
func ParseRig(file string, data []byte) (*rig.Rig, error) { return parseRig(file, data, 0) }

// Rigs returns the names of the shipped rigs, sorted.
func Rigs() []string { return shipped("rigs") }

// cutSize splits name@metres.
func cutSize(name string) (string, float64, error) {
	base, size, ok := strings.Cut(name, "@")
	if !ok {
		return name, 0, nil
	}
	v, err := strconv.ParseFloat(size, 64)
	if err != nil || !(v >= 1e-3 && v <= 100) {
		return "", 0, fmt.Errorf("configs: size %q of rig %s, want metres from 0.001 to 100, such as %s@0.06", size, base, base)
	}
	return base, v, nil
}

func parseRig(file string, data []byte, size float64) (*rig.Rig, error) {
	b, err := buildRig(file, data, size)
	if err != nil {
		return nil, err
	}
	return b.r, nil
}

// buildRig reads a file and keeps what it was read from.
func buildRig(file string, data []byte, size float64) (*rigBuilder, error) {
	r, root := parse(file, data)
	if root == nil {
		return nil, r.err()
	}
	f := new(rigFile)
	d := decoder{report: r}
	d.mapping(root, reflect.ValueOf(f).Elem(), at(root, ""))
	if size > 0 {
		f.Stretched.V, f.Stretched.Set = size, true
	}
	b := &rigBuilder{report: r, f: f}
	b.run()
	if len(r.issues) == 0 {
		b.servoSection()
	}
	if err := r.err(); err != nil {
		return nil, err
	}
	if size > 0 {
		b.r.Name += "-" + strconv.FormatFloat(size*1000, 'f', 0, 64) + "mm"
	}
	return b, nil
}

// run goes as far as the faults found allow: a leg's geometry is only solved
// when everything in it could be read.
func (b *rigBuilder) run() {
	if b.f.Ring == nil && len(b.f.Legs) == 0 {
		b.add(b.f.at, "key legs is missing: want legs, or a ring")
	}
	if n := b.legCount(); n > rig.MaxLegs {
		b.add(b.f.at, "%d legs, want %d to %d", n, rig.MinLegs, rig.MaxLegs)
		return
	}
	before := len(b.issues)
	b.build()
	if len(b.r.Legs) == 0 {
		return
	}
	b.parts()
	if len(b.issues) > before || before > 0 {
		return
	}
	b.finish()
	if len(b.issues) == 0 {
		b.faults(func(*rig.Fault) bool { return true })
	}
}

// read returns a shipped file by name, or any file by path.
func read(kind, name string) (string, []byte, error) {
	if strings.ContainsAny(name, `/\`) || strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".yml") {
		st, err := os.Stat(name)
		if err != nil {
			return "", nil, fmt.Errorf("configs: %w", err)
		}
		if st.Size() > MaxSize {
			return "", nil, fmt.Errorf("configs: %s: file of %d bytes, want at most %d", name, st.Size(), MaxSize)
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return "", nil, fmt.Errorf("configs: %w", err)
		}
		return name, data, nil
	}
	file := kind + "/" + name + ".yaml"
	data, err := files.ReadFile(file)
	if err != nil {
		known := shipped(kind)
		hint := ""
		if near := nearest(name, known); near != "" {
			hint = ", did you mean " + near + "?"
		}
		return "", nil, fmt.Errorf("configs: no %s named %q%s known: %s; a file is given by its path", strings.TrimSuffix(kind, "s"), name, hint, strings.Join(known, ", "))
	}
	return file, data, nil
}
