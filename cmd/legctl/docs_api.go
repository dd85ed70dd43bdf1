package main

import (
	"net/http"
	"reflect"

	"legctl/telemetry"
	"legctl/telemetry/apidoc"
	"legctl/telemetry/prometheus"
	"legctl/web"

	"github.com/spf13/cobra"
)

// newDocsAPI are the documents of the interfaces for other programs.
func newDocsAPI() []*cobra.Command {
	write := func(use, short string, text func() []byte) *cobra.Command {
		return &cobra.Command{
			Use: use, Short: short, Args: exactly(0, "no arguments"),
			RunE: func(c *cobra.Command, _ []string) error {
				_, err := c.OutOrStdout().Write(text())
				return err
			},
		}
	}
	return []*cobra.Command{
		write("asyncapi", "Write the AsyncAPI document of the MQTT topics", func() []byte { return apidoc.YAML(apidoc.AsyncAPI()) }),
		write("openapi", "Write the OpenAPI document of the HTTP API", func() []byte { return apidoc.YAML(apidoc.OpenAPI(routes())) }),
		write("mqtt", "Write the tables of topics and messages as Markdown", func() []byte { return []byte(apidoc.MQTTTables()) }),
		write("metrics", "Write the table of the metrics as Markdown", func() []byte { return []byte(metricTable()) }),
	}
}

func metricTable() string {
	var list []apidoc.Metric
	for _, m := range prometheus.Table() {
		list = append(list, apidoc.Metric(m))
	}
	return apidoc.MetricTable(list)
}

// routes are the paths of the page's server. A test compares them with what it
// serves.
func routes() []apidoc.Route {
	of := web.Types()
	no := map[int]string{http.StatusUnauthorized: "wrong or missing token", http.StatusServiceUnavailable: "nothing is shown yet"}
	order := map[int]string{
		http.StatusUnauthorized: "wrong or missing token", http.StatusUnsupportedMediaType: "the body is not application/json",
		http.StatusRequestEntityTooLarge: "the body is too large", http.StatusUnprocessableEntity: "refused: the reply says why",
		http.StatusNotFound: "no such topic", http.StatusGatewayTimeout: "no tick answered in time",
	}
	state, reply, health := reflect.TypeFor[telemetry.State](), reflect.TypeFor[telemetry.Reply](), reflect.TypeFor[prometheus.Health]()
	any := reflect.TypeFor[map[string]any]()
	sick := map[int]string{http.StatusServiceUnavailable: "not so: reasons says why"}
	return []apidoc.Route{
		{Method: "GET", Path: "/", Doc: "The page", Content: "text/html"},
		{Method: "GET", Path: "/ws", Doc: "The WebSocket of the page: frames and orders, see package web", Codes: map[int]string{http.StatusSwitchingProtocols: "the WebSocket is open", http.StatusUnauthorized: "wrong or missing token", http.StatusServiceUnavailable: "too many viewers"}},
		{Method: "GET", Path: "/api/state", Doc: "The state of the last tick, as on the MQTT topic state", Answer: state, Codes: no},
		{Method: "GET", Path: "/api/rig", Doc: "The form of the rig", Answer: of["rig"], Codes: no},
		{Method: "GET", Path: "/api/terrain", Doc: "The form of the ground", Answer: of["terrain"], Codes: no},
		{Method: "GET", Path: "/api/terrain/tile", Doc: "Heights of one tile of the ground, float32 little-endian", Query: []string{"i", "j"}, Content: "application/octet-stream", Codes: no},
		{Method: "GET", Path: "/api/parameters", Doc: "The parameters of a gait", Query: []string{"gait"}, Answer: of["parameters"], Codes: no},
		{Method: "GET", Path: "/api/parameters.yaml", Doc: "The parameters of a gait as a gait file", Query: []string{"gait"}, Content: "application/yaml", Codes: no},
		{Method: "POST", Path: "/api/parameters", Doc: "Change parameters between two ticks", Body: of["tune"], Answer: reply, Codes: order},
		{Method: "POST", Path: "/api/parameters/undo", Doc: "Take the last change of parameters back", Answer: reply, Codes: order},
		{Method: "POST", Path: "/api/commands/{topic}", Doc: "Give a command, with the body of the MQTT topic cmd/{topic}", Body: any, Answer: reply, Codes: order},
		{Method: "GET", Path: "/metrics", Doc: "Figures for Prometheus, see docs/metrics.md", Content: "text/plain", Codes: map[int]string{http.StatusUnauthorized: "wrong or missing token"}},
		{Method: "GET", Path: "/healthz", Doc: "Whether the loop turns", Answer: health, Open: true, Codes: sick},
		{Method: "GET", Path: "/readyz", Doc: "Whether the rig may be commanded", Answer: health, Open: true, Codes: sick},
	}
}
