package ssc32

import "legctl/drivers/servo"

// answer is what form an answer has.
type answer uint8

const (
	nothing answer = iota
	moving
	pulse
	text
)

// longest is more than any version or register text has.
const longest = 64

// Parser reads the answer to one query. Nothing in an answer says what it
// answers, so whoever owns the port throws away what is late before asking; a
// byte too many is a BadFrame. The zero value expects nothing.
type Parser struct {
	Counts servo.Counts // of all answers so far

	form answer
	n    int // bytes that came
	bad  bool
	end  bool // the CR of a text came
	buf  [longest]byte
	done bool
	f    servo.Fault
}

// ExpectMoving waits for the answer to AppendQueryMoving.
func (p *Parser) ExpectMoving() { p.expect(moving) }

// ExpectPulse waits for the answer to AppendQueryPulse.
func (p *Parser) ExpectPulse() { p.expect(pulse) }

// ExpectText waits for a line: the answer to AppendVersion or AppendReadRegister.
func (p *Parser) ExpectText() { p.expect(text) }

func (p *Parser) expect(form answer) {
	p.form, p.n, p.bad, p.end, p.done = form, 0, false, false, false
}

// Feed takes bytes as they came and reports whether the answer is complete.
func (p *Parser) Feed(chunk []byte) bool {
	for _, b := range chunk {
		p.take(b)
	}
	return p.complete()
}

func (p *Parser) complete() bool {
	if p.form == text {
		return p.end
	}
	return p.form == nothing || p.n > 0
}

func (p *Parser) take(b byte) {
	full := p.complete() || p.n == longest
	switch {
	case full:
		p.bad = true
	case p.form == moving:
		p.bad = b != '.' && b != '+'
	case p.form == text && b == '\r':
		p.end = true
		return
	case p.form == text && (b < ' ' || b > '~'):
		p.bad = true
	}
	if !full {
		p.buf[p.n] = b
		p.n++
	}
}

// Finish ends the wait and returns the verdict; a second call returns the same.
func (p *Parser) Finish() servo.Fault {
	if p.done {
		return p.f
	}
	p.done, p.f = true, servo.Fault{}
	switch {
	case p.bad:
		p.f.Class = servo.BadFrame
	case p.complete():
		return p.f
	case p.n == 0:
		p.f.Class = servo.Timeout
	default:
		p.f = servo.Fault{Class: servo.Truncated, Got: p.n, Want: servo.Unknown}
	}
	p.Counts.Add(p.f.Class)
	return p.f
}

// Moving is the answer to ExpectMoving, false unless Finish found no fault.
func (p *Parser) Moving() bool { return p.good(moving) && p.buf[0] == '+' }

// PulseUS is the answer to ExpectPulse in microseconds, in steps of 10; 0 unless
// Finish found no fault, and for a channel without pulses.
func (p *Parser) PulseUS() int {
	if !p.good(pulse) {
		return 0
	}
	return 10 * int(p.buf[0])
}

// Text is the line without its CR, empty unless Finish found no fault. It is the
// parser's until the next Expect.
func (p *Parser) Text() []byte {
	if !p.good(text) {
		return nil
	}
	return p.buf[:p.n]
}

// Number reads the line as a number. False for anything else.
func (p *Parser) Number() (int, bool) {
	sign, v := 1, 0
	digits := p.Text()
	if len(digits) > 1 && digits[0] == '-' {
		sign, digits = -1, digits[1:]
	}
	for _, d := range digits {
		if d < '0' || d > '9' || v > 1<<20 {
			return 0, false
		}
		v = 10*v + int(d-'0')
	}
	return sign * v, len(digits) > 0
}

func (p *Parser) good(form answer) bool {
	return p.form == form && p.done && p.f.Class == servo.None
}
