package rig_test

import (
	"encoding/binary"
	"errors"
	"math"
	"strings"
	"testing"

	"legctl/geom"
	"legctl/internal/codertest"
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r3"
)

// twoLegs is a rig with three joints, as far as records look at one.
func twoLegs() *rig.Rig {
	return &rig.Rig{Legs: []rig.Leg{
		{Joints: []rig.Joint{{Rest: 0.1}, {Rest: 0.2}}},
		{Joints: []rig.Joint{{Rest: 0.3}}, First: 2},
	}}
}

func TestEveryFieldIsCoded(t *testing.T) {
	rows := []struct {
		name  string
		fresh func() codertest.Record
	}{
		{"observation", func() codertest.Record { return rig.NewObservation(twoLegs()) }},
		{"setpoint", func() codertest.Record { return rig.NewSetpoint(twoLegs()) }},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) { codertest.Check(t, row.fresh) })
	}
}

func TestLayoutDependsOnCountsNamesAndTypes(t *testing.T) {
	rows := []struct {
		name string
		walk walk
	}{
		{"one number", func(c *rig.Coder) { c.F64("a", new(float64)) }},
		{"another name", func(c *rig.Coder) { c.F64("b", new(float64)) }},
		{"another type of that size", func(c *rig.Coder) { c.U64("a", new(uint64)) }},
		{"long name", func(c *rig.Coder) { c.F64("longerThanEight", new(float64)) }},
		{"long name, last letter", func(c *rig.Coder) { c.F64("longerThanEighs", new(float64)) }},
		{"one in a list", func(c *rig.Coder) { c.Floats("a", make([]float64, 1)) }},
		{"two in a list", func(c *rig.Coder) { c.Floats("a", make([]float64, 2)) }},
		{"none in a list", func(c *rig.Coder) { c.Floats("a", nil) }},
		{"nested", func(c *rig.Coder) { c.Open("a"); c.F64("a", new(float64)); c.Close() }},
		{"nested, next outside", func(c *rig.Coder) {
			c.Open("a")
			c.F64("a", new(float64))
			c.Close()
			c.F64("b", new(float64))
		}},
		{"nested, next inside", func(c *rig.Coder) {
			c.Open("a")
			c.F64("a", new(float64))
			c.F64("b", new(float64))
			c.Close()
		}},
		{"signed", func(c *rig.Coder) { c.I32("a", new(int32)) }},
		{"unsigned", func(c *rig.Coder) { c.U32("a", new(uint32)) }},
		{"signed short", func(c *rig.Coder) { c.I16("a", new(int16)) }},
		{"short", func(c *rig.Coder) { c.U16("a", new(uint16)) }},
		{"byte", func(c *rig.Coder) { c.U8("a", new(uint8)) }},
		{"flag", func(c *rig.Coder) { c.Bool("a", new(bool)) }},
	}
	seen := map[uint64]string{}
	for _, row := range rows {
		h, _ := rig.LayoutOf(row.walk)
		if other, ok := seen[h]; ok {
			t.Errorf("%s has the layout of %s", row.name, other)
		}
		seen[h] = row.name
	}
}

// walk makes a record of a function.
type walk func(c *rig.Coder)

func (w walk) Fields(c *rig.Coder) { w(c) }

func TestNestedListsCount(t *testing.T) {
	grid := make([][]float64, 3)
	for i := range grid {
		grid[i] = make([]float64, 4)
	}
	w := walk(func(c *rig.Coder) {
		c.List("rows", len(grid))
		for i := 0; i < len(grid) && c.At(i); i++ {
			c.U8("tag", new(uint8))
			c.Floats("x", grid[i])
		}
		c.End()
	})
	if _, size := rig.LayoutOf(w); size != 8+3*(1+4*8) {
		t.Errorf("size %d, want %d", size, 8+3*(1+4*8))
	}
	write := func() []byte {
		var c rig.Coder
		w(&c)
		c.Write(nil)
		w(&c)
		return c.Bytes()
	}
	a := write()
	grid[2][3] = 7
	d, err := rig.Compare(w, a, write(), 0)
	if err != nil || d != (rig.Difference{Field: "rows[2].x[3]", A: "0", B: "7"}) {
		t.Errorf("%v, %v", d, err)
	}
}

