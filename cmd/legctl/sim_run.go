package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"legctl/control"
	"legctl/loop"
	"legctl/rollout"
	"legctl/web"

	"github.com/spf13/cobra"
)

// run runs the scene in a shell and ends with its summary.
func (s *scene) run(c *cobra.Command, o *simFlags) (err error) {
	talk := c.OutOrStdout()
	if o.json {
		talk = c.ErrOrStderr()
	}
	screen := newScreen(talk)
	sh, err := openShell(&o.shellFlags, screen)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, sh.close()) }()
	var sum rollout.Summary
	for next := s; next != nil; {
		sum, next, err = next.perform(c.Context(), sh)
		screen.endLine()
		if err != nil {
			return err
		}
	}
	if o.json {
		return writeJSON(c.OutOrStdout(), &sum)
	}
	return writeSummary(talk, &sum)
}

// perform plays the scene and returns what somebody asked to see after it, nil
// for nothing.
func (s *scene) perform(ctx context.Context, sh *shell) (sum rollout.Summary, next *scene, err error) {
	o := s.flags
	if o.record != "" {
		s.Config.Snapshot = 1 // every state, so that a replay can begin anywhere
	}
	ctx, end := context.WithCancel(ctx)
	defer end()
	a := &act{
		rig: s.Config.Rig, names: s.names, params: s.Config.Params, controller: s.Controller,
		mailbox: s.Mailbox, stats: new(loop.Stats), header: s.Header, gait: s.Config.Gait,
		about: s.names.Rig + " on " + s.Config.Terrain.Kind,
	}
	var each []func(*control.Frame)
	var w *stage
	if !o.headless {
		if sh.page != nil && !o.fast {
			if w, err = s.enter(ctx, sh, a, end); err != nil {
				return sum, nil, err
			}
		}
		each = append(each, sh.screen.status(s))
	}
	if !o.fast {
		each = append(each, func(f *control.Frame) { _ = s.Tally.Add(f) }) // never fails
	}
	err = sh.play(a, each, func(sinks []loop.Sink) error {
		if !o.headless {
			s.hello(sh) // now that everybody is in
		}
		var bad error
		if o.fast {
			sum, bad = s.rush(ctx, sh.screen, sinks)
		} else {
			sum, bad = s.pace(ctx, sh.screen, a, w, sinks)
		}
		return bad
	})
	if w != nil {
		next = w.following()
	}
	return sum, next, err
}

// enter prepares a scene for the page: what it draws, and what may be done to
// its world.
func (s *scene) enter(ctx context.Context, sh *shell, a *act, end context.CancelFunc) (*stage, error) {
	ground, err := newDrawn(s.Config.Terrain)
	if err != nil {
		return nil, err
	}
	a.ground = ground
	a.throttle = loop.NewThrottle(ctx, loop.Monotonic(0))
	w := newStage(s, s.flags, s.args, a.throttle, end)
	a.world = w
	draw, err := control.New(s.Config.Rig, *s.Config.Params)
	if err != nil {
		return nil, err
	}
	a.peek = web.NewPeek(s.Controller, draw, s.Config.Params.Dt)
	s.Cell.Controller = a.peek
	w.tuner = newTuner(s.Config.Rig, s.Config.Params, a.peek, &s.from)
	a.tuner = w.tuner
	return w, nil
}

// rush steps the scene as fast as the machine can.
func (s *scene) rush(ctx context.Context, screen *screen, sinks []loop.Sink) (rollout.Summary, error) {
	s.Config.Sinks = sinks
	if s.Config.Ticks == 0 {
		s.Config.Ticks = 1<<63 - 1
	}
	s.Config.Each = screen.progress(s, s.flags)
	sum, err := s.Run(ctx)
	if errors.Is(err, context.Canceled) {
		err = nil
	}
	return sum, err
}

// pace steps the scene by the clock.
func (s *scene) pace(ctx context.Context, screen *screen, a *act, w *stage, sinks []loop.Sink) (rollout.Summary, error) {
	o := loop.Options{Dt: s.Config.Params.Dt, Ticks: s.Config.Ticks, Mailbox: s.Mailbox, World: s.Timeline, Sinks: sinks, Stats: a.stats, Snapshot: s.Config.Snapshot}
	if w != nil {
		o.World, o.Clock, o.Swap = w, a.throttle, &w.tuner.swap
	}
	err := loop.Run(ctx, s.Cell, o)
	sum := s.Tally.Summary(a.stats.Skipped.Load())
	if err == nil {
		err = a.stats.Last()
	}
	if n := a.stats.Dropped(); n > 0 {
		fmt.Fprintf(screen.w, "%d records did not reach the recording or the telemetry in time\n", n)
	}
	return sum, err
}

// writeSummary is the one screen a run ends with.
func writeSummary(w io.Writer, s *rollout.Summary) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, gait %s: %.1f s, %d ticks, %d late\n", s.Rig, s.Gait, s.Seconds, s.Ticks, s.Late)
	fmt.Fprintf(&b, "  distance         %.3f m, %.3f m away from the start, mean speed %.3f m/s while walking\n", s.Distance, s.Away, s.MeanSpeed)
	fmt.Fprintf(&b, "  falls            %d; largest tilt %.1f deg\n", s.Falls, deg(s.TiltMost))
	if s.MarginNever {
		fmt.Fprintln(&b, "  smallest margin  none: it never stood")
	} else {
		fmt.Fprintf(&b, "  smallest margin  %.1f mm; %d ticks without a foot down\n", s.MarginLeast*1e3, s.FlightTicks)
	}
	fmt.Fprintf(&b, "  limits           %d angle clamps, %d speed clamps, %d feet out of reach, %d commands refused\n", s.AngleLimits, s.SpeedLimits, s.Unreached, s.Refused)
	fmt.Fprintf(&b, "  speed limited by %s\n", limits(s.Limited))
	if !s.Observed && s.Ticks > 0 {
		fmt.Fprintln(&b, "  distances are the controller's belief: it walked blind")
	}
	_, err := io.WriteString(w, b.String())
	return err
}
