package main

import "net/http"

// mounts returns the handlers of further paths of the page's server, behind its
// guard; opens those that need no token.
func (sh *shell) mounts() map[string]http.Handler {
	return map[string]http.Handler{"GET /metrics": sh.metrics.exporter.Metrics()}
}

func (sh *shell) opens() map[string]http.Handler {
	e := sh.metrics.exporter
	return map[string]http.Handler{"/healthz": e.Health(), "/readyz": e.Ready()}
}
