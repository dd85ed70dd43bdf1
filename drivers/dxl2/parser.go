package dxl2

import "legctl/drivers/servo"

// Parser finds the replies of an exchange, merged ones taken apart. The zero
// value expects nothing.
type Parser struct {
	servo.Parser
	spans []Span // of a fast read
	parts []servo.Reply
	ready bool
}

// ExpectOne waits for the status of one servo with so many parameters: 3 after
// a ping, 0 after a write. echo as in servo.Parser.
func (p *Parser) ExpectOne(id byte, params int, echo []byte) {
	p.begin(echo, false)
	p.Await(servo.Want{ID: id, AnyID: id == servo.Broadcast, Params: params})
}

// ExpectGroup waits for one status of each servo, in the order asked.
func (p *Parser) ExpectGroup(ids []byte, params int, echo []byte) {
	p.begin(echo, false)
	for _, id := range ids {
		p.Await(servo.Want{ID: id, Params: params})
	}
}

// ExpectBulk waits for the replies to AppendBulkRead.
func (p *Parser) ExpectBulk(spans []Span, echo []byte) {
	p.begin(echo, false)
	for _, s := range spans {
		p.Await(servo.Want{ID: s.ID, Params: int(s.Len)})
	}
}

// ExpectFast waits for the one frame that answers AppendFastBulkRead; for a
// fast sync read all spans have the same address and length. Spans are copied.
func (p *Parser) ExpectFast(spans []Span, echo []byte) {
	p.begin(echo, true)
	n := 0
	for _, s := range spans {
		n += 4 + int(s.Len)
		p.spans = append(p.spans, s)
	}
	// The last CRC is the frame's own; the first error, which stands where a
	// status has its own, is counted with the parts.
	p.Await(servo.Want{ID: servo.Broadcast, Params: n - 2})
}

func (p *Parser) begin(echo []byte, fast bool) {
	p.Begin(Format{Fast: fast}, echo)
	p.spans, p.parts, p.ready = p.spans[:0], p.parts[:0], false
}

// Finish is servo.Parser's. After a fast read a merged frame that was lost or
// bad is a fault of all; a part that answers for another servo makes the group
// Partial.
func (p *Parser) Finish() servo.Fault {
	f := p.Parser.Finish()
	if len(p.spans) == 0 {
		return f
	}
	if !p.ready {
		p.ready = true
		p.split(f)
	}
	for i := range p.parts {
		if f.Class == servo.None && !p.parts[i].Fault.HasData() {
			f = servo.Fault{Class: servo.Partial}
		}
	}
	return f
}

// split takes a merged frame apart: error, id, data and CRC for each servo, the
// last CRC already removed.
func (p *Parser) split(f servo.Fault) {
	b := p.Parser.Reply().Params
	for _, s := range p.spans {
		r := servo.Reply{ID: s.ID, Fault: f}
		if n := int(s.Len); f.Class == servo.None {
			r.Status, r.Params, r.Fault = b[0], b[2:2+n:2+n], fault(b[0])
			if b[1] != s.ID {
				r = servo.Reply{ID: s.ID, Fault: servo.Fault{Class: servo.WrongID, Got: int(b[1])}}
				p.Counts.Add(servo.WrongID)
			}
			b = b[min(n+4, len(b)):]
		}
		p.parts = append(p.parts, r)
	}
}

// Replies returns one reply a servo, in the order asked; of a fast read only
// after Finish. They belong to the parser until its next Expect.
func (p *Parser) Replies() []servo.Reply {
	if len(p.spans) > 0 {
		return p.parts
	}
	return p.Parser.Replies()
}

// Reply returns the first of Replies, the zero Reply when there is none.
func (p *Parser) Reply() servo.Reply {
	if r := p.Replies(); len(r) > 0 {
		return r[0]
	}
	return servo.Reply{}
}
