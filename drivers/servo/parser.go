package servo

// Format is how a protocol frames its bytes. Implementations keep no state.
type Format interface {
	// Header is the number of bytes from which on a frame has begun.
	Header() int
	// Size returns the length of the frame that starts at b[0], 0 while b is
	// too short to tell, and a negative number when none can start there.
	Size(b []byte) int
	// Verify returns a Checksum or CRC fault, or none, for a complete frame.
	Verify(frame []byte) Fault
	// Open takes a verified frame apart and leaves it as it is; Params alias
	// it, as they came. The reply's Fault is DeviceError, DeviceAlert or none.
	// False means an echo of a request.
	Open(frame []byte) (Reply, bool)
	// Params returns the parameters of a frame that is the answer, with byte
	// stuffing removed in place.
	Params(frame []byte) []byte
}

// Want is one reply an exchange waits for.
type Want struct {
	ID      byte
	AnyID   bool // whoever answers, as to a ping of the broadcast id
	Kind    byte // command the reply must repeat; only where the format has one
	Params  int  // number of parameters; negative for any
	HasKind bool
}

// Reply is what one device answered. Params belongs to the parser and is valid
// until its next Expect. When nothing usable came, Fault says why and Params is
// nil. After DeviceError the number of parameters is whatever the device sent:
// look before decoding.
type Reply struct {
	ID, Kind, Status byte
	Params           []byte
	Fault            Fault
}

// Limit is how many bytes of one exchange a Parser keeps. What a babbling line
// sends beyond is counted and dropped; the largest group reply (252 devices)
// stays well below it.
const Limit = 8192

// Parser finds the replies of one exchange in a stream. Noise, bad sums,
// frames of strangers and echoes are skipped; after a candidate that fails the
// search goes on one byte behind its first header byte. A later frame never
// wins over an earlier one that is still incomplete, so that bytes inside a
// stranger's frame are never taken for an answer; when the deadline comes,
// Finish gives up what is incomplete and looks behind it.
//
// A late reply of the very same id, command and length is the same bytes as the
// reply that is due: whoever owns the port throws away what has arrived before
// asking, and after a fault.
//
// The zero value expects nothing. A Parser allocates only while its buffers
// grow to the largest exchange it has seen.
type Parser struct {
	Counts  Counts // of all exchanges so far
	Dropped int    // bytes beyond Limit

	format  Format
	wants   []Want
	replies []Reply
	buf     []byte
	echo    []byte
	echoed  int
	clash   bool

	at      int // the want that is searched for
	from    int // end of the last match; the search for a missing reply restarts here
	pos     int // first byte not yet judged
	counted int // candidates before it are in Counts
	seen    verdict
}

// verdict is what the search for one reply has met on its way.
type verdict struct {
	bad, stranger, command Fault
}

// note keeps the first fault of each kind.
func (v *verdict) note(f Fault) {
	slot := &v.bad
	switch f.Class {
	case WrongID:
		slot = &v.stranger
	case WrongCommand:
		slot = &v.command
	}
	if slot.Class == None {
		*slot = f
	}
}

// Expect begins an exchange that one reply ends, and forgets the one before.
// echo is what the adaptor will hand back first, nil for none; it is borrowed
// until Finish.
func (p *Parser) Expect(f Format, w Want, echo []byte) {
	p.Begin(f, echo)
	p.Await(w)
}

// Begin forgets the exchange before and begins one without wants; Await adds
// them, in the order they are asked. echo as in Expect.
func (p *Parser) Begin(f Format, echo []byte) {
	p.format, p.echo = f, echo
	p.wants, p.replies, p.buf = p.wants[:0], p.replies[:0], p.buf[:0]
	p.echoed, p.clash, p.at, p.from, p.pos, p.counted = 0, false, 0, 0, 0, 0
	p.seen = verdict{}
}

// Await adds one reply to an exchange that has begun and got no byte yet.
func (p *Parser) Await(w Want) {
	p.wants = append(p.wants, w)
	p.replies = append(p.replies, Reply{ID: w.ID, Kind: w.Kind})
}

// Feed takes bytes as they came and reports whether all replies are there, or
// can never be because the echo was wrong.
func (p *Parser) Feed(chunk []byte) bool {
	chunk = p.strip(chunk)
	if room := Limit - len(p.buf); len(chunk) > room {
		p.Dropped += len(chunk) - room
		chunk = chunk[:room]
	}
	p.buf = append(p.buf, chunk...)
	p.advance(false)
	return p.clash || p.at == len(p.wants) && p.echoed == len(p.echo)
}

// strip removes the echo, comparing byte by byte.
func (p *Parser) strip(chunk []byte) []byte {
	for len(chunk) > 0 && p.echoed < len(p.echo) && !p.clash {
		p.clash = chunk[0] != p.echo[p.echoed]
		p.echoed++
		chunk = chunk[1:]
	}
	if p.clash {
		return nil
	}
	return chunk
}

// Finish ends the exchange. For one reply it returns that reply's fault, for a
// group Partial when anybody is missing; each reply says its own. A second call
// returns the same.
func (p *Parser) Finish() Fault {
	if p.clash || p.echoed > 0 && p.echoed < len(p.echo) {
		return p.fail(Fault{Class: EchoMismatch})
	}
	p.advance(true)
	if len(p.wants) == 1 {
		return p.replies[0].Fault
	}
	for i := range p.replies {
		if !p.replies[i].Fault.HasData() {
			return Fault{Class: Partial}
		}
	}
	return Fault{}
}

// fail gives every outstanding reply the same fault.
func (p *Parser) fail(f Fault) Fault {
	for ; p.at < len(p.wants); p.at++ {
		p.replies[p.at].Fault = f
		p.Counts.Add(f.Class)
	}
	return f
}

// Replies returns what was found, one a want, in the order asked. It belongs to
// the parser until its next Expect or Begin.
func (p *Parser) Replies() []Reply { return p.replies }

// Reply returns the first reply; the zero Reply when none was expected.
func (p *Parser) Reply() Reply {
	if len(p.replies) == 0 {
		return Reply{}
	}
	return p.replies[0]
}

// advance judges what can be judged. With final set there is nothing to wait for.
func (p *Parser) advance(final bool) {
	for p.at < len(p.wants) {
		frame := p.next(final)
		if frame != nil {
			p.judge(frame)
			continue
		}
		if !final {
			return
		}
		p.miss()
	}
}
