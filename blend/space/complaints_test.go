package space_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"legctl/blend"
	"legctl/blend/retarget"
	"legctl/blend/space"

	"gonum.org/v1/gonum/spatial/r3"
)

// The tests named Complaint are what users of other engines complain about,
// numbered as in docs/spaces.md, and what is right instead.

// strides returns a walk and a run of different lengths on an A1.
func strides(t testing.TB) *space.Space {
	return baked(t, loadRig(t, "a1"), walkStyle(), runStyle())
}

// touchdowns plays a space for a while and returns when each foot came down.
func touchdowns(p *player, seconds float64) [][]float64 {
	out := make([][]float64, p.s.Feet())
	for end := p.t + seconds; p.t < end; {
		p.step(0.005)
		for f := range out {
			if p.st.Touched>>f&1 != 0 {
				out[f] = append(out[f], p.t)
			}
		}
	}
	return out
}

func TestComplaint01ClipsOfOtherLengthStayInStep(t *testing.T) {
	p := play(strides(t))
	p.st.Weights, p.st.Target = [space.MaxMotions]float64{.5, .5}, [space.MaxMotions]float64{.5, .5}
	clean(t, touchdowns(p, 10))
}

// clean asks for steps at even times and as many of every foot.
func clean(t *testing.T, feet [][]float64) {
	t.Helper()
	for f, times := range feet {
		if len(times) < 3 {
			t.Fatalf("foot %d came down %d times", f, len(times))
		}
		for k := 2; k < len(times); k++ {
			if a, b := times[k]-times[k-1], times[k-1]-times[k-2]; math.Abs(a-b) > 0.011 {
				t.Errorf("foot %d: steps of %.3f and %.3f s", f, b, a)
			}
		}
		if d := len(times) - len(feet[0]); d > 1 || d < -1 {
			t.Errorf("foot %d came down %d times, foot 0 %d times", f, len(times), len(feet[0]))
		}
	}
}

func TestComplaint02EqualLengthIsNotEnoughContactsAgree(t *testing.T) {
	// Two clips of one period whose feet stand for different shares: registered,
	// a foot is down in both or in neither.
	r := loadRig(t, "a1")
	long, short := walkStyle(), walkStyle()
	long.Duty, short.Duty = 0.7, 0.55
	a, _, err1 := retarget.Bake(r, long, 0)
	b, _, err2 := retarget.Bake(r, short, 0)
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	b, err := space.Entry{Offset: 0.3}.Apply(b) // and which begin elsewhere
	if err != nil {
		t.Fatal(err)
	}
	w, err := space.RegisterKeys(a, b)
	if err != nil {
		t.Fatal(err)
	}
	for f := range a.Stances {
		if d := w.At(a.Stances[f][0].Touch) - b.Stances[f][0].Touch; math.Abs(d-math.Round(d)) > 1e-9 {
			t.Errorf("foot %d comes down %.4f of a pass apart", f, d)
		}
	}
}

func TestComplaint03AClipThatComesBackIsInPhase(t *testing.T) {
	s := strides(t)
	p := play(s)
	p.step(1)
	before := p.st.Phase
	p.st.Want([]float64{0, 1})
	for range 100 {
		p.step(tick)
	}
	p.st.Want([]float64{1, 0})
	for range 100 {
		p.step(tick)
	}
	if p.st.Phase == before || p.st.Phase < 0 || p.st.Phase >= 1 {
		t.Errorf("phase %v after %v", p.st.Phase, before)
	}
	clean(t, touchdowns(p, 6))
}

func TestComplaint04PhaseIsKeptOnAHardSwitch(t *testing.T) {
	p := play(strides(t))
	p.step(0.37)
	phase := p.st.Phase
	p.st.Weights, p.st.Target = [space.MaxMotions]float64{0, 1}, [space.MaxMotions]float64{0, 1}
	p.step(1e-6)
	if math.Abs(p.st.Phase-phase) > 1e-4 {
		t.Errorf("phase jumps from %v to %v", phase, p.st.Phase)
	}
}

