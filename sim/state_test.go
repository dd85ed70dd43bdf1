package sim

import (
	"bytes"
	"context"
	"math"
	"strings"
	"testing"

	"legctl/geom"
	"legctl/rig"
	"legctl/sim/terrain"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
	"pgregory.net/rapid"
)

// eventful is a noisy run over the world terrain with something happening.
func eventful(t *testing.T, kind string) (*Sim, *driver) {
	spec, _ := terrain.Default(kind, 1)
	g, err := terrain.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	p := Default()
	p.Servo = Servo{Limited: true, Lag: 0.03, Noise: 0.002}
	s, err := New(hexapod().build(t, 1), g, p, Reference, tickR, 42)
	if err != nil {
		t.Fatal(err)
	}
	return s, ahead(s)
}

func happen(t *testing.T, s *Sim, tick int) {
	t.Helper()
	var e Event
	switch tick {
	case 30:
		e = Event{Kind: EventPush, Vec: r3.Vec{Y: 1}}
	case 60:
		e = Event{Kind: EventFreeze, Leg: 3, Joint: 1, Value: 1}
	case 90:
		e = Event{Kind: EventRemove, Block: 70}
	}
	if e.Kind == EventRemove && s.ground.(*terrain.Terrain).Blocks() == 0 {
		return
	}
	if err := s.Do(e); err != nil {
		t.Fatal(err)
	}
}

func bytesOf(t *testing.T, s *Sim) []byte {
	t.Helper()
	b, err := s.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestSameSeedSameBytes(t *testing.T) {
	for _, kind := range terrain.Names() {
		a, da := eventful(t, kind)
		b, db := eventful(t, kind)
		for k := range 150 {
			happen(t, a, k)
			happen(t, b, k)
			apply(t, a, da.tick(tickR))
			apply(t, b, db.tick(tickR))
		}
		if !bytes.Equal(bytesOf(t, a), bytesOf(t, b)) {
			t.Errorf("%s: two runs differ", kind)
		}
	}
}

func TestResume(t *testing.T) {
	for _, kind := range []string{"world", "blocks"} {
		a, da := eventful(t, kind)
		for k := range 100 {
			happen(t, a, k)
			apply(t, a, da.tick(tickR))
		}
		b, _ := eventful(t, kind)
		if err := b.UnmarshalBinary(bytesOf(t, a)); err != nil {
			t.Fatal(err)
		}
		for k := range 100 {
			sp := da.tick(tickR)
			apply(t, a, sp)
			apply(t, b, sp)
			if !bytes.Equal(bytesOf(t, a), bytesOf(t, b)) {
				t.Fatalf("%s: differs %d ticks after the resumption", kind, k+1)
			}
		}
	}
}

func TestStateOfOthersRefused(t *testing.T) {
	s := reference(t, hexapod())
	good := bytesOf(t, s)
	other := bytesOf(t, reference(t, quadruped()))
	rows := map[string][]byte{"empty": nil, "short": good[:len(good)-1], "long": append(good[:len(good):len(good)], 0), "other rig": other}
	for name, b := range rows {
		if s.UnmarshalBinary(b) == nil {
			t.Errorf("%s: accepted", name)
		}
		if !bytes.Equal(bytesOf(t, s), good) {
			t.Errorf("%s: changed the state", name)
		}
	}
}

// TestAnySetpoint lets random joint angles loose on every terrain: nothing may
// become infinite, panic, or sink into the ground.
func TestAnySetpoint(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		kind := rapid.SampledFrom(terrain.Names()).Draw(rt, "terrain")
		jump := rapid.Float64Range(0, 3).Draw(rt, "jump")
		s, d := eventful(t, kind)
		for range 80 {
			sp := d.sp
			for i := range sp.Q {
				sp.Q[i] += jump * rapid.Float64Range(-1, 1).Draw(rt, "q")
				sp.Q[i] = math.Max(-3, math.Min(3, sp.Q[i]))
			}
			if err := s.Apply(context.Background(), sp); err != nil {
				rt.Fatal(err)
			}
			p := s.Pose()
			if !geom.FiniteVec(p.P) || math.Abs(quat.Abs(p.Q)-1) > 1e-9 || !geom.FiniteVec(s.Twist().V) || !geom.FiniteVec(s.Twist().W) {
				rt.Fatalf("pose %v, twist %v", p, s.Twist())
			}
			if p.P.Z < -6 || p.P.Z > 20 {
				rt.Fatalf("height %v", p.P.Z)
			}
		}
	})
}

