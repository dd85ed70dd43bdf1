package configs

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// good is a small rig that the rows of TestBadInput spoil one line of.
const good = `rig: test
height_m: 0.12
joints:
  - {name: coxa, axis: yaw, link_m: 0.05, limits_deg: [-70, 70], rest_deg: 0}
  - {name: femur, axis: pitch, link_m: 0.12, limits_deg: [-90, 90], rest_deg: -30}
  - name: tibia
    axis: pitch
    link_m: 0.18
    limits_deg: [10, 150]
    rest_deg: 120
    speed_rad_s: 6
legs:
  - {name: lf, mount_m: [0.1, 0.05, 0], yaw_deg: 90, neutral_m: [0.1, 0.2]}
  - {name: rf, mount_m: [0.1, -0.05, 0], yaw_deg: -90, neutral_m: [0.1, -0.2]}
  - {name: lr, mount_m: [-0.1, 0.05, 0], yaw_deg: 90, neutral_m: [-0.1, 0.2]}
  - {name: rr, mount_m: [-0.1, -0.05, 0], yaw_deg: -90, neutral_m: [-0.1, -0.2]}
`

func TestGoodIsGood(t *testing.T) {
	r, err := ParseRig("good.yaml", []byte(good))
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Legs) != 4 || r.Joints() != 12 || r.Legs[0].Joints[0].Name != "lf_coxa" {
		t.Errorf("%d legs, %d joints, first %s", len(r.Legs), r.Joints(), r.Legs[0].Joints[0].Name)
	}
}

