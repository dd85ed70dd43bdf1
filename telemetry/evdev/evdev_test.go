package evdev

import (
	"bytes"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"
)

func TestParse(t *testing.T) {
	want := Event{Type: TypeAbs, Code: AbsRX, Value: -77}
	raw := Append(nil, want)
	if got, err := Parse(raw); err != nil || got != want || len(raw) != Size {
		t.Errorf("%+v, %v, %d bytes", got, err, len(raw))
	}
	if _, err := Parse(raw[1:]); err == nil {
		t.Error("a cut event was taken")
	}
}

func TestWish(t *testing.T) {
	rows := []struct {
		name       string
		events     []Event
		vx, vy, wz float64
	}{
		{"nothing", nil, 0, 0, 0},
		{"stick forward", []Event{{TypeAbs, AbsY, -32768}}, 1, 0, 0},
		{"stick right", []Event{{TypeAbs, AbsX, 32767}}, 0, -1, 0},
		{"right stick left", []Event{{TypeAbs, AbsRX, -32768}}, 0, 0, 1},
		{"inside the dead zone", []Event{{TypeAbs, AbsY, -3000}}, 0, 0, 0},
		{"hat up", []Event{{TypeAbs, AbsHatY, -1}}, 1, 0, 0},
		{"hat wins over the stick", []Event{{TypeAbs, AbsY, 32767}, {TypeAbs, AbsHatX, -1}}, 0, 1, 0},
		{"let go", []Event{{TypeAbs, AbsY, -32768}, {TypeAbs, AbsY, 0}}, 0, 0, 0},
		{"a button is no axis", []Event{{TypeKey, ButtonSouth, 1}}, 0, 0, 0},
	}
	for _, r := range rows {
		s := NewStick(nil)
		for _, e := range r.events {
			s.Take(e)
		}
		vx, vy, wz := s.Wish()
		if math.Abs(vx-r.vx)+math.Abs(vy-r.vy)+math.Abs(wz-r.wz) > 1e-3 {
			t.Errorf("%s: %g %g %g", r.name, vx, vy, wz)
		}
	}
}

// TestLevel: whatever a device says of its ranges, an axis stays within -1 and
// 1, rises with its value and is 0 in the middle.
func TestLevel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := Range{Min: rapid.Int32().Draw(t, "min"), Max: rapid.Int32().Draw(t, "max"), Flat: rapid.Int32().Draw(t, "flat")}
		a, b := rapid.Int32().Draw(t, "a"), rapid.Int32().Draw(t, "b")
		va, vb := level(r, a), level(r, b)
		if !(va >= -1 && va <= 1) || a <= b && va > vb {
			t.Fatalf("%+v: %d is %g, %d is %g", r, a, va, b, vb)
		}
		if mid := (int64(r.Min) + int64(r.Max)) / 2; r.Max > r.Min && int64(r.Max)-int64(r.Min) > 20 && level(r, int32(mid)) != 0 {
			t.Fatalf("%+v: the middle is %g", r, level(r, int32(mid)))
		}
	})
}

// TestPipe: a pad that is no device works, and its end is an error.
func TestPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "event0")
	raw := Append(Append(nil, Event{TypeKey, ButtonEast, 1}), Event{TypeAbs, AbsX, 5})
	if err := os.WriteFile(path, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if e, err := p.Read(); err != nil || !Pressed(e, ButtonEast) || Pressed(e, ButtonSouth) {
		t.Errorf("%+v, %v", e, err)
	}
	if e, err := p.Read(); err != nil || e.Code != AbsX || p.Name != "event0" || len(p.Ranges) > 0 {
		t.Errorf("%+v, %v, %+v", e, err, p)
	}
	if _, err := p.Read(); !errors.Is(err, io.EOF) {
		t.Errorf("at the end: %v", err)
	}
	if _, err := Open(filepath.Join(t.TempDir(), "gone")); err == nil {
		t.Error("a pad that is not there")
	}
	if got := find(filepath.Dir(path)); len(got) > 0 {
		t.Errorf("a file is no gamepad: %v", got)
	}
}

func FuzzEvents(f *testing.F) {
	f.Add(Append(nil, Event{TypeAbs, AbsY, -32768}))
	f.Add([]byte("short"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		s := NewStick(map[uint16]Range{AbsX: {Min: -1, Max: 1}, AbsY: {Min: 5, Max: 5}})
		var buf [Size]byte
		for r := bytes.NewReader(raw); ; {
			e, err := read(r, &buf)
			if err != nil {
				break
			}
			s.Take(e)
		}
		for _, v := range s.axes {
			if !(v >= -1 && v <= 1) {
				t.Fatalf("%v", s.axes)
			}
		}
	})
}
