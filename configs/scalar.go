package configs

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// withUnit matches a number with its unit written behind it.
var withUnit = regexp.MustCompile(`^[-+]?[0-9.]+(e[-+]?[0-9]+)?\s*[a-zA-Z/%°]+[0-9]?$`)

// exponent matches a number without a point but with an exponent.
var exponent = regexp.MustCompile(`^[-+]?[0-9]+[eE][-+]?[0-9]+$`)

// number decodes a finite number and returns it in SI.
func (d *decoder) number(n ast.Node, f *field, s spelling, p pos) float64 {
	v, ok := plainNumber(n)
	if !ok {
		d.notNumber(n, s, p)
		return 0
	}
	primary := 1.0
	if f.unit != "" {
		primary = spellings[f.unit][0].worth
	}
	worth := s.worth / primary
	if !f.bound.holds(v * worth) {
		d.add(p, "%.6g is outside %s%s", v, f.bound.in(worth), unitWord(s))
		return 0
	}
	return v * s.worth
}

func (d *decoder) notNumber(n ast.Node, s spelling, p pos) {
	t := ""
	if x, ok := n.(*ast.StringNode); ok {
		t = x.Value
	}
	switch {
	case withUnit.MatchString(t):
		d.add(p, "%q carries a unit, want the number alone%s", t, unitWord(s))
	case t != "":
		d.add(p, "%q is not a number, want one%s", clip(t), unitWord(s))
	default:
		d.add(p, "%s, want a finite number%s", kind(n), unitWord(s))
	}
}

// plainNumber returns the value of a number node; false for everything else,
// NaN and infinities included.
func plainNumber(n ast.Node) (float64, bool) {
	var v float64
	switch x := n.(type) {
	case *ast.IntegerNode:
		switch i := x.Value.(type) {
		case int64:
			v = float64(i)
		case uint64:
			v = float64(i)
		case int:
			v = float64(i)
		default:
			return 0, false
		}
	case *ast.FloatNode:
		v = x.Value
	case *ast.StringNode:
		// YAML 1.2 reads 6e6 as a number, the parser only 6.0e6.
		if x.Token.Type != token.StringType || !exponent.MatchString(x.Value) {
			return 0, false
		}
		v, _ = strconv.ParseFloat(x.Value, 64)
	default:
		return 0, false
	}
	return v, v-v == 0
}

func unitWord(s spelling) string {
	if s.word == "" {
		return ""
	}
	return " in " + s.word
}

func (d *decoder) whole(n ast.Node, f *field, p pos) int {
	v, ok := plainNumber(n)
	if !ok || v != math.Trunc(v) || math.Abs(v) > 1e9 {
		d.add(p, "%s, want a whole number", kind(n))
		return 0
	}
	if !f.bound.holds(v) {
		d.add(p, "%.6g is outside %s", v, f.bound.text)
		return 0
	}
	return int(v)
}

func (d *decoder) truth(n ast.Node, p pos) bool {
	b, ok := n.(*ast.BoolNode)
	if !ok {
		d.add(p, "%s, want true or false", kind(n))
		return false
	}
	return b.Value
}

func (d *decoder) text(n ast.Node, f *field, p pos) string {
	var t string
	switch x := n.(type) {
	case *ast.StringNode:
		t = x.Value
	case *ast.LiteralNode:
		t = strings.TrimSpace(x.Value.Value)
	case *ast.IntegerNode, *ast.FloatNode:
		t = n.GetToken().Value // a name such as 3
	default:
		d.add(p, "%s, want text", kind(n))
		return ""
	}
	if len(f.choices) > 0 && !slices.Contains(f.choices, t) {
		if near := nearest(t, f.choices); near != "" {
			d.add(p, "%q is unknown; did you mean %s?", clip(t), near)
		} else {
			d.add(p, "%q is unknown, want one of %s", clip(t), strings.Join(f.choices, ", "))
		}
	}
	return t
}

// clip shortens text for a message.
func clip(s string) string {
	if len(s) > 40 {
		return s[:40] + "..."
	}
	return s
}
