package record

import (
	"bufio"
	"encoding/csv"
	"errors"
	"io"
	"math"
	"strconv"

	"legctl/control"
	"legctl/rig"
)

// Columns returns the names of the columns of Table: tick and time, and then
// every field of a frame, as Field names them, and of the state before it,
// behind "state.".
func (n *Names) Columns() []string {
	cols := []string{"tick", "time"}
	for _, part := range []struct {
		prefix string
		like   rig.Record
	}{{"", n.frame}, {"state.", n.state}} {
		v := columns{names: n, prefix: part.prefix, to: &cols}
		_ = rig.Visit(part.like, nil, &v) // a layout alone cannot fail
	}
	return cols
}

// Table writes the ticks of a recording as CSV, one row a tick under a row of
// Columns. Numbers have as many digits as it takes to read the same bits again;
// flags are 0 and 1; a state that is not in the recording leaves its columns
// empty. A recording that is cut ends with its last tick. keep, if not nil, picks
// columns by name.
func (n *Names) Table(to io.Writer, from *Reader, keep func(column string) bool) (rows uint64, err error) {
	buf := bufio.NewWriterSize(to, 256<<10)
	w := csv.NewWriter(buf)
	cols := n.Columns()
	t := table{names: n, row: make([]string, 0, len(cols)), keep: make([]bool, len(cols)), states: n.states()}
	for i, c := range cols {
		t.keep[i] = i < 2 || keep == nil || keep(c)
	}
	_ = w.Write(t.pick(cols)) // an error stays in w
	for {
		rec, err := from.Next()
		var cut *CutError
		if errors.Is(err, io.EOF) || errors.As(err, &cut) {
			break
		}
		if err == nil {
			err = t.take(rec, from.header.Dt)
		}
		if err != nil {
			return rows, errors.Join(err, buf.Flush())
		}
		if rec.Tag == control.TagFrame {
			rows++
			_ = w.Write(t.pick(t.row))
		}
	}
	w.Flush()
	return rows, errors.Join(w.Error(), buf.Flush())
}

// states returns the number of columns of a state.
func (n *Names) states() int {
	var cols []string
	_ = rig.Visit(n.state, nil, &columns{names: n, to: &cols}) // a layout alone cannot fail
	return len(cols)
}

// table is a table under way.
type table struct {
	names  *Names
	row    []string
	out    []string
	keep   []bool
	state  []string // of the tick to come
	states int
}

// take reads a record; a frame completes a row.
func (t *table) take(rec Record, dt float64) error {
	switch rec.Tag {
	case control.TagState:
		v := values{to: t.state[:0]}
		err := rig.Visit(t.names.state, rec.Data, &v)
		t.state = v.to
		return err
	case control.TagFrame:
		v := values{to: append(t.row[:0], strconv.FormatUint(rec.Tick, 10), strconv.FormatFloat(float64(rec.Tick)*dt, 'g', -1, 64))}
		if err := rig.Visit(t.names.frame, rec.Data, &v); err != nil {
			return err
		}
		if len(t.state) == 0 {
			t.state = append(t.state, make([]string, t.states)...)
		}
		t.row = append(v.to, t.state...)
		t.state = t.state[:0]
	}
	return nil
}

// pick returns the columns that are kept.
func (t *table) pick(row []string) []string {
	t.out = t.out[:0]
	for i, s := range row {
		if t.keep[i] {
			t.out = append(t.out, s)
		}
	}
	return t.out
}

// columns names what it is shown.
type columns struct {
	path
	names  *Names
	prefix string
	full   []string // path with elements
	to     *[]string
}

// Open implements rig.Visitor.
func (c *columns) Open(name string) {
	c.push(name)
	c.full = append(c.full, c.join(name))
}

// Close implements rig.Visitor.
func (c *columns) Close() {
	c.pop()
	c.full = c.full[:len(c.full)-1]
}

// List implements rig.Visitor.
func (c *columns) List(name string, _ int) {
	c.Open(name)
	c.full = append(c.full, "")
}

// At implements rig.Visitor.
func (c *columns) At(i int) {
	last := len(c.full) - 1
	c.full[last] = c.full[last-1] + "[" + c.names.element(c.names.axes[string(c.b)], i) + "]"
}

// End implements rig.Visitor.
func (c *columns) End() {
	c.full = c.full[:len(c.full)-1]
	c.Close()
}

// Leaf implements rig.Visitor.
func (c *columns) Leaf(name string, _ rig.Value) { *c.to = append(*c.to, c.join(name)) }

func (c *columns) join(name string) string {
	switch {
	case len(c.full) == 0:
		return c.prefix + name
	case name == "":
		return c.full[len(c.full)-1]
	}
	return c.full[len(c.full)-1] + "." + name
}

// values writes the values it is shown.
type values struct {
	path
	to []string
}

// Leaf implements rig.Visitor.
func (v *values) Leaf(_ string, x rig.Value) {
	switch x.Type() {
	case rig.TypeFlag:
		v.to = append(v.to, map[bool]string{true: "1", false: "0"}[x.String() == "true"])
	case rig.TypeNumber:
		v.to = append(v.to, number(x.Number()))
	default:
		v.to = append(v.to, x.String())
	}
}

// number writes a number as spreadsheets read it: nothing for what is none.
func number(x float64) string {
	if math.IsNaN(x) {
		return ""
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}
