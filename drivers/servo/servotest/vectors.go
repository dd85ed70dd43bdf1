package servotest

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"legctl/drivers/servo"
)

// Hex is bytes written as hex with spaces; nil for null.
type Hex []byte

// UnmarshalJSON reads "ff 01" or null.
func (h *Hex) UnmarshalJSON(b []byte) error {
	var s *string
	if err := json.Unmarshal(b, &s); err != nil || s == nil {
		return err
	}
	raw, err := hex.DecodeString(strings.ReplaceAll(*s, " ", ""))
	*h = append(Hex{}, raw...)
	return err
}

// Vector is one case of servo_packets.json; its fields are told there. Args,
// Decoded and As stay undecoded, for they differ by operation.
type Vector struct {
	ID, Protocol, Operation string
	Args, Decoded           json.RawMessage
	Tx, Rx                  Hex
	Error                   *VectorError
}

// VectorError is what a case says about its error.
type VectorError struct {
	Class  string
	Got    int
	Want   *int
	Flags  []string
	Number int
	Name   string
	Alert  bool
}

// Class is the class the case expects, "none" when all goes well.
func (v Vector) Class() string {
	if v.Error == nil {
		return servo.None.String()
	}
	return v.Error.Class
}

// Vectors returns the cases of a protocol from the folder LEGCTL_VECTORS names,
// by default testdata/vectors at the root of the repository. None is an error.
func Vectors(t testing.TB, protocol string) []Vector {
	t.Helper()
	dir := os.Getenv("LEGCTL_VECTORS")
	if dir == "" {
		dir = filepath.Join("..", "..", "testdata", "vectors")
	}
	text, err := os.ReadFile(filepath.Join(dir, "servo_packets.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Cases []Vector }
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	var out []Vector
	for _, v := range file.Cases {
		if v.Protocol == protocol {
			out = append(out, v)
		}
	}
	if len(out) == 0 {
		t.Fatalf("no cases of %s", protocol)
	}
	return out
}

// Decode reads a part of a case into dst.
func Decode(t testing.TB, part json.RawMessage, dst any) {
	t.Helper()
	if len(part) == 0 {
		return
	}
	if err := json.Unmarshal(part, dst); err != nil {
		t.Fatalf("%s: %v", part, err)
	}
}

// WantTx checks what an encoder made: the bytes of the case, or a refusal where
// the case has invalid_arg.
func WantTx(t testing.TB, v Vector, tx []byte, err error) {
	t.Helper()
	refused := v.Class() == servo.InvalidArg.String()
	if (err != nil) != refused {
		t.Fatalf("got error %v, want refusal %v", err, refused)
	}
	if refused && len(tx) != 0 {
		t.Fatalf("refused, but appended %x", tx)
	}
	if !bytes.Equal(tx, v.Tx) {
		t.Fatalf("got  %x\nwant %x", tx, []byte(v.Tx))
	}
}

// WantFault checks a fault: class, and got and want where the case tells them.
func WantFault(t testing.TB, v Vector, f servo.Fault) {
	t.Helper()
	if f.Class.String() != v.Class() {
		t.Fatalf("got %v, want %s", f, v.Class())
	}
	switch f.Class {
	case servo.Truncated, servo.Checksum, servo.CRC, servo.BadLength:
		want := servo.Unknown
		if v.Error.Want != nil {
			want = *v.Error.Want
		}
		if f.Got != v.Error.Got || f.Want != want {
			t.Fatalf("got %+v, want got %d want %d", f, v.Error.Got, want)
		}
	case servo.WrongID, servo.WrongCommand:
		if f.Got != v.Error.Got {
			t.Fatalf("got %+v, want got %d", f, v.Error.Got)
		}
	}
}

// Splits calls feed with b whole, byte by byte, cut at each one boundary and,
// up to 40 bytes, at each two.
func Splits(b []byte, feed func(chunks ...[]byte)) {
	feed(b)
	single := make([][]byte, len(b))
	for i := range b {
		single[i] = b[i : i+1]
	}
	feed(single...)
	for i := 1; i < len(b); i++ {
		feed(b[:i], b[i:])
		for j := i + 1; j < len(b) && len(b) <= 40; j++ {
			feed(b[:i], b[i:j], b[j:])
		}
	}
}
