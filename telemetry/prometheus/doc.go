// Package prometheus shows a rig to a Prometheus server, and its health to
// whoever watches over processes.
//
//	Exporter.Metrics  /metrics, the text format of Prometheus, from a registry of its own
//	Exporter.Health   /healthz, 200 while the loop turns, 503 with the reasons when it hangs
//	Exporter.Ready    /readyz, 200 while the rig may be commanded, 503 with the reasons when not
//
// Tick takes the result of each tick and copies what it needs; the work is done
// when somebody asks. Names carry their unit, as Prometheus wants it; all values
// are SI. What a rig does not measure is left out.
//
// Source: the Prometheus documentation on metric names and on histograms.
package prometheus
