package setup_test

import (
	"context"
	"math"
	"strings"
	"testing"
	"time"

	"legctl/configs"
	"legctl/drivers/calibrate"
	"legctl/drivers/servo"
	"legctl/drivers/setup"
	"legctl/rig"
)

// on puts the servos of a shipped robot onto another protocol: the same joints and
// horns, with the model and channels given.
func on(t *testing.T, robot, protocol, model string, first int) (*rig.Rig, *servo.Config) {
	t.Helper()
	r, c, err := configs.LoadRobot(robot)
	if err != nil || protocol == "" {
		return r, c
	}
	m, _ := servo.ModelOf(model)
	for i := range c.Servos {
		s := &c.Servos[i]
		old, _ := servo.ModelOf(s.Model)
		k := m.PerTurn / old.PerTurn
		to := func(v float64) float64 { return m.Center + (v-old.Center)*k }
		s.Model, s.ID, s.Zero, s.PerRad, s.Center = model, first+i, to(s.Zero), s.PerRad*k, m.Center
		s.Min, s.Max = max(to(s.Min), m.Min), min(to(s.Max), m.Max)
	}
	c.Protocol, c.Baud, c.Firmata.Reset = protocol, 0, 0.05
	return r, c
}

// delayed waits after each message until the far end of a pseudo terminal has
// obeyed: the operator looks at the robot before the next one.
type delayed struct {
	servo.Driver
	b *robot
}

func (d *delayed) Enable(g []servo.Goal) error { return d.wait(g, d.Driver.Enable(g)) }

func (d *delayed) Write(g []servo.Goal, within float64) error {
	return d.wait(g, d.Driver.Write(g, within))
}

func (d *delayed) wait(g []servo.Goal, err error) error {
	i := 0
	for d.b.c.Servos[i].ID != g[0].ID {
		i++
	}
	end := time.Now().Add(5 * time.Second)
	for m := d.b.motor(i); err == nil && (!m.Torque || math.Abs(m.Goal-g[0].Pos) > 0.51); m = d.b.motor(i) {
		if time.Now().After(end) {
			d.b.t.Fatalf("%s: pulse %.0f us, told %.0f", d.b.c.Servos[i].Name, m.Goal, g[0].Pos)
		}
		time.Sleep(20 * time.Microsecond)
	}
	return err
}

// sessions are a robot for each protocol.
var sessions = []struct{ robot, protocol, model string }{
	{robot: "phantomx"},
	{robot: "xl430_octopod"},
	{robot: "sts3215_quadruped"},
	{"sts3215_quadruped", "feetech_scs", "scs0009"},
	{robot: "lx16a_hexapod"},
	{robot: "phoenix"},
	{robot: "maestro_quadruped"},
	{robot: "spotmicro"},
	{robot: "freenove"},
	{"spotmicro", "firmata", "ds3218"},
}

// sit is a robot at its operator.
func sit(t *testing.T, k int) (*robot, *setup.Session) {
	r, c := on(t, sessions[k].robot, sessions[k].protocol, sessions[k].model, 2)
	b := newRobotOf(t, r, c, uint64(k)+3)
	if c.Protocol == "firmata" {
		b.m.Driver = &delayed{b.m.Driver, b}
	}
	return b, &setup.Session{Rig: b.r, Config: b.c, Mover: b.m, Dialog: b}
}

// TestSessionFindsHowTheRobotIsBuilt: for every protocol, a whole session with
// somebody who answers by what the robot does finds each servo's hidden direction,
// and its zero within half a degree, says what is left over, and ends limp.
func TestSessionFindsHowTheRobotIsBuilt(t *testing.T) {
	done := map[string]bool{}
	for k := range sessions {
		b, s := sit(t, k)
		done[b.c.Protocol] = true
		t.Run(b.c.Protocol+" "+b.r.Name, func(t *testing.T) {
			got, err := s.Run(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			b.check(t, got)
		})
	}
	for _, p := range servo.Protocols() {
		if !done[p] {
			t.Errorf("no session over %s", p)
		}
	}
}

// check compares a result with how the robot is built.
func (b *robot) check(t *testing.T, got *calibrate.Result) {
	t.Helper()
	const most = 0.5 * math.Pi / 180
	worst, residual := 0.0, 0.0
	for i := range b.built {
		s, k := &b.built[i], &got.Servos[i]
		off := math.Abs((k.Zero - s.Zero) / s.PerRad)
		if k.PerRad != s.PerRad || off > most || !(k.Residual > 0 && k.Residual < most) {
			t.Errorf("%s: zero %.2f, turns %.1f, residual %.2f degrees; built with %.2f and %.1f", s.Name, k.Zero, k.PerRad, k.Residual*180/math.Pi, s.Zero, s.PerRad)
		}
		worst, residual = max(worst, off), max(residual, k.Residual)
	}
	for i := range b.c.Servos {
		for end := time.Now().Add(3 * time.Second); b.motor(i).Torque; time.Sleep(time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("%s has torque after the session", b.c.Servos[i].Name)
			}
		}
	}
	t.Logf("worst zero %.2f degrees off, greatest residual %.2f, %d questions", worst*180/math.Pi, residual*180/math.Pi, len(b.asked))
}

// TestSessionRefusesAWrongMark: for every protocol, one mark that is measured 20 mm
// beside where it is ends in an error that names it, and in no calibration.
func TestSessionRefusesAWrongMark(t *testing.T) {
	for k := range sessions {
		b, s := sit(t, k)
		t.Run(b.c.Protocol+" "+b.r.Name, func(t *testing.T) {
			b.wrong = b.r.Legs[1].Name + " on mark 2"
			got, err := s.Run(context.Background())
			if err == nil || got != nil || !strings.Contains(err.Error(), "contradict each other") || !strings.Contains(err.Error(), b.wrong) {
				t.Errorf("%v", err)
			}
		})
	}
}