// TestBadInput spoils good in one way a row and wants the one issue that
// follows, with its place.
func TestBadInput(t *testing.T) {
	for _, row := range []struct {
		name, old, new string
		line, col      int
		want           string
	}{
		{"wrong key", "speed_rad_s: 6", "sped_rad_s: 6", 11, 5, "unknown key; did you mean speed_rad_s?"},
		{"wrong unit", "mount_m: [0.1, 0.05, 0], yaw", "mount_cm: [10, 5, 0], yaw", 13, 16, "unknown key; did you mean mount_m?"},
		{"unit in the value", "link_m: 0.18", "link_m: 180mm", 8, 13, `"180mm" carries a unit, want the number alone in metres`},
		{"millimetres in a key of metres", "link_m: 0.18", "link_m: 180", 8, 13, "180 is outside [0, 100] in metres"},
		{"NaN", "height_m: 0.12", "height_m: .nan", 2, 11, "not a finite number, want a finite number in metres"},
		{"infinity", "height_m: 0.12", "height_m: .inf", 2, 11, "not a finite number"},
		{"NaN in a list", "limits_deg: [10, 150]", "limits_deg: [.nan, 150]", 9, 18, "not a finite number"},
		{"short list", "limits_deg: [10, 150]", "limits_deg: [10]", 9, 17, "a list of 1, want 2"},
		{"short vector", "mount_m: [0.1, 0.05, 0], yaw", "mount_m: [0.1, 0.05], yaw", 13, 25, "a list of 2, want 3"},
		{"text for a number", "height_m: 0.12", "height_m: high", 2, 11, `"high" is not a number`},
		{"no value", "height_m: 0.12", "height_m:", 2, 10, "no value, want one"},
		{"missing key", "    limits_deg: [10, 150]\n", "", 6, 5, "key limits_deg is missing"},
		{"given twice", "height_m: 0.12", "height_m: 0.12\nheight_mm: 120", 3, 1, "given twice, first as height_m"},
		{"zero-length last link", "link_m: 0.18", "link_m: 0", 8, 13, "last link without length: 0, want > 0 m"},
		{"limits reversed", "limits_deg: [10, 150]", "limits_deg: [150, 10]", 9, 17, "lf_tibia: limits reversed: [150, 10] deg, want min < max"},
		{"rest outside limits", "rest_deg: 120", "rest_deg: 160", 10, 15, "rest outside limits: 160 deg, want within [10, 150] deg"},
		{"no speed", "speed_rad_s: 6", "speed_rad_s: 0", 11, 18, "0 is outside (0, 1000] in radians a second"},
		{"bad axis", "axis: pitch\n", "axis: swing\n", 7, 11, `"swing" is no axis, want yaw, pitch, roll or a vector`},
		{"axis without direction", "axis: pitch\n", "axis: [0, 0, 0]\n", 7, 11, "axis of length 0, want a direction"},
		{"duplicate leg", "name: rf", "name: lf", 14, 12, `lf: duplicate name: "lf", already the name of a leg`},
		{"duplicate joint", "name: femur", "name: coxa", 5, 12, `duplicate name: "lf_coxa", already the name of a joint`},
		{"bad name", "rig: test", "rig: My Rig", 1, 6, `bad name: "My Rig"`},
		{"mount mirrored wrongly", "name: rr, mount_m: [-0.1, -0.05, 0]", "name: rr, mount_m: [0.1, -0.05, 0]", 16, 25, "rr: mount is not the mirror image of lr: (0.1, -0.05, 0), want (-0.1, -0.05, 0), or asymmetric: true in the file"},
		{"out of reach", "neutral_m: [0.1, 0.2]}", "neutral_m: [0.1, 0.5]}", 13, 65, "leg lf cannot stand on its neutral foot (0.1, 0.5, -0.12): it comes no nearer than"},
		{"anchor", "rig: test", "rig: &a test", 1, 6, "anchors, aliases, tags, merge keys and directives are not read"},
		{"alias", "height_m: 0.12", "height_m: *a", 2, 11, "anchors, aliases, tags"},
		{"tag", "yaw_deg: 90, neutral_m: [0.1, 0.2]}", "yaw_deg: !degrees 90, neutral_m: [0.1, 0.2]}", 13, 50, "anchors, aliases, tags"},
		{"two documents", "rig: test\n", "rig: test\n---\n", 0, 0, "second document in the file, want one"},
		{"not YAML", "rig: test", "rig: [test", 0, 0, "not YAML"},
		{"a list", good, "- 1\n- 2\n", 1, 1, "a list, want a mapping of keys"},
		{"nothing", good, "", 0, 0, "file is empty"},
		{"only a comment", good, "# nothing\n", 0, 0, "file is empty"},
		{"no legs", good[strings.Index(good, "legs:"):], "", 1, 1, "key legs is missing"},
		{"leg without joints", good[strings.Index(good, "joints:"):strings.Index(good, "legs:")], "", 4, 5, "leg without joints, want 1 to 12 of them or a segments template"},
		{"mimic of nobody", "speed_rad_s: 6", "mimic: {joint: femr}", 11, 20, `"femr" is no joint of this leg`},
		{"bad colour", "speed_rad_s: 6", "colour: red", 11, 13, `"red" is no colour, want #rrggbb`},
		{"bad choice", "rig: test", "rig: test\nclass: statik", 2, 8, `"statik" is unknown; did you mean static?`},
		{"limits of no joint", "yaw_deg: 90, neutral_m: [0.1, 0.2]}", "yaw_deg: 90, neutral_m: [0.1, 0.2], limits_deg: {tibya: [0, 1]}}", 13, 97, `"tibya" is no joint of this leg; did you mean tibia?`},
		{"mass of less than its parts", "rig: test", "rig: test\nmass_kg: 1\njoint: {mass_kg: 0.2}", 2, 10, "mass of 1 kg, the links alone have 2.4 kg"},
		{"masses that do not add up", "rig: test", "rig: test\nmass_kg: 5\nbody: {mass_kg: 1}\njoint: {mass_kg: 0.1}", 2, 10, "mass of 5 kg, but body and links add up to 2.2 kg"},
		{"rows of strangers", "rig: test", "rig: test\ngroups: {rows: [[lf, rf], [lm, rm]]}", 2, 9, `"lm" is no leg of this rig`},
		{"rows that miss a leg", "rig: test", "rig: test\ngroups: {rows: [[lf, rf]]}", 2, 9, "leg lr is in no row"},
		{"groups by a word", "rig: test", "rig: test\ngroups: circle", 2, 9, `"circle" is unknown`},
		{"groups by another key", "rig: test", "rig: test\ngroups: {row: []}", 2, 10, "unknown key; known here: rows"},
		{"groups without rows", "rig: test", "rig: test\ngroups: {rows: 3}", 2, 16, "a number, want a list of rows"},
		{"a row of three", "rig: test", "rig: test\ngroups: {rows: [[lf, rf, lr]]}", 2, 17, "want a list of one or two leg names"},
		{"a table that is none", "yaw_deg: 90, neutral_m: [0.1, 0.2]}", "yaw_deg: 90, neutral_m: [0.1, 0.2], limits_deg: 3}", 13, 89, "a number, want a mapping"},
		{"a key that is a list", "rig: test", "rig: test\n[a]: 1", 2, 4, "not YAML"},
		{"bound in other units", "speed_rad_s: 6", "speed_deg_s: 6e6", 11, 18, "6e+06 is outside (0, 57295.8] in degrees a second"},
		{"ring and legs", "rig: test", "rig: test\nring: {count: 3, radius_m: 0.1}", 2, 7, "ring and legs together, want one of them"},
		{"joints and segments", "legs:", "segments: {length_m: 1}\nlegs:", 12, 11, "joints and segments together, want one of them"},
		{"neutral without height", "height_m: 0.12\n", "", 1, 1, "key height_m is missing: a file that gives neutral feet"},
	} {
		t.Run(row.name, func(t *testing.T) {
			if !strings.Contains(good, row.old) {
				t.Fatalf("row changes nothing: %q", row.old)
			}
			_, err := ParseRig("bad.yaml", []byte(strings.Replace(good, row.old, row.new, 1)))
			var bad *Error
			if !errors.As(err, &bad) {
				t.Fatalf("error %v, want *Error", err)
			}
			for _, s := range bad.Issues {
				if strings.Contains(s.What, row.want) && (row.line == 0 || s.Line == row.line && s.Col == row.col) {
					if len(bad.Issues) > 1 {
						t.Errorf("more than one issue:\n%v", err)
					}
					return
				}
			}
			t.Errorf("got\n%v\nwant %d:%d %s", err, row.line, row.col, row.want)
		})
	}
}

