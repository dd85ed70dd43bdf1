package retarget

import (
	"fmt"
	"math"
	"path"

	"legctl/blend"
	"legctl/blend/clip"
	"legctl/blend/space"
	"legctl/rig"
)

// Recipe says what a space is made of: the contents of a recipe file.
type Recipe struct {
	Name      string
	Rig       string
	Advance   blend.Advance
	Rate      float64 // units a second; 0 = the usual one
	Reference string  // motion whose phase all follow; "" = the first
	Poses     bool    // register by likeness instead of key times
	Goals     space.GoalOptions
	Motions   []RecipeMotion
	// Keys reads files of key poses, .yaml; nil: there are none.
	Keys func(file string, data []byte) (*clip.Clip, error)
}

// RecipeMotion is one motion space of a recipe: a style baked as a set, or
// entries.
type RecipeMotion struct {
	Name    string
	Style   *Style
	Entries []RecipeEntry
}

// RecipeEntry is one clip of a recipe and how it is played. Without a file its
// style is baked.
type RecipeEntry struct {
	File    string
	Clip    string // name of the clip in the file; "" where it has one
	Load    clip.Options
	Style   *Style
	Options Options
	Declare int       // cycles the clip is said to have
	Bend    []float64 // yaws in a pass of turning siblings, radians
	Rate    float64   // times its own speed; 0 = 1
	Mirror  bool
	Reverse bool
	Offset  float64 // passes it begins later
}

// Open returns the contents of a file a recipe names.
type Open func(file string) ([]byte, error)

// Made is what a recipe was made into.
type Made struct {
	Space  *space.Space
	Report *space.Report
	Clips  []*Report // of every loop, in the order of the recipe
}

// Make builds the space of a recipe for a rig. step, if not nil, is told what
// is done and the share that is. On an error nothing is returned.
func Make(rc *Recipe, r *rig.Rig, open Open, step func(what string, share float64)) (*Made, error) {
	if step == nil {
		step = func(string, float64) {}
	}
	p := PlanFor(r, rc.Name)
	p.Advance, p.Rate, p.Poses, p.Goals, p.Reference = rc.Advance, rc.Rate, rc.Poses, rc.Goals, rc.Reference
	made := &Made{}
	for i := range rc.Motions {
		m := &rc.Motions[i]
		out := space.PlanMotion{Name: m.Name}
		if m.Style != nil {
			step("bake "+m.Name, 0.5*float64(i)/float64(len(rc.Motions)))
			loops, reps, err := BakeSet(r, m.Style)
			if err != nil {
				return nil, err
			}
			out.Loops = append(out.Loops, loops...)
			made.Clips = append(made.Clips, reps...)
		}
		for k := range m.Entries {
			e := &m.Entries[k]
			step("retarget "+e.title(), 0.5*float64(i)/float64(len(rc.Motions)))
			loops, reps, err := e.loops(rc, r, open)
			if err != nil {
				return nil, fmt.Errorf("%w (motion %q, entry %d)", err, m.Name, k+1)
			}
			out.Loops = append(out.Loops, loops...)
			made.Clips = append(made.Clips, reps...)
		}
		p.Motions = append(p.Motions, out)
	}
	var err error
	made.Space, made.Report, err = space.Build(p, func(what string, share float64) { step(what, 0.5+0.5*share) })
	if err != nil {
		return nil, err
	}
	return made, nil
}

func (e *RecipeEntry) title() string {
	switch {
	case e.Clip != "":
		return e.Clip
	case e.File != "":
		return e.File
	case e.Style != nil:
		return e.Style.Name
	}
	return "?"
}

// loops makes the loop of an entry and its turning siblings.
func (e *RecipeEntry) loops(rc *Recipe, r *rig.Rig, open Open) ([]*space.Loop, []*Report, error) {
	var src *clip.Clip
	if e.File != "" {
		var err error
		if src, err = e.source(rc, open); err != nil {
			return nil, nil, err
		}
	} else if e.Style == nil {
		return nil, nil, fmt.Errorf("retarget: an entry with neither file nor style")
	}
	var loops []*space.Loop
	var reps []*Report
	for _, yaw := range append([]float64{0}, e.Bend...) {
		l, rep, err := e.one(src, r, yaw)
		if err != nil {
			return nil, nil, err
		}
		loops, reps = append(loops, l), append(reps, rep)
	}
	return loops, reps, nil
}

func (e *RecipeEntry) one(src *clip.Clip, r *rig.Rig, yaw float64) (*space.Loop, *Report, error) {
	o := e.Options
	o.Turn += yaw
	var l *space.Loop
	var rep *Report
	var err error
	if src != nil {
		l, rep, err = Loop(src, r, o)
	} else {
		l, rep, err = Bake(r, e.Style, o.Turn)
	}
	if err != nil {
		return nil, nil, err
	}
	if yaw != 0 {
		l.Name = fmt.Sprintf("%s%+.0f", l.Name, yaw*180/math.Pi)
		rep.Name = l.Name
	}
	en := space.Entry{Rate: e.Rate, Reverse: e.Reverse, Offset: e.Offset}
	if e.Mirror {
		if en.Mirror = MirrorOf(r); en.Mirror == nil {
			return nil, nil, fmt.Errorf("retarget: rig %s has legs without a partner: nothing can be mirrored on it", r.Name)
		}
	}
	l, err = en.Apply(l)
	return l, rep, err
}

// source reads the clip of an entry.
func (e *RecipeEntry) source(rc *Recipe, open Open) (*clip.Clip, error) {
	data, err := open(e.File)
	if err != nil {
		return nil, err
	}
	clips, err := rc.load(e, data)
	if err != nil {
		return nil, err
	}
	c, err := Pick(clips, e.Clip)
	if err != nil {
		return nil, fmt.Errorf("%w (in %s)", err, e.File)
	}
	if e.Declare > 0 {
		one := *c
		one.Cycles = e.Declare
		c = &one
	}
	return c, nil
}

// load reads the clips of an entry's file.
func (rc *Recipe) load(e *RecipeEntry, data []byte) ([]*clip.Clip, error) {
	if ext := path.Ext(e.File); rc.Keys != nil && (ext == ".yaml" || ext == ".yml") {
		c, err := rc.Keys(e.File, data)
		return []*clip.Clip{c}, err
	}
	return clip.Load(e.File, data, e.Load)
}

// Pick returns the clip of that name; with no name the only one there is. A
// name may leave out what stands before its last |.
func Pick(clips []*clip.Clip, name string) (*clip.Clip, error) {
	if name == "" && len(clips) == 1 {
		return clips[0], nil
	}
	var names string
	for _, c := range clips {
		if c.Name == name || short(c.Name) == name {
			return c, nil
		}
		names += ", " + c.Name
	}
	return nil, fmt.Errorf("retarget: no clip %q, want one of: %s", name, names[min(2, len(names)):])
}

func short(name string) string {
	for i := len(name) - 1; i >= 0; i-- {
		if name[i] == '|' {
			return name[i+1:]
		}
	}
	return name
}
