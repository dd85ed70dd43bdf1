package space_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"legctl/blend"
	"legctl/blend/retarget"
	"legctl/blend/space"
	"legctl/configs"
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/gonum/spatial/r3"
)

// walkStyle and runStyle are plain styles for tests.
func walkStyle() *retarget.Style {
	return &retarget.Style{Name: "walk", Duty: .62, Stride: .7, Period: 5.5, Lift: .15, Heave: .01}
}

func runStyle() *retarget.Style {
	return &retarget.Style{Name: "run", Duty: .42, Stride: .8, Period: 3, Lift: .2}
}

func loadRig(t testing.TB, name string) *rig.Rig {
	t.Helper()
	r, err := configs.LoadRig(name)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// baked returns a space of baked sets.
func baked(t testing.TB, r *rig.Rig, styles ...*retarget.Style) *space.Space {
	t.Helper()
	p := retarget.PlanFor(r, "baked")
	for _, s := range styles {
		loops, _, err := retarget.BakeSet(r, s)
		if err != nil {
			t.Fatal(err)
		}
		p.Motions = append(p.Motions, space.PlanMotion{Name: s.Name, Loops: loops})
	}
	s, _, err := space.Build(p, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

const tick = 0.02

// player plays a space and keeps what it saw.
type player struct {
	s    *space.Space
	st   *space.State
	pose blend.Pose
	t    float64
}

func play(s *space.Space) *player {
	return &player{s: s, st: space.NewState(s), pose: blend.NewPoses(blend.Shape{Feet: s.Feet()}, 1)[0]}
}

func (p *player) step(dt float64) {
	p.s.Step(&p.pose, p.st, dt)
	p.t += dt
}

// chase steers to a goal and returns the seconds it took, +Inf if it did not.
func (p *player) chase(g space.Goal, o space.Guide, most float64) float64 {
	start := p.t
	for p.t-start < most {
		p.step(tick)
		if p.s.Steer(p.st, g, o, tick) == space.Arrived {
			return p.t - start
		}
	}
	return math.Inf(1)
}

func TestGoalsAllRoundAreReached(t *testing.T) {
	steerAllRound(t, baked(t, loadRig(t, "a1"), walkStyle()))
	steerAllRound(t, baked(t, loadRig(t, "a1"), walkStyle(), runStyle()))
	steerAllRound(t, baked(t, loadRig(t, "hexapod"), walkStyle()))
}

// steerAllRound sends a space to goals all round and holds the times against a
// straight line's.
func steerAllRound(t *testing.T, s *space.Space) {
	t.Helper()
	m := &s.Motions[s.Ref]
	speed := m.Clips[m.Ref].Loop.Speed()
	worst := [3]float64{}
	for _, dist := range []float64{4, 6, 8, 12} {
		for deg := -180; deg < 180; deg += 15 {
			a := float64(deg) * math.Pi / 180
			d := dist * m.Radius
			p := play(s)
			g := space.Goal{At: r2.Vec{X: d * math.Cos(a), Y: d * math.Sin(a)}, Radius: 0.1 * m.Radius}
			took := p.chase(g, space.Guide{}, 6*d/speed)
			ratio := took / (d / speed)
			k := 0
			if abs := math.Abs(a); abs > 2.2 {
				k = 2
			} else if abs > 0.6 {
				k = 1
			}
			worst[k] = max(worst[k], ratio)
		}
	}
	t.Logf("%s: worst time over a straight line's: %.2f ahead, %.2f to the side, %.2f behind", s.Name, worst[0], worst[1], worst[2])
	for k, most := range [3]float64{1.1, 1.6, 2.1} {
		if worst[k] > most {
			t.Errorf("%s: sector %d: worst time ratio %.2f, want at most %.1f", s.Name, k, worst[k], most)
		}
	}
}

func TestTheRootAddsUpOverAThousandLoops(t *testing.T) {
	s := baked(t, loadRig(t, "a1"), walkStyle())
	for clip, c := range s.Motions[0].Clips {
		p := play(s)
		p.st.Blend[0], p.st.Final[0] = c.Value, c.Value
		rng := rand.New(rand.NewPCG(1, 2))
		end := 1000 * c.Loop.Period
		for p.t < end {
			p.step(min(0.001+0.4*rng.Float64(), end-p.t))
			if end-p.t < 1e-9 {
				break
			}
		}
		want := blend.Place{}.After(c.Loop.Step().Times(1000))
		if off := r3.Norm(r3.Sub(p.st.Place.At, want.At)); off > 1e-6 || math.Abs(p.st.Place.Yaw-want.Yaw) > 1e-6 {
			t.Errorf("clip %d: root is %g m and %g rad off after 1000 loops", clip, off, p.st.Place.Yaw-want.Yaw)
		}
	}
}
