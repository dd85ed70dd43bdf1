package record_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"legctl/control"
	"legctl/record"
	"legctl/rig"

	"github.com/foxglove/mcap/go/mcap"
)

// twoLegs is a rig with three joints, as far as records look at one.
func twoLegs() *rig.Rig {
	return &rig.Rig{Name: "two", Legs: []rig.Leg{
		{Joints: []rig.Joint{{Rest: 0.1}, {Rest: 0.2}}},
		{Joints: []rig.Joint{{Rest: 0.3}}, First: 2},
	}}
}

func header() *record.Header {
	h := &record.Header{
		Dt: 0.02, Seed: 7, Rig: []byte("legs: 2"), Terrain: []byte{1, 2, 3},
		Names: []record.Name{{Key: "rig", Value: "two"}, {Key: "gait", Value: "walk"}},
	}
	h.Describe(twoLegs())
	return h
}

// write makes a recording of n ticks; change may alter the frame of a tick.
func write(t testing.TB, n int, h *record.Header, change func(tick int, f *control.Frame)) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := record.NewWriter(&b, h)
	if err != nil {
		t.Fatal(err)
	}
	f, s := control.NewFrame(twoLegs()), control.NewStates(twoLegs(), 1)
	put := func(tag control.Tag, tick int, data []byte) {
		if err := w.Put(tag, uint64(tick), data); err != nil {
			t.Fatal(err)
		}
	}
	for tick := range n {
		if tick%4 == 0 {
			data, _ := s[0].AppendBinary(nil)
			put(control.TagState, tick, data)
		}
		if tick == 2 {
			put(control.TagEvent, tick, []byte("push"))
		}
		f.Out.Tick, f.Obs.Q[1] = uint64(tick), float64(tick)
		if change != nil {
			change(tick, f)
		}
		data, _ := f.AppendBinary(nil)
		put(control.TagFrame, tick, data)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// readAll returns every record of a file as text, and what ended it.
func readAll(b []byte) ([]string, error) {
	r, err := record.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	var got []string
	for {
		rec, err := r.Next()
		if err != nil {
			return got, err
		}
		got = append(got, fmt.Sprintf("%d %d %x", rec.Tag, rec.Tick, rec.Data))
	}
}

func TestRoundTrip(t *testing.T) {
	b := write(t, 6, header(), nil)
	r, err := record.NewReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(r.Header(), header()) {
		t.Errorf("header %+v, want %+v", r.Header(), header())
	}
	if r.Header().Get("gait") != "walk" || r.Header().Get("no") != "" {
		t.Error("names are lost")
	}
	if err := r.Header().Check(); err != nil {
		t.Error(err)
	}
	got, err := readAll(b)
	if err != io.EOF || len(got) != 6+2+1 {
		t.Errorf("%d records, %v", len(got), err)
	}
	if want := "3 2 70757368"; got[3] != want {
		t.Errorf("record 3 is %s, want %s", got[3], want)
	}
}

func TestCutAtAnyByte(t *testing.T) {
	whole := write(t, 3, header(), nil)
	all, _ := readAll(whole)
	least := 0 // records that must be there; never fewer with more bytes
	for n := range whole {
		got, err := readAll(whole[:n])
		var cut *record.CutError
		if !errors.As(err, &cut) {
			t.Fatalf("cut at %d: %v", n, err)
		}
		if cut.Offset+cut.Rest != int64(n) || cut.Records != uint64(len(got)) {
			t.Fatalf("cut at %d: %v with %d records", n, cut, len(got))
		}
		if len(got) < least || !reflect.DeepEqual(got, all[:len(got)]) && len(got) > 0 {
			t.Fatalf("cut at %d: %q", n, got)
		}
		least = len(got)
	}
	if least != len(all) {
		t.Errorf("only %d of %d records were ever read from a cut file", least, len(all))
	}
}

func TestAnyFlippedByteIsNoticed(t *testing.T) {
	whole := write(t, 2, header(), nil)
	for n := range whole {
		b := bytes.Clone(whole)
		b[n] ^= 0x10
		_, err := readAll(b)
		var cut *record.CutError
		if !errors.Is(err, record.ErrDamage) && !errors.Is(err, record.ErrFormat) && !errors.As(err, &cut) {
			t.Fatalf("byte %d flipped: %v", n, err)
		}
	}
}

func TestErrorsSayWhatIsWrong(t *testing.T) {
	whole := write(t, 2, header(), nil)
	with := func(at int, v ...byte) []byte { b := bytes.Clone(whole); copy(b[at:], v); return b }
	rows := []struct {
		name string
		b    []byte
		is   error
		want string
	}{
		{"text", []byte("legs:\n  - name: lf\n"), record.ErrFormat, `it begins with "legs:`},
		{"short text", []byte("hi"), record.ErrFormat, `it begins with "hi"`},
		{"the format before MCAP", []byte("legrec\x00\x01 and so on"), record.ErrFormat, `it begins with "legrec`},
		{"a huge record of the container", with(9, 0, 0, 0, 0x40), record.ErrDamage, "at most 67108864"},
		{"a byte of the first chunk", with(firstChunk(whole)+60, 0xaa), record.ErrDamage, "byte "},
		{"a chunk that claims 1 GB", with(firstChunk(whole)+9+16, 0, 0, 0, 0x40), record.ErrDamage, "chunk of 1073741824 bytes"},
		{"bytes behind the end", append(bytes.Clone(whole), 0), record.ErrDamage, "bytes follow the end"},
	}
	for _, row := range rows {
		_, err := readAll(row.b)
		if !errors.Is(err, row.is) || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: %v, want %q", row.name, err, row.want)
		}
	}
}

