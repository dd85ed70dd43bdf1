package servo

// StatusFormat is how a status frame of the FF FF protocols is read: kind is a
// byte of error bits, and any bit is a DeviceError. It cannot tell the echo of
// a request from a status, so an adaptor that echoes must be declared.
type StatusFormat struct{}

func (StatusFormat) frame() SumFrame { return Registers{}.frame() }

// Header is 2: FF FF.
func (StatusFormat) Header() int { return 2 }

// Size is SumFrame's.
func (f StatusFormat) Size(b []byte) int { return f.frame().Size(b) }

// Verify is SumFrame's.
func (f StatusFormat) Verify(frame []byte) Fault { return f.frame().Verify(frame) }

// Params is SumFrame's.
func (f StatusFormat) Params(frame []byte) []byte { return f.frame().Params(frame) }

// Open reads id and error bits.
func (f StatusFormat) Open(frame []byte) (Reply, bool) {
	r := Reply{ID: frame[2], Status: frame[4], Params: f.Params(frame)}
	if r.Status != 0 {
		r.Fault = Fault{Class: DeviceError, Got: int(r.Status)}
	}
	return r, true
}

// StatusParser is the Parser of the FF FF protocols. The zero value expects
// nothing; its buffers are its own.
type StatusParser struct{ Parser }

// ExpectOne waits for the status of one servo with so many parameters. The
// broadcast id, in a ping, takes whoever answers. echo as in Parser.Expect.
func (p *StatusParser) ExpectOne(id byte, params int, echo []byte) {
	p.Expect(StatusFormat{}, Want{ID: id, AnyID: id == Broadcast, Params: params}, echo)
}

// ExpectGroup waits for one status of each servo, in the order asked.
func (p *StatusParser) ExpectGroup(ids []byte, params int, echo []byte) {
	p.Begin(StatusFormat{}, echo)
	for _, id := range ids {
		p.Await(Want{ID: id, Params: params})
	}
}

// ExpectBulk waits for the replies to AppendBulkRead.
func (p *StatusParser) ExpectBulk(spans []Span, echo []byte) {
	p.Begin(StatusFormat{}, echo)
	for _, s := range spans {
		p.Await(Want{ID: s.ID, Params: int(s.Len)})
	}
}

// Sign returns the value of a sign-magnitude number whose sign is the given
// bit, 1 to 15; bits above it are left out.
func Sign(raw uint16, bit uint) int {
	v := int(raw & (1<<bit - 1))
	if raw>>bit&1 != 0 {
		return -v
	}
	return v
}

// FlagNames lists the names of the bits set in a byte, lowest first. Bits
// without a name are reserved and left out.
func FlagNames(bits byte, names []string) []string {
	var out []string
	for i, name := range names {
		if name != "" && bits>>i&1 != 0 {
			out = append(out, name)
		}
	}
	return out
}
