package prometheus

import (
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"

	"legctl/control"
	"legctl/rig"
	"legctl/telemetry"

	prom "github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Bounds are the upper bounds of the histograms, seconds.
var bounds = [...]float64{10e-6, 20e-6, 50e-6, 100e-6, 200e-6, 500e-6, 1e-3, 2e-3, 5e-3, 10e-3, 20e-3, 50e-3, 100e-3}

// Bounds returns the upper bounds of the histograms, seconds, rising.
func Bounds() []float64 { return slices.Clone(bounds[:]) }

// Spread is a histogram at one moment.
type Spread struct {
	AtMost []uint64 // how many were at most each of Bounds; nil: not known
	Count  uint64
	Sum    float64 // s
}

// Link is how the rig stands with its broker.
type Link struct {
	Connected bool
	Waiting   int
	Queued    int
	Dropped   uint64
	Refused   map[string]uint64 // commands refused before their tick, by why
}

// Sources are functions that tell what no tick says. Any goroutine may call
// them; each may be nil: its metrics are left out.
type Sources struct {
	Ticks, Late, Failures, Dropped func() uint64
	Lateness, Work                 func() Spread
	Link                           func() Link
	Stalled                        func() bool // the watchdog gave a tick up
	Paused                         func() bool // ticks are held back on purpose
}

// Exporter collects what a rig does and shows it when asked. It outlives a run:
// Begin starts another. Its handlers are safe for several goroutines; Tick is
// called from one.
type Exporter struct {
	version  string
	registry *prom.Registry
	descs    []*prom.Desc

	mu  sync.Mutex
	now snapshot
}

// snapshot is what Tick keeps.
type snapshot struct {
	version  string
	names    *telemetry.Names // nil: nothing runs
	sources  Sources
	out      control.Output // without its slices
	obs      rig.Observation
	legs     []control.LegOut
	q        []float64
	measured []float64
	senses   []rig.Sense
	alarms   rig.Alarm
	steps    []steps
	events   map[string]uint64
	commands map[string]uint64
	refusals map[string]uint64
	watcher  telemetry.Watcher
	ticked   time.Time // zero: no tick yet

	lateness, work Spread // filled when asked
	link           *Link
}

// steps are the counters of a leg.
type steps struct{ lifts, angles, speeds, missed uint64 }

// New returns an exporter that shows nothing yet. version is that of the
// program.
func New(version string) *Exporter {
	e := &Exporter{version: version, registry: prom.NewRegistry()}
	for i := range metrics {
		m := &metrics[i]
		e.descs = append(e.descs, prom.NewDesc(m.name, m.help, m.labels, nil))
	}
	e.registry.MustRegister(e, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return e
}

// Begin starts a run: what was counted is forgotten.
func (e *Exporter) Begin(names *telemetry.Names, s Sources) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.now = snapshot{
		version: e.version, names: names, sources: s,
		events: map[string]uint64{}, commands: map[string]uint64{}, refusals: map[string]uint64{},
	}
}

// End says that nothing runs any more.
func (e *Exporter) End() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.now = snapshot{}
}

// Tick takes the result of a tick; dt is its length, seconds. It keeps nothing
// of out and obs; obs may be nil.
func (e *Exporter) Tick(out *control.Output, obs *rig.Observation, dt float64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	s := &e.now
	if s.names == nil {
		return
	}
	s.ticked = time.Now()
	s.out = *out
	s.legs, s.q = append(s.legs[:0], out.Legs...), append(s.q[:0], out.Set.Q...)
	s.out.Legs, s.out.Set.Q = nil, nil
	s.obs = rig.Observation{}
	if obs != nil {
		s.obs = *obs
		s.measured, s.senses = append(s.measured[:0], obs.Q...), append(s.senses[:0], obs.Servos...)
		s.obs.Q, s.obs.Servos = nil, nil
		s.alarms = telemetry.Alarms(obs)
	}
	s.count(out, obs, dt)
}

// count counts what single ticks say.
func (s *snapshot) count(out *control.Output, obs *rig.Observation, dt float64) {
	for len(s.steps) < len(s.legs) {
		s.steps = append(s.steps, steps{})
	}
	for i := range s.legs {
		c := &s.steps[i]
		c.lifts += out.LiftOff >> i & 1
		c.angles += out.AngleLimit >> i & 1
		c.speeds += out.SpeedLimit >> i & 1
		c.missed += out.Unreached >> i & 1
	}
	for _, ev := range s.watcher.Look(s.names, out, obs, dt) {
		s.events[ev.Event]++
	}
	if out.Reply.Kind == control.KindNone {
		return
	}
	s.commands[telemetry.KindName(out.Reply.Kind)]++
	if out.Reply.Reason != control.Accepted {
		s.refusals[telemetry.ReasonName(out.Reply.Reason)]++
	}
}

// Describe implements prometheus.Collector.
func (e *Exporter) Describe(ch chan<- *prom.Desc) {
	for _, d := range e.descs {
		ch <- d
	}
}

// Collect implements prometheus.Collector.
func (e *Exporter) Collect(ch chan<- prom.Metric) {
	e.mu.Lock()
	defer e.mu.Unlock()
	s := &e.now
	if s.names == nil {
		return
	}
	refusals := s.refusals
	s.ask()
	for i := range metrics {
		m := &metrics[i]
		if m.spread != nil {
			if h := m.spread(s); h.AtMost != nil {
				ch <- prom.MustNewConstHistogram(e.descs[i], h.Count, h.Sum, h.cumulative())
			}
			continue
		}
		m.each(s, func(v float64, labels ...string) { ch <- prom.MustNewConstMetric(e.descs[i], m.kind, v, labels...) })
	}
	s.refusals = refusals
}

// ask fills in what the sources say.
func (s *snapshot) ask() {
	s.lateness, s.work, s.link = Spread{}, Spread{}, nil
	if f := s.sources.Lateness; f != nil {
		s.lateness = f()
	}
	if f := s.sources.Work; f != nil {
		s.work = f()
	}
	if f := s.sources.Link; f != nil {
		l := f()
		s.link = &l
		s.refusals = maps.Clone(s.refusals)
		for why, n := range l.Refused {
			s.refusals[why] += n
		}
	}
}

func (h *Spread) cumulative() map[float64]uint64 {
	m := make(map[float64]uint64, len(bounds))
	for i, b := range bounds {
		if i < len(h.AtMost) {
			m[b] = h.AtMost[i]
		}
	}
	return m
}

// Metrics is the handler of /metrics.
func (e *Exporter) Metrics() http.Handler {
	return promhttp.HandlerFor(e.registry, promhttp.HandlerOpts{Registry: e.registry, EnableOpenMetrics: true})
}
