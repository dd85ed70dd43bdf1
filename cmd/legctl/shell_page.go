package main

import (
	"errors"
	"fmt"
	"net"

	"legctl/control"
	"legctl/internal/version"
	"legctl/loop"
	"legctl/web"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// pageFlags are the flags of the page.
type pageFlags struct {
	http, token string
	noWeb       bool
}

// bind declares the flags.
func (o *pageFlags) bind(f *pflag.FlagSet) {
	f.StringVar(&o.http, "http", "", "host:port of the page (default: "+web.DefaultAddr+", or a free port when it is taken)")
	f.StringVar(&o.token, "token", "", "what the page asks its viewers for (default: nothing on loopback, elsewhere a new one)")
	f.BoolVar(&o.noWeb, "no-web", false, "no page")
}

// check refuses flags that make no sense.
func (o *pageFlags) check(c *cobra.Command) error {
	if o.http != "" {
		if _, _, err := net.SplitHostPort(o.http); err != nil {
			return wrongUsage(c, fmt.Errorf("--http %q: %w, want host:port such as %s", o.http, err, web.DefaultAddr))
		}
	}
	if o.token != "" && len(o.token) < 8 {
		return wrongUsage(c, errors.New("--token has fewer than 8 characters, want at least 8"))
	}
	return errors.Join(exclusive(c, "no-web", "http"), exclusive(c, "no-web", "token"), exclusive(c, "headless", "http"))
}

// openPage starts the page.
func (sh *shell) openPage() error {
	if sh.flags.noWeb {
		return nil
	}
	page, err := web.Listen(web.Options{
		Addr: sh.flags.http, Token: sh.flags.token, Lease: &sh.lease, Version: version.String(),
		Mount: sh.mounts(), Open: sh.opens(),
		Warn: func(what string, err error) { fmt.Fprintf(sh.screen.w, "\r%s: %v\n", what, err) },
	})
	if err != nil {
		return err
	}
	sh.page = page
	sh.undo = append(sh.undo, page.Close)
	if !web.Built() {
		fmt.Fprintln(sh.screen.w, web.BuildHint)
	}
	return nil
}

// listenPage shows an act on the page.
func listenPage(sh *shell, a *act) (*listener, error) {
	if sh.page == nil {
		return nil, nil
	}
	sc := &web.Scene{
		Rig: a.rig, Names: a.names, Params: a.params, Gait: a.gait, About: a.about, Inbox: a.inbox,
		Ground: a.ground, Peek: a.peek, World: a.world, Tuner: a.tuner,
		Figure: func() web.Figures { return figuresOf(a) },
	}
	sh.page.Show(sc)
	take := sh.page.Screen(sc)
	return &listener{sinks: []loop.Sink{loop.Frames(a.rig, func(f *control.Frame) error {
		take(f)
		return nil
	})}}, nil
}

// figuresOf collects how the loop of an act goes.
func figuresOf(a *act) web.Figures {
	f := web.Figures{
		Rate: 1, Ticks: a.stats.Ticks.Load(), Late: a.stats.Skipped.Load(), Dropped: a.stats.Dropped(), Failures: a.stats.Failures.Load(),
		Lateness: spreadOf(&a.stats.Lateness), Work: spreadOf(&a.stats.Work),
	}
	if a.throttle != nil {
		f.Rate = a.throttle.Rate()
	}
	return f
}

func spreadOf(h *loop.Histogram) web.Spread {
	return web.Spread{P50: h.Quantile(0.5).Seconds(), P99: h.Quantile(0.99).Seconds(), Max: h.Max().Seconds()}
}