func TestComplaint05LockedPhaseAtHalfWeight(t *testing.T) {
	// What is synchronised are the stances of every leg: at half weight each
	// foot's contact is the mean of both clips', at every phase.
	s := strides(t)
	p := play(s)
	p.st.Weights, p.st.Target = [space.MaxMotions]float64{.5, .5}, [space.MaxMotions]float64{.5, .5}
	down := 0
	const n = 4000
	for range n {
		p.step(0.003)
		down += int(p.st.Down & 1)
	}
	want := 0.0
	for i := range s.Motions {
		want += s.Motions[i].Clips[1].Loop.Stances[0][0].Duty / 2
	}
	if got := float64(down) / n; math.Abs(got-want) > 0.01 {
		t.Errorf("foot 0 stands for %.3f of the time, want %.3f", got, want)
	}
}

func TestComplaint06RootMotionFollowsTheSignOfTime(t *testing.T) {
	p := play(strides(t))
	for range 100 {
		p.step(0.013)
	}
	for range 100 {
		p.step(-0.013)
	}
	if d := r3.Norm(p.st.Place.At); d > 1e-9 {
		t.Errorf("forward and back again ends %g m off", d)
	}
}

func TestComplaint07RootMotionIsExactForAnyStep(t *testing.T) {
	s := strides(t)
	l := s.Motions[0].Clips[1].Loop
	for _, dt := range []float64{0.001, 0.0173, l.Period, 2.7 * l.Period} {
		p := play(s)
		steps := int(50 * l.Period / dt)
		for range steps {
			p.step(dt)
		}
		want := l.Speed() * dt * float64(steps)
		if d := math.Abs(p.st.Place.At.X - want); d > 1e-9*want+1e-9 {
			t.Errorf("steps of %.4f s: %g m off", dt, d)
		}
	}
}

func TestComplaint08TurningIsIntegratedInTheBodysFrame(t *testing.T) {
	s := strides(t)
	p := play(s)
	left := s.Motions[0].Clips[2]
	p.st.Blend[0], p.st.Final[0] = left.Value, left.Value
	for range 3000 {
		p.step(0.01)
		centre := r3.Vec{Y: left.Loop.Radius()}
		if d := math.Abs(r3.Norm(r3.Sub(p.st.Place.At, centre)) - left.Loop.Radius()); d > 1e-3*left.Loop.Radius() {
			t.Fatalf("%.4f m off its circle after %.1f s", d, p.t)
		}
	}
}

func TestComplaint09NoPauseAtTheSeam(t *testing.T) {
	s := strides(t)
	p := play(s)
	l := s.Motions[0].Clips[1].Loop
	dt := l.Period / 200
	for range 450 {
		x := p.st.Place.At.X
		p.step(dt)
		if v := (p.st.Place.At.X - x) / dt; math.Abs(v-l.Speed()) > 1e-6 {
			t.Fatalf("%.4f m/s at phase %.3f, want %.4f", v, p.st.Phase, l.Speed())
		}
	}
}

func TestComplaint14StridesOfOtherLengthsMixCleanly(t *testing.T) {
	// Diagonals of forward and left are worst where lengths differ most: phase is
	// locked before anything is weighed, so half and half has one clean step.
	r := loadRig(t, "a1")
	quick, slow := walkStyle(), walkStyle()
	quick.Name, quick.Period, slow.Name, slow.Period = "quick", 3, "slow", 8
	s := baked(t, r, slow, quick)
	for _, w := range []float64{.2, .5, .8} {
		p := play(s)
		p.st.Weights, p.st.Target = [space.MaxMotions]float64{1 - w, w}, [space.MaxMotions]float64{1 - w, w}
		clean(t, touchdowns(p, 12))
	}
}

