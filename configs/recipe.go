package configs

import (
	"reflect"

	"legctl/blend"
	source "legctl/blend/clip"
	"legctl/blend/retarget"
	"legctl/blend/space"
)

// recipeFile is the form of configs/spaces/*.yaml: what a motion space is made
// of.
type recipeFile struct {
	placed
	Name     val[string]  `key:"space" need:"yes" doc:"name of the space"`
	About    val[string]  `key:"about" doc:"one line for lists"`
	Rig      val[string]  `key:"rig" need:"yes" doc:"rig by name or path, perhaps with @metres"`
	Advance  val[string]  `key:"advance" choices:"dominant|mean" default:"dominant" doc:"whose time passes: the heaviest motion's, or the mean of all"`
	Rate     val[float64] `key:"rate" in:"(0, 100]" default:"3" doc:"how fast weights and blend values move, units a second"`
	Register val[string]  `key:"register" choices:"keys|poses" default:"keys" doc:"how clips of one motion are brought into step: by touchdowns and lift-offs, or by likeness"`
	Ref      val[string]  `key:"reference" default:"the first" doc:"motion whose phase all others follow and whose pose is plain: styles are what the others do beyond it"`
	Horizon  val[float64] `key:"horizon" unit:"s" in:"(0, 100]" default:"the larger of two footsteps and 1.5 times the largest spacing" doc:"how far steering looks ahead"`
	Motions  []motionForm `key:"motions" need:"yes" doc:"1 to 8 motion spaces, such as walk and run"`
}

// motionForm is one motion space.
type motionForm struct {
	placed
	Name  val[string] `key:"name" need:"yes" doc:"name of the motion"`
	Style val[string] `key:"style" doc:"a style by name or path, baked as a set: right, straight, left"`
	Clips []entryFile `key:"clips" doc:"clips that differ in how they turn"`
}

// entryFile is one clip and how it is played.
type entryFile struct {
	placed
	File    val[string]  `key:"file" doc:"glTF, GLB, BVH, joint clip or key poses, from the recipe's folder"`
	Clip    val[string]  `key:"clip" default:"the only one" doc:"name of the clip in the file; may leave out what stands before its last |"`
	Style   val[string]  `key:"style" doc:"instead of a file: a style to bake"`
	Bones   val[string]  `key:"bones" default:"guessed" doc:"map of bones by name or path"`
	Scale   val[float64] `key:"scale" in:"(1e-6, 1e6)" default:"1" doc:"metres in a unit of the file"`
	Cycles  val[int]     `key:"cycles" in:"[1, 16]" default:"the whole of a loop, else 1" doc:"how many to cut out of a clip that repeats"`
	Loop    val[bool]    `key:"loop" default:"found out" doc:"true: the whole clip is one loop"`
	Duty    val[float64] `key:"duty" in:"(0, 1)" default:"its own" doc:"share of its cycle every foot is to stand"`
	Turn    val[float64] `key:"turn" unit:"deg" in:"[-170, 170]" default:"0" doc:"yaw of the root in a pass: bends the path, left positive"`
	Bend    []float64    `key:"bend" unit:"deg" in:"[-170, 170]" doc:"yaws of turning siblings to add"`
	Sway    val[float64] `key:"sway" in:"[0, 2]" default:"1" doc:"how much of the body's own motion to take"`
	Rate    val[float64] `key:"rate" in:"[0.001, 1000]" default:"1" doc:"times its own speed"`
	Mirror  val[bool]    `key:"mirror" default:"false" doc:"left for right"`
	Reverse val[bool]    `key:"reverse" default:"false" doc:"backwards in time"`
	Offset  val[float64] `key:"offset" in:"[-1, 1]" default:"0" doc:"passes it begins later"`
}

// Spaces returns the names of the shipped recipes of spaces, sorted.
func Spaces() []string { return shipped("spaces") }

// LoadRecipe returns a recipe by the name of a shipped one or by path.
func LoadRecipe(name string) (*retarget.Recipe, error) {
	file, data, err := read("spaces", name)
	if err != nil {
		return nil, err
	}
	return ParseRecipe(file, data)
}

// ParseRecipe returns the recipe a file describes. Styles and maps of bones it
// names are loaded; rigs and clips are not.
func ParseRecipe(file string, data []byte) (*retarget.Recipe, error) {
	rep, root := parse(file, data)
	if root == nil {
		return nil, rep.err()
	}
	f := new(recipeFile)
	d := decoder{report: rep}
	d.mapping(root, reflect.ValueOf(f).Elem(), at(root, ""))
	rc := &retarget.Recipe{
		Name: f.Name.V, Rig: f.Rig.V, Rate: f.Rate.V, Poses: f.Register.V == "poses", Goals: space.GoalOptions{Horizon: f.Horizon.V}, Advance: blend.Dominant, Reference: f.Ref.V, Keys: ParseKeys,
	}
	if f.Advance.V == "mean" {
		rc.Advance = blend.MeanLength
	}
	if n := len(f.Motions); n > space.MaxMotions {
		d.add(f.at, "%d motions, want at most %d", n, space.MaxMotions)
	}
	for i := range f.Motions {
		rc.Motions = append(rc.Motions, d.motion(&f.Motions[i]))
	}
	if err := rep.err(); err != nil {
		return nil, err
	}
	return rc, nil
}

func (d *decoder) motion(f *motionForm) retarget.RecipeMotion {
	m := retarget.RecipeMotion{Name: f.Name.V, Style: d.style(&f.Style)}
	if (f.Style.V == "") == (len(f.Clips) == 0) {
		d.add(f.at, "want a style or clips, one of them")
	}
	for i := range f.Clips {
		m.Entries = append(m.Entries, d.recipeEntry(&f.Clips[i]))
	}
	return m
}

func (d *decoder) style(name *val[string]) *retarget.Style {
	if !name.Set {
		return nil
	}
	s, err := LoadStyle(name.V)
	if err != nil {
		d.add(name.at, "%s", firstLine(err))
	}
	return s
}

func (d *decoder) recipeEntry(f *entryFile) retarget.RecipeEntry {
	e := retarget.RecipeEntry{
		File: f.File.V, Clip: f.Clip.V, Style: d.style(&f.Style), Bend: f.Bend, Rate: f.Rate.V, Mirror: f.Mirror.V, Reverse: f.Reverse.V, Offset: f.Offset.V,
		Load: source.Options{Scale: f.Scale.V},
	}
	if f.File.Set == f.Style.Set {
		d.add(f.at, "want a file or a style, one of them")
	}
	e.Options = retarget.Options{Cycles: f.Cycles.V, Duty: f.Duty.V, Turn: f.Turn.V, Sway: f.Sway.V}
	if f.Sway.Set && f.Sway.V == 0 {
		e.Options.Sway = -1
	}
	if f.Loop.V {
		e.Declare = max(f.Cycles.V, 1)
	}
	if f.Bones.Set {
		m, err := LoadBones(f.Bones.V)
		if err != nil {
			d.add(f.Bones.at, "%s", firstLine(err))
		}
		e.Options.Map = m
	}
	return e
}
