package prometheus_test

import (
	"encoding/json"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"legctl/control"
	"legctl/control/mode"
	"legctl/rig"
	"legctl/telemetry"
	"legctl/telemetry/prometheus"
)

var ant = &telemetry.Names{Rig: "ant", Legs: []string{"lf", "rf"}, Joints: []string{"lf_coxa", "rf_coxa"}, Gaits: []string{"walk", "gallop"}, Why: []string{"", "too slow"}}

// output is one tick of a two-legged rig.
func output() *control.Output {
	return &control.Output{
		Tick: 7, Mode: mode.Walk, Binding: control.BindReach, Twist: [3]float64{0.1, 0, 0.2}, Margin: math.Inf(-1),
		LiftOff: 2, SpeedLimit: 1, Events: control.EventWall,
		Set:   rig.Setpoint{Q: []float64{0.5, -0.5}},
		Legs:  []control.LegOut{{Stance: true}, {Residual: 0.01}},
		Reply: control.Reply{ID: 1, Kind: control.KindHeight, Reason: control.OutOfRange},
	}
}

func observation() *rig.Observation {
	return &rig.Observation{
		Has: rig.HasServos | rig.HasQ, Q: []float64{0.4, -0.4}, Servos: []rig.Sense{{Celsius: 41, Alarms: rig.AlarmWarm}, {Load: -0.3}},
		Battery: 11.1, Faults: 2, FellSince: 3,
	}
}

func get(t *testing.T, h http.Handler) (int, string) {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/", http.NoBody))
	return w.Code, w.Body.String()
}

func TestMetrics(t *testing.T) {
	e := prometheus.New("v1")
	if code, body := get(t, e.Metrics()); code != http.StatusOK || strings.Contains(body, "legctl_") {
		t.Errorf("before a run: %d %.200s", code, body)
	}
	late := prometheus.Spread{AtMost: make([]uint64, len(prometheus.Bounds())), Count: 4, Sum: 0.5}
	late.AtMost[3] = 3
	e.Begin(ant, prometheus.Sources{
		Ticks:    func() uint64 { return 8 },
		Lateness: func() prometheus.Spread { return late },
		Link: func() prometheus.Link {
			return prometheus.Link{Connected: true, Waiting: 2, Refused: map[string]uint64{"malformed": 5}}
		},
	})
	e.Tick(output(), observation(), 0.01)
	e.Tick(output(), observation(), 0.01)
	_, body := get(t, e.Metrics())
	for _, want := range []string{
		`legctl_info{rig="ant",version="v1"} 1`, `legctl_ticks_total 8`, `legctl_tick_lateness_seconds_bucket{le="0.0001"} 3`,
		`legctl_tick_lateness_seconds_sum 0.5`, `legctl_mode{mode="walk"} 1`, `legctl_mode{mode="limp"} 0`, `legctl_gait{gait="walk"} 1`,
		`legctl_binding{limit="reach"} 1`, `legctl_velocity_meters_per_second{axis="x"} 0.1`, `legctl_margin_meters -Inf`,
		`legctl_leg_stance{leg="lf"} 1`, `legctl_leg_fault{leg="rf"} 1`, `legctl_leg_lift_offs_total{leg="rf"} 2`, `legctl_leg_speed_clamps_total{leg="lf"} 2`,
		`legctl_joint_angle_radians{joint="rf_coxa"} -0.5`, `legctl_joint_measured_radians{joint="lf_coxa"} 0.4`,
		`legctl_joint_temperature_celsius{joint="lf_coxa"} 41`, `legctl_joint_load_ratio{joint="rf_coxa"} -0.3`,
		`legctl_battery_volts 11.1`, `legctl_alarm{alarm="warm"} 1`, `legctl_falls_total 3`, `legctl_events_total{event="wall"} 1`, `legctl_events_total{event="fault"} 1`,
		`legctl_commands_total{kind="height"} 2`, `legctl_refusals_total{reason="out of range"} 2`, `legctl_refusals_total{reason="malformed"} 5`,
		`legctl_mqtt_connected 1`, `legctl_mqtt_durable_waiting_messages 2`,
	} {
		if !strings.Contains(body, want+"\n") {
			t.Errorf("%s is not there", want)
		}
	}
	for _, never := range []string{`gait="gallop"`, "legctl_tick_work", "joint_volts", `temperature_celsius{joint="rf`} {
		if strings.Contains(body, never) {
			t.Errorf("%s is there, although nobody knows it", never)
		}
	}
	if _, again := get(t, e.Metrics()); !strings.Contains(again, `reason="malformed"} 5`) {
		t.Error("what the bridge refused is counted twice")
	}
	e.End()
	if _, body := get(t, e.Metrics()); strings.Contains(body, "legctl_") {
		t.Error("metrics of a run that is over")
	}
}

// TestTable: every metric of the table follows the rules of names and is
// explained.
func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range prometheus.Table() {
		total := strings.HasSuffix(m.Name, "_total")
		switch {
		case seen[m.Name]:
			t.Errorf("%s stands twice", m.Name)
		case !strings.HasPrefix(m.Name, "legctl_"), !strings.HasSuffix(m.Help, "."):
			t.Errorf("%s: %q", m.Name, m.Help)
		case total != (m.Type == "counter"):
			t.Errorf("%s is a %s", m.Name, m.Type)
		}
		seen[m.Name] = true
	}
}

func TestHealth(t *testing.T) {
	broker, stalled := true, false
	e := prometheus.New("v1")
	check := func(name string, h http.Handler, code int, says string) {
		t.Helper()
		got, body := get(t, h)
		var m prometheus.Health
		if err := json.Unmarshal([]byte(body), &m); err != nil || got != code || !strings.Contains(body, says) || m.OK != (code == http.StatusOK) {
			t.Errorf("%s: %d %s %v", name, got, body, err)
		}
	}
	check("nothing runs", e.Ready(), http.StatusServiceUnavailable, "no rig runs")
	check("nothing runs", e.Health(), http.StatusOK, `"age":null`)
	e.Begin(ant, prometheus.Sources{
		Link:    func() prometheus.Link { return prometheus.Link{Connected: broker} },
		Stalled: func() bool { return stalled },
	})
	check("no tick", e.Ready(), http.StatusServiceUnavailable, "first tick")
	out := output()
	e.Tick(out, nil, 0.01)
	check("all is well", e.Ready(), http.StatusOK, `"mode":"walk"`)
	out.Mode = mode.Fault
	e.Tick(out, nil, 0.01)
	check("fault", e.Ready(), http.StatusServiceUnavailable, "clear it")
	check("fault", e.Health(), http.StatusOK, `"mode":"fault"`)
	broker = false
	check("no broker", e.Ready(), http.StatusServiceUnavailable, "broker is away")
	stalled = true
	check("stalled", e.Health(), http.StatusServiceUnavailable, "watchdog")
}

func TestMethods(t *testing.T) {
	w := httptest.NewRecorder()
	prometheus.New("").Health().ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/healthz", http.NoBody))
	if w.Code != http.StatusMethodNotAllowed || w.Header().Get("Allow") == "" {
		t.Errorf("POST: %d", w.Code)
	}
}
