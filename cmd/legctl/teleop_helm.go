package main

import (
	"time"

	"legctl/telemetry/evdev"
)

// How long a key counts as held without a word of it. Most terminals tell only
// presses, which the keyboard repeats after a while: the first press has to
// last until the repeats come, a repeat until the next one.
const (
	firstHold  = 600 * time.Millisecond
	repeatHold = 250 * time.Millisecond
)

// helm turns keys and a gamepad into a wish: shares of the largest speeds. Time
// is handed in. The zero value is not ready: newHelm.
type helm struct {
	speed, turn float64 // m/s and rad/s of a full wish
	keys        map[string]*held
	exact       bool // the terminal tells releases
	stick       *evdev.Stick
}

// held is a key that is down.
type held struct {
	until  time.Time // zero: until it is released
	repeat bool
}

func newHelm(speed, turn float64) *helm {
	return &helm{speed: speed, turn: turn, keys: map[string]*held{}}
}

// ways are the keys that move, as shares of vx, vy, wz.
var ways = map[string][3]float64{
	"w": {1, 0, 0}, "up": {1, 0, 0}, "s": {-1, 0, 0}, "down": {-1, 0, 0},
	"a": {0, 1, 0}, "d": {0, -1, 0},
	"q": {0, 0, 1}, "left": {0, 0, 1}, "e": {0, 0, -1}, "right": {0, 0, -1},
}

// press takes the press of a key and reports whether it moves. Where the
// terminal tells no releases, a press of another key ends those before that are
// no longer repeated, as it does in the terminal.
func (h *helm) press(key string, repeat bool, now time.Time) bool {
	if _, moves := ways[key]; !moves {
		return false
	}
	k := h.keys[key]
	switch {
	case h.exact:
		h.keys[key] = &held{}
	case k != nil && now.Before(k.until) || repeat:
		h.keys[key] = &held{until: now.Add(repeatHold), repeat: true}
	default:
		h.keys[key] = &held{until: now.Add(firstHold)}
	}
	return true
}

// release takes the release of a key, which only some terminals tell.
func (h *helm) release(key string) {
	h.exact = true
	delete(h.keys, key)
}

// letGo releases everything: a stop, a lost pad, a lost broker.
func (h *helm) letGo() {
	clear(h.keys)
	h.stick = nil
}

// wish returns what is asked for now.
func (h *helm) wish(now time.Time) (twist [3]float64) {
	var sum [3]float64
	for key, k := range h.keys {
		if !k.until.IsZero() && !now.Before(k.until) {
			delete(h.keys, key)
			continue
		}
		for i, v := range ways[key] {
			sum[i] += v
		}
	}
	if h.stick != nil {
		vx, vy, wz := h.stick.Wish()
		sum[0], sum[1], sum[2] = sum[0]+vx, sum[1]+vy, sum[2]+wz
	}
	full := [3]float64{h.speed, h.speed, h.turn}
	for i := range sum {
		twist[i] = min(max(sum[i], -1), 1) * full[i]
	}
	return twist
}

// faster scales the largest speeds, within a hundredth and ten times what a rig
// can do.
func (h *helm) faster(factor float64) {
	h.speed = min(max(h.speed*factor, 0.005), 20)
	h.turn = min(max(h.turn*factor, 0.02), 20)
}
