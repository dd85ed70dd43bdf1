package main

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"legctl/telemetry"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

var (
	topTitle = lipgloss.NewStyle().Bold(true)
	topFaint = lipgloss.NewStyle().Faint(true)
	topGood  = lipgloss.NewStyle().Foreground(lipgloss.Green)
	topBad   = lipgloss.NewStyle().Foreground(lipgloss.Red).Bold(true)
	topNote  = lipgloss.NewStyle().Foreground(lipgloss.Yellow)
)

// View implements tea.Model.
func (m *topModel) View() tea.View {
	v := tea.NewView(m.draw())
	v.AltScreen = true
	v.WindowTitle = "legctl top " + m.rig
	return v
}

// draw is the picture, cut to the size of the terminal.
func (m *topModel) draw() string {
	lines := append(m.head(), "")
	if m.state != nil {
		lines = append(lines, m.motion()...)
		lines = append(lines, "")
		lines = append(lines, m.legs()...)
		lines = append(lines, "")
		lines = append(lines, m.joints()...)
	}
	room := m.height - len(lines) - 3
	if room > 0 {
		lines = append(lines, "")
		lines = append(lines, m.log(room)...)
	}
	lines = append(lines[:min(len(lines), max(m.height-1, 0))], topFaint.Render("q ends, space holds the picture"))
	for i := range lines {
		lines[i] = ansi.Truncate(lines[i], m.width, "")
	}
	return strings.Join(lines, "\n")
}

// head says what it is and how it stands.
func (m *topModel) head() []string {
	on := topBad.Render("offline")
	if m.online {
		on = topGood.Render("online")
	}
	line := topTitle.Render(m.rig) + " at " + m.broker + "  " + on
	if m.held {
		line += topNote.Render("  held")
	}
	if m.lease.Holder != "" {
		line += "  operator " + topTitle.Render(m.lease.Holder)
	}
	lines := []string{line}
	if m.trouble != nil {
		lines = append(lines, topBad.Render(m.trouble.Error()+"; trying again"))
	}
	if m.state == nil {
		return append(lines, topFaint.Render("no state yet"))
	}
	s := m.state
	line = fmt.Sprintf("mode %s  gait %s  tick %d  %.1f s", topTitle.Render(s.Mode), topTitle.Render(s.Gait), s.Tick, float64(s.Time))
	lines = append(lines, line)
	if st := m.status; st != nil {
		lines = append(lines, m.health(st))
	}
	return lines
}

// health is a line about battery, servos, faults.
func (m *topModel) health(st *telemetry.Status) string {
	var parts []string
	add := func(format string, v *telemetry.Num) {
		if v != nil {
			parts = append(parts, fmt.Sprintf(format, float64(*v)))
		}
	}
	add("battery %.1f V", st.Battery)
	add("servos %.0f °C", st.Temperature)
	add("load %.2f", st.Load)
	parts = append(parts, fmt.Sprintf("falls %d", st.Falls))
	if st.Dropped > 0 {
		parts = append(parts, fmt.Sprintf("messages dropped %d", st.Dropped))
	}
	if len(st.Faults) > 0 {
		parts = append(parts, topBad.Render("faults "+strings.Join(st.Faults, " ")))
	}
	if len(st.Alarms) > 0 {
		parts = append(parts, topBad.Render("alarms "+strings.Join(st.Alarms, " ")))
	}
	return strings.Join(parts, "  ")
}

func speedOf(t telemetry.Twist) float64 {
	return math.Sqrt(float64(t.Vx)*float64(t.Vx) + float64(t.Vy)*float64(t.Vy))
}

// motion is speed against the wish with the limit that binds, and the margin.
func (m *topModel) motion() []string {
	s := m.state
	limit := s.Binding
	if s.BindingLeg != "" {
		limit += " (" + s.BindingLeg + ")"
	}
	if s.Binding != "none" {
		limit = topNote.Render(limit)
	}
	wish, is := speedOf(s.Wish), speedOf(s.Twist)
	most := max(wish, slices.Max(append([]float64{1e-3}, m.speeds...)))
	width := max(m.width-40, 10)
	return []string{
		fmt.Sprintf("speed  %6.3f of %6.3f m/s  %s", is, wish, bar(is/most, wish/most, 24)),
		fmt.Sprintf("turn   %6.3f of %6.3f rad/s  limit %s", float64(s.Twist.Wz), float64(s.Wish.Wz), limit),
		fmt.Sprintf("margin %8s  %s", marginText(s.Margin), spark(tail(m.margins, width))),
		fmt.Sprintf("speed  %6.3f m/s %s", is, spark(tail(m.speeds, width))),
	}
}