func TestBadInput(t *testing.T) {
	r := hexapod().build(t, 1)
	nan := math.NaN()
	par := func(edit func(*Params)) Params { p := Default(); edit(&p); return p }
	rows := []struct {
		name string
		p    Params
		c    Scale
		dt   float64
		says []string
	}{
		{"zero params", Params{}, Reference, 0.05, []string{"height factor", "tilt"}},
		{"nan leeway", par(func(p *Params) { p.Leeway = nan }), Reference, 0.05, []string{"leeway", "NaN"}},
		{"two faults", par(func(p *Params) { p.AirDrag, p.Bounce = 1, -1 }), Reference, 0.05, []string{"air drag", "bounce"}},
		{"rule", par(func(p *Params) { p.Support = 9 }), Reference, 0.05, []string{"support rule"}},
		{"no size", Default(), Scale{}, 0.05, []string{"U", "k", "gravity"}},
		{"no time", Default(), Reference, 0, []string{"dt"}},
	}
	for _, w := range rows {
		_, err := New(r, geom.Level(0), w.p, w.c, w.dt, 0)
		for _, says := range w.says {
			if err == nil || !strings.Contains(err.Error(), says) {
				t.Errorf("%s: %v does not say %q", w.name, err, says)
			}
		}
	}
	if _, err := New(nil, nil, Default(), Reference, 0.05, 0); err == nil {
		t.Error("no rig: accepted")
	}
}

func TestRefusalsChangeNothing(t *testing.T) {
	s := reference(t, hexapod())
	before := bytesOf(t, s)
	ctx := context.Background()
	short := &rig.Setpoint{Q: make([]float64, 3)}
	bad := rig.NewSetpoint(s.rig)
	bad.Q[4] = math.Inf(1)
	refused := map[string]error{
		"short setpoint":   s.Apply(ctx, short),
		"infinite angle":   s.Apply(ctx, bad),
		"unknown leg":      s.Enable(ctx, 1<<6),
		"short observer":   s.Observe(ctx, &rig.Observation{}),
		"unknown event":    s.Do(Event{Kind: EventKinds}),
		"nan push":         s.Do(Event{Kind: EventPush, Vec: r3.Vec{X: math.NaN()}}),
		"negative speed":   s.Do(Event{Kind: EventSlow, Leg: -1, Joint: -1, Value: -1}),
		"freeze of leg 6":  s.Do(Event{Kind: EventFreeze, Leg: 6, Joint: -1, Value: 1}),
		"freeze of leg -2": s.Do(Event{Kind: EventFreeze, Leg: -2, Joint: -1, Value: 1}),
		"freeze of joint":  s.Do(Event{Kind: EventFreeze, Leg: 1, Joint: 3, Value: 1}),
		"no blocks":        s.Do(Event{Kind: EventRemove}),
		"no pose":          s.Reset(geom.Pose{}),
	}
	for name, err := range refused {
		if err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	if !bytes.Equal(bytesOf(t, s), before) {
		t.Error("a refusal changed the state")
	}
}

func FuzzState(f *testing.F) {
	r := quadruped().build(f, 1)
	spec, _ := terrain.Default("blocks", 1)
	blocks := func(t testing.TB) *Sim {
		g, err := terrain.New(spec)
		if err != nil {
			t.Fatal(err)
		}
		return newSim(t, r, g, Default(), Reference, tickR)
	}
	good, _ := blocks(f).AppendBinary(nil)
	f.Add(good)
	f.Add(good[:40])
	f.Fuzz(func(t *testing.T, b []byte) {
		s := blocks(t)
		if s.UnmarshalBinary(b) != nil {
			return
		}
		again, _ := s.AppendBinary(nil)
		if !bytes.Equal(again, b) {
			t.Fatal("came back as other bytes")
		}
		apply(t, s, rig.NewSetpoint(s.rig))
	})
}
