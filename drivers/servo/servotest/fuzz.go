package servotest

import "testing"

// FuzzChunks fuzzes a parser: whatever the bytes, run must say the same when
// they come whole, byte by byte and cut at a place the fuzzer chooses. run feeds
// the chunks to a parser, checks what it finds against the bytes, and returns
// its verdict in words.
func FuzzChunks(f *testing.F, run func(t *testing.T, b []byte, chunks ...[]byte) string) {
	f.Fuzz(func(t *testing.T, b []byte, at int) {
		want := run(t, b, b)
		single := make([][]byte, len(b))
		for i := range b {
			single[i] = b[i : i+1]
		}
		if got := run(t, b, single...); got != want {
			t.Errorf("byte by byte %s, whole %s", got, want)
		}
		if at < 0 || at > len(b) {
			return
		}
		if got := run(t, b, b[:at], b[at:]); got != want {
			t.Errorf("cut at %d %s, whole %s", at, got, want)
		}
	})
}