func TestComplaint15BackwardsHasOneStepACycle(t *testing.T) {
	l, _, err := retarget.Bake(loadRig(t, "a1"), walkStyle(), 0)
	if err != nil {
		t.Fatal(err)
	}
	b, err := space.Entry{Reverse: true}.Apply(l)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Validate(); err != nil {
		t.Fatal(err)
	}
	if b.Cycles != l.Cycles || math.Abs(b.Step().Move.X+l.Step().Move.X) > 1e-12 || b.Slide() > 1e-9 {
		t.Errorf("backwards: %d cycles, %v a pass, slides %g", b.Cycles, b.Step().Move, b.Slide())
	}
	w, err := space.RegisterKeys(l, b)
	if err != nil { // another order of feet: leg by leg
		if shift, left := space.CommonShift(l, b); left > space.FarApart {
			t.Errorf("forward and backward are %.2f apart after a shift of %.2f", left, shift)
		}
		return
	}
	if err := w.Check(); err != nil {
		t.Error(err)
	}
}

func TestComplaint17BlendedSpeedIsReportedAndIdleSetsNoPace(t *testing.T) {
	s := strides(t)
	p := play(s)
	p.st.Weights, p.st.Target = [space.MaxMotions]float64{.5, .5}, [space.MaxMotions]float64{.5, .5}
	for range 300 {
		p.step(tick)
	}
	v := math.Hypot(p.pose.Root.Move.X, p.pose.Root.Move.Y) / tick
	slow, fast := s.Motions[0].Clips[1].Loop.Speed(), s.Motions[1].Clips[1].Loop.Speed()
	if v <= slow || v >= fast {
		t.Errorf("%.3f m/s between %.3f and %.3f", v, slow, fast)
	}
	// What the feet sweep under the root is what the root goes: none slides.
	for p.st.Down&1 != 0 {
		p.step(tick)
	}
	for p.st.Down&1 == 0 {
		p.step(tick)
	}
	was := p.st.Place.Pose().Apply(p.pose.Feet[0])
	for range 5 {
		p.step(tick)
	}
	if d := r3.Norm(r3.Sub(p.st.Place.Pose().Apply(p.pose.Feet[0]), was)); p.st.Down&1 != 0 && d > 0.01 {
		t.Errorf("a standing foot moves by %.4f m in 0.1 s", d)
	}
}

