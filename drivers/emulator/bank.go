package emulator

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"legctl/drivers/servo"
)

// Options are what a Bank is made of.
type Options struct {
	Protocol string
	IDs      []int  // ids or channels; the same id twice is a conflict, as on a real bus
	Model    string // of all servos; empty: the first the protocol drives
	Models   []string
	Baud     int     // 0: the protocol's default
	Volts    float64 // of the supply without load; 0: what the model likes
	Sag      float64 // volts lost at full load of all servos
	Latency  time.Duration
	Seed     uint64
	Wire     bool // bytes take their time on the wire
	Maestro  servo.Maestro
	Timeout  time.Duration // serial timeout of a Maestro; 0: off
	Faults   []Fault
}

// Stats is what has crossed the line, as the far end counts it.
type Stats struct {
	Received, Sent int // bytes
	Requests       int // that were understood
	Bad            int // frames with a wrong sum, and bytes outside of frames
	Deaf           int // bytes sent at another baud
	Faults         int // replies that went wrong on request
	Reboots        int
}

// Bank is a bus full of servos. Its methods may be called from any goroutine.
type Bank struct {
	mu     sync.Mutex
	o      Options
	device device
	motors []Motor
	ids    []int
	faults []Fault
	dice   dice
	stats  Stats

	now    time.Duration
	heard  time.Duration // when the last byte came
	free   time.Duration // when the wire is free
	asleep time.Duration // until when nobody hears, after a brown-out
	buf    []byte
	queue  []chunk
	echo   bool
	slow   time.Duration
	supply float64
	gone   bool
}

// chunk is bytes on their way to the host.
type chunk struct {
	at   time.Duration
	data []byte
}

// device is the protocol of a bank.
type device interface {
	// take reads one request at the head of b, answers it, and returns how many
	// bytes it had: 0 while there are too few, and the noise before a request
	// on its own.
	take(b *Bank, buf []byte) int
	// reset forgets what is lost without power, of one motor.
	reset(b *Bank, i int)
	// tick lets time pass for what is not a motor.
	tick(b *Bank)
	// stranger turns a reply into one of another servo, nil where the protocol
	// has no ids in its replies.
	stranger(reply []byte) []byte
}

// New makes a bank.
func New(o Options) (*Bank, error) {
	b := &Bank{o: o, ids: slices.Clone(o.IDs), faults: slices.Clone(o.Faults), dice: dice(o.Seed + 1), heard: -time.Hour}
	caps, ok := capsOf(o.Protocol)
	if !ok {
		return nil, fmt.Errorf("emulator: protocol %q, want one of %v", o.Protocol, protocols())
	}
	if b.o.Baud == 0 {
		b.o.Baud = caps.DefaultBaud
	}
	if len(o.IDs) == 0 {
		return nil, fmt.Errorf("emulator: no servos, want ids such as 1-18")
	}
	for i, id := range o.IDs {
		if id < 0 || id > caps.MaxID {
			return nil, fmt.Errorf("emulator: id %d, want 0 to %d for %s", id, caps.MaxID, o.Protocol)
		}
		m, err := b.model(i)
		if err != nil {
			return nil, err
		}
		b.supply = o.Volts
		if b.supply == 0 {
			b.supply = (m.Volts[0] + m.Volts[1]) / 2
		}
		one := newMotor(m, b.supply)
		if twin := slices.Index(o.IDs[:i], id); twin >= 0 { // no two servos stand alike
			one.Position += 0.02*(m.Max-m.Min) + float64(i)
			one.Goal = one.Position
		}
		b.motors = append(b.motors, one)
	}
	b.device = newDevice(b)
	return b, nil
}

// model is that of the i-th servo.
func (b *Bank) model(i int) (servo.Model, error) {
	name := b.o.Model
	if i < len(b.o.Models) {
		name = b.o.Models[i]
	}
	for _, m := range servo.Models() {
		if (name == "" || m.Name == name) && m.Drives(b.o.Protocol) {
			return m, nil
		}
	}
	return servo.Model{}, fmt.Errorf("emulator: model %q is not known for protocol %s", name, b.o.Protocol)
}

// Baud is what the servos listen at.
func (b *Bank) Baud() int { return b.o.Baud }

