package record

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"

	"legctl/control"
	"legctl/rig"
)

// Difference is the first place in which two runs differ.
type Difference struct {
	Tick  uint64
	Tag   control.Tag    // 0: the headers differ, or there is no difference
	Field rig.Difference // the first field that differs, with both values
}

// Same reports whether there is no difference.
func (d Difference) Same() bool { return d.Field.Same() }

// String returns the difference as one line.
func (d Difference) String() string {
	switch {
	case d.Same():
		return "same"
	case d.Tag == 0:
		return "header: " + d.Field.String()
	}
	return fmt.Sprintf("tick %d: %s: %v", d.Tick, tagName(d.Tag), d.Field)
}

// tagName returns what people call a tag.
func tagName(t control.Tag) string {
	switch t {
	case control.TagFrame:
		return "frame"
	case control.TagState:
		return "state"
	case control.TagEvent:
		return "event"
	case control.TagGap:
		return "gap"
	case control.TagEnd:
		return "end"
	case control.TagParams:
		return "parameters"
	}
	return "record " + strconv.Itoa(int(t))
}

// Diff reads two recordings to the end and returns the first place in which
// they differ: the headers (names aside), else the first record. A recording
// that was cut counts as ending at its cut; other faults are errors.
func Diff(a, b *Reader) (Difference, error) {
	if d := diffHeaders(&a.header, &b.header); !d.Same() {
		return d, nil
	}
	like, err := newShapes(&a.header)
	if err != nil {
		return Difference{}, err
	}
	for {
		x, errA := step(a)
		y, errB := step(b)
		if err := errors.Join(errA, errB); err != nil {
			return Difference{}, err
		}
		if x.Tag == control.TagEnd && y.Tag == control.TagEnd {
			return Difference{}, nil
		}
		if d, err := like.records(x, y); err != nil || !d.Same() {
			return d, err
		}
	}
}

// step is Next with the end, cut or not, as a record.
func step(r *Reader) (Record, error) {
	rec, err := r.Next()
	var cut *CutError
	if errors.Is(err, io.EOF) || errors.As(err, &cut) {
		return Record{Tag: control.TagEnd, Tick: r.cut.Tick}, nil
	}
	return rec, err
}

// diffHeaders compares all but the names.
func diffHeaders(a, b *Header) Difference {
	field := func(name string, x, y any) Difference {
		return Difference{Field: rig.Difference{Field: name, A: fmt.Sprint(x), B: fmt.Sprint(y)}}
	}
	switch {
	case a.Legs != b.Legs:
		return field("legs", a.Legs, b.Legs)
	case a.Joints != b.Joints:
		return field("joints", a.Joints, b.Joints)
	case a.Frame != b.Frame:
		return field("frame layout", a.Frame, b.Frame)
	case a.State != b.State:
		return field("state layout", a.State, b.State)
	case a.Dt != b.Dt:
		return field("dt", a.Dt, b.Dt)
	case a.Seed != b.Seed:
		return field("seed", a.Seed, b.Seed)
	}
	for _, part := range []struct {
		name string
		a, b []byte
	}{{"rig", a.Rig, b.Rig}, {"params", a.Params, b.Params}, {"terrain", a.Terrain, b.Terrain}, {"world", a.World, b.World}, {"space", a.Space, b.Space}} {
		if !bytes.Equal(part.a, part.b) {
			x, y := around(part.a, part.b)
			return field(part.name, x, y)
		}
	}
	return Difference{}
}

// around returns a piece of both near the first byte that differs.
func around(a, b []byte) (string, string) {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	piece := func(s []byte) string {
		return fmt.Sprintf("%q at byte %d", s[min(max(0, n-16), len(s)):min(n+16, len(s))], n)
	}
	return piece(a), piece(b)
}

// shapes are empty records that name the fields of those of a file.
type shapes struct {
	frame *control.Frame
	state *control.State
}

func newShapes(h *Header) (*shapes, error) {
	if err := h.Check(); err != nil {
		return nil, err
	}
	r := h.shape()
	return &shapes{frame: control.NewFrame(r), state: &control.NewStates(r, 1)[0]}, nil
}

// records compares two records.
func (s *shapes) records(a, b Record) (Difference, error) {
	d := Difference{Tick: min(a.Tick, b.Tick), Tag: a.Tag}
	if a.Tag != b.Tag || a.Tick != b.Tick {
		d.Field = rig.Difference{Field: "record", A: describe(a), B: describe(b)}
		return d, nil
	}
	if bytes.Equal(a.Data, b.Data) {
		return Difference{}, nil
	}
	var err error
	switch a.Tag {
	case control.TagFrame:
		d.Field, err = rig.Compare(s.frame, a.Data, b.Data, 0)
	case control.TagState:
		d.Field, err = rig.Compare(s.state, a.Data, b.Data, 0)
	default:
		x, y := around(a.Data, b.Data)
		d.Field = rig.Difference{Field: "bytes", A: x, B: y}
	}
	return d, err
}

// describe returns what a record is.
func describe(r Record) string {
	if r.Tag == control.TagEnd {
		return fmt.Sprintf("end after tick %d", r.Tick)
	}
	return fmt.Sprintf("%s of tick %d", tagName(r.Tag), r.Tick)
}
