package configs

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"legctl/blend/retarget"
	"legctl/rig"
)

// bonesFile is the form of configs/bones/*.yaml: which bones of a clip are
// which legs of a rig.
type bonesFile struct {
	placed
	Name   val[string]  `key:"bones" need:"yes" doc:"name of the map"`
	About  val[string]  `key:"about" doc:"one line for lists"`
	Facing val[float64] `key:"facing" unit:"deg" in:"[-360, 360]" default:"0" doc:"heading of the clip's body, from the x axis"`
	Legs   []limbFile   `key:"legs" need:"yes" doc:"every leg of the rig once"`
}

// limbFile is one leg of a clip.
type limbFile struct {
	placed
	Leg  val[string] `key:"leg" need:"yes" doc:"leg of the rig by name"`
	Hip  val[string] `key:"hip" need:"yes" doc:"bone the leg begins with"`
	Foot val[string] `key:"foot" need:"yes" doc:"bone that touches the ground"`
}

// Bones returns the names of the shipped maps of bones, sorted.
func Bones() []string { return shipped("bones") }

// LoadBones returns a map of bones by the name of a shipped one or by path.
func LoadBones(name string) (*retarget.Map, error) {
	file, data, err := read("bones", name)
	if err != nil {
		return nil, err
	}
	return ParseBones(file, data)
}

// ParseBones returns the map of bones a file describes.
func ParseBones(file string, data []byte) (*retarget.Map, error) {
	rep, root := parse(file, data)
	if root == nil {
		return nil, rep.err()
	}
	f := new(bonesFile)
	d := decoder{report: rep}
	d.mapping(root, reflect.ValueOf(f).Elem(), at(root, ""))
	m := &retarget.Map{Facing: f.Facing.V}
	seen := map[string]bool{}
	for i := range f.Legs {
		l := &f.Legs[i]
		if l.Leg.Set && (seen[l.Leg.V] || !rig.ValidName(l.Leg.V)) {
			d.add(l.Leg.at, "leg %q, want the name of a leg, each once", clip(l.Leg.V))
		}
		seen[l.Leg.V] = true
		m.Legs = append(m.Legs, retarget.Limb{Leg: l.Leg.V, Hip: l.Hip.V, Foot: l.Foot.V})
	}
	if len(f.Legs) > rig.MaxLegs {
		d.add(f.at, "%d legs, want at most %d", len(f.Legs), rig.MaxLegs)
	}
	if err := rep.err(); err != nil {
		return nil, err
	}
	return m, nil
}

// FormatBones returns a map of bones as a file that can be edited and read
// again.
func FormatBones(name string, m *retarget.Map) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "bones: %s\n", name)
	if m.Facing != 0 {
		fmt.Fprintf(&b, "facing_rad: %v\n", m.Facing)
	}
	b.WriteString("legs:\n")
	for _, l := range m.Legs {
		fmt.Fprintf(&b, "  - {leg: %s, hip: %s, foot: %s}\n", l.Leg, strconv.Quote(l.Hip), strconv.Quote(l.Foot))
	}
	return []byte(b.String())
}
