package firmata

import (
	"bytes"
	"testing"

	"legctl/drivers/servo/servotest"
)

// FuzzSieve: what gets through is whole messages the client can take, the same at
// any chunking, and was sent.
func FuzzSieve(f *testing.F) {
	servotest.FuzzChunks(f, func(t *testing.T, b []byte, chunks ...[]byte) string {
		var s sieve
		var out []byte
		for _, c := range chunks {
			out = s.sift(out, c)
		}
		pins := 0
		for rest := out; len(rest) > 0; {
			msg, n := next(rest)
			if n == 0 || len(msg) == 0 || !bytes.Contains(b, msg) {
				t.Fatalf("%x got through of %x", out, b)
			}
			if msg[0] == sysexBegin && msg[1] == capability {
				pins = bytes.Count(msg, []byte{0x7F})
			}
			if msg[0] == sysexBegin && msg[1] == analogMapping && len(msg)-3 > pins {
				t.Fatalf("mapping of %d pins, there are %d", len(msg)-3, pins)
			}
			rest = rest[n:]
		}
		return string(out)
	})
}
