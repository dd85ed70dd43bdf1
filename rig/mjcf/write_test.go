package mjcf_test

import (
	"encoding/xml"
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"legctl/configs"
	"legctl/rig"
	"legctl/rig/mjcf"
)

func written(t *testing.T, r *rig.Rig, o mjcf.Options) string {
	t.Helper()
	var b strings.Builder
	if err := mjcf.Write(&b, r, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func load(t *testing.T, name string) *rig.Rig {
	t.Helper()
	r, err := configs.LoadRig(name)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// count reads the file as XML and counts elements.
func count(t *testing.T, file string) map[string]int {
	t.Helper()
	n := map[string]int{}
	d := xml.NewDecoder(strings.NewReader(file))
	for {
		tok, err := d.Token()
		if errors.Is(err, io.EOF) {
			return n
		}
		if err != nil {
			t.Fatal(err)
		}
		if e, ok := tok.(xml.StartElement); ok {
			n[e.Name.Local]++
		}
	}
}

// TestEveryRig counts what the model of every shipped rig is made of; whether
// MuJoCo takes it and has the feet where we have them is a test of
// internal/physics.
func TestEveryRig(t *testing.T) {
	for _, name := range configs.Rigs() {
		r := load(t, name)
		n := count(t, written(t, r, mjcf.Options{}))
		mimics := 0
		for i := range r.Legs {
			for j := range r.Legs[i].Joints {
				if r.Legs[i].Joints[j].Mimic >= 0 {
					mimics++
				}
			}
		}
		want := map[string]int{
			"body": 1 + r.Joints(), "freejoint": 1, "inertial": 1 + r.Joints(), "position": r.Joints() - mimics,
			"touch": len(r.Legs), "joint": r.Joints() + mimics, "site": 1 + len(r.Legs), "key": 1,
		}
		for what, w := range want {
			if n[what] != w {
				t.Errorf("%s: %d elements %s, want %d", name, n[what], what, w)
			}
		}
	}
}

func TestOptions(t *testing.T) {
	r := load(t, "phantomx")
	rows := []struct {
		name string
		o    mjcf.Options
		says string
	}{
		{"torque of the rig", mjcf.Options{}, `forcerange="-1.5 1.5"`},
		{"stiffness by torque", mjcf.Options{}, `kp="10"`},
		{"stiffness", mjcf.Options{KP: 7}, `kp="7"`},
		{"damping by speed", mjcf.Options{}, `damping="0.265486726"`},
		{"damping", mjcf.Options{Damping: 0.5}, `damping="0.5"`},
		{"friction", mjcf.Options{Friction: 0.4}, `friction="0.4 0.005 0.0001"`},
		{"step", mjcf.Options{Step: 0.001}, `timestep="0.001"`},
		{"height", mjcf.Options{Drop: 0.1}, `pos="0 0 0.192"`},
		{"armature", mjcf.Options{Armature: 0.01}, `armature="0.01"`},
	}
	for _, w := range rows {
		if file := written(t, r, w.o); !strings.Contains(file, w.says) {
			t.Errorf("%s: no %s in the file", w.name, w.says)
		}
	}
	unknown := *r
	unknown.Legs = append([]rig.Leg(nil), r.Legs...)
	unknown.Legs[0].Joints = append([]rig.Joint(nil), r.Legs[0].Joints...)
	unknown.Legs[0].Joints[0].Torque = 0
	if file := written(t, &unknown, mjcf.Options{Torque: 3}); !strings.Contains(file, `forcerange="-3 3"`) {
		t.Error("an unknown torque was not replaced")
	}
}

func TestRefusals(t *testing.T) {
	r := load(t, "a1")
	for _, o := range []mjcf.Options{{Step: -1}, {KP: math.NaN()}, {Friction: math.Inf(1)}, {Drop: 1e9}} {
		if err := mjcf.Write(io.Discard, r, o); err == nil || !strings.Contains(err.Error(), "mjcf: option") {
			t.Errorf("%+v: %v", o, err)
		}
	}
	if mjcf.Write(io.Discard, nil, mjcf.Options{}) == nil {
		t.Error("no rig: accepted")
	}
}
