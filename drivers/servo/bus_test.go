package servo_test

import (
	"errors"
	"testing"
	"time"

	"legctl/drivers/servo"
	"legctl/drivers/servo/servotest"
)

// far answers reads of two bytes at 36 with the servo's id and a count of what
// was asked, so that an old answer shows.
func far() func([]byte) []byte {
	var n byte
	return func(tx []byte) []byte {
		if len(tx) < 6 || tx[4] != servo.InstRead {
			return nil
		}
		n++
		return servo.SumFrame{Header: 0xFF, Ahead: 4}.Append(nil, tx[2], 0, tx[2], n)
	}
}

// asker asks one servo for its two bytes.
type asker struct {
	t   *testing.T
	bus *servo.Bus
	p   servo.StatusParser
}

func (a *asker) ask(id byte, patient bool) (servo.Fault, byte) {
	a.t.Helper()
	req, err := servo.Registers{Protocol: "test", MaxID: 253}.AppendRead(nil, id, 36, 2)
	if err != nil {
		a.t.Fatal(err)
	}
	a.p.ExpectOne(id, 2, a.bus.EchoOf(req))
	q := servo.Question{
		Request: req, Answer: &a.p, Cost: servo.Cost{Tx: 8, Rx: 8, Replies: 1}, From: []int{int(id)}, Patient: patient,
	}
	f, err := a.bus.Ask(&q)
	if err != nil {
		a.t.Fatal(err)
	}
	if f.HasData() {
		return f, a.p.Reply().Params[1]
	}
	return f, 0
}

func newAsker(t *testing.T, w *servotest.Wire, timing servo.Timing) *asker {
	timing.Baud = w.Baud
	return &asker{t: t, bus: servo.NewBus(w, w.Clock, timing)}
}

// TestDeadlineIsExact: a question costs what its bytes take when it is answered,
// and when it is not, that and the allowances, to the nanosecond.
func TestDeadlineIsExact(t *testing.T) {
	for _, c := range []struct {
		name  string
		fault servotest.Fault
		want  time.Duration
		class servo.Class
	}{
		{"answered", servotest.Good, 160 * time.Microsecond, servo.None},
		{"silent", servotest.Lost, 160*time.Microsecond + 500*time.Microsecond + time.Millisecond + 3*time.Millisecond, servo.Timeout},
	} {
		clock := &servotest.Stepped{}
		w := &servotest.Wire{Clock: clock, Baud: 1_000_000, Far: far(), Faults: func(int) servotest.Fault { return c.fault }}
		a := newAsker(t, w, servo.Timing{Latency: time.Millisecond, ReturnDelay: 500 * time.Microsecond})
		if f, _ := a.ask(1, false); f.Class != c.class || clock.Now() != c.want {
			t.Errorf("%s: %v after %v, want %v after %v", c.name, f, clock.Now(), c.class, c.want)
		}
	}
}

// TestLateReplyIsNeverTheNextOne: the first question times out and is answered
// later. Asked at once the servo is deferred; another one is asked meanwhile;
// patiently asked it is asked after the old answer can no longer come.
func TestLateReplyIsNeverTheNextOne(t *testing.T) {
	for _, lateBy := range []time.Duration{4 * time.Millisecond, 6 * time.Millisecond, 11 * time.Millisecond} {
		for _, patient := range []bool{false, true} {
			clock := &servotest.Stepped{}
			w := &servotest.Wire{Clock: clock, Baud: 1_000_000, Far: far(), LateBy: lateBy, Faults: func(n int) servotest.Fault {
				if n == 0 {
					return servotest.Late
				}
				return servotest.Good
			}}
			a := newAsker(t, w, servo.Timing{})
			if f, _ := a.ask(1, false); f.Class != servo.Timeout {
				t.Fatalf("late by %v: %v", lateBy, f)
			}
			f, n := a.ask(1, patient)
			switch {
			case patient && (f.Class != servo.None || n != 2):
				t.Errorf("late by %v, patient: %v, answer %d", lateBy, f, n)
			case !patient && f.Class != servo.Deferred:
				t.Errorf("late by %v: %v, answer %d", lateBy, f, n)
			}
			before := a.bus.Stats.Exchanges
			if f, n := a.ask(2, false); f.Class != servo.None || n != byte(before)+1 {
				t.Errorf("late by %v: another servo: %v, answer %d", lateBy, f, n)
			}
			clock.Sleep(20 * time.Millisecond)
			if f, n := a.ask(1, false); f.Class != servo.None || n != byte(before)+2 {
				t.Errorf("late by %v: in the next tick: %v, answer %d", lateBy, f, n)
			}
		}
	}
}

// TestAdaptorEcho: the echo is taken away by comparing it; one that differs is a
// collision; and the time it takes is in the deadline.
func TestAdaptorEcho(t *testing.T) {
	clock := &servotest.Stepped{}
	w := &servotest.Wire{Clock: clock, Baud: 115_200, Far: far(), Echo: true}
	a := newAsker(t, w, servo.Timing{Echo: true})
	if f, n := a.ask(5, false); f.Class != servo.None || n != 1 {
		t.Errorf("%v, answer %d", f, n)
	}
}

func TestGonePortStaysGone(t *testing.T) {
	w := &servotest.Wire{Clock: &servotest.Stepped{}, Baud: 1_000_000, Far: far()}
	a := newAsker(t, w, servo.Timing{})
	w.Unplugged = true
	if err := a.bus.Send([]byte{1}); !errors.Is(err, servo.ErrGone) || !errors.Is(err, servotest.ErrUnplugged) {
		t.Errorf("send: %v", err)
	}
	w.Unplugged = false
	if _, err := a.bus.Ask(&servo.Question{}); !errors.Is(err, servo.ErrGone) {
		t.Errorf("a port that was gone came back by itself: %v", err)
	}
}

func TestAskingAllocatesNothing(t *testing.T) {
	line := &servotest.Line{Far: far()}
	a := &asker{t: t, bus: servo.NewBus(instant{line}, &servotest.Stepped{}, servo.Timing{Baud: 1_000_000})}
	req, _ := servo.Registers{MaxID: 253}.AppendRead(nil, 1, 36, 2)
	from := []int{1}
	q := servo.Question{Request: req, Answer: &a.p, Cost: servo.Cost{Rx: 8}, From: from}
	answer := func() {
		a.p.ExpectOne(1, 2, nil)
		if f, err := a.bus.Ask(&q); err != nil || f.Class != servo.None {
			t.Fatal(f, err)
		}
	}
	line.Far = func([]byte) []byte { return reply }
	if n := testing.AllocsPerRun(100, answer); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

var reply = servo.SumFrame{Header: 0xFF, Ahead: 4}.Append(nil, 1, 0, 1, 2)

// instant makes a Port of a line.
type instant struct{ *servotest.Line }

func (instant) SetReadTimeout(time.Duration) error { return nil }
func (instant) Close() error                       { return nil }
