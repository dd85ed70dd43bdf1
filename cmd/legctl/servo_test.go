//go:build linux

package main

import (
	"bufio"
	"errors"
	"slices"
	"strings"
	"testing"

	"legctl/drivers/setup"

	tea "charm.land/bubbletea/v2"
)

func TestIDList(t *testing.T) {
	for _, c := range []struct {
		text string
		want []int
	}{
		{"7", []int{7}}, {"1-3,9", []int{1, 2, 3, 9}}, {"2,2", []int{2, 2}},
		{"", nil}, {"3-1", nil}, {"1-", nil}, {"a", nil}, {"-1", nil}, {"992", nil}, {"1-99999999999999999999", nil},
	} {
		got, err := idList(c.text)
		if (err != nil) != (c.want == nil) || !slices.Equal(got, c.want) {
			t.Errorf("%q: %v (%v), want %v", c.text, got, err, c.want)
		}
	}
}

func TestLineDialog(t *testing.T) {
	var out strings.Builder
	d := &lineDialog{in: bufio.NewReader(strings.NewReader("what\n9\n2\nMove IT\n")), out: &out}
	if n, err := d.Choose("Ready?", "move it", "stop"); err != nil || n != 1 {
		t.Errorf("2 is %d (%v)", n, err)
	}
	if n, err := d.Choose("Ready?", "move it", "stop"); err != nil || n != 0 {
		t.Errorf("the option's own words are %d (%v)", n, err)
	}
	if _, err := d.Choose("Ready?", "move it", "stop"); !errors.Is(err, setup.ErrStopped) {
		t.Errorf("at the end of the input: %v", err)
	}
	if strings.Count(out.String(), "is none of them") != 2 {
		t.Errorf("said:\n%s", out.String())
	}
}

func TestTerminalDialog(t *testing.T) {
	d := &teaDialog{answers: make(chan int, 1), gone: make(chan struct{})}
	m := &teaModel{d: d}
	press := func(k tea.KeyPressMsg) tea.Cmd {
		_, cmd := m.Update(k)
		return cmd
	}
	press(tea.KeyPressMsg{Code: tea.KeyEnter}) // nothing is asked yet
	m.Update(teaSay("hello"))
	m.Update(teaAsk{"Which way?", []string{"forward", "back", "not seen"}})
	if v := m.View().Content; !strings.Contains(v, "Which way?") || !strings.Contains(v, "> 1  forward") || !strings.Contains(v, "hello") {
		t.Errorf("shows\n%s", v)
	}
	press(tea.KeyPressMsg{Code: tea.KeyUp})
	press(tea.KeyPressMsg{Code: tea.KeyUp})
	press(tea.KeyPressMsg{Code: tea.KeyEnter})
	if n := <-d.answers; n != 1 {
		t.Errorf("up, up, enter is %d, want 1", n)
	}
	press(tea.KeyPressMsg{Code: '1', Text: "1"}) // answered already
	select {
	case n := <-d.answers:
		t.Errorf("a second answer %d", n)
	default:
	}
	m.Update(teaAsk{"Ready?", []string{"yes", "no"}})
	press(tea.KeyPressMsg{Code: '9', Text: "9"})
	press(tea.KeyPressMsg{Code: '2', Text: "2"})
	if n := <-d.answers; n != 1 {
		t.Errorf("2 is %d, want 1", n)
	}
	if cmd := press(tea.KeyPressMsg{Code: 'c', Mod: tea.ModCtrl}); cmd == nil {
		t.Error("Ctrl-C does not end it")
	}
	close(d.gone)
	if _, err := (&teaDialog{answers: d.answers, gone: d.gone, p: tea.NewProgram(m)}).wait(); !errors.Is(err, setup.ErrStopped) {
		t.Errorf("after Ctrl-C: %v", err)
	}
}
