package main

import (
	"math"
	"strings"
	"testing"
	"time"
)

// TestRealClient drives a running simulation with Debian's MQTT clients. The
// big octopod is the rig that may gallop.
func TestRealClient(t *testing.T) {
	if testing.Short() {
		t.Skip("walks in real time for 20 s")
	}
	mosquittoTool(t, "mosquitto_pub")
	l := startLive(t, "octopod", "--terrain", "flat")
	start := l.stand()

	step := func(name string, do func(t *testing.T)) {
		if !t.Failed() {
			t.Run(name, func(t *testing.T) { l.t = t; do(t); l.forget() })
		}
	}
	step("walk", func(t *testing.T) {
		s := l.walkUntil("a metre walked", `{"vx":1}`, func(s seen) bool { return far(s, start) > 1 })
		if s.Mode != "walk" || s.Gait != "walk" || s.Observed.Pose.X < 1 {
			t.Errorf("%+v", s)
		}
		l.order("stop", `{"id":1}`)
		l.stand()
	})
	step("gallop", func(t *testing.T) { gallop(t, l) })
	step("goto", func(t *testing.T) { goTo(t, l) })
	step("a disabled leg", func(t *testing.T) { disabledLeg(t, l) })
	step("malformed payloads", func(t *testing.T) { malformed(t, l) })
	step("a stale command", func(t *testing.T) { stale(t, l) })
	step("a killed client", func(t *testing.T) { killedClient(t, l) })

	l.t = t
	if s := l.now(); s.Observed.Falls > 0 {
		t.Errorf("%d falls", s.Observed.Falls)
	}
	out := l.end()
	for _, want := range []string{"distance", "falls            0", "smallest margin", "late", "speed limited by"} {
		if !strings.Contains(out, want) {
			t.Errorf("the summary does not say %q:\n%s", want, out)
		}
	}
}

func gallop(t *testing.T, l *live) {
	l.order("gait", `{"gait":"gallop","id":"g"}`)
	from := l.now()
	s := l.walkUntil("six metres galloped", `{"vx":2}`, func(s seen) bool { return far(s, from) > 6 })
	if s.Gait != "gallop" || math.Abs(s.Observed.Pose.Yaw-from.Observed.Pose.Yaw) > 0.2 {
		t.Errorf("%+v", s)
	}
	l.order("stop", `{}`)
	l.stand()
	l.order("gait", `{"gait":"walk"}`)
}

func goTo(t *testing.T, l *live) {
	from := l.now().Observed.Pose
	x, y := from.X+2, from.Y+1.5
	l.legctl("cmd", "goto", num(x), num(y))
	l.until("arrival", func() bool { return l.heard("event", `"goal_reached"`) })
	if p := l.stand().Observed.Pose; math.Hypot(p.X-x, p.Y-y) > 1.2 {
		t.Errorf("at %.2f %.2f, goal %.2f %.2f", p.X, p.Y, x, y)
	}
}

func disabledLeg(t *testing.T, l *live) {
	l.legctl("cmd", "leg", "LF", "off")
	from := l.now()
	s := l.walkUntil("a metre on seven legs", `{"vx":0.6}`, func(s seen) bool {
		return far(s, from) > 1 && !s.Legs["lf"].Stance
	})
	if s.Mode != "walk" {
		t.Errorf("%+v", s)
	}
	l.order("stop", `{}`)
	l.stand()
	l.order("leg", `{"leg":"lf","on":true}`)
	l.until("the leg stands again", func() bool { return l.now().Legs["lf"].Stance })
	l.stand()
}

// malformed: each is refused with the reason, and nothing else changes.
func malformed(t *testing.T, l *live) {
	was := l.now()
	for _, r := range []struct{ topic, body, why string }{
		{"twist", `{"vx":`, "ends too early"},
		{"twist", `{"vx":1e999}`, "not finite"},
		{"twist", `{"vx":NaN}`, "not JSON"},
		{"twist", `{"vx":500}`, "out of range"},
		{"twist", `{"speed":1}`, "unknown key"},
		{"goto", `{"x":1}`, `"y" is missing`},
		{"gait", `{"gait":"moonwalk"}`, "unknown gait"},
		{"leg", `{"leg":"lf","on":"off"}`, "true or false"},
		{"height", `{"height":50}`, "out of range"},
		{"pose", `{"pitch_deg":5}`, `did you mean "pitch"`},
		{"twist", strings.Repeat("[", 70000), "at most 65536"},
		{"dance", `{}`, "unknown topic"},
	} {
		if got := l.ask(r.topic, r.body); got.Accepted || !strings.Contains(got.Reason, r.why) {
			t.Errorf("%s %.40s: %+v, want %q", r.topic, r.body, got, r.why)
		}
	}
	if s := l.now(); s.Mode != was.Mode || s.Gait != was.Gait || far(s, was) > 1e-3 || s.Wish != was.Wish {
		t.Errorf("was %+v, is %+v", was, s)
	}
}

// stale: a single twist is good for half a second.
func stale(t *testing.T, l *live) {
	l.order("twist", `{"vx":1}`)
	sent := time.Now()
	l.until("walk", func() bool { return l.now().Mode == "walk" })
	l.until("the twist grows old", func() bool { return l.heard("event", `"command_stale"`) })
	if d := time.Since(sent); d < 300*time.Millisecond || d > 3*time.Second {
		t.Errorf("stale after %v", d)
	}
	l.stand()
}

// killedClient: the rig stops by itself when its client dies.
func killedClient(t *testing.T, l *live) {
	c := l.program("cmd", "twist", "--vx", "1")
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	from := l.now()
	l.until("walk", func() bool { return far(l.now(), from) > 0.5 })
	if err := c.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = c.Wait()
	l.until("the last twist grows old", func() bool { return l.heard("event", `"command_stale"`) })
	s := l.stand()
	if later := l.now(); far(s, later) > 0.1 {
		t.Errorf("still moving: %+v, then %+v", s, later)
	}
}
