package setup_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"legctl/configs"
	"legctl/drivers"
	"legctl/drivers/calibrate"
	"legctl/drivers/emulator"
	"legctl/drivers/servo"
	"legctl/drivers/servo/servotest"
	"legctl/drivers/setup"
	"legctl/rig"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/spatial/r3"
)

// robot is an emulated robot whose servos sit otherwise than its file says, and
// the operator who looks at it.
type robot struct {
	t     *testing.T
	r     *rig.Rig
	c     *servo.Config
	built []servo.Servo
	link  *servo.Linkage
	bank  *emulator.Bank  // of a serial protocol
	board *emulator.Board // of PCA9685
	line  *emulator.Line  // in memory
	proto *drivers.Protocol
	l     *drivers.Link
	m     *setup.Mover

	asked []string
	leg   int // whose mark is due
	mark  int
	wrong string // mark that is measured 20 mm beside where it is
}

func newRobot(t *testing.T, name string, seed uint64) *robot {
	t.Helper()
	r, c, err := configs.LoadRobot(name)
	if err != nil {
		t.Fatal(err)
	}
	return newRobotOf(t, r, c, seed)
}

func newRobotOf(t *testing.T, r *rig.Rig, c *servo.Config, seed uint64) *robot {
	t.Helper()
	b := &robot{t: t, r: r, c: c, built: slices.Clone(c.Servos)}
	rng := rand.New(rand.NewPCG(seed, 7))
	for i := range b.built {
		s := &b.built[i]
		if rng.IntN(2) == 1 {
			s.PerRad = -s.PerRad
		}
		s.Zero += (2*rng.Float64() - 1) * 0.15 * s.PerRad
	}
	var err error
	if b.link, err = servo.NewLinkage(b.built, r.Joints()); err != nil {
		t.Fatal(err)
	}
	if b.proto, err = drivers.ProtocolOf(c.Protocol); err != nil {
		t.Fatal(err)
	}
	clock := b.join()
	d, err := b.proto.Driver(b.l, c)
	if err != nil {
		t.Fatal(err)
	}
	if x, ok := d.(io.Closer); ok {
		t.Cleanup(func() { x.Close() })
	}
	ids := make([]int, len(c.Servos))
	for i := range ids {
		ids[i] = c.Servos[i].ID
	}
	b.pose(r.RestPose(nil))
	if _, err := d.Open(ids); err != nil {
		t.Fatal(err)
	}
	b.m = &setup.Mover{Driver: d, Config: c, Clock: clock}
	return b
}

// join puts the robot's servos at the far end of what its protocol is spoken on:
// a line in memory, an emulated computer board, or for Firmata, whose client has
// goroutines of its own, a pseudo terminal.
func (b *robot) join() (clock servo.Clock) {
	c, t := b.c, b.t
	var err error
	if b.proto.I2C() {
		clock := &servotest.Stepped{}
		if b.board, err = emulator.NewBoard(emulator.BoardOptions{Config: c, Clock: clock}); err != nil {
			t.Fatal(err)
		}
		b.l = &drivers.Link{Board: b.board, I2C: 1, Clock: clock}
		return clock
	}
	if b.bank, err = emulator.New(emulator.RobotOptions(c)); err != nil {
		t.Fatal(err)
	}
	c.Echo = false
	if c.Protocol != "firmata" {
		b.line = emulator.NewLine(b.bank)
		b.l = drivers.LinkOf(b.line, b.line, b.proto, c)
		return b.line
	}
	c.Port = filepath.Join(t.TempDir(), "port")
	pty, err := emulator.OpenPTY(b.bank, c.Port)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { pty.Close() })
	port, err := drivers.OpenSerial(c.Port, b.bank.Baud())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { port.Close() })
	b.l = drivers.LinkOf(port, &servotest.Stepped{}, b.proto, c)
	return b.l.Clock
}

// set turns a servo as a hand would, motor returns a copy of it.
func (b *robot) set(i int, native float64) {
	turn := func(m *emulator.Motor) { m.Position, m.Goal = native, native }
	if b.board != nil {
		b.board.Change(b.c.Servos[i].ID, turn)
		return
	}
	b.bank.Change(i, turn)
}

func (b *robot) motor(i int) (m emulator.Motor) {
	if b.board != nil {
		m, _ = b.board.Motor(b.c.Servos[i].ID)
		m.Torque = b.board.Micros(b.c.Servos[i].ID) > 0 // at once, not when time passes
		return m
	}
	m, _ = b.bank.Motor(b.c.Servos[i].ID)
	return m
}

