package servo

// next returns the next good frame at or behind pos, nil when there is none yet.
func (p *Parser) next(final bool) []byte {
	for p.pos < len(p.buf) {
		b := p.buf[p.pos:]
		n := p.format.Size(b)
		if n < 0 {
			p.pos++
			continue
		}
		if n == 0 || n > len(b) {
			if !final {
				return nil
			}
			p.cut(len(b), n)
			continue
		}
		if f := p.format.Verify(b[:n]); f.Class != None {
			p.skip(f)
			continue
		}
		p.pos += n
		return b[:n:n]
	}
	return nil
}

// cut gives up a frame that never became complete.
func (p *Parser) cut(got, want int) {
	if got < p.format.Header() {
		p.pos++
		return
	}
	if want == 0 {
		want = Unknown
	}
	p.skip(Fault{Class: Truncated, Got: got, Want: want})
}

// skip notes a candidate that failed and goes on one byte behind its start.
// A search that starts again for the next want does not count it twice.
func (p *Parser) skip(f Fault) {
	p.seen.note(f)
	if p.pos >= p.counted {
		p.Counts.Add(f.Class)
		p.counted = p.pos + 1
	}
	p.pos++
}

// judge compares a good frame with the want that is due.
func (p *Parser) judge(frame []byte) {
	w := p.wants[p.at]
	r, ok := p.format.Open(frame)
	switch {
	case !ok || w.HasKind && r.Kind == w.Kind && w.Params > 0 && len(r.Params) == 0:
		return // an echo
	case r.ID != w.ID && !w.AnyID:
		p.drop(Fault{Class: WrongID, Got: int(r.ID)})
	case w.HasKind && r.Kind != w.Kind:
		p.drop(Fault{Class: WrongCommand, Got: int(r.Kind)})
	default:
		p.take(w, r, frame)
	}
}

// drop notes a good frame that answers something else.
func (p *Parser) drop(f Fault) {
	p.seen.note(f)
	if p.pos > p.counted {
		p.Counts.Add(f.Class)
		p.counted = p.pos
	}
}

// take ends the search for a want. Of a reply without an error that has the
// wrong size nothing is kept.
func (p *Parser) take(w Want, r Reply, frame []byte) {
	r.Params = p.format.Params(frame)
	if n := len(r.Params); r.Fault.Class != DeviceError && w.Params >= 0 && n != w.Params {
		r.Params, r.Fault = nil, Fault{Class: BadLength, Got: n, Want: w.Params}
	}
	if r.Fault.Class != None {
		p.Counts.Add(r.Fault.Class)
	}
	p.replies[p.at] = r
	p.at++
	p.from = p.pos
	p.seen = verdict{}
}

// miss ends the search for a want that is not there and starts the next one
// where this one began.
func (p *Parser) miss() {
	f := p.seen.bad
	for _, other := range []Fault{p.seen.stranger, p.seen.command} {
		if f.Class == None {
			f = other
		}
	}
	if f.Class == None {
		f.Class = BadFrame
		if len(p.buf) == p.from {
			f.Class = Timeout
		}
		p.Counts.Add(f.Class)
	}
	p.replies[p.at].Fault = f
	p.at++
	p.pos = p.from
	p.seen = verdict{}
}
