package loop

import (
	"sync"
	"sync/atomic"

	"legctl/control"
)

// MailboxSize is how many commands may wait.
const MailboxSize = 64

// Receipt says what became of a command that was put into a Mailbox.
type Receipt uint8

// The receipts.
const (
	Queued   Receipt = iota // it waits for its tick
	Replaced                // it waits, and an older twist was thrown out for it
	Full                    // it was refused: MailboxSize commands wait already
)

// Mailbox holds the commands that wait for a tick. Any goroutine may Put; the
// tick takes at most one a tick and never waits for a lock. The zero value is
// empty and ready.
//
// A twist replaces a twist that still waits and goes to the end of the queue,
// so that a stop between the two is not overtaken. A twist's lifetime counts
// from its receipt: what it waited is taken off. (A TTL of zero means the
// controller's default, which counts from the tick that takes it.)
type Mailbox struct {
	mu    sync.Mutex
	head  int
	n     int
	queue [MailboxSize]letter
	now   atomic.Uint64 // tick of the last Take
}

// letter is a command and the tick in which it came.
type letter struct {
	cmd  control.Command
	came uint64
}

// Put leaves a command for a later tick. With Replaced, old is the ID of the
// twist that will never be answered.
func (m *Mailbox) Put(cmd control.Command) (got Receipt, old uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if cmd.Kind == control.KindTwist {
		if id, ok := m.dropTwist(); ok {
			got, old = Replaced, id
		}
	}
	if m.n == MailboxSize {
		return Full, 0
	}
	*m.at(m.n) = letter{cmd: cmd, came: m.now.Load()}
	m.n++
	return got, old
}

// first puts a command before all that wait; with a full mailbox the last of
// them is lost.
func (m *Mailbox) first(cmd control.Command) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.head = (m.head + MailboxSize - 1) % MailboxSize
	m.n = min(m.n+1, MailboxSize)
	*m.at(0) = letter{cmd: cmd, came: m.now.Load()}
}

// dropTwist takes the waiting twist out; there is never more than one.
func (m *Mailbox) dropTwist() (id uint64, ok bool) {
	for i := range m.n {
		if m.at(i).cmd.Kind != control.KindTwist {
			continue
		}
		id = m.at(i).cmd.ID
		for j := i; j+1 < m.n; j++ {
			*m.at(j) = *m.at(j + 1)
		}
		m.n--
		return id, true
	}
	return 0, false
}

// Take writes the oldest command to dst for tick, or the zero command when
// there is none or when a Put is just under way. dt is the length of a tick,
// seconds.
func (m *Mailbox) Take(dst *control.Command, tick uint64, dt float64) {
	m.now.Store(tick)
	*dst = control.Command{}
	if !m.mu.TryLock() {
		return
	}
	if m.n > 0 {
		l := m.at(0)
		*dst = l.cmd
		if dst.TTL > 0 && tick > l.came+1 {
			// At least one tick is left, so that the core sees it and says it is stale.
			dst.TTL = max(dt, dst.TTL-float64(tick-l.came-1)*dt)
		}
		m.head = (m.head + 1) % MailboxSize
		m.n--
	}
	m.mu.Unlock()
}

// Len returns how many commands wait.
func (m *Mailbox) Len() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.n
}

func (m *Mailbox) at(i int) *letter { return &m.queue[(m.head+i)%MailboxSize] }
