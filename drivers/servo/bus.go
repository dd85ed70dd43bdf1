package servo

import (
	"fmt"
	"time"
)

// Timing is what the deadline of an answer is reckoned from.
type Timing struct {
	Baud        int
	Bits        int           // on the wire for a byte; 0: 10
	Latency     time.Duration // an adaptor holds what it has received
	ReturnDelay time.Duration // a servo waits before it answers
	Margin      time.Duration // of the operating system; 0: 3 ms
	Late        time.Duration // a reply may come so long after its deadline; 0: 8 ms and twice the latency
	Echo        bool          // the adaptor hands back what it sends
}

// filled returns t with its defaults.
func (t Timing) filled() Timing {
	if t.Bits == 0 {
		t.Bits = 10
	}
	if t.Margin == 0 {
		t.Margin = 3 * time.Millisecond
	}
	if t.Late == 0 {
		t.Late = 8*time.Millisecond + 2*t.Latency
	}
	return t
}

// BusStats is what went over a bus.
type BusStats struct {
	Counts    Counts        // faults by class
	Sent      uint64        // bytes
	Received  uint64        // bytes, echoes included
	Stale     uint64        // bytes that nobody waited for any more
	Exchanges uint64        // questions asked
	Retries   uint64        // questions asked again
	RoundTrip time.Duration // of the last answered question
	Longest   time.Duration // round trip so far
	Wire      time.Duration // the wire was busy, as reckoned from the bytes
	EchoFound bool          // an adaptor that was not said to hands back what it sends
}

// Bus owns a port: nobody else reads or writes it. It is used by one goroutine,
// but for Shout.
//
// A question that timed out may still be answered, and nothing in most protocols
// tells that answer from the next one. So whoever owes a reply is not asked
// again until the reply came or Timing.Late has passed since its deadline; in
// the tick such a question is Deferred, outside it Bus waits.
type Bus struct {
	Stats BusStats

	port   Port
	clock  Clock
	timing Timing
	until  time.Duration      // the wire is busy with what was sent
	owed   [256]time.Duration // by id: until when a late reply may come
	owedBy time.Duration      // the same for answers that carry no id
	buf    [512]byte
	endBy  time.Duration
	heard  time.Duration
	own    int    // bytes of ours that have yet to come back as echo
	got    int    // bytes that came for this question
	mirror int    // of them, how many are the question's own, from its first; -1: one was not
	stale  uint64 // Stats.Stale when the latency was last raised
	silent int    // questions in a row without an answer
	echoes bool   // of messages that nobody answers may still come
	lost   error
}

// NewBus returns the owner of a port.
func NewBus(port Port, clock Clock, t Timing) *Bus {
	return &Bus{port: port, clock: clock, timing: t.filled()}
}

// Timing returns what deadlines are reckoned from, defaults filled in.
func (b *Bus) Timing() Timing { return b.timing }

// Clock returns the clock of the bus.
func (b *Bus) Clock() Clock { return b.clock }

// Lost returns why the port is gone, nil while it is there.
func (b *Bus) Lost() error { return b.lost }

// Close closes the port.
func (b *Bus) Close() error { return b.port.Close() }

// SetBaud changes the baud of the port and of the deadlines. Ports without a
// baud take any.
func (b *Bus) SetBaud(baud int) error {
	if p, ok := b.port.(Bauder); ok {
		if err := p.SetBaud(baud); err != nil {
			return b.gone("set the baud", err)
		}
	}
	b.timing.Baud = baud
	return nil
}

// EchoOf returns what a parser must expect to come back of a request.
func (b *Bus) EchoOf(request []byte) []byte {
	if b.timing.Echo {
		return request
	}
	return nil
}

// gone notes that the port is lost.
func (b *Bus) gone(what string, err error) error {
	if b.lost == nil {
		b.lost = fmt.Errorf("servo: %s: %w: %w", what, ErrGone, err)
	}
	return b.lost
}

// wire is the time so many bytes take.
func (b *Bus) wire(n int) time.Duration {
	if b.timing.Baud <= 0 {
		return 0
	}
	return time.Duration(n*b.timing.Bits) * time.Second / time.Duration(b.timing.Baud)
}

