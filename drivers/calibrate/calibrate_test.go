package calibrate_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"legctl/configs"
	"legctl/drivers/calibrate"
	"legctl/drivers/servo"
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r3"
)

// built is a robot as somebody put it together: its servos differ from the
// rig's file in sign and zero.
type built struct {
	r    *rig.Rig
	c    *servo.Config
	true []servo.Servo
	link *servo.Linkage
	rng  *rand.Rand
}

// build puts a rig together with horns up to so many degrees off and, if flip is
// set, servos the wrong way round.
func build(t *testing.T, name string, seed uint64, deg float64, flip bool) *built {
	t.Helper()
	r, c, err := configs.LoadRobot(name)
	if err != nil {
		t.Fatal(err)
	}
	b := &built{r: r, c: c, rng: rand.New(rand.NewPCG(seed, 1))}
	b.true = append(b.true, c.Servos...)
	for i := range b.true {
		s := &b.true[i]
		if flip && b.rng.IntN(2) == 1 {
			s.PerRad = -s.PerRad
		}
		s.Zero += (2*b.rng.Float64() - 1) * deg * math.Pi / 180 * s.PerRad
	}
	if b.link, err = servo.NewLinkage(b.true, r.Joints()); err != nil {
		t.Fatal(err)
	}
	return b
}

// touch puts the foot of a leg on a mark and reads the servos, which round.
func (b *built) touch(t *testing.T, name string, leg int, q []float64) calibrate.Measure {
	t.Helper()
	native := make([]float64, len(b.true))
	b.link.Native(native, q)
	step := servo.Resolution(b.c.Protocol)
	for i := range native {
		native[i] = math.Round(native[i]/step) * step
	}
	p := rig.Foot(b.r, leg, q)
	return calibrate.Measure{Name: name, Leg: leg, Native: native, Foot: &p}
}

// touches puts every leg's foot on n marks, at angles near those of its stance.
func (b *built) touches(t *testing.T, n int) []calibrate.Measure {
	var ms []calibrate.Measure
	for leg := range b.r.Legs {
		for k := range n {
			q := b.r.RestPose(nil)
			l := &b.r.Legs[leg]
			for j := range l.Joints {
				a := &l.Joints[j]
				q[l.First+j] = min(max(a.Rest+0.5*(2*b.rng.Float64()-1), a.Min), a.Max)
			}
			ms = append(ms, b.touch(t, l.Name+" on mark "+string(rune('1'+k)), leg, q))
		}
	}
	return ms
}

// signs are the answers to "which way did it move".
func (b *built) signs() []int8 {
	s := make([]int8, len(b.true))
	for i := range s {
		s[i] = 1
		if b.true[i].PerRad*b.c.Servos[i].PerRad < 0 {
			s[i] = -1
		}
	}
	return s
}

// compare demands every sign, and every zero within one step of the servo.
func (b *built) compare(t *testing.T, got *calibrate.Result) {
	t.Helper()
	for i := range b.true {
		want, k := &b.true[i], &got.Servos[i]
		if k.PerRad != want.PerRad {
			t.Errorf("%s %s: turns %v, want %v", b.r.Name, want.Name, k.PerRad, want.PerRad)
		}
		if d := math.Abs(k.Zero - want.Zero); d > servo.Resolution(b.c.Protocol) {
			t.Errorf("%s %s: zero %.2f, want %.2f", b.r.Name, want.Name, k.Zero, want.Zero)
		}
		if k.ID != want.ID || k.Name != want.Name {
			t.Errorf("%s: %+v", want.Name, k)
		}
	}
}

var robots = []string{"phantomx", "phoenix", "freenove", "spotmicro", "lx16a_hexapod", "sts3215_quadruped", "maestro_quadruped", "xl430_octopod"}

func TestZerosAndSignsAreRecovered(t *testing.T) {
	for k, name := range robots {
		for _, asked := range []bool{true, false} {
			b := build(t, name, uint64(k+1), 25, true)
			var sign []int8
			if asked {
				sign = b.signs()
			}
			got, err := calibrate.Solve(b.r, b.c, b.touches(t, 6), sign)
			if err != nil {
				t.Errorf("%s, asked %v: %v", name, asked, err)
				continue
			}
			b.compare(t, got)
			for j, e := range got.Joints {
				if e > 0.01 {
					t.Errorf("%s: residual of joint %d is %v rad", name, j, e)
				}
			}
		}
	}
}

func TestHornsFarOff(t *testing.T) {
	b := build(t, "xl430_octopod", 9, 100, true)
	got, err := calibrate.Solve(b.r, b.c, b.touches(t, 6), b.signs())
	if err != nil {
		t.Fatal(err)
	}
	b.compare(t, got)
	if len(got.Warnings) == 0 {
		t.Error("horns 100 degrees off raise no warning about mirrored legs")
	}
}

func TestKnownPoses(t *testing.T) {
	b := build(t, "phantomx", 3, 20, true)
	var ms []calibrate.Measure
	for leg := range b.r.Legs {
		for k, shift := range []float64{0, 0.3} {
			q := b.r.RestPose(nil)
			l := &b.r.Legs[leg]
			var known []calibrate.Angle
			for j := range l.Joints {
				q[l.First+j] += shift
				known = append(known, calibrate.Angle{Joint: l.First + j, Value: q[l.First+j]})
			}
			m := b.touch(t, l.Name+" pose "+string(rune('1'+k)), leg, q)
			m.Foot, m.Angles = nil, known
			ms = append(ms, m)
		}
	}
	got, err := calibrate.Solve(b.r, b.c, ms, nil)
	if err != nil {
		t.Fatal(err)
	}
	b.compare(t, got)
}

