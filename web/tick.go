package web

import (
	"encoding/json"
	"sync"
	"time"

	"legctl/control"
	"legctl/rig"
	"legctl/telemetry"
)

// reel is the state of Tick for one scene.
type reel struct {
	mu      sync.Mutex
	film    *film
	figured time.Time
	waits   []byte   // the newest tick, while it has not been shown; empty: it has
	past    [][]byte // the latest events, for viewers that come later
}

// pastMost is how many events a viewer that comes later is told of.
const pastMost = 40

// note tells an event to everybody, and to those who come later.
func (s *Server) note(r *reel, e telemetry.Event) {
	m := eventMessage{Type: "event", Event: e}
	s.cast.tell(m)
	if raw, err := json.Marshal(m); err == nil {
		r.past = append(r.past, raw)
	}
	if len(r.past) > pastMost {
		r.past = r.past[1:]
	}
}

// Screen returns what takes the frames of a scene: see loop.Frames. It is for
// one goroutine. Frames are ignored once another scene is shown.
func (s *Server) Screen(sc *Scene) func(f *control.Frame) {
	return func(f *control.Frame) {
		if s.scene.Load() == sc {
			s.tick(sc, f)
		}
	}
}

// tick takes one frame. It never waits.
func (s *Server) tick(sc *Scene, f *control.Frame) {
	r, out := &sc.reel, &f.Out
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.film == nil {
		r.film = newFilm(sc)
	}
	if out.Reply.ID != 0 {
		s.desk.answered(&out.Reply, out.Tick)
	}
	for _, e := range sc.Names.Events(out, r.film.prev, sc.Params.Dt) {
		s.note(r, e)
	}
	r.film.prev = out.Events
	if !r.film.add(f) {
		r.waits, _ = f.AppendBinary(r.waits[:0])
		return
	}
	s.project(sc, f)
}

// project shows a frame.
func (s *Server) project(sc *Scene, f *control.Frame) {
	r := &sc.reel
	r.waits = r.waits[:0]
	s.cast.show(r.film.frame(f))
	sc.keep(r.film, f)
	if now := time.Now(); now.Sub(r.figured) >= figureEvery {
		r.figured = now
		s.figures(sc)
	}
}

// halt shows the tick at which time stopped: no later one will.
func (s *Server) halt(sc *Scene) {
	r := &sc.reel
	r.mu.Lock()
	defer r.mu.Unlock()
	f := control.NewFrame(sc.Rig)
	if len(r.waits) > 0 && s.scene.Load() == sc && f.UnmarshalBinary(r.waits) == nil {
		s.project(sc, f)
	}
}

// haltAfter is how long it takes until the tick at which time stopped has come
// through the ring.
const haltAfter = 40 * time.Millisecond

// keep remembers a frame for the API.
func (sc *Scene) keep(m *film, f *control.Frame) {
	x := &shot{state: sc.Names.State(&f.Out, &f.Obs, &m.since, sc.Params.Dt)}
	m.since = telemetry.Since{}
	q := f.Out.Set.Q
	if f.Obs.Has&rig.HasQ != 0 {
		q = f.Obs.Q
	}
	x.q = append(x.q, q...)
	x.pose = f.Out.PoseWB
	sc.last.Store(x)
}

// eventMessage, figureMessage and the like are what viewers get as JSON.
type eventMessage struct {
	Type string `json:"type"`
	telemetry.Event
}

type figureMessage struct {
	Type string `json:"type"`
	Figures
	Viewers int    `json:"viewers"`
	Stalled uint64 `json:"stalled"` // viewers dropped so far
	Holder  string `json:"holder"`  // of the lease
	Driver  string `json:"driver"`  // what moves the rig: gait or clips

	StyleScale telemetry.Num `json:"style_scale"` // share of the style kept
}

// figures tells everybody how the loop goes.
func (s *Server) figures(sc *Scene) {
	m := figureMessage{Type: "figures", Viewers: s.cast.size(), Stalled: s.cast.dropped.Load()}
	if sc.Figure != nil {
		m.Figures = sc.Figure()
	}
	m.Holder = s.desk.holder(time.Now())
	if x := sc.last.Load(); x != nil {
		m.Driver, m.StyleScale = x.state.Driver, x.state.StyleScale
	}
	s.cast.tell(m)
}