// Send writes a message nobody answers, by one write.
func (b *Bus) Send(message []byte) error {
	if b.lost != nil {
		return b.lost
	}
	n, err := b.port.Write(message)
	if err == nil && n != len(message) {
		err = fmt.Errorf("%d of %d bytes written", n, len(message))
	}
	if err != nil {
		return b.gone("write", err)
	}
	took := b.wire(n)
	b.until, b.echoes = max(b.until, b.clock.Now())+took, true
	b.Stats.Sent += uint64(n)
	if b.timing.Echo {
		b.own += n
	}
	b.Stats.Wire += took
	return nil
}

// Settle waits until an answer of so many bytes to what was sent would have come,
// whoever may have given it. The next question throws it away.
func (b *Bus) Settle(rx int) {
	b.clock.Sleep(b.until - b.clock.Now() + b.wire(rx) + b.timing.ReturnDelay + b.timing.Latency + b.timing.Margin)
}

// Shout writes a message whoever uses the bus, for the way out when its owner
// hangs: it takes no lock, touches nothing but the port and reports nothing.
func (b *Bus) Shout(message []byte) { _, _ = b.port.Write(message) }

// Question is one exchange.
type Question struct {
	Request []byte
	Answer  Answer // made to expect the answer
	Cost    Cost   // of the exchange; the deadline is reckoned from it
	From    []int  // who answers; none: answers carry no id
	Alike   bool   // a servo may answer by the very bytes of the request, which are no sign of an echo then
	Patient bool   // outside the tick: late replies are waited for, to this question and to earlier ones

	tried int // times it was asked before
}

// Ask writes a request and feeds what arrives to the answer until it is complete
// or its deadline has come. The Fault is the answer's verdict; the error says
// that the port is gone.
func (b *Bus) Ask(q *Question) (Fault, error) {
	if b.lost != nil {
		return Fault{Class: Timeout}, b.lost
	}
	wait := b.owes(q.From) - b.clock.Now()
	if !q.Patient && (wait > 0 || b.endBy > 0 && b.clock.Now()+b.takes(q) > b.endBy) {
		b.Stats.Counts.Add(Deferred)
		return Fault{Class: Deferred}, nil
	}
	if wait > 0 {
		b.clock.Sleep(wait)
	}
	b.letEchoCome()
	if err := b.drain(); err != nil {
		return Fault{Class: Timeout}, err
	}
	b.Stats.Exchanges++
	asked := b.clock.Now()
	if err := b.Send(q.Request); err != nil {
		return Fault{Class: Timeout}, err
	}
	b.echoes = false // the answer takes it
	deadline := b.until + b.takes(q) - b.wire(len(q.Request)) + b.timing.Margin
	if q.Patient {
		deadline += b.timing.Late + time.Duration(q.tried)*retryPatience
	}
	err := b.collect(q, deadline)
	f := q.Answer.Finish()
	if b.echoed(q) {
		b.timing.Echo, b.Stats.EchoFound = true, true
		f = Fault{Class: EchoMismatch}
	}
	b.note(q, f, deadline, b.clock.Now()-asked)
	return f, err
}

// takes is how long an exchange lasts from its first byte, without the margin.
func (b *Bus) takes(q *Question) time.Duration {
	return b.wire(len(q.Request)+q.Cost.Rx) + time.Duration(q.Cost.Replies)*b.timing.ReturnDelay + b.timing.Latency
}

// drain throws away what has arrived. It is read rather than flushed: that
// something came at all, however late, tells a slow line from a dead one.
func (b *Bus) drain() error {
	if err := b.port.SetReadTimeout(0); err != nil {
		return b.gone("set the time-out", err)
	}
	for {
		n, err := b.port.Read(b.buf[:])
		if err != nil {
			return b.gone("read", err)
		}
		if n == 0 {
			return nil
		}
		b.Stats.Stale += uint64(b.hear(n))
	}
}

// hear notes that bytes came, and returns how many of them were no echo of ours.
func (b *Bus) hear(n int) int {
	own := min(n, b.own)
	b.own -= own
	if n > own {
		b.heard = b.clock.Now()
	}
	return n - own
}

// Heard is when the last byte came that was no echo, on the bus's clock.
func (b *Bus) Heard() time.Duration { return b.heard }

