package configs

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"legctl/control"
	"legctl/gait"
	"legctl/rig"
)

// GaitYAML returns a gait file that loads as the plan p on rig r: its rules as
// far as they differ from the nearest base, and its phases by row and side. A
// phase table of a rig whose legs are in no rows of two cannot be written.
func GaitYAML(p *control.Plan, r *rig.Rig) ([]byte, error) {
	var b strings.Builder
	base, diff := nearestBase(&p.Rules)
	fmt.Fprintf(&b, "gait: %s\nabout: saved by the page of legctl, for %s\nbase: %s\n", p.Name, r.Name, base)
	if len(diff) > 0 {
		b.WriteString("rules:\n")
		for _, line := range diff {
			b.WriteString("  " + line + "\n")
		}
	}
	if p.Phase == nil {
		return []byte(b.String()), nil
	}
	return phasesYAML(&b, p.Phase, r)
}

// nearestBase returns the base from which fewest rules differ, and those.
func nearestBase(rules *gait.Rules) (base string, diff []string) {
	for _, name := range []string{"walk", "gallop", "crawl", "reference_walk", "reference_gallop"} {
		from := bases[name]()
		if d := ruleLines(rules, &from); base == "" || len(d) < len(diff) {
			base, diff = name, d
		}
	}
	return base, diff
}

// ruleLines returns the rules that differ, as lines of a file.
func ruleLines(r, from *gait.Rules) []string {
	a, b := reflect.ValueOf(r).Elem(), reflect.ValueOf(from).Elem()
	var lines []string
	for i, key := range flatKeys(a.Type()) {
		if a.Field(i).Equal(b.Field(i)) {
			continue
		}
		text := fmt.Sprint(a.Field(i).Interface())
		if a.Field(i).Kind() == reflect.Float64 {
			text = number(a.Field(i).Float())
		}
		lines = append(lines, key+": "+text)
	}
	return lines
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// phasesYAML writes a phase table by row and side.
func phasesYAML(b *strings.Builder, g *gait.Gait, r *rig.Rig) ([]byte, error) {
	n := 0
	for _, row := range r.Groups.Row {
		n = max(n, row+1)
	}
	var at, duty [2][]string
	for side := range at {
		at[side], duty[side] = make([]string, n), make([]string, n)
	}
	for i := range r.Legs {
		side := 0
		switch {
		case r.Groups.Ring || r.Groups.Side[i] == 0:
			return nil, fmt.Errorf("configs: gait %q: leg %s of rig %s is in no row of two, phases cannot be written by row and side", g.Name, r.Legs[i].Name, r.Name)
		case r.Groups.Side[i] < 0:
			side = 1
		}
		at[side][r.Groups.Row[i]], duty[side][r.Groups.Row[i]] = number(g.Offset[i]), number(g.Duty[i])
	}
	b.WriteString("phases:\n")
	for side, word := range []string{"left", "right"} {
		fmt.Fprintf(b, "  %s: [%s]\n", word, strings.Join(at[side], ", "))
	}
	for side, word := range []string{"left", "right"} {
		fmt.Fprintf(b, "  duty_%s: [%s]\n", word, strings.Join(duty[side], ", "))
	}
	if g.Period > 0 {
		fmt.Fprintf(b, "  period: %s\n", number(g.Period))
	}
	if s := g.Shape; s != (gait.Shape{}) {
		fmt.Fprintf(b, "swing:\n  curve: %s\n  height: %s\n  width: %s\n  depth: %s\n", s.Curve, number(s.Height), number(s.Width), number(s.Depth))
	}
	return []byte(b.String()), nil
}
