package configs

import (
	"strings"
	"testing"

	"legctl/blend/retarget"
)

func TestShippedStylesBakeOnEveryRig(t *testing.T) {
	rigs, styles := Rigs(), []string{"creep", "walk", "jog", "run"}
	for _, name := range rigs {
		r, err := LoadRig(name)
		if err != nil {
			t.Fatal(err)
		}
		if r.Refused != "" {
			continue
		}
		for _, style := range styles {
			s, err := LoadStyle(style)
			if err != nil {
				t.Fatal(err)
			}
			loops, _, err := retarget.BakeSet(r, s)
			if err != nil {
				t.Errorf("%s, %s: %v", name, style, err)
				continue
			}
			if len(loops) != 3 || loops[0].Turn() >= 0 || loops[2].Turn() <= 0 || loops[1].Turn() != 0 {
				t.Errorf("%s, %s: %d clips, want right, straight and left", name, style, len(loops))
			}
		}
	}
}

func TestShippedMotionFilesLoad(t *testing.T) {
	for _, name := range Styles() {
		if s, err := LoadStyle(name); err != nil || s.Name != name {
			t.Errorf("style %s: %v", name, err)
		}
	}
	for _, name := range Clips() {
		if _, err := LoadKeys(name); err != nil {
			t.Errorf("clip %s: %v", name, err)
		}
	}
	for _, name := range Bones() {
		if _, err := LoadBones(name); err != nil {
			t.Errorf("bones %s: %v", name, err)
		}
	}
	for _, name := range Spaces() {
		if _, err := LoadRecipe(name); err != nil {
			t.Errorf("space %s: %v", name, err)
		}
	}
}

func TestBadMotionFilesAreRefused(t *testing.T) {
	style := func(data string) error { _, err := ParseStyle("x.yaml", []byte(data)); return err }
	keys := func(data string) error { _, err := ParseKeys("x.yaml", []byte(data)); return err }
	bones := func(data string) error { _, err := ParseBones("x.yaml", []byte(data)); return err }
	recipe := func(data string) error { _, err := ParseRecipe("x.yaml", []byte(data)); return err }
	legs := "legs: [{name: l, hip_m: [0, 0, 0], foot_m: [0, 0, 0]}]\n"
	rows := []struct {
		name, want string
		err        error
	}{
		{"style without numbers", "key duty is missing", style("style: x")},
		{"style of NaN", "duty", style("style: x\nduty: .nan\nstride: .5\nperiod: 3")},
		{"style out of range", "outside", style("style: x\nduty: 1.5\nstride: .5\nperiod: 3")},
		{"style with an unknown key", "dutty", style("style: x\ndutty: .5\nduty: .5\nstride: .5\nperiod: 3")},
		{"keys without poses", "key poses is missing", keys("clip: x\n" + legs)},
		{"keys that go back in time", "ascending", keys("clip: x\n" + legs + "poses: [{at_s: 1}, {at_s: 0.5}]")},
		{"keys with a short loop", "want it longer", keys("clip: x\nlength_s: 0.5\n" + legs + "poses: [{at_s: 0}, {at_s: 1}]")},
		{"keys with a strange leg", "none of the clip's", keys("clip: x\n" + legs + "poses: [{at_s: 0, feet: {q: {at_m: [0, 0, 0]}}}]")},
		{"bones with a leg twice", "each once", bones("bones: x\nlegs: [{leg: l, hip: a, foot: b}, {leg: l, hip: a, foot: b}]")},
		{"recipe without clips", "a style or clips", recipe("space: x\nrig: a1\nmotions: [{name: walk}]")},
		{"recipe with an unknown style", "style", recipe("space: x\nrig: a1\nmotions: [{name: walk, style: nope}]")},
		{"recipe with an entry of nothing", "a file or a style", recipe("space: x\nrig: a1\nmotions: [{name: walk, clips: [{rate: 2}]}]")},
		{"recipe of nine motions", "at most 8", recipe("space: x\nrig: a1\nmotions: [" + strings.Repeat("{name: walk, style: walk},", 9) + "]")},
	}
	for _, r := range rows {
		if r.err == nil || !strings.Contains(r.err.Error(), r.want) {
			t.Errorf("%s: %v, want %q", r.name, r.err, r.want)
		}
	}
}

func TestAGuessedMapCanBeWrittenAndRead(t *testing.T) {
	m := &retarget.Map{Facing: 0.5, Legs: []retarget.Limb{{Leg: "lf", Hip: `Bone "a": x`, Foot: "b.L"}}}
	back, err := ParseBones("x.yaml", FormatBones("x", m))
	if err != nil || back.Legs[0] != m.Legs[0] || back.Facing != m.Facing {
		t.Errorf("%+v, %v, want %+v", back, err, m)
	}
}

// FuzzMotion: any bytes give a style, a clip of key poses, a map of bones or a
// recipe that is sound, or an *Error.
func FuzzMotion(f *testing.F) {
	for _, k := range []string{"styles/walk", "styles/strut", "clips/bow", "bones/quaternius", "spaces/a1"} {
		data, err := files.ReadFile(k + ".yaml")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if s, err := ParseStyle("fuzz.yaml", data); err != nil {
			refused(t, err, data)
		} else if err := s.Validate(); err != nil {
			t.Fatal(err)
		}
		if c, err := ParseKeys("fuzz.yaml", data); err != nil {
			refused(t, err, data)
		} else if err := c.Validate(); err != nil {
			t.Fatal(err)
		}
		if _, err := ParseBones("fuzz.yaml", data); err != nil {
			refused(t, err, data)
		}
		if _, err := ParseRecipe("fuzz.yaml", data); err != nil {
			refused(t, err, data)
		}
	})
}
