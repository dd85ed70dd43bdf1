package prometheus

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"time"

	"legctl/telemetry"
)

// Stuck is how long ticks may stay away before the loop counts as hanging.
const Stuck = 3 * time.Second

// Health is the answer of /healthz and /readyz.
type Health struct {
	OK      bool          `json:"ok" doc:"whether all is well"`
	Reasons []string      `json:"reasons" doc:"what is not"`
	Rig     string        `json:"rig,omitempty" doc:"name of the rig; left out while nothing runs"`
	Mode    string        `json:"mode,omitempty" doc:"of the mode machine"`
	Tick    uint64        `json:"tick" doc:"number of the last tick"`
	Age     telemetry.Num `json:"age" unit:"s" doc:"since the last tick; null before the first"`
}

// look returns what both handlers say, with the reasons why the loop hangs.
func (e *Exporter) look(now time.Time) (h Health, link *Link) {
	e.mu.Lock()
	defer e.mu.Unlock()
	s := &e.now
	h = Health{Reasons: []string{}, Age: never()}
	if s.names == nil {
		return h, nil
	}
	h.Rig = s.names.Rig
	if f := s.sources.Link; f != nil {
		l := f()
		link = &l
	}
	if f := s.sources.Stalled; f != nil && f() {
		h.Reasons = append(h.Reasons, "the watchdog stopped the rig: a tick did not end")
	}
	if s.ticked.IsZero() {
		return h, link
	}
	age := now.Sub(s.ticked)
	h.Mode, h.Tick, h.Age = s.out.Mode.String(), s.out.Tick, telemetry.Num(age.Seconds())
	if paused := s.sources.Paused != nil && s.sources.Paused(); age > Stuck && !paused {
		h.Reasons = append(h.Reasons, fmt.Sprintf("the loop hangs: no tick for %.1f s, want at most %v", age.Seconds(), Stuck))
	}
	return h, link
}

// Health is the handler of /healthz.
func (e *Exporter) Health() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h, _ := e.look(time.Now())
		answer(w, r, &h)
	})
}

// Ready is the handler of /readyz.
func (e *Exporter) Ready() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h, link := e.look(time.Now())
		switch {
		case h.Rig == "":
			h.Reasons = append(h.Reasons, "no rig runs")
		case h.Mode == "":
			h.Reasons = append(h.Reasons, "the first tick has not come")
		case h.Mode == "fault":
			h.Reasons = append(h.Reasons, "the rig has a fault: clear it")
		}
		if link != nil && !link.Connected {
			h.Reasons = append(h.Reasons, "the broker is away")
		}
		answer(w, r, &h)
	})
}

// answer writes h: 200 when there is no reason against it, 503 otherwise.
func answer(w http.ResponseWriter, r *http.Request, h *Health) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "method "+r.Method+", want GET", http.StatusMethodNotAllowed)
		return
	}
	h.OK = len(h.Reasons) == 0
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	if !h.OK {
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	_ = json.NewEncoder(w).Encode(h) // whoever asked has gone
}

// never is the age before the first tick.
func never() telemetry.Num { return telemetry.Num(math.NaN()) }