// letEchoCome waits until what was sent without a question has come back, so that
// the rest of it is not taken for the echo of the next one.
func (b *Bus) letEchoCome() {
	if !b.timing.Echo || !b.echoes {
		return
	}
	b.echoes = false
	b.clock.Sleep(b.until + b.timing.Latency + b.timing.Margin - b.clock.Now())
}

// EndBy makes questions that cannot be answered before t Deferred unless they are
// patient; 0 lifts it. A tick is kept in its time by it.
func (b *Bus) EndBy(t time.Duration) { b.endBy = t }

// collect feeds the answer until it is complete or the deadline has come. What
// is there at the deadline is still read.
func (b *Bus) collect(q *Question, deadline time.Duration) error {
	b.got, b.mirror = 0, 0
	for {
		wait := max(0, deadline-b.clock.Now())
		if err := b.port.SetReadTimeout(wait); err != nil {
			return b.gone("set the time-out", err)
		}
		n, err := b.port.Read(b.buf[:])
		if err != nil {
			return b.gone("read", err)
		}
		b.Stats.Received += uint64(n)
		b.Stats.Wire += b.wire(n)
		b.hear(n)
		b.compare(q.Request, n)
		if n > 0 && q.Answer.Feed(b.buf[:n]) {
			return nil
		}
		if n == 0 && wait == 0 {
			return nil
		}
	}
}

// compare looks whether the n bytes that came go on as the question does.
func (b *Bus) compare(request []byte, n int) {
	for _, v := range b.buf[:n] {
		if b.mirror >= 0 && b.got < len(request) {
			if v == request[b.got] {
				b.mirror++
			} else {
				b.mirror = -1
			}
		}
		b.got++
	}
}

// echoed reports whether a question to a servo came back whole from an adaptor
// that was not said to hand back what it sends. Its echo is taken away from then
// on.
func (b *Bus) echoed(q *Question) bool {
	n := len(q.Request)
	return !b.timing.Echo && len(q.From) > 0 && b.mirror == n && (b.got > n || !q.Alike)
}

// note counts a verdict and remembers who owes a reply.
func (b *Bus) note(q *Question, f Fault, deadline, took time.Duration) {
	if f.Class != None {
		b.Stats.Counts.Add(f.Class)
	}
	if f.Again() {
		return // it has come
	}
	if f.HasData() || f.Class == Partial {
		b.silent = 0
	}
	if f.HasData() {
		b.Stats.RoundTrip, b.Stats.Longest = took, max(b.Stats.Longest, took)
		return
	}
	b.slower(f)
	late := deadline + b.timing.Late
	if len(q.From) == 0 {
		b.owedBy = late
	}
	for _, id := range q.From {
		b.owed[byte(id)] = late
	}
}

// An adaptor that turns out to be slower than it was taken for is waited for
// longer, up to what the slowest ones do.
const (
	slowAfter = 4 // questions in a row without an answer
	slowStep  = 2 * time.Millisecond
	slowMost  = 20 * time.Millisecond
)

// slower notes a silence and raises the latency after some.
func (b *Bus) slower(f Fault) {
	if f.Class != Timeout && f.Class != Truncated {
		return
	}
	if b.silent++; b.silent >= slowAfter && b.Stats.Stale > b.stale {
		b.silent, b.stale = 0, b.Stats.Stale
		b.timing.Latency = min(b.timing.Latency+slowStep, max(slowMost, b.timing.Latency))
	}
}

// owes returns until when one of the servos may still answer an old question.
func (b *Bus) owes(from []int) time.Duration {
	if len(from) == 0 {
		return b.owedBy
	}
	var t time.Duration
	for _, id := range from {
		t = max(t, b.owed[byte(id)])
	}
	return t
}

// retryPatience is how much longer each repetition outside the tick waits: a
// computer may be busy for a while.
const retryPatience = 20 * time.Millisecond

// AskAgain asks up to tries times more while the answer has no data, outside the
// tick: it waits for late replies.
func (b *Bus) AskAgain(q *Question, expect func(), tries int) (Fault, error) {
	q.Patient = true
	for n := 0; ; n++ {
		expect()
		q.tried = n
		known := b.timing.Echo
		f, err := b.Ask(q)
		if known != b.timing.Echo {
			n-- // found out is not tried
			continue
		}
		if err != nil || f.HasData() || n == tries {
			return f, err
		}
		b.Stats.Retries++
	}
}
