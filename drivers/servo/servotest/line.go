package servotest

// Fault is how one reply of a Line goes wrong.
type Fault uint8

// The faults. Good is none.
const (
	Good       Fault = iota
	Lost             // nothing comes
	Late             // it comes after the next time-out, so perhaps as the answer to the next request
	Corrupted        // one bit in the middle is flipped
	Cut              // the second half is missing
	Duplicated       // it comes twice
	Foreign          // somebody else's reply comes first: Line.Stranger
	Noise            // half a header comes first: Line.Garbage
)

// Line is the far end of a line: Far turns what the host writes into what comes
// back. The n-th reply that is not empty, from 0, goes wrong as Faults(n) says.
// A Line is used by one goroutine.
type Line struct {
	Far     func(tx []byte) []byte
	Faults  func(n int) Fault // nil: all good
	Echo    bool              // the adaptor hands back what was sent
	Collide bool              // with Echo: and gets one bit of it wrong
	// Stranger and Garbage are what Foreign and Noise put before a reply.
	Stranger, Garbage []byte
	// Chunk is the most bytes one Read returns, 0 for all there are.
	Chunk int

	Sent    int // bytes the host wrote
	Replies int // replies so far, good or not

	ready, late []byte
}

// Write hands p to the far end. It never fails.
func (l *Line) Write(p []byte) (int, error) {
	l.Sent += len(p)
	if l.Echo {
		l.ready = append(l.ready, p...)
		if l.Collide && len(p) > 0 {
			l.ready[len(l.ready)-1] ^= 1
		}
	}
	if reply := l.Far(p); len(reply) > 0 {
		f := Good
		if l.Faults != nil {
			f = l.Faults(l.Replies)
		}
		l.Replies++
		l.deliver(f, reply)
	}
	return len(p), nil
}

// deliver puts a reply on the line as the fault has it.
func (l *Line) deliver(f Fault, reply []byte) {
	switch f {
	case Lost:
	case Late:
		l.late = append(l.late, reply...)
	case Corrupted:
		at := len(l.ready) + len(reply)/2
		l.ready = append(l.ready, reply...)
		l.ready[at] ^= 0x04
	case Cut:
		l.ready = append(l.ready, reply[:len(reply)/2]...)
	case Duplicated:
		l.ready = append(append(l.ready, reply...), reply...)
	case Foreign:
		l.ready = append(append(l.ready, l.Stranger...), reply...)
	case Noise:
		l.ready = append(append(l.ready, l.Garbage...), reply...)
	default:
		l.ready = append(l.ready, reply...)
	}
}

// Read returns what is there. When nothing is, it returns 0 and nil, a time-out,
// and what was late arrives after it.
func (l *Line) Read(p []byte) (int, error) {
	if len(l.ready) == 0 {
		l.ready, l.late = append(l.ready, l.late...), l.late[:0]
		return 0, nil
	}
	n := len(p)
	if l.Chunk > 0 {
		n = min(n, l.Chunk)
	}
	n = copy(p[:n], l.ready)
	l.ready = append(l.ready[:0], l.ready[n:]...)
	return n, nil
}

// ResetInputBuffer throws away what has arrived. What is still late is not here
// yet and survives.
func (l *Line) ResetInputBuffer() error {
	l.ready = l.ready[:0]
	return nil
}
