package mqtt

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"
)

// place is where a goal was seen.
type place struct {
	x, y float64
	at   time.Time
}

// The longest and the shortest time a goal stays good, and how many of its own
// intervals that is otherwise.
const (
	goalMost  = 10 * time.Second
	goalLeast = 500 * time.Millisecond
	goalGaps  = 3
)

// Chase sends a rig after a goal that moves until ctx ends, and then stops it.
// topic is any topic with objects that have x and y, or a pose that has, in
// metres, W. by is who takes the rig there, "" as it is. The goal's velocity is
// that from one message to the next. A refusal ends it.
func (c *Client) Chase(ctx context.Context, rig, topic, by string) error {
	news := make(chan place, 1)
	err := waitFor(ctx, c.paho.Subscribe(topic, 0, func(_ paho.Client, m paho.Message) {
		x, y, ok := placeOf(m.Payload())
		if !ok {
			return
		}
		select { // only the newest counts
		case <-news:
		default:
		}
		news <- place{x, y, time.Now()}
	}), connectLimit)
	if err != nil {
		return fmt.Errorf("mqtt: cannot listen to %s: %w", topic, err)
	}
	defer c.paho.Unsubscribe(topic)
	err = c.chase(ctx, rig, news, by)
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), replyLimit)
	defer cancel()
	if end := c.Ask(last, rig, "stop", nil); err == nil {
		err = end
	}
	return err
}

func (c *Client) chase(ctx context.Context, rig string, news <-chan place, by string) error {
	var was place
	for {
		var p place
		select {
		case <-ctx.Done():
			return nil
		case p = <-news:
		}
		body := map[string]any{"x": p.x, "y": p.y}
		if by != "" {
			body["by"] = by
		}
		stays := goalMost
		if gap := p.at.Sub(was.at); !was.at.IsZero() && gap > 0 {
			stays = max(goalLeast, min(goalGaps*gap, goalMost))
			body["vx"], body["vy"] = (p.x-was.x)/gap.Seconds(), (p.y-was.y)/gap.Seconds()
		}
		body["ttl"] = stays.Seconds()
		was = p
		if err := c.Ask(ctx, rig, "follow", body); err != nil && ctx.Err() == nil {
			return err
		}
	}
}

// placeOf reads where a message says something is.
func placeOf(raw []byte) (x, y float64, ok bool) {
	type xy struct{ X, Y *float64 }
	var own xy
	var other struct{ Pose xy }
	if json.Unmarshal(raw, &own) == nil && own.X != nil && own.Y != nil {
		return *own.X, *own.Y, true
	}
	if json.Unmarshal(raw, &other) == nil && other.Pose.X != nil && other.Pose.Y != nil {
		return *other.Pose.X, *other.Pose.Y, true
	}
	return 0, 0, false
}