func marginText(v telemetry.Num) string {
	if f := float64(v); math.IsNaN(f) || math.IsInf(f, 0) {
		return "none"
	}
	return fmt.Sprintf("%.1f mm", float64(v)*1e3)
}

// bar shows a share, with a mark where the wish is.
func bar(is, wish float64, width int) string {
	at := func(v float64) int { return min(max(int(v*float64(width)+0.5), 0), width) }
	cells := []rune(strings.Repeat("█", at(is)) + strings.Repeat("·", width-at(is)))
	if w := at(wish) - 1; w >= 0 && at(wish) > at(is) {
		cells[w] = '|'
	}
	return string(cells)
}

var sparks = []rune("▁▂▃▄▅▆▇█")

// spark draws a history; what is no number is a gap.
func spark(list []float64) string {
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range list {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			low, high = min(low, v), max(high, v)
		}
	}
	var b strings.Builder
	for _, v := range list {
		switch {
		case math.IsNaN(v) || math.IsInf(v, 0):
			b.WriteByte(' ')
		case high-low < 1e-9:
			b.WriteRune(sparks[0])
		default:
			b.WriteRune(sparks[int((v-low)/(high-low)*float64(len(sparks)-1)+0.5)])
		}
	}
	return b.String()
}

func tail[T any](list []T, n int) []T { return list[max(len(list)-n, 0):] }

// ordered returns the legs or joints as the rig orders them, else by name.
func ordered[V any](by map[string]V, as []string) []string {
	if len(as) == len(by) {
		return as
	}
	return slices.Sorted(maps.Keys(by))
}

// legs is the gait diagram of the last seconds: a full cell stands.
func (m *topModel) legs() []string {
	var as []string
	if m.info != nil {
		as = m.info.Legs
	}
	width := max(m.width-24, 10)
	var lines []string
	for _, name := range ordered(m.state.Legs, as) {
		var b strings.Builder
		for _, down := range tail(m.stance[name], width) {
			b.WriteRune(map[bool]rune{true: '█', false: '·'}[down])
		}
		l := m.state.Legs[name]
		mark := "swing "
		if l.Stance {
			mark = "stance"
		}
		if l.Status != "reached" {
			mark = topNote.Render(mark + " " + l.Status)
		}
		lines = append(lines, fmt.Sprintf("%-6s %s %s", name, mark, b.String()))
	}
	return lines
}

// joints lists the angles in as many columns as there is room for.
func (m *topModel) joints() []string {
	var as []string
	if m.info != nil {
		as = m.info.Joints
	}
	names := ordered(m.state.Joints, as)
	wide := 0
	for _, n := range names {
		wide = max(wide, len(n))
	}
	columns := max(m.width/(wide+10), 1)
	var lines []string
	for from := 0; from < len(names); from += columns {
		var b strings.Builder
		for _, n := range names[from:min(from+columns, len(names))] {
			fmt.Fprintf(&b, "%-*s %6.1f°  ", wide, n, float64(m.state.Joints[n])*180/math.Pi)
		}
		lines = append(lines, strings.TrimRight(b.String(), " "))
	}
	return lines
}

// log is the last events, the newest first.
func (m *topModel) log(room int) []string {
	var lines []string
	for _, e := range slices.Backward(m.events) {
		if len(lines) == room {
			break
		}
		text := fmt.Sprintf("%8.2f s  %-18s", float64(e.Time), e.Event)
		switch {
		case len(e.Legs) > 0:
			text += " " + strings.Join(e.Legs, " ")
		case len(e.Alarms) > 0:
			text += " " + strings.Join(append(e.Alarms, e.Joints...), " ")
			if e.Advice != "" {
				text += ": " + e.Advice
			}
		case e.Holder+e.Was != "":
			text += fmt.Sprintf(" %s, was %s", orNobody(e.Holder), orNobody(e.Was))
		default:
			text += " " + e.Mode + " " + e.Gait
		}
		lines = append(lines, text)
	}
	return lines
}

func orNobody(s string) string {
	if s == "" {
		return "nobody"
	}
	return s
}