func TestCompareNamesTheFirstField(t *testing.T) {
	r := twoLegs()
	rows := []struct {
		name   string
		change func(o *rig.Observation)
		tol    float64
		want   rig.Difference
	}{
		{"nothing", func(*rig.Observation) {}, 0, rig.Difference{}},
		{"a joint", func(o *rig.Observation) { o.Q[1] = 0.5 }, 0, rig.Difference{Field: "q[1]", A: "0", B: "0.5"}},
		{
			"the first of two", func(o *rig.Observation) { o.Faults, o.PoseWB.P.Z = 3, 1 }, 0,
			rig.Difference{Field: "poseWB.p.z", A: "0", B: "1"},
		},
		{
			"the sign of zero", func(o *rig.Observation) { o.Roll = math.Copysign(0, -1) }, 0,
			rig.Difference{Field: "roll", A: "0", B: "-0"},
		},
		{"within tolerance", func(o *rig.Observation) { o.Roll, o.Pitch = 1e-10, -1e-10 }, 1e-9, rig.Difference{}},
		{
			"outside it", func(o *rig.Observation) { o.TwistB.W = r3.Vec{Y: 2e-9} }, 1e-9,
			rig.Difference{Field: "twistB.w.y", A: "0", B: "2e-09"},
		},
		{
			"not a number", func(o *rig.Observation) { o.Roll = math.NaN() }, 1e-9,
			rig.Difference{Field: "roll", A: "0", B: "NaN"},
		},
		{
			"a bit is never near", func(o *rig.Observation) { o.Contact = 1 }, 10,
			rig.Difference{Field: "contact", A: "0", B: "1"},
		},
	}
	for _, row := range rows {
		o := rig.NewObservation(r)
		a, _ := o.AppendBinary(nil)
		row.change(o)
		b, _ := o.AppendBinary(nil)
		if d, err := rig.Compare(o, a, b, row.tol); err != nil || d != row.want {
			t.Errorf("%s: %v, %v, want %v", row.name, d, err, row.want)
		}
	}
}

func TestErrorsOfBytesSayWhatIsWrong(t *testing.T) {
	o := rig.NewObservation(twoLegs())
	good, _ := o.AppendBinary(nil)
	other, _ := (&rig.Setpoint{Q: make([]float64, 3)}).AppendBinary(nil)
	s := rig.NewSetpoint(twoLegs())
	badFlag, _ := s.AppendBinary(nil)
	badFlag[len(badFlag)-1] = 2
	rows := []struct {
		name string
		err  error
		want string
	}{
		{"short", o.UnmarshalBinary(good[:20]), "20 bytes, want"},
		{"empty", o.UnmarshalBinary(nil), "0 bytes, want"},
		{"another record", o.UnmarshalBinary(other), "layout 0x"},
		{"a flag of 2", s.UnmarshalBinary(badFlag), "is 2, a boolean is 0 or 1"},
	}
	for _, row := range rows {
		if !errors.Is(row.err, rig.ErrLayout) || !strings.Contains(row.err.Error(), row.want) {
			t.Errorf("%s: %v, want %q", row.name, row.err, row.want)
		}
	}
	if _, err := rig.Compare(o, good, other, 0); !errors.Is(err, rig.ErrLayout) {
		t.Errorf("compare took another layout: %v", err)
	}
}

func TestBytesAreLittleEndianWithoutPadding(t *testing.T) {
	s := &rig.Setpoint{Q: []float64{1.5}, Time: 0.02, Limp: true}
	b, _ := s.AppendBinary([]byte{9})
	hash, size := rig.LayoutOf(s)
	want := binary.LittleEndian.AppendUint64([]byte{9}, hash)
	want = binary.LittleEndian.AppendUint64(want, math.Float64bits(1.5))
	want = binary.LittleEndian.AppendUint64(want, math.Float64bits(0.02))
	want = append(want, 1, 0)
	if string(b) != string(want) || len(b) != size+1 {
		t.Errorf("%x, want %x", b, want)
	}
}

func FuzzUnmarshal(f *testing.F) {
	o := rig.NewObservation(twoLegs())
	o.PoseWB = geom.Identity()
	good, _ := o.AppendBinary(nil)
	f.Add(good)
	f.Add(good[:7])
	f.Fuzz(func(t *testing.T, b []byte) {
		if o.UnmarshalBinary(b) != nil {
			return
		}
		if again, _ := o.AppendBinary(nil); string(again) != string(b) {
			t.Errorf("%x was taken and became %x", b, again)
		}
	})
}

func BenchmarkAppendObservation(b *testing.B) {
	r := &rig.Rig{Legs: make([]rig.Leg, 6)}
	for i := range r.Legs {
		r.Legs[i].Joints, r.Legs[i].First = make([]rig.Joint, 3), 3*i
	}
	o := rig.NewObservation(r)
	buf := make([]byte, 0, 4096)
	b.ReportAllocs()
	for b.Loop() {
		buf, _ = o.AppendBinary(buf[:0])
	}
}