func TestContradictionsAreNamed(t *testing.T) {
	wrong := func(change func(b *built, ms []calibrate.Measure, sign []int8)) string {
		b := build(t, "phantomx", 5, 15, true)
		ms, sign := b.touches(t, 5), b.signs()
		change(b, ms, sign)
		_, err := calibrate.Solve(b.r, b.c, ms, sign)
		if err == nil {
			return "accepted"
		}
		return err.Error()
	}
	for _, c := range []struct {
		name   string
		want   string
		change func(b *built, ms []calibrate.Measure, sign []int8)
	}{
		{"one mark 30 mm off", "without lf on mark 3", func(_ *built, ms []calibrate.Measure, _ []int8) { ms[2].Foot.X += 0.03 }},
		{"one position misread", "without lf on mark 4", func(b *built, ms []calibrate.Measure, _ []int8) { ms[3].Native[b.c.Index("lf_femur")] += 80 }},
		{"a direction answered wrongly", "if lf_femur turns the other way", func(b *built, _ []calibrate.Measure, sign []int8) {
			sign[b.c.Index("lf_femur")] *= -1
		}},
		{"left and right mixed up", "left and right are mixed up", func(b *built, ms []calibrate.Measure, _ []int8) {
			for k := range 5 {
				ms[k].Foot.Y *= -1
			}
		}},
		{"a mark out of reach", "the mark is", func(_ *built, ms []calibrate.Measure, _ []int8) { ms[0].Foot.X = 2.19 }},
		{"no position", "no position of lf_coxa", func(_ *built, ms []calibrate.Measure, _ []int8) { ms[0].Native[0] = math.NaN() }},
	} {
		if got := wrong(c.change); !strings.Contains(got, c.want) {
			t.Errorf("%s: %s\nwant %q", c.name, got, c.want)
		}
	}
}

func TestTooFewMarksAreRefused(t *testing.T) {
	b := build(t, "phantomx", 6, 10, false)
	ms := b.touches(t, 2)
	_, err := calibrate.Solve(b.r, b.c, ms[:10], b.signs())
	if err == nil || !strings.Contains(err.Error(), "rr") {
		t.Errorf("no measurement of rr: %v", err)
	}
	// The same mark twice says nothing new; with two joints frozen together it
	// leaves a joint open.
	b = build(t, "phantomx", 6, 10, false)
	q := b.r.RestPose(nil)
	var one []calibrate.Measure
	for leg := range b.r.Legs {
		l := &b.r.Legs[leg]
		m := b.touch(t, l.Name, leg, q)
		m.Foot = nil
		m.Angles = []calibrate.Angle{{Joint: l.First, Value: q[l.First]}, {Joint: l.First + 1, Value: q[l.First+1]}}
		one = append(one, m, m)
	}
	_, err = calibrate.Solve(b.r, b.c, one, b.signs())
	if err == nil || !strings.Contains(err.Error(), "lf_tibia open") {
		t.Errorf("nothing about a tibia was measured: %v", err)
	}
}

func TestCoupledKneeNeedsNoCode(t *testing.T) {
	b := build(t, "phantomx", 8, 0, false)
	for i := range b.c.Servos {
		s := &b.c.Servos[i]
		if strings.HasSuffix(s.Name, "_tibia") { // the knee is driven through the thigh
			s.Terms = []servo.Term{{Joint: s.Terms[0].Joint - 1, Factor: 0.5}, s.Terms[0]}
		}
	}
	b.true = append([]servo.Servo(nil), b.c.Servos...)
	for i := range b.true {
		b.true[i].Zero += 11
	}
	var err error
	if b.link, err = servo.NewLinkage(b.true, b.r.Joints()); err != nil {
		t.Fatal(err)
	}
	got, err := calibrate.Solve(b.r, b.c, b.touches(t, 6), nil)
	if err != nil {
		t.Fatal(err)
	}
	b.compare(t, got)
}

func TestMarksDetermineEveryJoint(t *testing.T) {
	for _, name := range robots {
		r, _, err := configs.LoadRobot(name)
		if err != nil {
			t.Fatal(err)
		}
		for leg := range r.Legs {
			for _, p := range calibrate.Marks(r, leg, 4, 0) {
				if d := r3.Norm(r3.Sub(p, r.Legs[leg].Joints[0].Origin.P)); d > r.Legs[leg].Length {
					t.Errorf("%s %s: mark %v is out of reach", name, r.Legs[leg].Name, p)
				}
			}
		}
	}
}

func TestRangesAskForTheHornToBeTurned(t *testing.T) {
	b := build(t, "freenove", 2, 0, false)
	b.true[1].Zero += 600
	got := make([]servo.Calibrated, len(b.true))
	for i := range got {
		got[i] = servo.Calibrated{Name: b.true[i].Name, ID: b.true[i].ID, Zero: b.true[i].Zero, PerRad: b.true[i].PerRad}
	}
	err := calibrate.Ranges(b.r, b.c, got, 0.9)
	if err == nil || !strings.Contains(err.Error(), "lf_femur") || !strings.Contains(err.Error(), "take the horn off") {
		t.Error(err)
	}
}

func TestSweep(t *testing.T) {
	var s calibrate.Sweep
	for _, v := range []float64{2000, 2400, 1500} {
		s.Add(v, 4096)
	}
	if lo, hi, err := s.Range("x", 100); err != nil || lo != 1500 || hi != 2400 {
		t.Error(lo, hi, err)
	}
	s.Add(4000, 4096)
	if _, _, err := s.Range("x", 100); err == nil || !strings.Contains(err.Error(), "wraps") {
		t.Error(err)
	}
	var still calibrate.Sweep
	still.Add(5, 0)
	if _, _, err := still.Range("x", 100); err == nil {
		t.Error("a joint that was not moved was taken")
	}
}
