package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"legctl/control"
	"legctl/internal/version"
	"legctl/loop"
	"legctl/record"
	"legctl/rollout"

	"github.com/spf13/cobra"
)

// run runs the scene and ends with its summary.
func (s *scene) run(c *cobra.Command, o *simFlags) (err error) {
	talk := c.OutOrStdout()
	if o.json {
		talk = c.ErrOrStderr()
	}
	screen := newScreen(talk)
	var each []func(*control.Frame)
	if !o.headless {
		air, err := s.goOnline(o, screen)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, air.close()) }()
		each = append(each, air.tick, screen.status(s))
	}
	sinks, err := s.sinks(o, each)
	if err != nil {
		return err
	}
	sum, err := s.step(c.Context(), o, screen, sinks)
	screen.endLine()
	if err != nil {
		return err
	}
	if o.json {
		return writeJSON(c.OutOrStdout(), &sum)
	}
	return writeSummary(talk, &sum)
}

// sinks returns what takes the frames: the recording, and whoever looks on.
func (s *scene) sinks(o *simFlags, each []func(*control.Frame)) ([]loop.Sink, error) {
	var list []loop.Sink
	if o.record != "" {
		h, err := s.Header(record.Name{Key: "program", Value: version.String()})
		if err != nil {
			return nil, err
		}
		w, err := record.Create(o.record, h)
		if err != nil {
			return nil, err
		}
		list = append(list, w)
	}
	if !o.fast {
		each = append(each, func(f *control.Frame) { _ = s.Tally.Add(f) }) // never fails
	}
	if len(each) > 0 {
		list = append(list, loop.Frames(s.Config.Rig, func(f *control.Frame) error {
			for _, do := range each {
				do(f)
			}
			return nil
		}))
	}
	return list, nil
}

// step steps the scene, paced by the clock or as fast as the machine can.
func (s *scene) step(ctx context.Context, o *simFlags, screen *screen, sinks []loop.Sink) (rollout.Summary, error) {
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
	var stats loop.Stats
	err := loop.Run(ctx, s.Cell, loop.Options{
		Dt: s.Config.Params.Dt, Ticks: s.Config.Ticks, Mailbox: s.Mailbox, World: s.Timeline, Sinks: sinks, Stats: &stats,
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
