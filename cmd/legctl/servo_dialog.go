//go:build linux

package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"legctl/drivers/setup"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"
)

// newDialog returns a dialog with the operator: full on a terminal, line by line
// elsewhere. cancel is called at Ctrl-C. Call end when the session is over.
func newDialog(c *cobra.Command, cancel func(), plain bool) (d setup.Dialog, end func()) {
	in, out := c.InOrStdin(), c.ErrOrStderr()
	fin, inOK := in.(*os.File)
	fout, outOK := out.(*os.File)
	if plain || !inOK || !outOK || !term.IsTerminal(fin.Fd()) || !term.IsTerminal(fout.Fd()) {
		return &lineDialog{in: bufio.NewReader(in), out: out}, func() {}
	}
	return newTeaDialog(fin, fout, cancel)
}

// lineDialog asks by numbered options, one answer a line.
type lineDialog struct {
	in  *bufio.Reader
	out io.Writer
}

// Say implements setup.Dialog.
func (d *lineDialog) Say(text string) { fmt.Fprintln(d.out, text) }

// Choose implements setup.Dialog: a number from 1, or the option's own text.
func (d *lineDialog) Choose(question string, options ...string) (int, error) {
	fmt.Fprintln(d.out, question)
	for i, o := range options {
		fmt.Fprintf(d.out, "  %d  %s\n", i+1, o)
	}
	for {
		fmt.Fprint(d.out, "> ")
		line, err := d.in.ReadString('\n')
		text := strings.TrimSpace(line)
		if n, bad := strconv.Atoi(text); bad == nil && n >= 1 && n <= len(options) {
			return n - 1, nil
		}
		for i, o := range options {
			if strings.EqualFold(text, o) {
				return i, nil
			}
		}
		if err != nil {
			return 0, fmt.Errorf("no answer to %q: %w", question, errors.Join(setup.ErrStopped, err))
		}
		fmt.Fprintf(d.out, "%q is none of them; a number from 1 to %d\n", text, len(options))
	}
}

// teaDialog is a terminal program whose questions come from the session's
// goroutine.
type teaDialog struct {
	p       *tea.Program
	answers chan int
	gone    chan struct{}
}

func newTeaDialog(in, out *os.File, cancel func()) (*teaDialog, func()) {
	d := &teaDialog{answers: make(chan int, 1), gone: make(chan struct{})}
	d.p = tea.NewProgram(&teaModel{d: d}, tea.WithInput(in), tea.WithOutput(out), tea.WithoutSignalHandler())
	go func() {
		defer close(d.gone)
		defer cancel() // Ctrl-C, or the terminal is gone: torque off
		if _, err := d.p.Run(); err != nil {
			fmt.Fprintln(out, "legctl:", err)
		}
	}()
	return d, func() { d.p.Quit(); <-d.gone }
}

// Say implements setup.Dialog.
func (d *teaDialog) Say(text string) { d.p.Send(teaSay(text)) }

// Choose implements setup.Dialog.
func (d *teaDialog) Choose(question string, options ...string) (int, error) {
	d.p.Send(teaAsk{question, options})
	return d.wait()
}

// wait waits for an answer, or for the end of the terminal.
func (d *teaDialog) wait() (int, error) {
	select {
	case n := <-d.answers:
		return n, nil
	case <-d.gone:
		return 0, fmt.Errorf("%w; torque is off, nothing was stored", setup.ErrStopped)
	}
}

type teaSay string

type teaAsk struct {
	question string
	options  []string
}

// teaModel shows one question with its options and what was answered before.
type teaModel struct {
	d    *teaDialog
	ask  teaAsk
	open bool
	at   int
	done []string // answered, latest last
}

// Init implements tea.Model.
func (m *teaModel) Init() tea.Cmd { return nil }

// Update implements tea.Model.
func (m *teaModel) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case teaSay:
		m.note(string(msg))
	case teaAsk:
		m.ask, m.open, m.at = msg, true, 0
	case tea.KeyPressMsg:
		return m, m.key(msg.String())
	}
	return m, nil
}

// key moves among the options, or chooses one.
func (m *teaModel) key(k string) tea.Cmd {
	n := len(m.ask.options)
	switch k {
	case "ctrl+c", "esc":
		return tea.Quit
	case "up", "k":
		m.at = (m.at + n - 1) % max(1, n)
	case "down", "j", "tab":
		m.at = (m.at + 1) % max(1, n)
	case "enter":
		m.choose(m.at)
	default:
		if d, err := strconv.Atoi(k); err == nil && d >= 1 {
			m.choose(d - 1)
		}
	}
	return nil
}

func (m *teaModel) choose(n int) {
	if !m.open || n >= len(m.ask.options) {
		return
	}
	m.open = false
	m.note(m.ask.question + " " + m.ask.options[n])
	m.d.answers <- n
}

// note keeps the last lines.
func (m *teaModel) note(line string) {
	const most = 5
	m.done = append(m.done, line)
	m.done = m.done[max(0, len(m.done)-most):]
}

// View implements tea.Model.
func (m *teaModel) View() tea.View {
	faint := lipgloss.NewStyle().Faint(true)
	bold := lipgloss.NewStyle().Bold(true)
	var b strings.Builder
	for _, line := range m.done {
		b.WriteString(faint.Render(line) + "\n")
	}
	if !m.open {
		b.WriteString("...\n")
	} else {
		b.WriteString("\n" + bold.Render(m.ask.question) + "\n")
		for i, o := range m.ask.options {
			mark := "  "
			if i == m.at {
				mark = "> "
			}
			b.WriteString(fmt.Sprintf("%s%d  %s\n", mark, i+1, o))
		}
	}
	b.WriteString(faint.Render("\narrows and enter, or a number; Ctrl-C takes torque off and ends"))
	return tea.NewView(b.String())
}
