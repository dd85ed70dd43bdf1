package main

import (
	"sync/atomic"

	"legctl/control"
	"legctl/internal/version"
	"legctl/loop"
	"legctl/telemetry/mqtt"
	"legctl/telemetry/prometheus"
)

// metrics is what a shell shows to those who watch over it.
type metrics struct {
	exporter *prometheus.Exporter
	bridge   atomic.Pointer[mqtt.Bridge] // of the act that runs; nil: none
}

func newMetrics() *metrics { return &metrics{exporter: prometheus.New(version.String())} }

// listenMetrics counts what an act does.
func listenMetrics(sh *shell, a *act) (*listener, error) {
	if sh.metrics == nil {
		return nil, nil
	}
	m := sh.metrics
	m.exporter.Begin(a.names, m.sources(a))
	return &listener{
		frame: func(f *control.Frame) { m.exporter.Tick(&f.Out, &f.Obs, a.params.Dt) },
		close: func() error { m.exporter.End(); return nil },
	}, nil
}

// sources are what no frame says.
func (m *metrics) sources(a *act) prometheus.Sources {
	s := prometheus.Sources{
		Ticks: a.stats.Ticks.Load, Late: a.stats.Skipped.Load, Failures: a.stats.Failures.Load, Dropped: a.stats.Dropped,
		Lateness: func() prometheus.Spread { return spread(&a.stats.Lateness) },
		Work:     func() prometheus.Spread { return spread(&a.stats.Work) },
		Stalled:  func() bool { return a.stats.Stalled.Load() > 0 },
		Paused:   func() bool { return a.throttle != nil && a.throttle.Rate() == 0 },
	}
	if m.bridge.Load() != nil {
		s.Link = m.link
	}
	return s
}

// link is how the act stands with the broker.
func (m *metrics) link() prometheus.Link {
	b := m.bridge.Load()
	if b == nil {
		return prometheus.Link{}
	}
	c := b.Counts()
	return prometheus.Link{Connected: c.Connected, Waiting: c.Waiting, Queued: c.Queued, Dropped: c.Dropped, Refused: c.Refused}
}

func spread(h *loop.Histogram) prometheus.Spread {
	atMost, n, sum := h.Spread(prometheus.Bounds())
	return prometheus.Spread{AtMost: atMost, Count: n, Sum: sum}
}
