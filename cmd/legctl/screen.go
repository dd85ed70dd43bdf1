package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	"legctl/control"
	"legctl/rig"
	"legctl/rollout"
	"legctl/telemetry"

	"charm.land/bubbles/v2/progress"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
)

// How often a person is told something.
const (
	redrawEvery = 200 * time.Millisecond // on a terminal
	logEvery    = 2 * time.Second        // elsewhere
	lookEvery   = 512                    // ticks between two looks at the clock
)

// screen is where a person reads: a terminal with one live line, or anything
// else, with a plain log line now and then.
type screen struct {
	w    io.Writer
	tty  bool
	log  *slog.Logger
	last time.Time
	live bool // the live line stands there
}

func newScreen(w io.Writer) *screen {
	s := &screen{w: w, log: slog.New(slog.NewTextHandler(w, nil))}
	if f, ok := w.(*os.File); ok {
		s.tty = term.IsTerminal(f.Fd())
	}
	return s
}

// due reports whether it is time to show something again.
func (s *screen) due() bool {
	every := logEvery
	if s.tty {
		every = redrawEvery
	}
	now := time.Now()
	if now.Sub(s.last) < every {
		return false
	}
	s.last = now
	return true
}

// line replaces the live line. It is cut to the width of the terminal: a line
// that wraps could not be replaced.
func (s *screen) line(text string) {
	if f, ok := s.w.(*os.File); ok {
		if width, _, err := term.GetSize(f.Fd()); err == nil && width > 1 {
			text = ansi.Truncate(text, width-1, "")
		}
	}
	fmt.Fprint(s.w, "\r\x1b[K"+text)
	s.live = true
}

// endLine leaves the live line as it is and goes below it.
func (s *screen) endLine() {
	if s.live {
		fmt.Fprintln(s.w)
		s.live = false
	}
}

// status returns what shows a frame.
func (s *screen) status(sc *scene) func(*control.Frame) {
	names, dt := sc.names, sc.Config.Params.Dt
	bold := lipgloss.NewStyle().Bold(true)
	return func(f *control.Frame) {
		if !s.due() {
			return
		}
		o, pose := &f.Out, f.Out.PoseWB.P
		if f.Obs.Has&rig.HasPose != 0 {
			pose = f.Obs.PoseWB.P
		}
		limit := telemetry.BindingName(o.Binding)
		if leg := names.Leg(int(o.BindLeg)); leg != "" {
			limit += " " + leg
		}
		t, alarms := float64(o.Tick)*dt, strings.Join(telemetry.Alarms(&f.Obs).Names(), " ")
		if !s.tty {
			s.log.Info(names.Rig, "t", rounded(t), "mode", o.Mode.String(), "gait", names.Gait(o.Gait), "x", rounded(pose.X),
				"y", rounded(pose.Y), "vx", rounded(o.Twist[0]), "wz", rounded(o.Twist[2]), "margin", rounded(o.Margin),
				"limit", limit, "falls", f.Obs.FellSince, "alarms", alarms)
			return
		}
		s.line(fmt.Sprintf("%s %6.1f s %s %+.2f %+.2f m %+.3f m/s %+.2f rad/s margin %s falls %d limit %s",
			bold.Render(fmt.Sprintf("%-5s", o.Mode)), t, names.Gait(o.Gait), pose.X, pose.Y, o.Twist[0], o.Twist[2],
			millimetres(o.Margin), f.Obs.FellSince, limit) + bold.Render(alarmed(alarms)))
	}
}

// alarmed is what the live line says of alarms: nothing without any.
func alarmed(names string) string {
	if names == "" {
		return ""
	}
	return " ALARM " + names
}

// rounded keeps three decimals: a log line is for reading.
func rounded(v float64) float64 { return math.Round(v*1000) / 1000 }

// millimetres shows a margin; with no foot down there is none.
func millimetres(m float64) string {
	if m < -1e6 {
		return "none"
	}
	return fmt.Sprintf("%.0f mm", m*1e3)
}

// progress returns what shows how far a run without a clock has come, on a
// terminal; nil elsewhere.
func (s *screen) progress(sc *scene, o *simFlags) func(*rollout.Rollout) error {
	if !s.tty || !o.headless {
		return nil
	}
	bar := progress.New(progress.WithWidth(50))
	s.last = time.Now() // short runs show none
	return func(r *rollout.Rollout) error {
		if r.Cell.Tick%lookEvery == 0 && s.due() {
			share := float64(r.Cell.Tick) / float64(sc.Config.Ticks)
			s.line(bar.ViewAs(share) + fmt.Sprintf(" %.0f of %.0f s", float64(r.Cell.Tick)*r.Config.Params.Dt, o.duration.Seconds()))
		}
		return nil
	}
}

// limits lists what held the speed down, the most frequent first.
func limits(share map[string]float64) string {
	names := slices.SortedFunc(maps.Keys(share), func(a, b string) int {
		switch {
		case share[a] > share[b], share[a] == share[b] && a < b:
			return -1
		}
		return 1
	})
	var parts []string
	for _, n := range names {
		parts = append(parts, fmt.Sprintf("%s %.0f %%", n, share[n]*100))
	}
	if len(parts) == 0 {
		return "nothing: it never walked"
	}
	return strings.Join(parts, ", ")
}

func writeJSON(w io.Writer, v any) error { return json.NewEncoder(w).Encode(v) }
