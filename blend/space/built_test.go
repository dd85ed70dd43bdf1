package space_test

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"legctl/blend"
	"legctl/blend/retarget"
	"legctl/blend/space"
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/gonum/spatial/r3"
)

func TestABuiltSpaceSurvivesItsFile(t *testing.T) {
	s := baked(t, loadRig(t, "a1"), walkStyle(), runStyle())
	data, err := space.Encode(s)
	if err != nil {
		t.Fatal(err)
	}
	back, err := space.Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	again, err := space.Encode(back)
	if err != nil || !bytes.Equal(data, again) {
		t.Errorf("%d bytes became %d, %v", len(data), len(again), err)
	}
	a, b := play(s), play(back)
	for range 200 {
		a.step(tick)
		b.step(tick)
	}
	if a.st.Place != b.st.Place || a.st.Phase != b.st.Phase {
		t.Errorf("plays to %v, read back to %v", a.st.Place, b.st.Place)
	}
}

func TestBadSpaceFilesAreRefused(t *testing.T) {
	s := baked(t, loadRig(t, "a1"), walkStyle())
	data, err := space.Encode(s)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	swap := func(old, with string) string { return strings.Replace(text, old, with, 1) }
	for _, r := range []struct{ name, file, want string }{
		{"empty", "", "EOF"},
		{"cut short", text[:len(text)/2], "EOF"},
		{"another version", swap(`"version":1`, `"version":2`), "version 2"},
		{"clips", swap(`"legctl":"space"`, `"legctl":"clips"`), `"clips"`},
		{"more text", text + "{}", "more text"},
		{"an unknown key", swap(`"version":1`, `"version":1,"extra":1`), "extra"},
		{"NaN", swap(`"period_s":`, `"period_s":NaN,"x":`), "invalid"},
		{"a huge number", swap(`"period_s":`, `"period_s":1e999,"name2":`), "number"},
		{"a period of nothing", swap(`"period_s":`, `"period_s":0,"cycles":1,"name":"x","class":0,"stances":[],"frames":[],"playback":false}],"legs2":[{"period_s":`), ""},
		{"no loops", `{"legctl":"space","version":1,"legs":["l"],"leg_m":1,"loops":[]}`, "0 loops"},
		{"a loop that is not there", swap(`"loop":0`, `"loop":99`), "loop 99"},
		{"a reference that is not there", swap(`"ref":1`, `"ref":7`), "reference 7"},
		{"zero frames", swap(`"frames":[[`, `"frames":[],"frames2":[[`), ""},
	} {
		_, err := space.Decode([]byte(r.file))
		if err == nil || !strings.Contains(err.Error(), r.want) {
			t.Errorf("%s: %v, want %q", r.name, err, r.want)
		}
	}
}

func FuzzDecode(f *testing.F) {
	r := loadRig(f, "biped")
	loops, _, err := retarget.BakeSet(r, walkStyle())
	if err != nil {
		f.Fatal(err)
	}
	small := make([]*space.Loop, 0, 3)
	for _, l := range loops {
		small = append(small, thinned(l, 8))
	}
	p := retarget.PlanFor(r, "fuzz")
	p.Motions = []space.PlanMotion{{Name: "walk", Loops: small}}
	p.Goals = space.GoalOptions{Starts: 2, Finals: 3}
	s, _, err := space.Build(p, nil)
	if err != nil {
		f.Fatal(err)
	}
	data, err := space.Encode(s)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	clips, err := space.EncodeLoops("biped", p.Legs, p.Length, small[:1])
	if err != nil {
		f.Fatal(err)
	}
	f.Add(clips)
	f.Fuzz(func(t *testing.T, data []byte) {
		if loops, _, _, err := space.DecodeLoops(data); err == nil {
			for _, l := range loops {
				if err := l.Validate(); err != nil {
					t.Fatal(err)
				}
			}
		}
		s, err := space.Decode(data)
		if err != nil {
			return
		}
		p := play(s)
		for range 10 {
			p.step(tick)
			s.Steer(p.st, space.Goal{At: r2.Vec{X: 3, Y: 1}}, space.Guide{}, tick)
		}
		for _, v := range p.pose.Feet {
			if v.X-v.X != 0 {
				t.Fatal("a foot is nowhere")
			}
		}
	})
}

// thinned returns a loop of n frames.
func thinned(l *space.Loop, n int) *space.Loop {
	out := *l
	out.Frames = blend.NewPoses(blend.Shape{Feet: l.Feet()}, n+1)
	inc := l.Step()
	for k := range out.Frames {
		src := &l.Frames[k*l.Intervals()/n]
		_ = blend.Copy(&out.Frames[k], src)
		out.Frames[k].Root = blend.RootMotion{Move: r3.Scale(1/float64(n), inc.Move), Yaw: inc.Yaw / float64(n)}
	}
	return &out
}

