package main

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"legctl/telemetry"
	"legctl/telemetry/evdev"
	"legctl/telemetry/mqtt"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// The beats of teleop.
const (
	helmEvery  = 50 * time.Millisecond
	twistTTL   = 0.4 // s: a twist that is not followed by another
	leaseTTL   = 1.5 // s
	renewEvery = 500 * time.Millisecond
)

// What comes to teleop besides keys and news.
type (
	helmTick  time.Time
	padEvent  struct{ event evdev.Event }
	padThere  struct{ pad *evdev.Pad }
	padGone   struct{ err error }
	refused   struct{ err error }
	leaseMine struct{}
)

// order is a command teleop gives.
type order struct {
	topic string
	body  map[string]any
}

// teleopModel steers a rig. Update decides, give carries out: it must not wait.
// The model knows no network and no clock but the ticks it gets.
type teleopModel struct {
	helm     *helm
	give     func(order)
	holder   string
	now      time.Time
	moving   bool
	renewed  time.Time
	mine     bool // the lease
	width    int
	pad      string
	rig      string
	trouble  string
	notice   string
	state    *telemetry.State
	lease    telemetry.LeaseState
	quitting bool
}

// Init implements tea.Model.
func (m *teleopModel) Init() tea.Cmd { return helmBeat() }

func helmBeat() tea.Cmd {
	return tea.Tick(helmEvery, func(t time.Time) tea.Msg { return helmTick(t) })
}

// Update implements tea.Model.
func (m *teleopModel) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return m, m.key(msg.String(), msg.IsRepeat)
	case tea.KeyReleaseMsg:
		m.helm.release(msg.String())
		m.steer()
	case tea.KeyboardEnhancementsMsg:
		m.helm.exact = msg.SupportsEventTypes()
	case tea.BlurMsg:
		m.stop("the terminal lost the keyboard")
	case tea.WindowSizeMsg:
		m.width = msg.Width
	case helmTick:
		m.now = time.Time(msg)
		m.steer()
		m.renew()
		return m, helmBeat()
	default:
		m.take(msg)
	}
	return m, nil
}

// take takes what tether and pad tell.
func (m *teleopModel) take(msg tea.Msg) {
	switch msg := msg.(type) {
	case joined:
		m.rig, m.trouble, m.mine = msg.rig, "", false
		m.ask("acquire")
	case parted:
		m.mine = false
		m.helm.letGo()
		m.trouble = msg.err.Error()
	case padThere:
		m.pad, m.helm.stick = msg.pad.Name, evdev.NewStick(msg.pad.Ranges)
	case padGone:
		m.pad = ""
		m.stop("the gamepad is gone")
	case padEvent:
		m.padEvent(msg.event)
	case leaseMine:
		m.mine, m.renewed = true, m.now
	case refused:
		m.notice = msg.err.Error()
	case mqtt.News:
		m.news(msg)
	}
}

func (m *teleopModel) news(n mqtt.News) {
	switch {
	case n.State != nil:
		m.state = n.State
	case n.Lease != nil:
		m.lease = *n.Lease
		if m.mine && m.lease.Holder != m.holder {
			m.mine = false
			m.helm.letGo()
			m.notice = "the lease went to " + orNobody(m.lease.Holder) + ": t takes it back"
		}
	case n.Event != nil && n.Event.Was != "":
		m.notice = n.Event.Event + ": " + orNobody(n.Event.Holder) + ", was " + n.Event.Was
	}
}

// keysThatOrder are the keys besides those that move.
var keysThatOrder = map[string]order{
	"1": {"mode", map[string]any{"mode": "arm"}},
	"2": {"mode", map[string]any{"mode": "rise"}},
	"3": {"mode", map[string]any{"mode": "sit"}},
	"0": {"mode", map[string]any{"mode": "disarm"}},
	"c": {"mode", map[string]any{"mode": "clear"}},
}

// key does what a key is for.
func (m *teleopModel) key(key string, repeat bool) tea.Cmd {
	switch key {
	case "ctrl+c", "esc", "x":
		m.leave()
		return tea.Quit
	case "space", " ":
		m.stop("")
	case "ctrl+l":
		return tea.ClearScreen
	case "t":
		m.ask("take")
	case "+", "=":
		m.helm.faster(1.25)
	case "-":
		m.helm.faster(0.8)
	default:
		if o, ok := keysThatOrder[key]; ok {
			m.give(o)
			return nil
		}
		if m.helm.press(key, repeat, m.now) {
			m.steer()
		}
	}
	return nil
}

