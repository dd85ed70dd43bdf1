package preflight

import (
	"fmt"
	"io"
	"math"
	"strings"

	"legctl/control"
	"legctl/rig"
)

// ClassName returns the word for a class.
func ClassName(c rig.Class) string {
	switch c {
	case rig.Static:
		return "static"
	case rig.Dynamic:
		return "dynamic"
	case rig.Ballistic:
		return "ballistic"
	}
	return "unknown"
}

// WriteText writes the report for a person: what cannot work first, then each
// gait, then what was assumed. name gives a limit's word.
func (rep *Report) WriteText(w io.Writer, name func(control.Binding) string) error {
	var b strings.Builder
	r := rep.Rig
	fmt.Fprintf(&b, "rig %s: %d legs, %d joints, %.3g kg, longest leg L %.1f mm, stands %.1f mm high\n",
		r.Name, len(r.Legs), r.Joints(), r.Mass(), r.L()*1e3, r.Height*1e3)
	for _, f := range rep.Faults {
		fmt.Fprintf(&b, "  CANNOT WORK: %s: %.3g, bound %.3g\n", f.What, f.Value, f.Bound)
	}
	for i := range rep.Gaits {
		rep.Gaits[i].write(&b, r, name)
	}
	if len(rep.Assumed) > 0 {
		b.WriteString("assumed, because the file does not say:\n")
	}
	for _, a := range rep.Assumed {
		fmt.Fprintf(&b, "  %s\n", a)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// write is one gait's part.
func (g *GaitReport) write(b *strings.Builder, r *rig.Rig, name func(control.Binding) string) {
	z := &g.Sizing
	fmt.Fprintf(b, "gait %s\n", g.Name)
	fmt.Fprintf(b, "  U %.2f mm, set by %s", z.U*1e3, z.USetBy)
	if z.USetBy == "reach" && z.ULeg >= 0 {
		fmt.Fprintf(b, " of leg %s", r.Legs[z.ULeg].Name)
	}
	fmt.Fprintf(b, "; k %.1f ms, set by %s", z.K*1e3, z.KSetBy)
	if z.KSetBy == "joint" {
		fmt.Fprintf(b, " %s", r.Legs[z.KLeg].Joints[z.KJointI].Name)
	}
	fmt.Fprintf(b, "; k/kF %.2f\n", z.K/z.KF)
	if g.Refused != "" {
		fmt.Fprintf(b, "  refused: %s\n", g.Refused)
		return
	}
	fmt.Fprintf(b, "  class %s: %s\n", ClassName(g.Class), g.ClassBy)
	fmt.Fprintf(b, "  highest speed %.3f m/s heading %.0f deg, set by %s; turning %.2f rad/s, set by %s\n",
		g.Best, g.Heading*180/math.Pi, name(g.Bind), g.Allowed.Turn, name(g.Allowed.TurnBind))
	g.slowest(b, name)
	fmt.Fprintf(b, "  reach: %.0f %% of the comfort cylinder used%s\n", g.Worst.Reach.Value*100, where(r, g.Worst.Reach))
	fmt.Fprintf(b, "  joint limits: least margin %.1f deg%s\n", g.Worst.Angle.Value*180/math.Pi, where(r, g.Worst.Angle))
	fmt.Fprintf(b, "  joint speed: %.0f %% of the maximum%s\n", g.Worst.Rate.Value*100, where(r, g.Worst.Rate))
	if g.Worst.Torque.Leg >= 0 && g.Worst.Torque.Value > 0 {
		note := ""
		if g.Worst.Torque.Value > torqueCaution {
			note = ": TOO WEAK to hold this gait's worst stance"
		}
		fmt.Fprintf(b, "  static torque: %.0f %% of the limit%s%s\n", g.Worst.Torque.Value*100, where(r, g.Worst.Torque), note)
	} else {
		b.WriteString("  static torque: unknown, no joint says its limit\n")
	}
	b.WriteString(g.gapLine(r))
	fmt.Fprintf(b, "  stability margin: least %s, mean %s\n", millimetres(g.Worst.Margin), millimetres(g.Worst.Mean))
}

// gapLine says how near adjacent legs come to each other.
func (g *GaitReport) gapLine(r *rig.Rig) string {
	w := &g.Worst.Gap
	if math.IsInf(w.Value, 1) {
		return ""
	}
	when := fmt.Sprintf("%.1f s into the run", w.Phase)
	if g.Clocked {
		when = fmt.Sprintf("at phase %.2f", w.Phase)
	}
	note := ""
	if w.Value < 0 {
		note = ": they TOUCH"
	}
	return fmt.Sprintf("  leg to leg: least %.1f mm (%s and %s, %s)%s\n", w.Value*1e3, r.Legs[w.Legs[0]].Name, r.Legs[w.Legs[1]].Name, when, note)
}

// slowest names the heading that allows least, where headings differ.
func (g *GaitReport) slowest(b *strings.Builder, name func(control.Binding) string) {
	at := 0
	for h, v := range g.Allowed.Linear {
		if v < g.Allowed.Linear[at] {
			at = h
		}
	}
	if v := g.Allowed.Linear[at]; v < g.Best*(1-1e-9) {
		fmt.Fprintf(b, "  slowest %.3f m/s heading %.0f deg, set by %s\n", v, 360*float64(at)/control.Headings, name(g.Allowed.LinearBind[at]))
	}
}

// where names leg, joint and time of a worst value.
func where(r *rig.Rig, w Worst) string {
	switch {
	case w.Leg < 0:
		return ""
	case w.Joint < 0:
		return fmt.Sprintf(" (leg %s)", r.Legs[w.Leg].Name)
	}
	return fmt.Sprintf(" (%s)", r.Legs[w.Leg].Joints[w.Joint].Name)
}

func millimetres(v float64) string {
	if math.IsInf(v, 0) {
		return "none (no foot stands)"
	}
	return fmt.Sprintf("%.1f mm", v*1e3)
}
