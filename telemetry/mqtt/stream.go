package mqtt

import (
	"context"
	"time"
)

// StreamEvery is the time between two twists of a stream.
const StreamEvery = 100 * time.Millisecond

// Stream sends a twist to a rig ten times a second until ctx ends, for at most
// span (0: without end), and then sends a zero twist, so that the rig stops now
// and not when the last twist has grown old. A refusal ends it.
func (c *Client) Stream(ctx context.Context, rig string, twist map[string]any, span time.Duration) error {
	if err := c.Ask(ctx, rig, "twist", twist); err != nil {
		return err
	}
	run := ctx
	if span > 0 {
		var cancel context.CancelFunc
		run, cancel = context.WithTimeout(ctx, span)
		defer cancel()
	}
	err := c.repeat(run, rig, twist)
	zero := map[string]any{"vx": 0, "vy": 0, "wz": 0}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), replyLimit)
	defer cancel()
	if end := c.Ask(last, rig, "twist", zero); err == nil {
		err = end
	}
	return err
}

// repeat sends twists until run ends; replies are looked at as they come.
func (c *Client) repeat(run context.Context, rig string, twist map[string]any) error {
	tick := time.NewTicker(StreamEvery)
	defer tick.Stop()
	for {
		select {
		case <-run.Done():
			return nil
		case <-tick.C:
		}
		if err := c.Ask(run, rig, "twist", twist); err != nil && run.Err() == nil {
			return err
		}
	}
}