func TestPlayingAllocatesNothing(t *testing.T) {
	s := baked(t, loadRig(t, "hexapod"), walkStyle(), runStyle())
	p := play(s)
	p.st.Want([]float64{0.5, 0.5})
	style, _, err := space.NewStyle(s)
	if err != nil {
		t.Fatal(err)
	}
	w := []float64{0.4, 0.6}
	got := testing.AllocsPerRun(200, func() {
		p.step(tick)
		s.Lock(&p.pose, p.st, tick)
		s.Steer(p.st, space.Goal{At: r2.Vec{X: 5, Y: 4}}, space.Guide{Every: 0.1}, tick)
		style.Body(p.st.Phase, w)
		for leg := range s.Legs {
			style.Foot(leg, 0.4, w)
		}
	})
	if got != 0 {
		t.Errorf("%v allocations a tick, want 0", got)
	}
}

func TestAStateIsARecord(t *testing.T) {
	s := baked(t, loadRig(t, "a1"), walkStyle(), runStyle())
	a, b := play(s), play(s)
	a.st.Want([]float64{.5, .5})
	for range 50 {
		a.step(tick)
	}
	bytesOf, err := a.st.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.st.UnmarshalBinary(bytesOf); err != nil {
		t.Fatal(err)
	}
	if again, _ := b.st.AppendBinary(nil); !bytes.Equal(again, bytesOf) {
		t.Error("a state read back is another one")
	}
	if err := b.st.UnmarshalBinary(bytesOf[:len(bytesOf)-1]); err == nil {
		t.Error("a state cut short was taken")
	}
	c := play(s)
	space.Copy(c.st, a.st)
	for range 50 {
		a.step(tick)
		b.step(tick)
		c.step(tick)
	}
	if a.st.Place != b.st.Place || a.st.Feet[0] != b.st.Feet[0] || a.st.Place != c.st.Place || a.st.Feet[1] != c.st.Feet[1] {
		t.Error("a copied state plays on differently")
	}
}

func TestAStyleLeavesFootholdsAlone(t *testing.T) {
	r := loadRig(t, "a1")
	strut := &retarget.Style{Name: "strut", Duty: .62, Stride: .7, Period: 6, Lift: .35, Crouch: -.03, Lean: -.1}
	s := baked(t, r, walkStyle(), strut)
	y, warnings, err := space.NewStyle(s)
	if err != nil {
		t.Fatal(err)
	}
	i, _ := s.Find("strut")
	w := make([]float64, 2)
	w[i] = 1
	top := 0.0
	for k := range 101 {
		d := y.Foot(0, float64(k)/100, w)
		if (k == 0 || k == 100) && r3.Norm(d) != 0 {
			t.Errorf("foot is moved by %v at %d %% of its swing", d, k)
		}
		top = max(top, d.Z)
	}
	if top < 0.02 {
		t.Errorf("a strut lifts its feet by %.3f m more than a walk, want at least 0.02", top)
	}
	if move, turn := y.Body(0.3, w); move.Z == 0 || math.Abs(turn.Y+0.1) > 0.02 {
		t.Errorf("body is moved by %v and turned by %v, want it up and the nose up by 0.1", move, turn)
	}
	if move, turn := y.Body(0.3, []float64{0, 0}); move != (r3.Vec{}) || turn != (r3.Vec{}) {
		t.Error("no weight moves the body")
	}
	if d := y.Foot(0, 0.5, []float64{1 - w[0], 1 - w[1]}); r3.Norm(d) > 1e-12 {
		t.Errorf("the reference's own style moves a foot by %v", d)
	}
	_ = warnings
}

func TestRunStyleOverAWalkWarns(t *testing.T) {
	s := baked(t, loadRig(t, "a1"), walkStyle(), runStyle())
	_, warnings, err := space.NewStyle(s)
	if err != nil || len(warnings) == 0 || !strings.Contains(warnings[0], "differs") {
		t.Errorf("%v, %v, want a word about duty", warnings, err)
	}
}

func TestTheClassOfAMixtureIsItsWorst(t *testing.T) {
	s := baked(t, loadRig(t, "a1"), walkStyle(), runStyle())
	run, _ := s.Find("run")
	w := []float64{1, 0}
	if run == 0 {
		w = []float64{0, 1}
	}
	if c := s.Class(w); c != rig.Dynamic {
		t.Errorf("walk is of class %d, want dynamic", c)
	}
	if c := s.Class([]float64{1, 1}); c != rig.Ballistic {
		t.Errorf("walk and run are of class %d, want ballistic", c)
	}
}