// pose bends the joints as a hand would.
func (b *robot) pose(q []float64) {
	n := make([]float64, len(b.built))
	b.link.Native(n, q)
	for i := range n {
		b.set(i, math.Round(n[i]))
	}
}

// on returns angles that put the foot of a leg on a point (Newton).
func (b *robot) on(leg int, p r3.Vec) []float64 {
	b.t.Helper()
	q := b.r.RestPose(nil)
	l := &b.r.Legs[leg]
	jac := make([]r3.Vec, len(l.Joints))
	for range 100 {
		e := r3.Sub(p, rig.Jacobian(jac, l, q[l.First:]))
		if r3.Norm(e) < 1e-12 {
			return q
		}
		a := mat.NewDense(3, 3, nil)
		for j, v := range jac {
			a.SetCol(j, []float64{v.X, v.Y, v.Z})
		}
		var x mat.VecDense
		if err := x.SolveVec(a, mat.NewVecDense(3, []float64{e.X, e.Y, e.Z})); err != nil {
			b.t.Fatal(err)
		}
		for j := range jac {
			q[l.First+j] += min(max(x.AtVec(j), -0.3), 0.3)
		}
	}
	b.t.Fatalf("leg %d never gets to %v", leg, p)
	return nil
}

func (b *robot) Say(string) {}

// Choose answers as somebody would who sees the robot.
func (b *robot) Choose(question string, options ...string) (int, error) {
	b.asked = append(b.asked, question)
	switch {
	case len(b.asked) > 5000:
		return 0, errors.New("too many questions")
	case strings.Contains(question, "will move by"):
		return 0, nil
	case strings.Contains(question, "Which way"):
		name, _, _ := strings.Cut(b.asked[len(b.asked)-2], " ")
		i := b.c.Index(name)
		if b.built[i].PerRad*b.c.Servos[i].PerRad > 0 {
			return 0, nil
		}
		return 1, nil
	case strings.Contains(question, "on mark"):
		return b.place(options), nil
	}
	return 0, fmt.Errorf("unknown question %q", question)
}

// place puts the foot on the mark that is due: by hand at once, or by the
// options step by step.
func (b *robot) place(options []string) int {
	const marks = 4
	at := calibrate.Marks(b.r, b.leg, marks, 0)[b.mark]
	if b.wrong == fmt.Sprintf("%s on mark %d", b.r.Legs[b.leg].Name, b.mark+1) {
		at = r3.Add(at, r3.Vec{X: 0.012, Y: 0.016})
	}
	q := b.on(b.leg, at)
	if b.m.Driver.Caps().Feedback {
		b.pose(q)
	} else if n := b.closer(q, options); n >= 0 {
		return n
	}
	if b.mark++; b.mark == marks {
		b.leg, b.mark = b.leg+1, 0
	}
	return 0
}

// closer is the option that brings the leg nearer to q, -1 when none does.
func (b *robot) closer(q []float64, options []string) int {
	n := make([]float64, len(b.built))
	b.link.Native(n, q)
	for i := range b.built {
		s := &b.built[i]
		if s.Leg != b.leg {
			continue
		}
		m := b.motor(i)
		off := (n[i] - m.Goal) / (math.Abs(s.PerRad) * math.Pi / 180)
		near := 0.1 + 45/math.Abs(s.PerRad)*servo.Resolution(b.c.Protocol) // whole steps hide less
		for _, d := range []float64{5, -5, 1, -1, 0.2, -0.2} {
			if off/d > 0.8 && math.Abs(off) > near {
				return slices.Index(options, fmt.Sprintf("%s %+g", s.Name, d))
			}
		}
	}
	return -1
}

func TestDirectionsAreWhatTheFootDoes(t *testing.T) {
	for _, name := range []string{"phantomx", "spotmicro", "sts3215_quadruped", "maestro_quadruped"} {
		r, c, err := configs.LoadRobot(name)
		if err != nil {
			t.Fatal(err)
		}
		l, err := servo.NewLinkage(c.Servos, r.Joints())
		if err != nil {
			t.Fatal(err)
		}
		for i := range c.Servos {
			s := &c.Servos[i]
			q, n := r.RestPose(nil), make([]float64, len(c.Servos))
			before := rig.Foot(r, s.Leg, q)
			l.Native(n, q)
			n[i] += math.Abs(s.PerRad) * 0.05
			l.Joints(q, n)
			d := r3.Sub(rig.Foot(r, s.Leg, q), before)
			out := r3.Sub(before, r.Legs[s.Leg].Joints[0].Origin.P)
			out.Z = 0
			plus, _ := setup.Directions(r, s)
			v := map[string]float64{"forward": d.X, "back": -d.X, "left": d.Y, "right": -d.Y, "up": d.Z, "down": -d.Z, "outward": r3.Dot(d, out), "inward": -r3.Dot(d, out)}[plus]
			if !(v > 0) {
				t.Errorf("%s %s: said %s, the foot moved %v", name, s.Name, plus, d)
			}
		}
	}
}

