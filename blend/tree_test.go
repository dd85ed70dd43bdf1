package blend_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"legctl/blend"
	"legctl/geom"

	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/gonum/spatial/r3"
)

// gaitOf is a cycle of a one-legged body: it goes stride metres and turns turn
// radians a pass of length seconds; its angle is a sine of amplitude amp; the
// foot is down in the first half.
func gaitOf(t testing.TB, length, stride, turn, amp float64) *blend.Cycle {
	t.Helper()
	const m = 24
	frames := blend.NewPoses(blend.Shape{Angles: 1, Feet: 1}, m+1)
	for k := range frames {
		phase := float64(k%m) / m
		frames[k].Angles[0] = amp * math.Sin(2*math.Pi*phase)
		frames[k].Feet[0] = r3.Vec{Y: amp}
		if phase < .5 {
			frames[k].Ground[0] = 1
		}
		frames[k].Root = blend.RootMotion{Move: r3.Vec{X: stride / m}, Yaw: turn / m}
	}
	c, err := blend.NewCycle(frames, length)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func still(t testing.TB) *blend.Still {
	t.Helper()
	s, err := blend.NewStill(&blend.NewPoses(blend.Shape{Angles: 1, Feet: 1}, 1)[0])
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func tree1(t testing.TB, p *blend.Parameters, children ...blend.Child) *blend.Tree1D {
	t.Helper()
	tree, err := blend.NewTree1D(p, "speed", children, blend.MeanLength)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func set(t testing.TB, p *blend.Parameters, name string, v float64) {
	t.Helper()
	if err := p.Set(name, v); err != nil {
		t.Fatal(err)
	}
}

func step(t testing.TB, dst *blend.Pose, p *blend.Player, m blend.Motion, dt float64) {
	t.Helper()
	if err := p.Step(dst, m, dt); err != nil {
		t.Fatal(err)
	}
}

func posed() *blend.Pose { return &blend.NewPoses(blend.Shape{Angles: 1, Feet: 1}, 1)[0] }

// Complaints 1 and 5: clips of different length drift out of step; the sync flag
// appears to do nothing. Phase is what is in step, always.
func TestComplaint1HalfAndHalfShowsOneCleanStep(t *testing.T) {
	p := &blend.Parameters{}
	tree := tree1(t, p, blend.Child{X: 0, Motion: gaitOf(t, 1, 1, 0, 1)}, blend.Child{X: 1, Motion: gaitOf(t, 2, 1, 0, 1)})
	set(t, p, "speed", .5)
	if l := tree.Length(); !near(l, 1.5) {
		t.Errorf("length %v, want 1.5", l)
	}
	var pl blend.Player
	dst, contact, landings := posed(), []bool{false}, 0
	for range 3000 {
		step(t, dst, &pl, tree, .001*1.5)
		if !near(dst.Angles[0], sineOf24(pl.Phase)) {
			t.Fatalf("phase %v: angle %v, want that of one clean sine %v", pl.Phase, dst.Angles[0], sineOf24(pl.Phase))
		}
		was := contact[0]
		if err := blend.Vote(contact, dst.Ground, blend.SomeHysteresis); err != nil {
			t.Fatal(err)
		}
		if !was && contact[0] {
			landings++
		}
	}
	// In contact at the start, which counts, and landing at the end of each pass.
	if landings != 4 {
		t.Errorf("%d landings in three passes, want one at the start and one a pass", landings)
	}
}

// sineOf24 is a sine drawn with 24 straight lines.
func sineOf24(phase float64) float64 {
	x := phase * 24
	k := math.Floor(x)
	a, b := math.Sin(2*math.Pi*k/24), math.Sin(2*math.Pi*(k+1)/24)
	return a + (x-k)*(b-a)
}

// Complaint 3: leaving and re-entering restarts clips. Complaint 4: a hard switch
// loses the phase.
func TestComplaints3And4PhaseOutlivesZeroWeightAndHardSwitches(t *testing.T) {
	p := &blend.Parameters{}
	tree := tree1(t, p, blend.Child{X: 0, Motion: gaitOf(t, 1, 1, 0, 1)}, blend.Child{X: 1, Motion: gaitOf(t, 2, 1, 0, 1)})
	var pl blend.Player
	dst := posed()
	phase := 0.0
	for i := range 500 {
		v := float64(i / 50 % 2) // jumps to and fro
		set(t, p, "speed", v)
		step(t, dst, &pl, tree, .01)
		phase += .01 / (1 + v)
		if d := phase - pl.Phase; !near(d, math.Round(d)) || !near(dst.Angles[0], sineOf24(pl.Phase)) {
			t.Fatalf("step %d: phase %v, want %v; angle %v", i, pl.Phase, phase, dst.Angles[0])
		}
	}
}

// Complaint 6: root motion ignores the direction of play.
func TestComplaint6BackwardsUndoesForwards(t *testing.T) {
	c, dst := gaitOf(t, 1, .7, .9, 1), posed()
	var pl blend.Player
	at := blend.Place{}
	for range 317 {
		step(t, dst, &pl, c, .013)
		at = at.After(dst.Root)
	}
	for range 317 {
		step(t, dst, &pl, c, -.013)
		at = at.After(dst.Root)
	}
	closePlaces(t, "there and back", at, blend.Place{})
}

// Complaint 7: root motion off by one frame at the ends of loops.
func TestComplaint7RootIsExactForAnyStep(t *testing.T) {
	c, dst := gaitOf(t, 1.3, .7, .4, 1), posed()
	rng := rand.New(rand.NewPCG(7, 1))
	var pl blend.Player
	at, left := blend.Place{}, 1000*1.3
	for left > 0 {
		dt := min(left, rng.ExpFloat64()*1.3) // often more than a pass
		step(t, dst, &pl, c, dt)
		at, left = at.After(dst.Root), left-dt
	}
	want := blend.Place{}
	for range 1000 * 24 {
		want = want.After(blend.RootMotion{Move: r3.Vec{X: .7 / 24}, Yaw: .4 / 24})
	}
	if d := r3.Norm(r3.Sub(at.At, want.At)); d > 1e-6 || math.Abs(at.Yaw-want.Yaw) > 1e-6 {
		t.Errorf("after 1000 passes at %+v, want %+v", at, want)
	}
}

// Complaint 9: a pause at the loop because first and last frame are both shown.
func TestComplaint9NoPauseAtTheSeam(t *testing.T) {
	c, dst := gaitOf(t, 1, 1, 0, 1), posed()
	var pl blend.Player
	last := 0.0
	for i := range 96 { // four steps a frame
		step(t, dst, &pl, c, 1./96)
		move := dst.Angles[0] - last
		if want := sineOf24(float64(i+1)/96) - sineOf24(float64(i)/96); math.Abs(move-want) > 1e-9 || math.Abs(dst.Root.Move.X-1./96) > 1e-9 {
			t.Fatalf("step %d: the angle moves by %v, want %v; the root by %v", i, move, want, dst.Root.Move.X)
		}
		last = dst.Angles[0]
	}
}

// Complaint 17: blended root speed is not the blend of speeds; an idle in the
// tree changes the rate of play.
func TestComplaint17AnIdleDoesNotSetThePace(t *testing.T) {
	walk, slow := gaitOf(t, 1, 1, 0, 1), gaitOf(t, 9, 0, 0, .1)
	for name, idle := range map[string]blend.Child{"still": {Motion: still(t)}, "free": {Motion: slow, Free: true}} {
		p := &blend.Parameters{}
		tree := tree1(t, p, idle, blend.Child{X: 1, Motion: walk})
		for _, v := range []float64{.1, .5, 1} {
			set(t, p, "speed", v)
			if l := tree.Length(); l != 1 {
				t.Errorf("%s at %v: length %v, want the walk's 1", name, v, l)
			}
			var pl blend.Player
			dst := posed()
			step(t, dst, &pl, tree, .01)
			if !near(dst.Root.Move.X, .01*v) {
				t.Errorf("%s at %v: root moves %v in 0.01 s", name, v, dst.Root.Move.X)
			}
		}
		set(t, p, "speed", 0)
		if l := tree.Length(); l != 0 {
			t.Errorf("%s alone: length %v, want none", name, l)
		}
		var pl blend.Player
		dst := posed()
		step(t, dst, &pl, tree, 9./4)
		if name == "free" && !near(dst.Angles[0], .1) {
			t.Errorf("a free idle a quarter through is at %v, want 0.1", dst.Angles[0])
		}
	}
}

// Complaint 22: no speed, mirror or reverse of its own for an entry.
func TestComplaint22EntriesHaveRateMirrorReverseOffset(t *testing.T) {
	m := &blend.Mirror{Angles: []int{0}, Feet: []int{0}, Flip: []bool{true}}
	walk := gaitOf(t, 2, 1, .5, 1)
	for _, c := range []struct {
		name  string
		child blend.Child
		dt    float64
		angle float64 // after dt
		x, y  float64 // sign of the root's advance and turn
	}{
		{"as it is", blend.Child{}, .5, 1, 1, 1},
		{"rate", blend.Child{Rate: 2}, .25, 1, 1, 1},
		{"mirror", blend.Child{Mirror: m}, .5, -1, 1, -1},
		{"reverse", blend.Child{Reverse: true}, .5, -1, -1, -1},
		{"offset", blend.Child{Offset: .25}, .5, 0, 1, 1},
		{"all", blend.Child{Rate: 2, Mirror: m, Reverse: true, Offset: .5}, .25, -1, -1, 1},
	} {
		c.child.Motion = walk
		tree, dst := tree1(t, &blend.Parameters{}, c.child), posed()
		var pl blend.Player
		step(t, dst, &pl, tree, c.dt)
		if !near(dst.Angles[0], c.angle) || dst.Root.Move.X*c.x <= 0 || dst.Root.Yaw*c.y <= 0 {
			t.Errorf("%s: angle %v, root %+v", c.name, dst.Angles[0], dst.Root)
		}
	}
}

func TestTreesNest(t *testing.T) {
	p := &blend.Parameters{}
	inner, err := blend.NewTree2D(p, "turn", "mood", []blend.Child{
		{X: -1, Motion: gaitOf(t, 1, 1, -1, 1)}, {X: 1, Motion: gaitOf(t, 1, 1, 1, 1)}, {Y: 1, Motion: gaitOf(t, 4, 2, 0, 2)},
	}, blend.BandOptions{}, blend.MeanLength)
	if err != nil {
		t.Fatal(err)
	}
	outer := tree1(t, p, blend.Child{Motion: still(t)}, blend.Child{X: 1, Motion: inner}, blend.Child{X: 2, Motion: gaitOf(t, .5, 3, 0, 3)})
	set(t, p, "speed", 1.5)
	set(t, p, "mood", .5)
	var w [3]float64
	if err := inner.Weights(w[:]); err != nil || !near(w[0], .2) || !near(w[1], .2) || !near(w[2], .6) {
		t.Fatalf("%v: weights %v", err, w)
	}
	if err := outer.Weights(w[:]); err != nil || w != [3]float64{0, .5, .5} {
		t.Fatalf("%v: weights %v", err, w)
	}
	if l := inner.Length(); !near(l, 2.8) {
		t.Errorf("inner length %v, want 2.8", l)
	}
	if l := outer.Length(); !near(l, 1.65) {
		t.Errorf("outer length %v, want 1.65", l)
	}
	var pl blend.Player
	dst := posed()
	step(t, dst, &pl, outer, 1.65/4)
	// The turning ones go along chords of their arcs: a little less far.
	if want := .5*1.6 + .5*3; !near(dst.Angles[0], want) || math.Abs(dst.Root.Move.X-.25*(.5*1.6+.5*3)) > .001 || !near(dst.Root.Yaw, 0) {
		t.Errorf("angle %v, root %+v, want %v", dst.Angles[0], dst.Root, want)
	}
	if err := inner.Move(2, r2.Vec{Y: 2}); err != nil {
		t.Fatal(err)
	}
	if err := inner.Weights(w[:]); err != nil || !(w[2] < .6) {
		t.Errorf("%v: weights %v once the point has moved away", err, w)
	}
	if n := testing.AllocsPerRun(50, func() { step(t, dst, &pl, outer, .01) }); n != 0 {
		t.Errorf("%v allocations a step", n)
	}
}

func TestDominantAdvance(t *testing.T) {
	p := &blend.Parameters{}
	tree, err := blend.NewTree1D(p, "speed", []blend.Child{{Motion: gaitOf(t, 1, 1, 0, 1)}, {X: 1, Motion: gaitOf(t, 2, 1, 0, 1)}}, blend.Dominant)
	if err != nil {
		t.Fatal(err)
	}
	for v, want := range map[float64]float64{.4: 1, .5: 1, .6: 2} {
		set(t, p, "speed", v)
		if l := tree.Length(); l != want {
			t.Errorf("at %v: length %v, want %v", v, l, want)
		}
	}
}

func TestTreesRefuse(t *testing.T) {
	p, walk := &blend.Parameters{}, gaitOf(t, 1, 1, 0, 1)
	other, err := blend.NewStill(&blend.NewPoses(blend.Shape{Feet: 9}, 1)[0])
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string][]blend.Child{
		"no children": nil, "no motion": {{}}, "shapes": {{Motion: walk}, {Motion: other}},
		"rate": {{Motion: walk, Rate: -1}}, "place": {{Motion: walk, X: math.NaN()}}, "mirror": {{Motion: walk, Mirror: &blend.Mirror{}}},
	} {
		if _, err := blend.NewTree2D(p, "x", "y", c, blend.BandOptions{}, blend.MeanLength); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	tree := tree1(t, p, blend.Child{Motion: walk})
	if _, ok := p.Value("speed"); !ok || len(p.Names()) != 1 {
		t.Errorf("parameters %q, want speed alone", p.Names())
	}
	set(t, p, "speed", 3)
	if p.Set("speed", math.NaN()) == nil || p.Set("sped", 1) == nil || tree.Move(1, 0) == nil || tree.Move(0, 5) != nil {
		t.Error("bad values are taken, or good ones not")
	}
	if v, _ := p.Value("speed"); v != 3 {
		t.Errorf("speed %v, want the last good 3", v)
	}
	pl := blend.Player{Phase: .5}
	if pl.Step(posed(), tree, math.Inf(1)) == nil || pl.Phase != .5 {
		t.Error("an endless step is taken")
	}
	if i, err := p.Declare(""); err == nil {
		t.Errorf("a parameter without name is number %d", i)
	}
}

func TestCyclesRefuse(t *testing.T) {
	frames := blend.NewPoses(blend.Shape{Joints: 1}, 3)
	open := blend.NewPoses(blend.Shape{Joints: 1}, 3)
	open[2].Joints[0] = geom.AxisAngle(r3.Vec{X: 1}, .01)
	broken := blend.NewPoses(blend.Shape{Joints: 1}, 3)
	broken[1].Body.P.X = math.NaN()
	for name, c := range map[string]struct {
		frames []blend.Pose
		length float64
	}{"one frame": {frames[:1], 1}, "length": {frames, 0}, "open": {open, 1}, "NaN": {broken, 1}, "shapes": {[]blend.Pose{frames[0], *posed()}, 1}} {
		if _, err := blend.NewCycle(c.frames, c.length); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := blend.NewStill(&broken[1]); err == nil {
		t.Error("NaN stands still")
	}
}
