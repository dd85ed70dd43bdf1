package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"legctl/telemetry/mqtt"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/term"
)

// redialEvery is how soon a tether tries again after it broke.
const redialEvery = time.Second

// What a tether tells a screen besides mqtt.News.
type (
	joined struct {
		rig, broker string
		client      *mqtt.Client
	}
	parted struct{ err error }
)

// tether keeps a screen joined to a rig: it dials, follows, and dials again when
// the connection breaks.
type tether struct {
	target *target
	tell   func(tea.Msg)
}

// dial connects once.
func (l *tether) dial(ctx context.Context) (*joined, error) {
	broker, err := mqtt.Locate(l.target.broker, l.target.rig)
	if err != nil {
		return nil, err
	}
	c, err := mqtt.Dial(ctx, broker)
	if err != nil {
		return nil, err
	}
	rig, err := c.Rig(ctx, l.target.rig)
	if err == nil {
		err = c.Follow(ctx, rig, func(n mqtt.News) { l.tell(n) })
	}
	if err != nil {
		c.Close()
		return nil, err
	}
	return &joined{rig: rig, broker: broker, client: c}, nil
}

// askAgain is when a tether asks anew for what the broker keeps: who subscribes
// in the moment in which a retained message is stored may miss it.
const askAgain = 700 * time.Millisecond

func (l *tether) follow(ctx context.Context, up *joined) {
	if err := up.client.Follow(ctx, up.rig, func(n mqtt.News) { l.tell(n) }); err != nil && ctx.Err() == nil {
		l.tell(parted{err}) // the loss of the connection, if it is that, follows
	}
}

// keep holds the link up until ctx ends. up is the first connection.
func (l *tether) keep(ctx context.Context, up *joined) {
	l.target.rig = up.rig // whatever comes online meanwhile
	for {
		l.tell(*up)
		again := time.AfterFunc(askAgain, func() { l.follow(ctx, up) })
		select {
		case err := <-up.client.Lost():
			l.tell(parted{err})
		case <-ctx.Done():
		}
		again.Stop()
		up.client.Close()
		up = nil
		for up == nil {
			select {
			case <-ctx.Done():
				return
			case <-time.After(redialEvery):
			}
			var err error
			if up, err = l.dial(ctx); err != nil {
				l.tell(parted{err})
			}
		}
	}
}

// isTerminal reports whether a person sits at both ends.
func isTerminal(in io.Reader, out io.Writer) bool {
	for _, end := range []any{in, out} {
		f, ok := end.(*os.File)
		if !ok || !term.IsTerminal(f.Fd()) {
			return false
		}
	}
	return true
}

// errNoTerminal is what a screen command ends with where there is none.
func errNoTerminal(name, instead string) error {
	return fmt.Errorf("%s needs a terminal to draw on: %s", name, instead)
}

// leaver is a screen that has something to say at its end.
type leaver interface{ leave() }

// runScreen runs a screen with a tether until it is left. The first connection
// is made before, so that a broker that is not there is said in plain words.
func runScreen(ctx context.Context, t *target, model func(tell func(tea.Msg)) tea.Model, in io.Reader, out io.Writer) error {
	tied, end := context.WithCancel(context.WithoutCancel(ctx)) // outlives an interrupt, for the last words
	defer end()
	news := make(chan tea.Msg, 256) // what comes before the screen is there waits
	l := &tether{target: t, tell: func(m tea.Msg) {
		select {
		case news <- m:
		case <-tied.Done():
		}
	}}
	up, err := l.dial(ctx)
	if err != nil {
		return err
	}
	m := model(l.tell)
	p := tea.NewProgram(m, tea.WithContext(ctx), tea.WithInput(in), tea.WithOutput(out), tea.WithoutSignalHandler())
	var all sync.WaitGroup
	all.Go(func() { l.keep(tied, up) })
	all.Go(func() { pump(tied, news, p.Send) })
	_, err = p.Run()
	if last, ok := m.(leaver); ok {
		last.leave()
	}
	end()
	all.Wait()
	if ctx.Err() != nil {
		return nil // interrupted: that is how it ends
	}
	return err
}

// pump hands messages to the screen until ctx ends.
func pump(ctx context.Context, news <-chan tea.Msg, send func(tea.Msg)) {
	for {
		select {
		case m := <-news:
			send(m)
		case <-ctx.Done():
			return
		}
	}
}