// TestAllAtOnce spoils several lines and wants them all, in order.
func TestAllAtOnce(t *testing.T) {
	text := good
	for _, r := range [][2]string{
		{"height_m: 0.12", "hight_m: 0.12"},
		{"limits_deg: [-90, 90]", "limits_deg: [90, -90]"},
		{"link_m: 0.18", "link_m: 0"},
		{"speed_rad_s: 6", "speed_rad_s: -6"},
		{"name: rf", "name: lf"},
		{"name: rr, mount_m: [-0.1, -0.05, 0]", "name: rr, mount_m: [0.1, -0.05, 0]"},
	} {
		text = strings.Replace(text, r[0], r[1], 1)
	}
	_, err := ParseRig("many.yaml", []byte(text))
	last := -1
	for _, want := range []string{
		"many.yaml:2:1: hight_m: unknown key; did you mean height_m?",
		"many.yaml:5:", "limits reversed: [90, -90] deg",
		"many.yaml:8:13: joints[2].link_m: lf_tibia: last link without length",
		"many.yaml:11:18: joints[2].speed_rad_s: -6 is outside (0, 1000]",
		"many.yaml:14:12:", `duplicate name: "lf"`,
	} {
		at := strings.Index(fmt.Sprint(err), want)
		if at < 0 {
			t.Errorf("no %q in\n%v", want, err)
		} else if at < last {
			t.Errorf("%q out of order in\n%v", want, err)
		}
		last = at
	}
}

