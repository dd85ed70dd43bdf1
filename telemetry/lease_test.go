package telemetry

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// request decodes a command that must be good.
func request(t testing.TB, topic, body string) *Request {
	t.Helper()
	r := &Request{}
	if err := spider.Decode(r, topic, []byte(body)); err != nil {
		t.Fatal(err)
	}
	return r
}

func TestLeaseRules(t *testing.T) {
	start := time.Unix(1000, 0)
	type step struct {
		at     float64 // s
		do     string  // an action, or a topic
		who    string
		says   string // of the refusal; "" = taken
		events string
	}
	rows := map[string][]step{
		"free for all": {{0, "twist", "", "", ""}, {0, "gait", "", "", ""}},
		"held": {
			{0, "acquire", "anna", "", "lease_acquired"}, {0.1, "twist", "", `held by "anna"`, ""}, {0.1, "twist", "bob", `held by "anna"`, ""},
			{0.1, "twist", "anna", "", ""}, {0.2, "stop", "", "", ""}, {0.2, "disarm", "bob", "", ""}, {0.2, "arm", "bob", `held by "anna"`, ""},
			{0.3, "acquire", "bob", `held by "anna" for 1.8 s more; action "take"`, ""}, {0.3, "renew", "bob", `held by "anna"`, ""}, {0.3, "release", "bob", `held by "anna"`, ""},
		},
		"expires": {
			{0, "acquire", "anna", "", "lease_acquired"}, {1.9, "twist", "anna", "", ""}, {3.8, "twist", "bob", `held by "anna"`, ""},
			{3.9, "twist", "", "", "lease_expired"}, {3.9, "twist", "anna", "has ended", ""}, {4, "renew", "anna", "nobody holds", ""},
		},
		"renewed":   {{0, "acquire", "anna", "", "lease_acquired"}, {1.5, "renew", "anna", "", ""}, {3, "acquire", "anna", "", ""}, {4.5, "twist", "bob", `held by "anna"`, ""}},
		"taken":     {{0, "acquire", "anna", "", "lease_acquired"}, {1, "take", "bob", "", "lease_taken"}, {1, "twist", "anna", `held by "bob"`, ""}, {1, "twist", "bob", "", ""}},
		"given":     {{0, "acquire", "anna", "", "lease_acquired"}, {1, "release", "anna", "", "lease_released"}, {1, "twist", "", "", ""}, {1, "acquire", "bob", "", "lease_acquired"}},
		"take free": {{0, "take", "bob", "", "lease_acquired"}},
	}
	for name, steps := range rows {
		l := &Lease{}
		var told []string
		cancel := l.Notify(func(c LeaseChange) { told = append(told, c.Event) })
		for _, s := range steps {
			told = nil
			now := start.Add(time.Duration(s.at * float64(time.Second)))
			var err error
			switch s.do {
			case "acquire", "renew", "release", "take":
				err = l.Ask(LeaseAsk{Action: s.do, Holder: s.who}, now)
			default:
				body := map[string]string{"twist": `{"vx":0.1}`, "gait": `{"gait":"walk"}`, "stop": `{}`, "arm": `{"mode":"arm"}`, "disarm": `{"mode":"disarm"}`}[s.do]
				topic := map[string]string{"arm": "mode", "disarm": "mode"}[s.do]
				if topic == "" {
					topic = s.do
				}
				r := request(t, topic, body)
				r.Lease = s.who
				err = l.Admit(r, now)
			}
			var r *Refusal
			if (err == nil) != (s.says == "") || err != nil && (!errors.As(err, &r) || !strings.Contains(err.Error(), s.says)) {
				t.Errorf("%s: %s by %q at %g s: %v, want %q", name, s.do, s.who, s.at, err, s.says)
			}
			if got := strings.Join(told, " "); got != s.events {
				t.Errorf("%s: %s by %q at %g s told %q, want %q", name, s.do, s.who, s.at, got, s.events)
			}
		}
		cancel()
		told = nil
		_ = l.Ask(LeaseAsk{Action: "take", Holder: "eve"}, start.Add(time.Hour))
		if len(told) > 0 {
			t.Errorf("%s: told after cancel", name)
		}
	}
}

func TestBadLeases(t *testing.T) {
	for _, r := range []struct {
		ask  LeaseAsk
		says string
	}{
		{LeaseAsk{Action: "acquire"}, "1 to 64 printable"},
		{LeaseAsk{Action: "acquire", Holder: "a\nb"}, "printable"},
		{LeaseAsk{Action: "acquire", Holder: strings.Repeat("x", 65)}, "1 to 64"},
		{LeaseAsk{Action: "acquire", Holder: "a", TTL: 0.01}, "ttl 0.01 s"},
		{LeaseAsk{Action: "acquire", Holder: "a", TTL: 1e9}, "0.2 to 60"},
		{LeaseAsk{Action: "acquire", Holder: "a", TTL: -1}, "0.2 to 60"},
	} {
		if err := (&Lease{}).Ask(r.ask, time.Unix(0, 0)); err == nil || !strings.Contains(err.Error(), r.says) {
			t.Errorf("%+v: %v", r.ask, err)
		}
	}
}

// TestOneHolder: whatever is asked and commanded, at every moment at most one
// operator is admitted to move the rig, and a change is told before the next may.
func TestOneHolder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l, now, holder := &Lease{}, time.Unix(0, 0), ""
		l.Notify(func(c LeaseChange) {
			if c.From != holder {
				t.Fatalf("%+v, but %q held it", c, holder)
			}
			holder = c.To
		})
		people := []string{"anna", "bob", "eve"}
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			now = now.Add(time.Duration(rapid.IntRange(0, 1500).Draw(t, "ms")) * time.Millisecond)
			who := rapid.SampledFrom(people).Draw(t, "who")
			_ = l.Ask(LeaseAsk{Action: rapid.SampledFrom(LeaseActions()).Draw(t, "do"), Holder: who, TTL: 1}, now)
			var admitted []string
			for _, p := range append(slices.Clone(people), "") {
				r := &Request{topic: &topics[0], Lease: p}
				if l.Admit(r, now) == nil {
					admitted = append(admitted, p)
				}
			}
			if len(admitted) != 1 || admitted[0] != holder {
				t.Fatalf("admitted %q, holder %q", admitted, holder)
			}
		}
	})
}
