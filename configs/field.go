package configs

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
)

// val is a value of a file: what it is, whether the file gave it, and where.
type val[T any] struct {
	V   T
	Set bool
	at  pos
}

func (v *val[T]) target() any { return &v.V }
func (v *val[T]) mark(p pos)  { v.Set, v.at = true, p }

// or returns the value, or the default when the file gave none.
func (v *val[T]) or(def T) T {
	if v.Set {
		return v.V
	}
	return def
}

// holder is any *val.
type holder interface {
	target() any
	mark(pos)
}

// placed is a struct of a file that remembers where it stood.
type placed struct{ at pos }

func (p *placed) place(at pos) { p.at = at }

type placer interface{ place(pos) }

// field is one key of a file struct, read from its tags.
type field struct {
	index   int
	key     string
	unit    string
	doc     string
	def     string
	bound   interval
	need    bool
	choices []string
}

// fields returns the keys of a file struct in order.
func fields(t reflect.Type) []field {
	var out []field
	for i := range t.NumField() {
		s := t.Field(i)
		key, ok := s.Tag.Lookup("key")
		if !ok {
			continue
		}
		f := field{
			index: i, key: key, unit: s.Tag.Get("unit"), doc: s.Tag.Get("doc"),
			def: s.Tag.Get("default"), bound: parseInterval(s.Tag.Get("in")), need: s.Tag.Get("need") != "",
		}
		if c := s.Tag.Get("choices"); c != "" {
			f.choices = strings.Split(c, "|")
		}
		out = append(out, f)
	}
	return out
}

// interval is a bound such as (0, 100]; the zero value bounds nothing.
type interval struct {
	text           string
	lo, hi         float64
	openLo, openHi bool
}

// parseInterval reads a tag. A malformed tag is a mistake in this package and
// shows in every test as a bound nothing satisfies.
func parseInterval(s string) interval {
	if s == "" {
		return interval{}
	}
	lo, hi, _ := strings.Cut(s[1:len(s)-1], ",")
	number := func(s string) float64 {
		v, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
		if err != nil {
			return math.NaN()
		}
		return v
	}
	return interval{s, number(lo), number(hi), s[0] == '(', s[len(s)-1] == ')'}
}

// holds reports whether v keeps the bound; NaN never does.
func (b interval) holds(v float64) bool {
	if b.text == "" {
		return v-v == 0
	}
	above := v > b.lo || (v == b.lo && !b.openLo)
	below := v < b.hi || (v == b.hi && !b.openHi)
	return above && below
}

// in returns the bound as text in another unit, one of which is worth that
// much of the unit of the tag.
func (b interval) in(worth float64) string {
	if worth == 1 {
		return b.text
	}
	return fmt.Sprintf("%c%.6g, %.6g%c", b.text[0], b.lo/worth, b.hi/worth, b.text[len(b.text)-1])
}
