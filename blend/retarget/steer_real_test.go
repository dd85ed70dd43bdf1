package retarget_test

import (
	"math"
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

func TestRealWalksSteerToGoals(t *testing.T) {
	r := loadRig(t, "a1")
	for _, name := range []string{"Wolf", "Horse"} {
		s := animalSpace(t, r, name, "Walk", "Gallop")
		m := &s.Motions[s.Ref]
		speed, lost, n := m.Clips[m.Ref].Loop.Speed(), 0, 0
		worst, slide := [3]float64{}, 0.0
		for _, dist := range []float64{4, 8, 12} {
			for deg := -165; deg <= 180; deg += 15 {
				a := float64(deg) * math.Pi / 180
				d := dist * m.Radius
				g := space.Goal{At: r2.Vec{X: d * math.Cos(a), Y: d * math.Sin(a)}, Radius: 0.15 * m.Radius}
				p, took := newRide(s), 0.0
				for ; took < 6*d/speed; took += 0.02 {
					p.step(0.02)
					if s.Steer(p.st, g, space.Guide{}, 0.02) == space.Arrived {
						break
					}
				}
				n++
				if took >= 6*d/speed {
					lost++
					continue
				}
				k := 0
				if abs := math.Abs(a); abs > 2.2 {
					k = 2
				} else if abs > 0.6 {
					k = 1
				}
				worst[k], slide = max(worst[k], took*speed/d), max(slide, p.slide)
			}
		}
		t.Logf("%s: %d of %d goals lost; worst time ratios %.2f, %.2f, %.2f; slide %.2f mm", name, lost, n, worst[0], worst[1], worst[2], slide*1e3)
		if lost > 0 || worst[0] > 1.1 || worst[1] > 1.6 || worst[2] > 2.1 {
			t.Errorf("%s: %d goals lost, worst ratios %v, want none and 1.1, 1.6, 2.1", name, lost, worst)
		}
		if slide > 0.005 {
			t.Errorf("%s: a locked foot slides by %.1f mm, want at most 5", name, slide*1e3)
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