func TestComplaint18SweepIsSpeedTimesStanceTime(t *testing.T) {
	r := loadRig(t, "a1")
	l, _, err := retarget.Bake(r, walkStyle(), 0)
	if err != nil {
		t.Fatal(err)
	}
	if s := l.Slide(); s > 1e-9 {
		t.Errorf("a baked clip slides by %g m", s)
	}
	// A clip whose root goes a tenth too fast slides, and the build says so.
	bad := *l
	bad.Frames = blend.NewPoses(blend.Shape{Feet: 4}, len(l.Frames))
	for k := range bad.Frames {
		_ = blend.Copy(&bad.Frames[k], &l.Frames[k])
		bad.Frames[k].Root = bad.Frames[k].Root.Scale(1.15)
	}
	p := retarget.PlanFor(r, "bad")
	p.Motions = []space.PlanMotion{{Name: "walk", Loops: []*space.Loop{&bad}}}
	_, rep, err := space.Build(p, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range rep.Warnings {
		if len(w) > 0 && rep.Motions[0].Clips[0].Slide > 0.01 {
			return
		}
	}
	t.Errorf("no warning of a slide of %.4f m: %v", rep.Motions[0].Clips[0].Slide, rep.Warnings)
}

func TestComplaint19OneClockForRootAndPose(t *testing.T) {
	// The root's way over a pass is the same whether it is played in one step or
	// in a thousand uneven ones, and the pose at the end too.
	s := strides(t)
	l := s.Motions[0].Clips[1].Loop
	a, b := play(s), play(s)
	a.step(l.Period)
	rng := rand.New(rand.NewPCG(3, 4))
	left := l.Period
	for left > 1e-12 {
		dt := min(left, 0.002*rng.Float64())
		b.step(dt)
		left -= dt
	}
	if d := r3.Norm(r3.Sub(a.st.Place.At, b.st.Place.At)); d > 1e-9 {
		t.Errorf("root differs by %g m", d)
	}
	if d := math.Abs(a.st.Phase - b.st.Phase); d > 1e-9 && math.Abs(d-1) > 1e-9 {
		t.Errorf("phase differs by %g", d)
	}
	if d := blend.Gap(&a.pose, &b.pose); d > 1e-6 {
		t.Errorf("pose differs by %g", d)
	}
}

func TestComplaint20OneEventAStep(t *testing.T) {
	p := play(strides(t))
	p.st.Weights, p.st.Target = [space.MaxMotions]float64{.6, .4}, [space.MaxMotions]float64{.6, .4}
	passes, turned := 0, 0.0
	counts := [4]int{}
	last := p.st.Phase
	for range 5000 {
		p.step(0.004)
		d := p.st.Phase - last
		turned += d - math.Round(d)
		last = p.st.Phase
		for f := range counts {
			counts[f] += int(p.st.Touched >> f & 1)
		}
		if p.st.Touched&p.st.Lifted != 0 {
			t.Fatal("a foot came down and went up at once")
		}
	}
	passes = int(turned)
	for f, n := range counts {
		if n < passes-1 || n > passes+1 {
			t.Errorf("foot %d: %d events in %d passes", f, n, passes)
		}
	}
}

func TestComplaint22EntriesCarryRateMirrorReverseAndOffset(t *testing.T) {
	r := loadRig(t, "a1")
	l, _, err := retarget.Bake(r, walkStyle(), 0.5)
	if err != nil {
		t.Fatal(err)
	}
	m, err := space.Entry{Rate: 2, Mirror: retarget.MirrorOf(r), Offset: 0.25}.Apply(l)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(m.Period-l.Period/2) > 1e-12 || math.Abs(m.Step().Yaw+l.Step().Yaw) > 1e-12 || m.Slide() > 1e-9 {
		t.Errorf("period %v, yaw %v, slide %g", m.Period, m.Step().Yaw, m.Slide())
	}
	lf, _ := r.Find("lf")
	rf, _ := r.Find("rf")
	if d := m.Stances[rf][0].Touch - l.Stances[lf][0].Touch + 0.25; math.Abs(d-math.Round(d)) > 1e-9 {
		t.Errorf("the right foot comes down %v off where the left did", d)
	}
	if _, err := (space.Entry{Rate: -1}).Apply(l); err == nil {
		t.Error("a negative rate was taken")
	}
}

func TestComplaint23AnInterruptedSwitchDoesNotPop(t *testing.T) {
	s := apart(t)
	p := play(s)
	last := append([]r3.Vec(nil), p.pose.Feet...)
	for k := range 400 {
		if k == 100 {
			p.st.Want([]float64{0, 1})
		}
		if k == 122 { // while the first switch dies out
			p.st.Want([]float64{1, 0})
		}
		p.step(0.01)
		for f, v := range p.pose.Feet {
			if d := r3.Norm(r3.Sub(v, last[f])); k > 0 && d > 0.06 {
				t.Fatalf("foot %d jumps by %.3f m at tick %d", f, d, k)
			}
			last[f] = v
		}
	}
}

// apart returns a space of two gaits that are switched, not blended.
func apart(t testing.TB) *space.Space {
	t.Helper()
	s := strides(t)
	s.Motions[1].Group, s.Motions[1].Link = 1, space.ByFade
	if err := s.Validate(); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestComplaint24ClipsThatStartOnOtherFeetAreTurnedRound(t *testing.T) {
	r := loadRig(t, "a1")
	a, _, err := retarget.Bake(r, walkStyle(), 0)
	if err != nil {
		t.Fatal(err)
	}
	turning, _, err := retarget.Bake(r, walkStyle(), 0.6)
	if err != nil {
		t.Fatal(err)
	}
	b, err := space.Entry{Offset: 0.5}.Apply(turning) // starts on the other feet
	if err != nil {
		t.Fatal(err)
	}
	p := retarget.PlanFor(r, "x")
	p.Motions = []space.PlanMotion{{Name: "walk", Loops: []*space.Loop{a, b}}}
	s, rep, err := space.Build(p, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range rep.Motions[0].Clips {
		if c.Phase > 1e-9 {
			t.Errorf("%s: contacts are %v of a pass off", c.Name, c.Phase)
		}
	}
	pl := play(s)
	pl.st.Blend[0], pl.st.Final[0] = 0.5, 0.5
	clean(t, touchdowns(pl, 6))
}
