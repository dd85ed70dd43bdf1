package sim

import (
	"context"
	"math"
	"testing"

	"legctl/geom"
	"legctl/rig"
)

// servoSim is a hexapod whose servos have some parameters, and a setpoint where
// it stands.
func servoSim(t *testing.T, change func(p *Params)) (*Sim, *rig.Setpoint) {
	t.Helper()
	p := Default()
	change(&p)
	s := newSim(t, hexapod().build(t, 1), geom.Level(0), p, Reference, tickR)
	return s, rig.NewSetpoint(s.rig)
}

func TestBacklashIsPlayEitherWay(t *testing.T) {
	const play = 0.04
	s, sp := servoSim(t, func(p *Params) { p.Servo.Backlash = play })
	from := sp.Q[1]
	sp.Q[1] = from + 0.1
	apply(t, s, sp)
	if got := s.st.Joints[1].Q - from; math.Abs(got-(0.1-play/2)) > 1e-12 {
		t.Errorf("went %v, want the wish less half the play", got)
	}
	sp.Q[1] = from + 0.1 - 0.9*play
	apply(t, s, sp)
	if got := s.st.Joints[1].Q - from; math.Abs(got-(0.1-play/2)) > 1e-12 {
		t.Errorf("moved to %v inside the play", got)
	}
	sp.Q[1] = from
	apply(t, s, sp)
	if got := s.st.Joints[1].Q - from; math.Abs(got-play/2) > 1e-12 {
		t.Errorf("back at %v, want half the play left", got)
	}
}

func TestStepsRoundTheWish(t *testing.T) {
	step := 300.0 / 1024 * math.Pi / 180 // of an AX-12
	s, sp := servoSim(t, func(p *Params) { p.Servo.Step = step })
	for k := range 20 {
		sp.Q[1] += 0.0031 * float64(k%3-1)
		apply(t, s, sp)
		got := s.st.Joints[1].Q
		if n := got / step; math.Abs(n-math.Round(n)) > 1e-9 {
			t.Fatalf("at %v, which is %v steps", got, n)
		}
		if math.Abs(got-sp.Q[1]) > step/2+1e-12 {
			t.Fatalf("at %v, asked for %v: more than half a step", got, sp.Q[1])
		}
	}
}

func TestBatterySagsEmptiesAndSlows(t *testing.T) {
	s, sp := servoSim(t, func(p *Params) {
		p.Servo.Limited = true
		p.Battery = Battery{Volts: 8, Sag: 3, Drain: 0.1}
	})
	var o rig.Observation
	volts := func() float64 {
		o = *rig.NewObservation(s.rig)
		if err := s.Observe(context.Background(), &o); err != nil {
			t.Fatal(err)
		}
		return o.Battery
	}
	apply(t, s, sp)
	still := volts()
	if math.Abs(still-8) > 0.02 {
		t.Errorf("at rest %v V, want 8", still)
	}
	for j := range sp.Q {
		sp.Q[j] += 10
	}
	apply(t, s, sp)
	if v := volts(); v > still-2 || v < still-3 {
		t.Errorf("nearly all joints at full speed: %v V, want 2 to 3 less than %v", v, still)
	}
	was, left := s.st.Joints[1].Q, s.st.Volts/8
	for j := range sp.Q {
		sp.Q[j] -= 20
	}
	apply(t, s, sp)
	full := s.rig.Legs[0].Joints[1].Speed * tickR
	if went := was - s.st.Joints[1].Q; math.Abs(went-left*full) > 1e-9 {
		t.Errorf("with %v of its volts a joint turned %v of its speed", left, went/full)
	}
	sp.Limp = true
	for range 2000 {
		apply(t, s, sp)
	}
	if v := volts(); v != 0 {
		t.Errorf("after 100 s at 0.1 V a second: %v V", v)
	}
}

func TestServoModelsAreOffByDefault(t *testing.T) {
	p := Default()
	if p.Servo != (Servo{}) || p.Battery != (Battery{}) {
		t.Errorf("%+v %+v", p.Servo, p.Battery)
	}
	p.Battery.Sag = 1
	if p.Validate() == nil {
		t.Error("a battery of no volts sags")
	}
}
