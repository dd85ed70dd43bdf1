package servo_test

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"legctl/drivers/servo"
	"legctl/drivers/servo/servotest"
)

// status is a status frame of the FF FF protocols.
func status(id, bits byte, params ...byte) []byte {
	return servo.SumFrame{Header: 0xFF, Ahead: 4}.Append(nil, id, bits, params...)
}

// bent is a frame with a wrong sum.
func bent(frame []byte) []byte {
	out := slices.Clone(frame)
	out[len(out)-1] ^= 1
	return out
}

func join(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

func TestOneReply(t *testing.T) {
	good := status(1, 0, 0x10, 0x02)
	for _, c := range []struct {
		name string
		rx   []byte
		want servo.Class
	}{
		{"good", good, servo.None},
		{"silence", nil, servo.Timeout},
		{"noise", []byte{1, 2, 3}, servo.BadFrame},
		{"header bytes only", []byte{0xFF, 0xFF}, servo.Truncated},
		{"run of header bytes", join([]byte{0xFF, 0xFF, 0xFF}, good), servo.None},
		{"duplicate", join(good, good), servo.None},
		{"foreign first", join(status(2, 0, 9, 9), good), servo.None},
		{"foreign only", status(2, 0, 9, 9), servo.WrongID},
		{"foreign with a reply of ours inside", status(2, 0, join(good, []byte{7})...), servo.WrongID},
		{"cut foreign with a reply of ours behind", join(status(2, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)[:6], good), servo.None},
		{"bad sum, then good", join(bent(good), good), servo.None},
		{"bad sum", bent(good), servo.Checksum},
		{"bad sum, then foreign", join(bent(good), status(2, 0)), servo.Checksum},
		{"late answer to another question", status(1, 0, 7), servo.BadLength},
		{"error bits and no data", status(1, 4), servo.DeviceError},
		{"error bits and data", status(1, 4, 0x10, 0x02), servo.DeviceError},
		{"broadcast is no reply", status(254, 0, 0x10, 0x02), servo.WrongID},
		{"id beyond the bus", status(255, 0, 0x10, 0x02), servo.BadFrame},
	} {
		t.Run(c.name, func(t *testing.T) {
			var p servo.StatusParser
			servotest.Splits(c.rx, func(chunks ...[]byte) {
				p.ExpectOne(1, 2, nil)
				for _, b := range chunks {
					p.Feed(b)
				}
				f := p.Finish()
				if f.Class != c.want || p.Finish() != f {
					t.Fatalf("got %v, then %v, want %v", f, p.Finish(), c.want)
				}
				if got := p.Reply().Params; c.want == servo.None && !bytes.Equal(got, []byte{0x10, 0x02}) {
					t.Fatalf("got %x", got)
				}
			})
		})
	}
}

func TestGroup(t *testing.T) {
	one, two, three := status(1, 0, 11), status(2, 0, 22), status(3, 0, 33)
	for _, c := range []struct {
		name string
		rx   []byte
		want string // params or class of each
	}{
		{"all", join(one, two, three), "[11] [22] [33]"},
		{"one missing", join(one, three), "[11] wrong_id [33]"},
		{"last missing", join(one, two), "[11] [22] timeout"},
		{"all missing", nil, "timeout timeout timeout"},
		{"one corrupted", join(one, bent(two), three), "[11] checksum [33]"},
		{"one cut, its sum taken from the next", join(one, two[:5], three), "[11] checksum [33]"},
		{"out of order", join(two, one, three), "[11] wrong_id [33]"},
		{"fault of one", join(one, status(2, 32, 22), three), "[11] [22] [33]"},
		{"one too long", join(one, status(2, 0, 22, 22), three), "[11] bad_length [33]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var p servo.StatusParser
			servotest.Splits(c.rx, func(chunks ...[]byte) {
				p.ExpectGroup([]byte{1, 2, 3}, 1, nil)
				for _, b := range chunks {
					p.Feed(b)
				}
				f := p.Finish()
				var got []string
				whole := true
				for _, r := range p.Replies() {
					if r.Fault.HasData() {
						got = append(got, fmt.Sprint(r.Params))
						continue
					}
					whole = false
					got = append(got, r.Fault.Class.String())
				}
				if s := fmt.Sprint(got); s != "["+c.want+"]" || whole != (f.Class == servo.None) {
					t.Fatalf("got %s and %v, want %s", s, f, c.want)
				}
			})
		})
	}
}

func TestEcho(t *testing.T) {
	req, good := []byte{0xFF, 0xFF, 1, 4, 2, 36, 2, 0xD2}, status(1, 0, 0x10, 0x02)
	collided := slices.Clone(req)
	collided[4] ^= 0x20
	for _, c := range []struct {
		name string
		rx   []byte
		want servo.Class
	}{
		{"echo and reply", join(req, good), servo.None},
		{"echo and silence", req, servo.Timeout},
		{"nothing", nil, servo.Timeout},
		{"collision", join(collided, good), servo.EchoMismatch},
		{"half an echo", req[:4], servo.EchoMismatch},
		{"no echo where one was promised", good, servo.EchoMismatch},
	} {
		var p servo.StatusParser
		servotest.Splits(c.rx, func(chunks ...[]byte) {
			p.ExpectOne(1, 2, req)
			for _, b := range chunks {
				p.Feed(b)
			}
			if f := p.Finish(); f.Class != c.want {
				t.Fatalf("%s: got %v, want %v", c.name, f, c.want)
			}
		})
	}
}

// TestFeedKnowsWhenItIsDone: nobody has to wait for a deadline when all is there.
func TestFeedKnowsWhenItIsDone(t *testing.T) {
	var p servo.StatusParser
	rx := join([]byte{0}, status(1, 0, 5), status(2, 0, 6))
	p.ExpectGroup([]byte{1, 2}, 1, nil)
	for i, b := range rx {
		if done := p.Feed([]byte{b}); done != (i == len(rx)-1) {
			t.Fatalf("byte %d of %d: done %v", i, len(rx), done)
		}
	}
}

// TestCounts counts each bad frame once, however often the bytes are searched.
func TestCounts(t *testing.T) {
	var p servo.StatusParser
	p.ExpectGroup([]byte{1, 2, 3}, 1, nil)
	p.Feed(join(bent(status(1, 0, 1)), status(9, 0, 1), []byte{0xFF, 0xFF, 4}))
	p.Finish()
	for class, want := range map[servo.Class]uint64{servo.Checksum: 1, servo.WrongID: 1, servo.Truncated: 1, servo.Timeout: 0} {
		if got := p.Counts[class]; got != want {
			t.Errorf("%v: %d, want %d", class, got, want)
		}
	}
	if p.Counts.Total() != 3 {
		t.Errorf("total %d", p.Counts.Total())
	}
}

// TestBabble: a line that never falls silent fills no memory.
func TestBabble(t *testing.T) {
	var p servo.StatusParser
	p.ExpectOne(1, 2, nil)
	for range 100 {
		p.Feed(make([]byte, 1000))
	}
	if f := p.Finish(); f.Class != servo.BadFrame || p.Dropped != 100_000-servo.Limit {
		t.Errorf("%v, %d dropped", f, p.Dropped)
	}
}
