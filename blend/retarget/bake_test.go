package retarget_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"legctl/blend/clip"
	"legctl/blend/retarget"
	"legctl/blend/space"
	"legctl/configs"
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r3"
)

func ExampleBakeSet() {
	r, err := configs.LoadRig("hexapod")
	if err != nil {
		fmt.Println(err)
		return
	}
	style, err := configs.LoadStyle("walk")
	if err != nil {
		fmt.Println(err)
		return
	}
	loops, _, err := retarget.BakeSet(r, style)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, l := range loops {
		fmt.Printf("%s turns %.0f degrees a pass\n", l.Name, l.Step().Yaw*180/math.Pi)
	}
	// Output:
	// walk.right turns -60 degrees a pass
	// walk turns 0 degrees a pass
	// walk.left turns 60 degrees a pass
}

func TestCreepingQuadrupedsLeanToBeStatic(t *testing.T) {
	style, err := configs.LoadStyle("creep")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a1", "mini_cheetah", "spotmicro"} {
		loops, reps, err := retarget.BakeSet(loadRig(t, name), style)
		if err != nil {
			t.Fatal(err)
		}
		for i, rep := range reps {
			t.Logf("%s %s: class %d, lean %.1f mm, margin %.3f L", name, loops[i].Name, rep.Class, rep.Lean*1e3, rep.Margin)
			if rep.Class != rig.Static || rep.Margin < 0.02 || name == "a1" && rep.Lean <= 0 {
				t.Errorf("%s %s: class %d with a margin of %.3f L and a lean of %.3f m, want static by leaning", name, loops[i].Name, rep.Class, rep.Margin, rep.Lean)
			}
		}
	}
}

func TestBakedClipsCloseAndDoNotSlide(t *testing.T) {
	for _, name := range []string{"a1", "phantomx", "biped"} {
		r := loadRig(t, name)
		for _, style := range configs.Styles() {
			s, err := configs.LoadStyle(style)
			if err != nil {
				t.Fatal(err)
			}
			l, rep, err := retarget.Bake(r, s, 0.3)
			if err != nil {
				t.Errorf("%s on %s: %v", style, name, err)
				continue
			}
			seam := space.SeamOf(l)
			if seam.Feet > 1e-9 || seam.Share > 0.05 || l.Slide() > 1e-9 || rep.Peak > 1 {
				t.Errorf("%s on %s: seam %+v, slide %g, joint speed %.2f", style, name, seam, l.Slide(), rep.Peak)
			}
		}
	}
}

func TestABentClipIsASibling(t *testing.T) {
	r := loadRig(t, "a1")
	s, err := configs.LoadStyle("walk")
	if err != nil {
		t.Fatal(err)
	}
	l, _, err := retarget.Bake(r, s, 0)
	if err != nil {
		t.Fatal(err)
	}
	b, moved, err := retarget.Bend(l, r, 0.6)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(b.Step().Yaw-0.6) > 1e-9 || b.Slide() > 1e-9 || moved > 0.35 {
		t.Errorf("turns %.3f, slides %g, moved %.2f L", b.Step().Yaw, b.Slide(), moved)
	}
	for f := range l.Stances {
		if l.Stances[f][0] != b.Stances[f][0] {
			t.Errorf("foot %d: timing changed from %v to %v", f, l.Stances[f][0], b.Stances[f][0])
		}
	}
	if _, _, err := retarget.Bend(l, loadRig(t, "hexapod"), 0.6); err == nil {
		t.Error("a clip of four feet was bent for six legs")
	}
	if _, _, err := retarget.Bend(l, r, math.NaN()); err == nil {
		t.Error("a bend of NaN was taken")
	}
}

func TestALoopIsExportedOnItsRig(t *testing.T) {
	r := loadRig(t, "phantomx")
	s, err := configs.LoadStyle("walk")
	if err != nil {
		t.Fatal(err)
	}
	l, _, err := retarget.Bake(r, s, 0.2)
	if err != nil {
		t.Fatal(err)
	}
	c, err := retarget.AsClip(l, r)
	if err != nil {
		t.Fatal(err)
	}
	data, err := clip.WriteGLB(c)
	if err != nil {
		t.Fatal(err)
	}
	back, err := clip.Load("x.glb", data, clip.Options{})
	if err != nil {
		t.Fatal(err)
	}
	frames := make([]clip.Frame, len(back[0].Bones))
	back[0].Frames(frames, make([]clip.Local, len(frames)), l.Period/4)
	n := l.Intervals()
	for i := range r.Legs {
		b, ok := back[0].Find(r.Legs[i].Name + ".foot")
		if !ok {
			t.Fatalf("no foot of %s", r.Legs[i].Name)
		}
		root := c.Tracks[0].Vecs[n/4]
		turn := c.Tracks[1].Turns[n/4]
		want := r3.Add(root, r3.Rotation(turn).Rotate(l.Frames[n/4].Feet[i]))
		if d := r3.Norm(r3.Sub(frames[b].P, want)); d > 1e-4*r.L() {
			t.Errorf("foot of %s is %g m off", r.Legs[i].Name, d)
		}
	}
}

func TestBadRequestsAreRefused(t *testing.T) {
	r := loadRig(t, "a1")
	bow, err := configs.LoadKeys("bow")
	if err != nil {
		t.Fatal(err)
	}
	still := &clip.Clip{Name: "still", Bones: bow.Bones}
	for _, row := range []struct {
		name, want string
		c          *clip.Clip
		o          retarget.Options
	}{
		{"a single pose", "single pose", still, retarget.Options{}},
		{"a duty of 1.5", "duty", bow, retarget.Options{Duty: 1.5}},
		{"a duty of NaN", "duty", bow, retarget.Options{Duty: math.NaN()}},
		{"a turn of a whole circle", "turn", bow, retarget.Options{Turn: 7}},
		{"a map of other bones", "bones", bow, retarget.Options{Map: &retarget.Map{Legs: []retarget.Limb{{Leg: "lf", Hip: "a", Foot: "b"}}}}},
		{"a map without a leg", "has no bones", bow, retarget.Options{Map: &retarget.Map{Legs: []retarget.Limb{{Leg: "lf", Hip: "lf.hip", Foot: "lf.foot"}}}}},
	} {
		if _, _, err := retarget.Loop(row.c, r, row.o); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: %v, want %q", row.name, err, row.want)
		}
	}
	if _, _, err := retarget.Loop(bow, loadRig(t, "hexapod"), retarget.Options{}); err == nil {
		t.Error("four legs were put on six")
	}
	bad := &retarget.Style{Name: "x"}
	if _, _, err := retarget.Bake(r, bad, 0); err == nil {
		t.Error("an empty style was baked")
	}
}
