package maestro

import "legctl/drivers/servo"

// Parser reads the answer to one query: one or two plain bytes. Nothing in an
// answer says what it answers, so whoever owns the port throws away what is late
// before asking; a byte too many is a BadFrame. The zero value expects nothing.
type Parser struct {
	Counts servo.Counts // of all answers so far

	want, n int
	form    form
	buf     [2]byte
	done    bool
	f       servo.Fault
}

// form is what an answer means.
type form uint8

const (
	nothing form = iota
	position
	moving
	failures
)

// ExpectPosition waits for the answer to AppendGetPosition.
func (p *Parser) ExpectPosition() { p.expect(position, 2) }

// ExpectMoving waits for the answer to AppendGetMoving.
func (p *Parser) ExpectMoving() { p.expect(moving, 1) }

// ExpectErrors waits for the answer to AppendGetErrors.
func (p *Parser) ExpectErrors() { p.expect(failures, 2) }

func (p *Parser) expect(f form, n int) { p.form, p.want, p.n, p.done = f, n, 0, false }

// Feed takes bytes as they came and reports whether the answer is complete.
func (p *Parser) Feed(chunk []byte) bool {
	for _, b := range chunk {
		if p.n < p.want {
			p.buf[p.n] = b
		}
		p.n = min(p.n+1, p.want+1)
	}
	return p.n >= p.want
}

// Finish ends the wait and returns the verdict; errors of the device are a
// DeviceError. A second call returns the same.
func (p *Parser) Finish() servo.Fault {
	if !p.done {
		p.done, p.f = true, p.judge()
		if p.f.Class != servo.None {
			p.Counts.Add(p.f.Class)
		}
	}
	return p.f
}

func (p *Parser) judge() servo.Fault {
	switch {
	case p.n > p.want, p.n == p.want && p.form == moving && p.buf[0] > 1:
		return servo.Fault{Class: servo.BadFrame}
	case p.want == 0:
		return servo.Fault{}
	case p.n == 0:
		return servo.Fault{Class: servo.Timeout}
	case p.n < p.want:
		return servo.Fault{Class: servo.Truncated, Got: p.n, Want: p.want}
	case p.form == failures && p.word() != 0:
		return servo.Fault{Class: servo.DeviceError, Got: p.word()}
	}
	return servo.Fault{}
}

func (p *Parser) word() int { return int(p.buf[0]) | int(p.buf[1])<<8 }

// good reports whether the answer of a form is there to be read.
func (p *Parser) good(f form) bool { return p.form == f && p.done && p.f.HasData() }

// Quarters is the answer to ExpectPosition in quarters of a microsecond, 0 unless
// Finish found no fault, and for a channel without pulses.
func (p *Parser) Quarters() int {
	if !p.good(position) {
		return 0
	}
	return p.word()
}

// Moving is the answer to ExpectMoving, false unless Finish found no fault.
func (p *Parser) Moving() bool { return p.good(moving) && p.buf[0] == 1 }

// Errors is the answer to ExpectErrors as bits, 0 when no answer came: look at
// Finish.
func (p *Parser) Errors() uint16 {
	if !p.good(failures) {
		return 0
	}
	return uint16(p.buf[0]) | uint16(p.buf[1])<<8
}

// ErrorFlags names the bits of Errors, lowest first.
func ErrorFlags(bits uint16) []string {
	names := []string{
		"serial_signal", "serial_overrun", "serial_buffer_full", "serial_crc", "serial_protocol", "serial_timeout",
		"script_stack", "script_call_stack", "script_program_counter",
	}
	return append(servo.FlagNames(byte(bits), names[:8]), servo.FlagNames(byte(bits>>8), names[8:])...)
}