func TestNudgeIsSmallSlowAndEndsLimp(t *testing.T) {
	for _, name := range []string{"phantomx", "xl430_octopod", "sts3215_quadruped", "lx16a_hexapod", "phoenix", "maestro_quadruped"} {
		b := newRobot(t, name, 1)
		i := b.c.Index("lf_" + strings.TrimPrefix(b.c.Servos[0].Name, "lf_"))
		s := &b.c.Servos[i]
		if !b.m.Driver.Caps().Feedback { // it was put where the file has it
			b.bank.Change(i, func(m *emulator.Motor) { m.Position, m.Goal = s.Center, s.Center })
		}
		from, _ := b.bank.Motor(s.ID)
		w := &watched{Clock: b.line, bank: b.bank, id: s.ID, last: from.Position}
		b.m.Clock = w
		if err := b.m.Nudge(context.Background(), i); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		perDeg := math.Abs(s.PerRad) * math.Pi / 180
		if far := (w.high - from.Position) / perDeg; far < 3 || far > 5.3 {
			t.Errorf("%s: moved by %.2f degrees, want 5", name, far)
		}
		if fast := w.step / perDeg / 0.05; fast > 45 {
			t.Errorf("%s: moved at %.0f degrees a second", name, fast)
		}
		if m, _ := b.bank.Motor(s.ID); m.Torque {
			t.Errorf("%s: torque is on afterwards", name)
		}
	}
}

func TestShownServosPushGently(t *testing.T) {
	for _, c := range []struct {
		rig, protocol string
		limit         int // register of the torque limit
		full          int
	}{{"phantomx", "dxl1", 34, 1023}, {"sts3215_quadruped", "feetech_sts", 48, 1000}, {"xl430_octopod", "dxl2", 100, 885}} {
		b := newRobot(t, c.rig, 1)
		id := b.c.Servos[0].ID
		seen := map[int]bool{}
		b.m.Clock = stopper{b.line, func() { seen[b.bank.Word(id, c.limit)] = true }}
		if err := b.m.Nudge(context.Background(), 0); err != nil {
			t.Error(err)
		}
		if want := int(0.35 * float64(c.full)); !seen[want] || len(seen) != 1 {
			t.Errorf("%s: torque limits %v while it moved, want %d", c.protocol, seen, want)
		}
		if got := b.bank.Word(id, c.limit); got != c.full {
			t.Errorf("%s: torque limit %d afterwards, want %d", c.protocol, got, c.full)
		}
	}
}

// watched looks at a servo each time somebody waits.
type watched struct {
	servo.Clock
	bank             *emulator.Bank
	id               int
	last, high, step float64
}

func (w *watched) Sleep(d time.Duration) {
	w.Clock.Sleep(d)
	m, _ := w.bank.Motor(w.id)
	w.step = max(w.step, math.Abs(m.Position-w.last))
	w.high, w.last = max(w.high, m.Position), m.Position
}

func TestCancelTakesTorqueOff(t *testing.T) {
	b := newRobot(t, "phantomx", 2)
	ctx, cancel := context.WithCancel(context.Background())
	n := 0
	b.m.Clock = stopper{b.line, func() {
		if n++; n == 3 {
			cancel()
		}
	}}
	err := b.m.Wave(ctx, 0, 5)
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if m, _ := b.bank.Motor(b.c.Servos[0].ID); m.Torque {
		t.Error("torque is on after Ctrl-C")
	}
	if err := b.m.Wave(context.Background(), 0, 6); err == nil {
		t.Error("6 degrees were allowed")
	}
}

type stopper struct {
	servo.Clock
	at func()
}

func (s stopper) Sleep(d time.Duration) { s.at(); s.Clock.Sleep(d) }

// panicky panics at the third goal.
type panicky struct {
	servo.Driver
	n *int
}

func (p panicky) Write(g []servo.Goal, within float64) error {
	if *p.n++; *p.n == 3 {
		panic("broken")
	}
	return p.Driver.Write(g, within)
}

func TestPanicTakesTorqueOff(t *testing.T) {
	b := newRobot(t, "phantomx", 2)
	b.m.Driver = panicky{b.m.Driver, new(int)}
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic was swallowed")
			}
		}()
		_ = b.m.Wave(context.Background(), 0, 5)
	}()
	if m, _ := b.bank.Motor(b.c.Servos[0].ID); m.Torque {
		t.Error("torque is on after a panic")
	}
}
