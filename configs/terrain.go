package configs

import (
	"reflect"
	"strings"

	"legctl/rig"
	"legctl/sim/terrain"
)

// terrainFile is the form of configs/terrains/*.yaml. Lengths may be written in
// metres or in length units U of the rig that walks there, so that one file
// serves a rig of any size.
type terrainFile struct {
	placed
	Name      val[string]  `key:"terrain" need:"yes" doc:"name of the terrain; matches [a-z0-9][a-z0-9_-]*"`
	About     val[string]  `key:"about" doc:"one line for lists"`
	Kind      val[string]  `key:"kind" need:"yes" choices:"flat|slope|stairs|ledge|gaps|wall|rough|image|blocks|world" doc:"sort of terrain; values left out are the kind's own"`
	Start     val[float64] `key:"start" unit:"U" in:"[0, 1e6]" doc:"radius of level ground round the origin, and where the first feature begins"`
	Height    val[float64] `key:"height" unit:"U" in:"[-1e6, 1e6]" doc:"ledge, wall, image, world: height of the feature"`
	Rise      val[float64] `key:"rise" unit:"U" in:"[-1e6, 1e6]" doc:"stairs, world: height of a step; negative goes down"`
	Run       val[float64] `key:"run" unit:"U" in:"[0, 1e6]" doc:"stairs: depth of a step; gaps: ground between; blocks: side; wall: thickness"`
	Width     val[float64] `key:"width" unit:"U" in:"[0, 1e6]" doc:"gaps: the gap; wall, world: extent across x"`
	Depth     val[float64] `key:"depth" unit:"U" in:"[0, 1e6]" doc:"gaps, blocks: how far down the bottom is"`
	Amplitude val[float64] `key:"amplitude" unit:"U" in:"[0, 1e6]" doc:"rough, world: largest height above and below 0"`
	Cell      val[float64] `key:"cell" unit:"U" in:"[0, 1e6]" doc:"rough, image, world: side of a cell or a pixel"`
	Angle     val[float64] `key:"angle" unit:"deg" in:"(-80, 80)" doc:"slope, world: inclination, up when positive"`
	Axis      val[float64] `key:"axis" unit:"deg" in:"[-360, 360]" doc:"slope: heading in which it climbs"`
	Count     val[int]     `key:"count" in:"[1, 256]" doc:"stairs, gaps, world: how many; blocks: a side"`
	Seed      val[uint64]  `key:"seed" in:"[0, 1e9]" doc:"rough, world: which of all such grounds"`
	Material  val[int]     `key:"material" in:"[0, 255]" doc:"index into the table of materials"`
}

// Terrains returns the names of the shipped terrains, sorted.
func Terrains() []string { return shipped("terrains") }

// LoadTerrain returns a terrain by the name of a shipped one or by path, in
// metres for a rig whose length unit U is u metres.
func LoadTerrain(name string, u float64) (terrain.Spec, error) {
	file, data, err := read("terrains", name)
	if err != nil {
		return terrain.Spec{}, err
	}
	return ParseTerrain(file, data, u)
}

// ParseTerrain returns the terrain a file describes, in metres.
func ParseTerrain(file string, data []byte, u float64) (terrain.Spec, error) {
	rep, root := parse(file, data)
	if root == nil {
		return terrain.Spec{}, rep.err()
	}
	f := new(terrainFile)
	d := decoder{report: rep, u: u}
	d.mapping(root, reflect.ValueOf(f).Elem(), at(root, ""))
	if f.Name.Set && !rig.ValidName(f.Name.V) {
		d.add(f.Name.at, "bad name %q, want lower-case letters, digits, _ and -", clip(f.Name.V))
	}
	s, ok := terrain.Default(f.Kind.V, u)
	if ok {
		f.apply(&s)
		if len(rep.issues) == 0 {
			d.terrainFaults(f, &s)
		}
	}
	if err := rep.err(); err != nil {
		return terrain.Spec{}, err
	}
	return s, nil
}

// terrainFaults notes what terrain.Spec.Validate finds.
func (d *decoder) terrainFaults(f *terrainFile, s *terrain.Spec) {
	if err := s.Validate(); err != nil {
		for _, line := range strings.Split(err.Error(), "\n") {
			d.add(f.Kind.at, "%s", line)
		}
	}
}

// apply puts what the file says over the kind's own values.
func (f *terrainFile) apply(s *terrain.Spec) {
	for _, v := range []struct {
		from *val[float64]
		to   *float64
	}{
		{&f.Start, &s.Start},
		{&f.Height, &s.Height},
		{&f.Rise, &s.Rise},
		{&f.Run, &s.Run},
		{&f.Width, &s.Width},
		{&f.Depth, &s.Depth},
		{&f.Amplitude, &s.Amplitude},
		{&f.Cell, &s.Cell},
		{&f.Angle, &s.Angle},
		{&f.Axis, &s.Axis},
	} {
		*v.to = v.from.or(*v.to)
	}
	s.Count = f.Count.or(s.Count)
	s.Seed = f.Seed.or(s.Seed)
	s.Material = uint8(f.Material.or(int(s.Material)))
}