// padEvent does what a button is for, or steers by a stick.
func (m *teleopModel) padEvent(e evdev.Event) {
	switch {
	case m.helm.stick != nil && m.helm.stick.Take(e):
		m.steer()
	case evdev.Pressed(e, evdev.ButtonEast):
		m.stop("")
	case evdev.Pressed(e, evdev.ButtonSouth):
		m.give(keysThatOrder["2"])
	case evdev.Pressed(e, evdev.ButtonWest):
		m.give(keysThatOrder["3"])
	case evdev.Pressed(e, evdev.ButtonNorth):
		m.ask("take")
	case evdev.Pressed(e, evdev.ButtonStart):
		m.give(keysThatOrder["1"])
	case evdev.Pressed(e, evdev.ButtonSelect):
		m.give(keysThatOrder["0"])
	case evdev.Pressed(e, evdev.ButtonRight):
		m.helm.faster(1.25)
	case evdev.Pressed(e, evdev.ButtonLeft):
		m.helm.faster(0.8)
	}
}

// steer sends what is asked for, as long as something is, and a zero once.
func (m *teleopModel) steer() {
	t := m.helm.wish(m.now)
	moves := t != [3]float64{}
	if !m.mine || !moves && !m.moving {
		return
	}
	m.moving = moves
	m.renewed = m.now // a command is a sign of life
	m.give(order{"twist", map[string]any{"vx": t[0], "vy": t[1], "wz": t[2], "ttl": twistTTL}})
}

// renew keeps the lease while nothing moves.
func (m *teleopModel) renew() {
	if m.mine && m.now.Sub(m.renewed) >= renewEvery {
		m.renewed = m.now
		m.ask("renew")
	}
}

// ask asks for something of the lease.
func (m *teleopModel) ask(action string) {
	m.give(order{"lease", map[string]any{"action": action, "holder": m.holder, "ttl": leaseTTL}})
}

// stop lets everything go and tells the rig so.
func (m *teleopModel) stop(why string) {
	m.helm.letGo()
	if m.pad != "" { // the pad stays; its sticks must come home first
		m.helm.stick = evdev.NewStick(nil)
	}
	m.moving = false
	m.notice = why
	m.give(order{"stop", nil})
}

// leave stops the rig and gives the lease back, once.
func (m *teleopModel) leave() {
	if m.quitting {
		return
	}
	m.quitting = true
	m.stop("")
	if m.mine {
		m.ask("release")
	}
}

// View implements tea.Model.
func (m *teleopModel) View() tea.View {
	v := tea.NewView(m.draw())
	v.AltScreen, v.ReportFocus = true, true
	v.KeyboardEnhancements.ReportEventTypes = true
	v.WindowTitle = "legctl teleop " + m.rig
	return v
}

func (m *teleopModel) draw() string {
	who := topBad.Render("no lease: t takes it from " + orNobody(m.lease.Holder))
	if m.mine {
		who = topGood.Render("yours")
	}
	t := m.helm.wish(m.now)
	lines := []string{
		topTitle.Render("steering "+m.rig) + "  " + who,
		fmt.Sprintf("wish   %+.3f %+.3f m/s  %+.2f rad/s   (full: %.3g m/s, %.3g rad/s)", t[0], t[1], t[2], m.helm.speed, m.helm.turn),
	}
	if s := m.state; s != nil {
		lines = append(lines,
			fmt.Sprintf("rig    %+.3f %+.3f m/s  %+.2f rad/s   limit %s %s", float64(s.Twist.Vx), float64(s.Twist.Vy), float64(s.Twist.Wz), s.Binding, s.BindingLeg),
			fmt.Sprintf("mode   %s  gait %s  margin %s", topTitle.Render(s.Mode), s.Gait, marginText(s.Margin)))
	}
	pad := "none"
	if m.pad != "" {
		pad = m.pad
	}
	lines = append(lines, "pad    "+pad)
	for _, bad := range []string{m.trouble, m.notice} {
		if bad != "" {
			lines = append(lines, topNote.Render(bad))
		}
	}
	lines = append(lines, "",
		"w s a d or arrows walk, q e turn; let go and it stops; space stops",
		"+ - speed, 1 arm, 2 stand, 3 sit, 0 disarm, c clear a fault, t take the lease, x ends")
	for i := range lines {
		lines[i] = ansi.Truncate(lines[i], max(m.width, 40), "")
	}
	return strings.Join(lines, "\n")
}

// errNoPad is what teleop without a terminal ends with when no pad is there.
var errNoPad = errors.New("teleop: no gamepad found: plug one in, or name its event device with --gamepad")
