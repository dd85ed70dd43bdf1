package configs

import (
	"reflect"

	"legctl/rig"
	"legctl/sim"

	"github.com/goccy/go-yaml/ast"
)

// World says what a simulation starts with. Names are of shipped rigs, gaits
// and terrains, or paths; an empty gait is the rig's own first one.
type World struct {
	Name, About string
	Rig         string
	Terrain     string
	Gait        string
	Seed        uint64
	Sim         sim.Params
	Control     map[string]any // for SetControlLives; nil: the controller as it is
}

// worldFile is the form of configs/worlds/*.yaml.
type worldFile struct {
	placed
	Name    val[string]  `key:"world" need:"yes" doc:"name of the world; matches [a-z0-9][a-z0-9_-]*"`
	About   val[string]  `key:"about" doc:"one line for lists"`
	Rig     val[string]  `key:"rig" need:"yes" doc:"rig by name or path, perhaps with @metres"`
	Terrain val[string]  `key:"terrain" default:"flat" doc:"terrain by name or path"`
	Gait    val[string]  `key:"gait" default:"the rig's own" doc:"gait by name"`
	Seed    val[uint64]  `key:"seed" in:"[0, 1e9]" default:"1" doc:"seed of everything random"`
	Sim     simForm      `key:"sim" doc:"simulator parameters that differ from the reference: keys below"`
	Control *controlFile `key:"control" default:"as it is" doc:"parameters of the controller that differ"`
}

// simForm is sim.Params over sim.Default.
type simForm struct{ p sim.Params }

func (s *simForm) decode(d *decoder, n ast.Node, p pos, _ float64) {
	s.p = sim.Default()
	d.flat(n, reflect.ValueOf(&s.p).Elem(), p, checkSim)
}

func checkSim(v reflect.Value) error { return v.Addr().Interface().(*sim.Params).Validate() }

// Worlds returns the names of the shipped worlds, sorted.
func Worlds() []string { return shipped("worlds") }

// LoadWorld returns a world by the name of a shipped one or by path.
func LoadWorld(name string) (World, error) {
	file, data, err := read("worlds", name)
	if err != nil {
		return World{}, err
	}
	return ParseWorld(file, data)
}

// ParseWorld returns the world a file describes. What it names is not loaded.
func ParseWorld(file string, data []byte) (World, error) {
	rep, root := parse(file, data)
	if root == nil {
		return World{}, rep.err()
	}
	f := new(worldFile)
	f.Sim.p = sim.Default()
	d := decoder{report: rep}
	d.mapping(root, reflect.ValueOf(f).Elem(), at(root, ""))
	if f.Name.Set && !rig.ValidName(f.Name.V) {
		d.add(f.Name.at, "bad name %q, want lower-case letters, digits, _ and -", clip(f.Name.V))
	}
	if err := rep.err(); err != nil {
		return World{}, err
	}
	return World{
		Name: f.Name.V, About: f.About.V, Rig: f.Rig.V, Terrain: f.Terrain.or("flat"),
		Gait: f.Gait.V, Seed: f.Seed.or(1), Sim: f.Sim.p, Control: f.Control.values(),
	}, nil
}