// IDs returns the ids of the servos, in the order of Motor.
func (b *Bank) IDs() []int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.ids)
}

// Motor returns a copy of the first servo with an id; false when there is none.
func (b *Bank) Motor(id int) (Motor, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if i := slices.Index(b.ids, id); i >= 0 {
		return b.motors[i], true
	}
	return Motor{}, false
}

// Change lets f change the i-th servo, as a hand on the robot would.
func (b *Bank) Change(i int, f func(*Motor)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	f(&b.motors[i])
}

// Stats returns the counts so far.
func (b *Bank) Stats() Stats {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.stats
}

// Now is the time the bank was last told.
func (b *Bank) Now() time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.now
}

// Inject adds a fault. Its At counts from now.
func (b *Bank) Inject(f Fault) {
	b.mu.Lock()
	defer b.mu.Unlock()
	f.At += b.now
	b.faults = append(b.faults, f)
}

// Clear ends all faults and plugs in what was unplugged.
func (b *Bank) Clear() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for i := range b.faults {
		if f := &b.faults[i]; f.begun && !f.ended {
			b.end(f)
		}
	}
	b.faults = nil
}

// Gone reports whether the whole line is unplugged.
func (b *Bank) Gone() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.gone
}

// Receive takes what the host sent at a time, at a baud (0: the right one).
// What comes back is had from Due.
func (b *Bank) Receive(now time.Duration, baud int, tx []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.advance(now)
	b.stats.Received += len(tx)
	b.free = max(b.free, now) + b.wire(len(tx))
	if b.gone {
		return
	}
	if b.echo {
		b.push(b.free, slices.Clone(tx))
	}
	if baud != 0 && baud != b.o.Baud {
		b.stats.Deaf += len(tx)
		return
	}
	const patience = 50 * time.Millisecond
	if now-b.heard > patience {
		b.buf = b.buf[:0]
	}
	b.heard = now
	if now < b.asleep {
		return
	}
	b.buf = append(b.buf, tx...)
	for len(b.buf) > 0 {
		n := b.device.take(b, b.buf)
		if n == 0 {
			return
		}
		b.buf = append(b.buf[:0], b.buf[n:]...)
	}
}

// Due returns what has reached the host by a time, and when the next bytes do;
// false when none are on their way.
func (b *Bank) Due(now time.Duration) (data []byte, next time.Duration, more bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.advance(now)
	for len(b.queue) > 0 && b.queue[0].at <= now {
		data = append(data, b.queue[0].data...)
		b.queue = b.queue[1:]
	}
	b.stats.Sent += len(data)
	if len(b.queue) == 0 {
		return data, 0, false
	}
	return data, b.queue[0].at, true
}

// Advance lets time pass.
func (b *Bank) Advance(now time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.advance(now)
}

// grain is the longest time that passes at once: faults and watchdogs strike
// that late at most.
const grain = 5 * time.Millisecond

// advance brings faults, servos and the protocol up to a time.
func (b *Bank) advance(now time.Duration) {
	for b.now+grain < now {
		b.pass(b.now + grain)
	}
	if now >= b.now {
		b.pass(now)
	}
}

func (b *Bank) pass(now time.Duration) {
	dt := (now - b.now).Seconds()
	b.now = now
	b.turn()
	load := 0.0
	for i := range b.motors {
		b.motors[i].step(dt)
		load += max(b.motors[i].Load, -b.motors[i].Load)
	}
	volts := b.supply - b.o.Sag*load/float64(len(b.motors))
	for i := range b.motors {
		b.motors[i].Volts = volts
	}
	b.device.tick(b)
}

// wire is how long bytes take.
func (b *Bank) wire(n int) time.Duration {
	if !b.o.Wire {
		return 0
	}
	return time.Duration(float64(n*10) / float64(b.o.Baud) * float64(time.Second))
}

func (b *Bank) push(at time.Duration, data []byte) {
	i, _ := slices.BinarySearchFunc(b.queue, at, func(c chunk, at time.Duration) int {
		if c.at <= at {
			return -1
		}
		return 1
	})
	b.queue = slices.Insert(b.queue, i, chunk{at, data})
}
