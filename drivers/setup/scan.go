package setup

import (
	"context"
	"errors"
	"fmt"
	"io"

	"legctl/drivers"
	"legctl/drivers/servo"
)

// Found is a servo, or a board of servos, that answered.
type Found struct {
	servo.Identity
	Baud     int
	Conflict bool // several servos answer to this id
	Why      string
}

// ScanOptions say where to look.
type ScanOptions struct {
	Bauds []int // none: all of the protocol
	IDs   []int // none: all of the protocol
	// Progress is called before each baud and each tenth id; it may be nil.
	Progress func(baud, id int)
}

// Scan asks every id at every baud. Two servos with one id are found by what
// they say at once: replies laid over each other have wrong sums. A port that is
// lost ends it.
func Scan(ctx context.Context, p *drivers.Protocol, l *drivers.Link, c *servo.Config, o ScanOptions) ([]Found, error) {
	if len(o.Bauds) == 0 {
		o.Bauds = p.Bauds
	}
	if len(o.IDs) == 0 {
		o.IDs = idsOf(p)
	}
	var out []Found
	for _, baud := range o.Bauds {
		if l.Bus != nil {
			if err := l.Bus.SetBaud(baud); err != nil {
				return out, err
			}
		}
		d, err := p.Driver(l, c)
		if err != nil {
			return out, err
		}
		some, err := ask(ctx, d, l, baud, o)
		if x, ok := d.(io.Closer); ok {
			err = errors.Join(err, x.Close())
		}
		if out = append(out, some...); err != nil {
			return out, err
		}
	}
	return out, nil
}

// ask asks every id at one baud.
func ask(ctx context.Context, d servo.Driver, l *drivers.Link, baud int, o ScanOptions) (out []Found, err error) {
	for k, id := range o.IDs {
		if ctx.Err() != nil {
			return out, ctx.Err()
		}
		if o.Progress != nil && k%10 == 0 {
			o.Progress(baud, id)
		}
		known := echoes(l)
		f, ok, err := one(d, id, baud)
		if err == nil && known != echoes(l) { // an echo was taken for a servo
			f, ok, err = one(d, id, baud)
		}
		if err != nil {
			return out, err
		}
		if ok {
			out = append(out, f)
		}
	}
	return out, nil
}

// echoes reports whether the adaptor is known to hand back what it sends.
func echoes(l *drivers.Link) bool { return l.Bus != nil && l.Bus.Timing().Echo }

// idsOf are the ids worth asking: of a board that answers for all its channels,
// one.
func idsOf(p *drivers.Protocol) []int {
	if p.Name == "firmata" {
		return []int{9} // 0 and 1 are the serial line itself
	}
	if !p.Caps.Feedback {
		return []int{0}
	}
	ids := make([]int, p.Caps.MaxID+1)
	for i := range ids {
		ids[i] = i
	}
	return ids
}

// one asks one id; an error is that of the port.
func one(d servo.Driver, id, baud int) (Found, bool, error) {
	who, err := d.Ping(id)
	f := Found{Identity: who, Baud: baud}
	f.ID = id
	if err != nil {
		if errors.Is(err, servo.ErrGone) {
			return f, false, err
		}
		why, clash := overlaid(err)
		f.Conflict, f.Why = clash, why
		return f, clash, nil
	}
	if !d.Caps().Feedback {
		return f, true, nil
	}
	for range 3 {
		fb := []servo.Feedback{{ID: id}}
		if err := d.Read(fb); errors.Is(err, servo.ErrGone) {
			return f, true, err
		}
		if why, clash := overlaid(fb[0].Fault); clash {
			f.Conflict, f.Why = true, why
		}
	}
	return f, true, nil
}

// overlaid reports whether a fault is what two servos at once sound like, and
// says so.
func overlaid(err error) (string, bool) {
	var f servo.Fault
	if !errors.As(err, &f) {
		return "", false
	}
	switch f.Class {
	case servo.Checksum, servo.CRC, servo.BadFrame, servo.BadLength, servo.Truncated:
		return fmt.Sprintf("%v: several servos have this id, or the cable is bad", f.Class), true
	}
	return "", false
}