// firstChunk returns where the first chunk of a file begins.
func firstChunk(b []byte) int {
	at := 8
	for b[at] != byte(mcap.OpChunk) {
		at += 9 + int(binary.LittleEndian.Uint64(b[at+1:]))
	}
	return at
}

func TestHeaderBounds(t *testing.T) {
	rows := []struct {
		name   string
		change func(h *record.Header)
		want   string
	}{
		{"no legs", func(h *record.Header) { h.Legs = 0 }, "legs are 0, must be 1 to 64"},
		{"many legs", func(h *record.Header) { h.Legs = 65 }, "legs are 65"},
		{"many joints", func(h *record.Header) { h.Joints = 769 }, "joints are 769, must be 1 to 768"},
		{"no time", func(h *record.Header) { h.Dt = 0 }, "dt is 0 s, must be in (0, 1]"},
		{"many names", func(h *record.Header) { h.Names = make([]record.Name, 257) }, "257 names"},
		{"a large header", func(h *record.Header) { h.Terrain = make([]byte, record.MaxHeader) }, "at most 16777216"},
	}
	for _, row := range rows {
		h := header()
		row.change(h)
		if _, err := record.NewWriter(io.Discard, h); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: %v, want %q", row.name, err, row.want)
		}
	}
	h := header()
	h.Frame++
	if err := h.Check(); !errors.Is(err, rig.ErrLayout) {
		t.Errorf("another layout: %v", err)
	}
}

// full is a disk with room for so many bytes.
type full struct{ left int }

func (f *full) Write(b []byte) (int, error) {
	if len(b) > f.left {
		n := f.left
		f.left = 0
		return n, errors.New("no space left")
	}
	f.left -= len(b)
	return len(b), nil
}

func TestWriterKeepsItsFirstError(t *testing.T) {
	w, err := record.NewWriter(&full{left: 3000}, header())
	if err != nil {
		t.Fatal(err)
	}
	for i := range 100_000 {
		noise := sha256.Sum256([]byte{byte(i), byte(i >> 8)})
		if err = w.Put(control.TagFrame, uint64(i), noise[:]); err != nil {
			break
		}
	}
	if err == nil || !strings.Contains(err.Error(), "no space left") {
		t.Errorf("a full disk gives %v", err)
	}
	if again := w.Close(); again == nil || !strings.Contains(again.Error(), "no space left") {
		t.Errorf("close says %v", again)
	}
	if err := w.Close(); err != nil {
		t.Errorf("a second close says %v", err)
	}
	w, _ = record.NewWriter(io.Discard, header())
	if err := w.Put(control.TagEvent, 0, make([]byte, record.MaxRecord+1)); err == nil {
		t.Error("a payload beyond the limit was written")
	}
}

func TestFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.rec")
	w, err := record.Create(path, header())
	if err != nil {
		t.Fatal(err)
	}
	for tick := range uint64(60) { // of 20 ms: a chunk is full after half a second
		if err := w.Put(control.TagFrame, tick, []byte("x")); err != nil {
			t.Fatal(err)
		}
	}
	r, err := record.Open(path) // while it is written
	if err != nil {
		t.Fatal(err)
	}
	var cut *record.CutError
	for ; err == nil; _, err = r.Next() {
	}
	if !errors.As(err, &cut) || cut.Tick < 60-25-1 {
		t.Errorf("an open recording ends with %v: more than half a second is missing", err)
	}
	if err := errors.Join(r.Close(), w.Close()); err != nil {
		t.Error(err)
	}
	bad := header()
	bad.Dt = -1
	if _, err := record.Create(path+"2", bad); err == nil {
		t.Error("a bad header was written")
	}
	if _, err := os.Stat(path + "2"); !os.IsNotExist(err) {
		t.Errorf("a bad header left a file: %v", err)
	}
	if _, err := record.Open(path + "3"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}

func TestDiff(t *testing.T) {
	other := header()
	other.Seed = 8
	named := header()
	named.Names = nil
	rigged := header()
	rigged.Rig = []byte("legs: 3")
	base := write(t, 6, header(), nil)
	rows := []struct {
		name string
		b    []byte
		want string
	}{
		{"itself", base, "same"},
		{"other names", write(t, 6, named, nil), "same"},
		{"a seed", write(t, 6, other, nil), "header: seed: 7, 8"},
		{"a rig", write(t, 6, rigged, nil), `header: rig: "legs: 2" at byte 6, "legs: 3" at byte 6`},
		{"an observation", write(t, 6, header(), func(tick int, f *control.Frame) {
			if tick == 3 {
				f.Obs.Q[1] = 9
			}
		}), "tick 3: frame: obs.q[1]: 3, 9"},
		{"a foot", write(t, 6, header(), func(tick int, f *control.Frame) {
			if tick == 5 {
				f.Out.Legs[1].Foot.X = 0.5
			}
		}), "tick 5: frame: out.legs[1].foot.x: 0, 0.5"},
		{"fewer ticks", write(t, 5, header(), nil), "tick 4: frame: record: frame of tick 5, end after tick 4"},
		{"a cut", base[:len(base)-1], "same"},
	}
	for _, row := range rows {
		a, err1 := record.NewReader(bytes.NewReader(base))
		b, err2 := record.NewReader(bytes.NewReader(row.b))
		d, err := record.Diff(a, b)
		if err := errors.Join(err1, err2, err); err != nil || d.String() != row.want {
			t.Errorf("%s: %v (%v), want %s", row.name, d, err, row.want)
		}
	}
}

func FuzzReader(f *testing.F) {
	whole := write(f, 2, header(), nil)
	f.Add(whole)
	f.Add(whole[:30])
	f.Add(append(bytes.Clone(whole[:8]), 6, 0xff, 0xff, 0xff, 0, 0, 0, 0, 0))
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := record.NewReader(bytes.NewReader(b))
		if err != nil {
			return
		}
		_ = r.Header().Check() // any answer, but one
		for err == nil {
			_, err = r.Next()
		}
		if _, again := r.Next(); again == nil || again.Error() != err.Error() {
			t.Errorf("%v, and then %v", err, again)
		}
	})
}

func TestLyingLengthsTakeNoMemory(t *testing.T) {
	b := append([]byte("\x89MCAP0\r\n"), byte(mcap.OpChunk), 0, 0, 0xff, 0, 0, 0, 0, 0) // a chunk of 16 MB, and nothing in it
	if n := allocated(func() { _, _ = readAll(b) }); n > 1<<20 {
		t.Errorf("%d bytes were taken for a file of %d", n, len(b))
	}
}
