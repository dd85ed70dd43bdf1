package configs

import (
	"reflect"
	"strings"

	source "legctl/blend/clip"
	"legctl/geom"
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r3"
)

// keysFile is the form of configs/clips/*.yaml: a clip as a few poses a person
// can write. Places are relative to the root, a point on the ground under the
// body.
type keysFile struct {
	placed
	Name   val[string]    `key:"clip" need:"yes" doc:"name of the clip"`
	About  val[string]    `key:"about" doc:"one line for lists"`
	Length val[float64]   `key:"length" unit:"s" in:"(0, 1000]" default:"the last pose" doc:"a loop: goes back to the first pose by then"`
	Cycles val[int]       `key:"cycles" in:"[1, 16]" default:"counted" doc:"steps every foot takes in the clip, which is then a loop"`
	Legs   []keysLegFile  `key:"legs" need:"yes" doc:"the legs and where they begin"`
	Poses  []keysPoseFile `key:"poses" need:"yes" doc:"in the order of their times"`
}

// keysLegFile is a leg of a clip of key poses.
type keysLegFile struct {
	placed
	Name val[string] `key:"name" need:"yes" doc:"name of the leg"`
	Hip  [3]float64  `key:"hip" unit:"m" in:"[-100, 100]" need:"yes" doc:"where it begins, in the body's frame"`
	Foot [3]float64  `key:"foot" unit:"m" in:"[-100, 100]" need:"yes" doc:"where it stands unless a pose says otherwise"`
}

// keysPoseFile is one pose. What it leaves out is as in the pose before.
type keysPoseFile struct {
	placed
	At   val[float64]            `key:"at" unit:"s" in:"[0, 1000]" need:"yes" doc:"when"`
	Root val[[3]float64]         `key:"root" in:"[-1000, 1000]" default:"as before" doc:"where the root is: forward and left, metres, and heading, degrees"`
	Body val[[3]float64]         `key:"body" unit:"m" in:"[-100, 100]" default:"as before" doc:"the body over the root"`
	Tilt val[[3]float64]         `key:"tilt" unit:"deg" in:"[-90, 90]" default:"as before" doc:"roll, pitch (nose down positive) and yaw of the body"`
	Feet map[string]keysFootFile `key:"feet" doc:"feet that are elsewhere than before, by leg"`
}

// keysFootFile is where a foot is, from the root.
type keysFootFile struct {
	placed
	At [3]float64 `key:"at" unit:"m" in:"[-100, 100]" need:"yes" doc:"place"`
	Up val[bool]  `key:"up" default:"whether it is above the ground" doc:"does not stand from here on"`
}

// Clips returns the names of the shipped clips of key poses, sorted.
func Clips() []string { return shipped("clips") }

// LoadKeys returns a clip of key poses by the name of a shipped one or by path.
func LoadKeys(name string) (*source.Clip, error) {
	file, data, err := read("clips", name)
	if err != nil {
		return nil, err
	}
	return ParseKeys(file, data)
}

// ParseKeys returns the clip of key poses a file describes.
func ParseKeys(file string, data []byte) (*source.Clip, error) {
	rep, root := parse(file, data)
	if root == nil {
		return nil, rep.err()
	}
	f := new(keysFile)
	d := decoder{report: rep}
	d.mapping(root, reflect.ValueOf(f).Elem(), at(root, ""))
	k := source.Keys{Name: f.Name.V, Length: f.Length.V, Cycles: f.Cycles.V}
	index := map[string]int{}
	for i := range f.Legs {
		l := &f.Legs[i]
		if _, twice := index[l.Name.V]; twice || l.Name.Set && !rig.ValidName(l.Name.V) {
			d.add(l.Name.at, "leg %q, want lower-case letters, digits, _ and -, each once", clip(l.Name.V))
		}
		index[l.Name.V] = i
		k.Legs, k.Hips = append(k.Legs, l.Name.V), append(k.Hips, vec(l.Hip))
	}
	d.poses(f, &k, index)
	if err := rep.err(); err != nil {
		return nil, err
	}
	c, err := source.FromKeys(k)
	if err != nil {
		d.add(f.at, "%s", strings.TrimPrefix(firstLine(err), "clip: "))
		return nil, rep.err()
	}
	return c, nil
}

// poses fills in what each pose leaves out.
func (d *decoder) poses(f *keysFile, k *source.Keys, index map[string]int) {
	now := source.KeyPose{Root: geom.Identity(), Body: geom.Identity()}
	for i := range f.Legs {
		now.Feet, now.Ground = append(now.Feet, vec(f.Legs[i].Foot)), append(now.Ground, f.Legs[i].Foot[2] < 1e-6)
	}
	for i := range f.Poses {
		p := &f.Poses[i]
		now.At = p.At.V
		if p.Root.Set {
			now.Root = geom.Pose{P: r3.Vec{X: p.Root.V[0], Y: p.Root.V[1]}, Q: geom.FromRPY(0, 0, p.Root.V[2]*degree)}
		}
		if p.Body.Set {
			now.Body.P = vec(p.Body.V)
		}
		if p.Tilt.Set {
			now.Body.Q = geom.FromRPY(p.Tilt.V[0], p.Tilt.V[1], p.Tilt.V[2])
		}
		now.Feet, now.Ground = append([]r3.Vec(nil), now.Feet...), append([]bool(nil), now.Ground...)
		for name, foot := range p.Feet {
			leg, ok := index[name]
			if !ok {
				d.add(foot.at, "leg %q is none of the clip's", clip(name))
				continue
			}
			now.Feet[leg] = vec(foot.At)
			now.Ground[leg] = foot.At[2] < 1e-6 && !foot.Up.V
		}
		k.Poses = append(k.Poses, now)
	}
}

// degree is one degree in radians.
const degree = 3.14159265358979323846 / 180

func vec(v [3]float64) r3.Vec { return r3.Vec{X: v[0], Y: v[1], Z: v[2]} }