// TestHostileInput must answer quickly, with one message and without panic.
func TestHostileInput(t *testing.T) {
	for _, row := range []struct {
		name, text, want string
	}{
		{"200 kB of [", strings.Repeat("[", 200_000), "nested deeper than 64 levels"},
		{"200 kB of {a:", strings.Repeat("{a: ", 50_000), "nested deeper than 64 levels"},
		{"200 kB of -", strings.Repeat("- ", 100_000), "nested deeper than 64 levels"},
		{"200 kB of ?", strings.Repeat("? ", 100_000), "nested deeper than 64 levels"},
		{"stairs", stairs(), "nested deeper than 64 levels"},
		{"2 MB", "rig: " + strings.Repeat("x", 2<<20), "file of 2097157 bytes, want at most 1048576"},
		{"binary", "\x00\x01\xff\xfe rig: \x80", ""},
		{"many bad keys", strings.Repeat("k: 1\n", 5_000), "more than 200 faults"},
		{"more keys than any rig", strings.Repeat("k: 1\n", 50_000), "more than 20000 keys"},
		{"laughs", "a: &a [x]\nb: [*a, *a]\n", "anchors, aliases"},
		{"many legs", "rig: x\nheight_m: 1\nlegs:\n" + strings.Repeat("  - {name: a, mount_m: [0, 0, 0]}\n", 65), "65 legs, want 2 to 64"},
		{"ring of many", "rig: x\nring: {count: 100000, radius_m: 1}\n", "is outside [2, 64]"},
		{"many segments", "rig: x\nsegments: {count: 100000000, length_m: 1}\nlegs: [{name: l, mirror: r, mount_m: [0, 0, 0]}]\n", "is outside [1, 11]"},
	} {
		t.Run(row.name, func(t *testing.T) {
			start := time.Now()
			_, err := ParseRig("hostile.yaml", []byte(row.text))
			if err == nil || !strings.Contains(err.Error(), row.want) {
				t.Errorf("got %v, want %q", err, row.want)
			}
			if took := time.Since(start); took > 5*time.Second {
				t.Errorf("took %v", took)
			}
			if len(fmt.Sprint(err)) > 100_000 {
				t.Errorf("message of %d bytes", len(err.Error()))
			}
		})
	}
}

// stairs is block nesting, one column deeper a line.
func stairs() string {
	var b strings.Builder
	for i := range 100 {
		b.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	return b.String()
}

// TestFilesByPath loads a file a person wrote, scaled and not.
func TestFilesByPath(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mine.yaml")
	if err := os.WriteFile(path, []byte(good), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{path: "test", path + "@0.06": "test-60mm"} {
		if r, err := LoadRig(name); err != nil || r.Name != want {
			t.Errorf("%s: %v, want rig %s", name, err, want)
		}
	}
	if err := os.WriteFile(path, make([]byte, MaxSize+1), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := LoadRig(path); err == nil || !strings.Contains(err.Error(), "want at most 1048576") {
		t.Errorf("a file too large: %v", err)
	}
	if _, err := LoadRig(filepath.Dir(path) + "/"); err == nil {
		t.Error("loaded a folder")
	}
}

func TestUnknownNames(t *testing.T) {
	for name, want := range map[string]string{
		"phantomks":            "did you mean phantomx?",
		"octopod@0":            "want metres from 0.001 to 100",
		"octopod@x":            "want metres",
		"octopod@NaN":          "want metres",
		"./no/such/file.yaml":  "no such file",
		"../../etc/passwd":     "",
		"":                     "known: a1",
		"phantomx.yaml/../../": "",
	} {
		if _, err := LoadRig(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("LoadRig(%q): %v, want %q", name, err, want)
		}
	}
}
