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
	sum, err := s.perform(c.Context(), sh, o)
	screen.endLine()
	if err != nil {
		return err
	}
	if o.json {
		return writeJSON(c.OutOrStdout(), &sum)
	}
	return writeSummary(talk, &sum)
}

// perform plays the scene.
func (s *scene) perform(ctx context.Context, sh *shell, o *simFlags) (sum rollout.Summary, err error) {
	a := &act{
		rig: s.Config.Rig, names: s.names, params: s.Config.Params, controller: s.Controller,
		mailbox: s.Mailbox, stats: new(loop.Stats), header: s.Header,
		about: s.Config.Terrain.Kind + ", gait " + s.Config.Gait,
	}
	var each []func(*control.Frame)
	if !o.headless {
		s.hello(sh)
		each = append(each, sh.screen.status(s))
	}
	if !o.fast {
		each = append(each, func(f *control.Frame) { _ = s.Tally.Add(f) }) // never fails
	}
	err = sh.play(a, each, func(sinks []loop.Sink) error {
		var bad error
		sum, bad = s.step(ctx, o, sh.screen, a.stats, sinks)
		return bad
	})
	return sum, err
}

// step steps the scene, paced by the clock or as fast as the machine can.
func (s *scene) step(ctx context.Context, o *simFlags, screen *screen, stats *loop.Stats, sinks []loop.Sink) (rollout.Summary, error) {
	s.Config.Sinks = sinks
	if o.fast {
		if s.Config.Ticks == 0 {
			s.Config.Ticks = 1<<63 - 1
		}
		s.Config.Each = screen.progress(s, o)
		sum, err := s.Run(ctx)
		if errors.Is(err, context.Canceled) {
			err = nil
		}
		return sum, err
	}
	err := loop.Run(ctx, s.Cell, loop.Options{
		Dt: s.Config.Params.Dt, Ticks: s.Config.Ticks, Mailbox: s.Mailbox, World: s.Timeline, Sinks: sinks, Stats: stats,
	})
	sum := s.Tally.Summary(stats.Skipped.Load())
	if err == nil {
		err = stats.Last()
	}
	if n := stats.Dropped(); n > 0 {
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
