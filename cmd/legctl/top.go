package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"legctl/telemetry"
	"legctl/telemetry/mqtt"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"
)

// What top remembers.
const (
	topSamples = 240 // states, 12 s
	topEvents  = 50

	onceSamples = 20 // states of the picture of --once
)

// newTop shows a rig live.
func newTop() *cobra.Command {
	t := &target{}
	var once bool
	c := &cobra.Command{
		Use: "top", Short: "Watch a rig live in the terminal, over MQTT",
		Long: `Watch a rig live in the terminal, over MQTT: mode, gait, speed against the wish
and the limit that binds, margin, stance of every leg, joints, events.

Keys: q or Ctrl-C ends, space holds the picture.`,
		Example: "  legctl top\n  legctl top --rig phantomx --broker robot.local\n  legctl top --once",
		Args:    exactly(0, "no arguments"),
		RunE: func(c *cobra.Command, _ []string) error {
			if once {
				return topOnce(c, t)
			}
			if !isTerminal(c.InOrStdin(), c.OutOrStdout()) {
				return errNoTerminal("top", "legctl top --once prints one picture, mosquitto_sub -t 'legctl/#' -v everything")
			}
			return runScreen(c.Context(), t, func(func(tea.Msg)) tea.Model { return &topModel{width: 80, height: 24} }, c.InOrStdin(), c.OutOrStdout())
		},
	}
	t.bind(c)
	c.Flags().BoolVar(&once, "once", false, "print one picture, without a terminal, and end")
	return c
}

// topOnce prints what a rig does now.
func topOnce(c *cobra.Command, t *target) error {
	ctx, end := context.WithTimeout(c.Context(), 5*time.Second)
	defer end()
	news := make(chan tea.Msg, 256)
	l := &tether{target: t, tell: func(m tea.Msg) {
		select {
		case news <- m:
		default: // the picture is full already
		}
	}}
	up, err := l.dial(ctx)
	if err != nil {
		return err
	}
	defer up.client.Close()
	m := &topModel{width: 100, height: 60}
	m.take(*up)
	for m.info == nil || len(m.margins) < onceSamples {
		select {
		case n := <-news:
			m.take(n)
		case <-ctx.Done():
			return errors.Join(errors.New("top: rig "+up.rig+": no state within 5 s: is it online?"), c.Context().Err())
		}
	}
	text := m.draw()
	if !isTerminal(c.InOrStdin(), c.OutOrStdout()) {
		text = ansi.Strip(text)
	}
	_, err = fmt.Fprintln(c.OutOrStdout(), text)
	return err
}

// topModel is the picture of a rig. Update changes it, View draws it; it knows
// no network.
type topModel struct {
	width, height int
	rig, broker   string
	trouble       error
	online        bool
	held          bool // the picture stands still

	info    *telemetry.Info
	state   *telemetry.State
	status  *telemetry.Status
	lease   telemetry.LeaseState
	margins []float64
	speeds  []float64
	stance  map[string][]bool
	events  []telemetry.Event // newest last
	seen    uint64            // highest number of an event
}

// Init implements tea.Model.
func (m *topModel) Init() tea.Cmd { return nil }

// Update implements tea.Model.
func (m *topModel) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		switch msg.String() {
		case "q", "ctrl+c", "esc":
			return m, tea.Quit
		case "space", " ":
			m.held = !m.held
		case "ctrl+l":
			return m, tea.ClearScreen
		}
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	default:
		m.take(msg)
	}
	return m, nil
}

// take takes what the tether tells.
func (m *topModel) take(msg tea.Msg) {
	switch msg := msg.(type) {
	case joined:
		m.rig, m.broker, m.trouble = msg.rig, msg.broker, nil
	case parted:
		m.trouble, m.online = msg.err, false
	case mqtt.News:
		m.news(msg)
	}
}

func (m *topModel) news(n mqtt.News) {
	switch {
	case n.Online != nil:
		m.online = *n.Online
	case n.Info != nil:
		m.info = n.Info
	case n.Status != nil:
		m.status = n.Status
	case n.Lease != nil:
		m.lease = *n.Lease
	case n.Event != nil:
		m.event(n.Event)
	case n.State != nil && !m.held:
		m.sample(n.State)
	}
}

// event keeps an event; one that comes again after a break is passed over.
func (m *topModel) event(e *telemetry.Event) {
	if e.Seq != 0 && e.Seq <= m.seen {
		return
	}
	m.seen = max(m.seen, e.Seq)
	m.events = append(m.events, *e)
	if n := len(m.events); n > topEvents {
		m.events = m.events[n-topEvents:]
	}
}

func (m *topModel) sample(s *telemetry.State) {
	m.state, m.online = s, true
	m.margins = keep(m.margins, float64(s.Margin))
	m.speeds = keep(m.speeds, speedOf(s.Twist))
	if m.stance == nil {
		m.stance = map[string][]bool{}
	}
	for name, l := range s.Legs {
		m.stance[name] = keep(m.stance[name], l.Stance)
	}
}

// keep appends to a history of topSamples.
func keep[T any](list []T, v T) []T {
	list = append(list, v)
	if n := len(list); n > topSamples {
		list = list[n-topSamples:]
	}
	return list
}
