package retarget_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"legctl/blend"
	"legctl/blend/retarget"
	"legctl/blend/space"
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/gonum/spatial/r3"
)

// siblings returns a clip of an animal on a rig with its bent siblings.
func siblings(t testing.TB, r *rig.Rig, name, clip string, deg float64) []*space.Loop {
	t.Helper()
	var out []*space.Loop
	for _, side := range []float64{-1, 0, 1} {
		l, _, err := retarget.Loop(animal(t, name, clip), r, retarget.Options{Turn: side * deg * math.Pi / 180})
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, l)
	}
	return out
}

func animalSpace(t testing.TB, r *rig.Rig, name string, clips ...string) *space.Space {
	t.Helper()
	p := retarget.PlanFor(r, name)
	for _, c := range clips {
		p.Motions = append(p.Motions, space.PlanMotion{Name: c, Loops: siblings(t, r, name, c, 60)})
	}
	s, rep, err := space.Build(p, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range rep.Motions {
		t.Logf("%s %s: %v, %.2f left, mirrored %v", name, m.Name, m.Link, m.Left, m.Mirrored)
		for _, c := range m.Clips {
			if c.Phase > 0.01 {
				t.Errorf("%s: contacts of %s are %.3f of a pass off through its curve", name, c.Name, c.Phase)
			}
		}
	}
	return s
}

// ride plays a space with locked feet and measures how far they slide.
type ride struct {
	s     *space.Space
	st    *space.State
	pose  blend.Pose
	pins  []r3.Vec
	was   uint64
	slide float64
	fade  []float64 // seconds a foot has stood
}

func newRide(s *space.Space) *ride {
	n := s.Feet()
	return &ride{s: s, st: space.NewState(s), pose: blend.NewPoses(blend.Shape{Feet: n}, 1)[0], pins: make([]r3.Vec, n), fade: make([]float64, n)}
}

func (p *ride) step(dt float64) {
	p.s.Step(&p.pose, p.st, dt)
	p.s.Lock(&p.pose, p.st, dt)
	for f := range p.pins {
		if p.st.Down>>f&1 == 0 {
			p.fade[f] = 0
			continue
		}
		w := p.st.Place.Pose().Apply(p.pose.Feet[f])
		if p.fade[f] == 0 {
			p.pins[f] = w
		}
		p.fade[f] += dt
		p.slide = max(p.slide, r3.Norm(r3.Sub(w, p.pins[f])))
	}
	p.was = p.st.Down
}

// sector says which bound on the time holds for a goal at a bearing: ahead, to
// the side, behind.
func sector(bearing float64) int {
	switch abs := math.Abs(bearing); {
	case abs > 2.2:
		return 2
	case abs > 0.6:
		return 1
	}
	return 0
}

// sent is what came of goals.
type sent struct {
	goals, lost int
	worst       [3]float64 // time over that of a straight line, by sector
	slide       float64    // furthest a locked foot moved, metres
	rate        float64    // fastest a weight moved, units a second
	said        map[space.Outcome]int
}

// weighted is a ride that begins with weights it keeps.
func weighted(s *space.Space, weights []float64) *ride {
	p := newRide(s)
	copy(p.st.Weights[:], weights)
	p.st.Want(weights)
	return p
}

// straight is the speed of a blend straight on: that of its sweep, not the mean
// of its clips'.
func straight(s *space.Space, weights []float64) float64 {
	p := weighted(s, weights)
	for range 1000 {
		p.step(0.02)
	}
	return p.st.Place.At.X / 20
}

// allRound sends a space, with weights it keeps, to goals at distances in
// turning radii of its tightest clip.
func allRound(s *space.Space, weights []float64, radii []float64, every int) sent {
	r := 0.0
	for i, w := range weights {
		if w > 0 {
			r = max(r, s.Motions[i].Radius)
		}
	}
	speed := straight(s, weights)
	out := sent{said: map[space.Outcome]int{}}
	for _, dist := range radii {
		for deg := -180; deg < 180; deg += every {
			a, d := float64(deg)*math.Pi/180, dist*r
			p, took, most := weighted(s, weights), 0.0, 6*max(d, 6*r)/speed
			g := space.Goal{At: r2.Vec{X: d * math.Cos(a), Y: d * math.Sin(a)}, Radius: 0.15 * r}
			for was := p.st.Blend; took < most; took += 0.02 {
				p.step(0.02)
				for i := range s.Motions {
					out.rate = max(out.rate, math.Abs(p.st.Blend[i]-was[i])/0.02)
				}
				was = p.st.Blend
				o := s.Steer(p.st, g, space.Guide{}, 0.02)
				out.said[o]++
				if o == space.Arrived {
					break
				}
			}
			out.goals++
			if took >= most {
				out.lost++
				continue
			}
			k := sector(a)
			out.worst[k], out.slide = max(out.worst[k], took*speed/d), max(out.slide, p.slide)
		}
	}
	return out
}

// holdSent holds what came of goals at 4 to 12 radii against the bounds.
func holdSent(t *testing.T, what string, s *space.Space, o sent) {
	t.Helper()
	t.Logf("%s: %d of %d goals lost; worst time ratios %.2f, %.2f, %.2f; slide %.2f mm; weights at most %.2f/s", what, o.lost, o.goals, o.worst[0], o.worst[1], o.worst[2], o.slide*1e3, o.rate)
	if o.lost > 0 || o.worst[0] > 1.1 || o.worst[1] > 1.6 || o.worst[2] > 2.1 {
		t.Errorf("%s: %d of %d goals lost, worst ratios %.2f, want none and 1.1, 1.6, 2.1", what, o.lost, o.goals, o.worst)
	}
	if o.slide > 0.005 {
		t.Errorf("%s: a locked foot slides by %.1f mm, want at most 5", what, o.slide*1e3)
	}
	if o.rate > s.Rate+1e-9 {
		t.Errorf("%s: weights move at %.3f/s, want at most %.3f", what, o.rate, s.Rate)
	}
}

func TestRealWalksSteerToGoals(t *testing.T) {
	r := loadRig(t, "a1")
	radii := []float64{4, 6, 8, 10, 12}
	for _, name := range []string{"Wolf", "Horse"} {
		walk := animalSpace(t, r, name, "Walk")
		holdSent(t, name+", walk", walk, allRound(walk, []float64{1}, radii, 15))
		both := animalSpace(t, r, name, "Walk", "Gallop")
		for _, w := range [][]float64{{1, 0}, {.5, .5}, {0, 1}} {
			holdSent(t, fmt.Sprintf("%s, walk and gallop %v", name, w), both, allRound(both, w, radii[:3:3], 30))
		}
	}
}

func TestRealGoalsTooNearAreReached(t *testing.T) {
	s := animalSpace(t, loadRig(t, "a1"), "Wolf", "Walk")
	o := allRound(s, []float64{1}, []float64{0.5, 1, 1.5, 1.9}, 15)
	t.Logf("%d of %d goals lost, %d ticks inside the turning circle", o.lost, o.goals, o.said[space.TooNear])
	if o.lost > 0 || o.said[space.TooNear] == 0 {
		t.Errorf("%d of %d goals nearer than two radii lost, said %v", o.lost, o.goals, o.said)
	}
}

func TestARealGoalThatJumpsIsReacquired(t *testing.T) {
	for _, name := range []string{"Wolf", "Horse", "Deer"} {
		s := animalSpace(t, loadRig(t, "a1"), name, "Walk")
		m := &s.Motions[0]
		yaw := 0.0
		for _, c := range m.Clips {
			yaw = max(yaw, math.Abs(c.Loop.Turn()))
		}
		limit := 1.3*(math.Pi/2)/yaw + m.Goals.Gap
		far := 100 * m.Radius
		for _, side := range []float64{-1, 1} {
			p := newRide(s)
			for range 150 {
				p.step(0.02)
				s.Steer(p.st, space.Goal{At: r2.Vec{X: far}}, space.Guide{}, 0.02)
			}
			from, took := p.st.Place.Yaw, 0.0
			for ; took < 20 && math.Abs(p.st.Place.Yaw-from) < math.Pi/2-0.09; took += 0.02 {
				p.step(0.02)
				s.Steer(p.st, space.Goal{At: r2.Vec{X: p.st.Place.At.X, Y: p.st.Place.At.Y + side*far}}, space.Guide{}, 0.02)
			}
			t.Logf("%s: %.2f s, limit %.2f s", name, took, limit)
			if took > limit {
				t.Errorf("%s: a goal that jumps to %v is before it again after %.2f s, want at most %.2f", name, side, took, limit)
			}
		}
	}
}

func TestRealWalksRegisterByPosesWithinFivePercent(t *testing.T) {
	r := loadRig(t, "a1")
	for _, names := range [][2]string{{"Wolf", "Husky"}, {"Horse", "Deer"}} {
		a, _, err := retarget.Loop(animal(t, names[0], "Walk"), r, retarget.Options{})
		if err != nil {
			t.Fatal(err)
		}
		b, _, err := retarget.Loop(animal(t, names[1], "Walk"), r, retarget.Options{Turn: 0.5})
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range []struct {
			how      string
			register func(a, b *space.Loop) (space.Warp, error)
			most     float64
		}{
			{"key times", space.RegisterKeys, space.Tie},
			{"poses", func(a, b *space.Loop) (space.Warp, error) {
				w, _, err := space.RegisterPoses(a, b, 0, 2)
				return w, err
			}, 0.05},
		} {
			w, err := row.register(a, b)
			if err != nil {
				t.Errorf("%v by %s: %v", names, row.how, err)
				continue
			}
			worst := 0.0
			for f := range a.Stances {
				d := w.At(a.Stances[f][0].Touch) - b.Stances[f][0].Touch
				worst = max(worst, math.Abs(d-math.Round(d)))
			}
			t.Logf("%v by %s: touchdowns %.4f of a pass off", names, row.how, worst)
			if worst > row.most {
				t.Errorf("%v by %s: touchdowns are %.3f of a pass off, want at most %.3f", names, row.how, worst, row.most)
			}
		}
	}
}

func TestRealSpacesAddUpOverAThousandLoops(t *testing.T) {
	r := loadRig(t, "a1")
	s := animalSpace(t, r, "Wolf", "Walk", "Gallop")
	for i := range s.Motions {
		for k := range s.Motions[i].Clips {
			c := &s.Motions[i].Clips[k]
			w := make([]float64, len(s.Motions))
			w[i] = 1
			p := weighted(s, w)
			p.st.Blend[i], p.st.Final[i], p.st.Lead = c.Value, c.Value, int16(i) //nolint:gosec // of two
			rng := rand.New(rand.NewPCG(1, 2))
			for left := 1000 * c.Loop.Period; left > 1e-9; {
				dt := min(0.001+0.4*rng.Float64(), left)
				s.Step(&p.pose, p.st, dt)
				left -= dt
			}
			want := blend.Place{}.After(c.Loop.Step().Times(1000))
			off := r3.Norm(r3.Sub(p.st.Place.At, want.At))
			if off > 1e-6 || math.Abs(p.st.Place.Yaw-want.Yaw) > 1e-6 {
				t.Errorf("%s: root is %g m and %g rad off after 1000 loops", c.Loop.Name, off, p.st.Place.Yaw-want.Yaw)
			}
			t.Logf("%s: %.2g m off", c.Loop.Name, off)
		}
	}
}

func TestWalkAndGallopBlendWithoutSliding(t *testing.T) {
	r := loadRig(t, "a1")
	for _, name := range []string{"Wolf", "Horse", "Husky", "Deer"} {
		s := animalSpace(t, r, name, "Walk", "Gallop")
		p := newRide(s)
		last := [2]float64{1, 0}
		for k := range 600 {
			if k == 150 {
				p.st.Want([]float64{0.4, 0.6})
			}
			if k == 350 {
				p.st.Want([]float64{0, 1})
			}
			p.step(0.01)
			for i := range last {
				if d := math.Abs(p.st.Weights[i] - last[i]); d > s.Rate*0.01+1e-12 {
					t.Fatalf("%s: weight %d moved by %v in a tick of 0.01 s", name, i, d)
				}
				last[i] = p.st.Weights[i]
			}
			for f := range p.pose.Feet {
				if z := p.pose.Feet[f].Z; z < -1e-3 || z-z != 0 {
					t.Fatalf("%s: foot %d at height %v", name, f, z)
				}
			}
		}
		t.Logf("%s: slide %.2f mm", name, p.slide*1e3)
		if p.slide > 0.005 {
			t.Errorf("%s: a locked foot slides by %.1f mm while walk turns to gallop, want at most 5", name, p.slide*1e3)
		}
	}
}
