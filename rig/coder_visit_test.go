package rig_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"legctl/rig"
)

// outline writes what a visit shows as one line.
type outline struct{ strings.Builder }

func (o *outline) Open(name string)        { fmt.Fprintf(o, "%s{", name) }
func (o *outline) Close()                  { o.WriteString("}") }
func (o *outline) List(name string, n int) { fmt.Fprintf(o, "%s[%d:", name, n) }
func (o *outline) At(i int)                { fmt.Fprintf(o, " #%d", i) }
func (o *outline) End()                    { o.WriteString("]") }
func (o *outline) Leaf(name string, v rig.Value) {
	fmt.Fprintf(o, "%s=%v/%d/%g ", name, v, v.Type(), v.Number())
}

// wired is a record with a field of every shape.
type wired struct {
	x    float64
	n    int32
	on   bool
	list []float64
}

func (w *wired) Fields(c *rig.Coder) {
	c.F64("x", &w.x)
	c.Open("in")
	c.I32("n", &w.n)
	c.Bool("on", &w.on)
	c.Close()
	c.Floats("list", w.list)
	c.List("legs", 2)
	for i := 0; i < 2 && c.At(i); i++ {
		c.I32("n", &w.n)
	}
	c.End()
}

func TestVisitShowsEveryField(t *testing.T) {
	w := &wired{x: 0.1, n: -7, on: true, list: []float64{1, 2}}
	var c rig.Coder
	w.Fields(&c)
	c.Write(nil)
	w.Fields(&c)
	rows := []struct {
		name string
		b    []byte
		want string
	}{
		{"bytes", c.Bytes(), "x=0.1/0/0.1 in{n=-7/1/0 on=true/2/0 }list[2: #0=1/0/1  #1=2/0/2 ]legs[2: #0n=-7/1/0  #1n=-7/1/0 ]"},
		{"layout", nil, "x=0/0/0 in{n=0/1/0 on=false/2/0 }list[2: #0=0/0/0  #1=0/0/0 ]legs[2: #0n=0/1/0  #1n=0/1/0 ]"},
	}
	for _, row := range rows {
		var o outline
		like := &wired{list: make([]float64, 2)}
		if err := rig.Visit(like, row.b, &o); err != nil || o.String() != row.want {
			t.Errorf("%s: %s, %v\nwant %s", row.name, &o, err, row.want)
		}
	}
	if err := rig.Visit(&wired{}, c.Bytes(), new(outline)); !errors.Is(err, rig.ErrLayout) {
		t.Errorf("bytes of another layout: %v", err)
	}
}
