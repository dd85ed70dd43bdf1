package main

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"legctl/control"
	"legctl/geom"
	"legctl/rig"
	"legctl/telemetry"
	"legctl/telemetry/prometheus"

	"github.com/goccy/go-yaml"
	"gonum.org/v1/gonum/spatial/r3"
)

// example reads a file of examples.
func example(t *testing.T, path ...string) []byte {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(append([]string{"..", "..", "examples"}, path...)...))
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// exampleRig are the names the examples are tried with.
var exampleRig = &telemetry.Names{
	Rig: "phantomx", Legs: []string{"lf", "rf"}, Joints: []string{"lf_coxa", "rf_coxa"}, Gaits: []string{"tripod", "wave"},
}

// grafana is the part of a dashboard that is looked at.
type grafana struct {
	Title  string
	Inputs []struct{ Name string } `json:"__inputs"`
	Panels []struct {
		ID      int
		Title   string
		Type    string
		GridPos struct{ X, Y, W, H int }
		Targets []struct{ Expr, LegendFormat string }
	}
}

// TestGrafana: every metric and label of the dashboard exists, and no panel lies
// on another.
func TestGrafana(t *testing.T) {
	var d grafana
	if err := json.Unmarshal(example(t, "dashboards", "grafana.json"), &d); err != nil {
		t.Fatal(err)
	}
	labels := map[string][]string{}
	for _, m := range prometheus.Table() {
		labels[m.Name] = append(slices.Clone(m.Labels), "instance", "le")
	}
	metric, word := regexp.MustCompile(`legctl_[a-z_]+`), regexp.MustCompile(`\{\{(\w+)\}\}|by \((\w+)\)`)
	cells := map[[2]int]string{}
	for _, p := range d.Panels {
		if len(p.Targets) == 0 || p.Title == "" {
			t.Errorf("panel %d %q shows nothing", p.ID, p.Title)
		}
		for x := p.GridPos.X; x < p.GridPos.X+p.GridPos.W; x++ {
			for y := p.GridPos.Y; y < p.GridPos.Y+p.GridPos.H; y++ {
				if other := cells[[2]int{x, y}]; other != "" || x >= 24 {
					t.Fatalf("%s lies on %s or beyond the edge", p.Title, other)
				}
				cells[[2]int{x, y}] = p.Title
			}
		}
		for _, q := range p.Targets {
			used := metric.FindAllString(q.Expr, -1)
			if len(used) == 0 {
				t.Errorf("%s: no metric in %s", p.Title, q.Expr)
			}
			for _, name := range used {
				known := labels[strings.TrimSuffix(name, "_bucket")]
				if known == nil {
					t.Errorf("%s: there is no metric %s", p.Title, name)
				}
				for _, w := range word.FindAllStringSubmatch(q.Expr+" "+q.LegendFormat, -1) {
					if l := w[1] + w[2]; !slices.Contains(known, l) {
						t.Errorf("%s: %s has no label %s", p.Title, name, l)
					}
				}
			}
		}
	}
	if len(d.Panels) < 10 || len(d.Inputs) != 1 {
		t.Errorf("%d panels, %d inputs", len(d.Panels), len(d.Inputs))
	}
}

// red is a node of Node-RED.
type red struct {
	ID, Type, Name, Topic, Func, Payload, Broker string
	Wires                                        [][]string
}

// TestNodeRED: the flow is whole, its topics and keys exist, and what its
// buttons send is taken.
func TestNodeRED(t *testing.T) {
	var flow []red
	if err := json.Unmarshal(example(t, "dashboards", "node-red.json"), &flow); err != nil {
		t.Fatal(err)
	}
	at := map[string]red{}
	for _, n := range flow {
		if at[n.ID].ID != "" {
			t.Errorf("node %s stands twice", n.ID)
		}
		at[n.ID] = n
	}
	var outputs []string
	for _, o := range telemetry.Outputs() {
		outputs = append(outputs, "legctl/+/"+o.Name)
	}
	sent := 0
	for _, n := range flow {
		for _, w := range slices.Concat(n.Wires...) {
			to, ok := at[w]
			if !ok {
				t.Errorf("%s: wired to %s, which is not there", n.ID, w)
			}
			if n.Type != "inject" {
				continue
			}
			topic := strings.TrimPrefix(to.Topic, "legctl/${RIG}/cmd/")
			var r telemetry.Request
			if err := exampleRig.Decode(&r, topic, []byte(n.Payload)); err != nil {
				t.Errorf("%s: %v", n.Name, err)
			}
			sent++
		}
		if n.Type == "mqtt in" && !slices.Contains(outputs, n.Topic) {
			t.Errorf("%s: there is no topic %s", n.Name, n.Topic)
		}
		if strings.HasPrefix(n.Type, "mqtt ") && at[n.Broker].Type != "mqtt-broker" {
			t.Errorf("%s: no broker", n.Name)
		}
	}
	var keys map[string]any
	raw, _ := json.Marshal(exampleRig.Status(&control.Output{}, &rig.Observation{Battery: 12}, 0.01))
	_ = json.Unmarshal(raw, &keys)
	for _, w := range regexp.MustCompile(`\bs\.(\w+)`).FindAllStringSubmatch(at["legctl.words"].Func, -1) {
		if _, ok := keys[w[1]]; !ok {
			t.Errorf("a status has no %s", w[1])
		}
	}
	if sent < 5 {
		t.Errorf("%d buttons", sent)
	}
}

// TestHomeAssistantDashboard: every entity of the dashboard is one that the
// discovery message makes.
func TestHomeAssistantDashboard(t *testing.T) {
	raw := example(t, "dashboards", "home-assistant.yaml")
	var d struct {
		Views []struct{ Cards []map[string]any }
	}
	if err := yaml.Unmarshal(raw, &d); err != nil || len(d.Views) == 0 {
		t.Fatal(err, len(d.Views))
	}
	_, device, err := exampleRig.HomeAssistant("", "v1")
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, c := range device.Components {
		known[c.Platform+".phantomx_"+strings.ReplaceAll(strings.ToLower(c.Name), " ", "_")] = true
	}
	used := regexp.MustCompile(`(?:sensor|binary_sensor|select|button)\.phantomx_\w+`).FindAllString(string(raw), -1)
	for _, e := range used {
		if !known[e] {
			t.Errorf("there is no entity %s", e)
		}
	}
	if len(used) < 10 {
		t.Errorf("%d entities", len(used))
	}
}

func TestPrometheusExample(t *testing.T) {
	var c struct {
		Scrape []struct {
			Job    string `yaml:"job_name"`
			Static []struct{ Targets []string }
		} `yaml:"scrape_configs"`
	}
	if err := yaml.Unmarshal(example(t, "dashboards", "prometheus.yaml"), &c); err != nil || len(c.Scrape) != 1 {
		t.Fatalf("%+v, %v", c, err)
	}
}

// TestROSBridge: the bridge's conversions agree with ours on a message of a rig,
// and its twist is taken.
func TestROSBridge(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not installed")
	}
	attitude := geom.FromRPY(0.1, -0.2, 0.7)
	out := &control.Output{
		PoseWB: geom.Pose{P: r3.Vec{X: 1, Y: 2, Z: 0.1}, Q: attitude}, Twist: [3]float64{0.1, 0.2, 0.3},
		Set: rig.Setpoint{Q: []float64{0.5, math.NaN()}}, Margin: math.Inf(-1),
	}
	raw, err := json.Marshal(exampleRig.State(out, nil, &telemetry.Since{}, 0.01))
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(python, filepath.Join("..", "..", "examples", "ros2", "legctl_bridge.py"), "--check")
	c.Stdin, c.Env = bytes.NewReader(raw), append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1")
	text, err := c.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	var got struct {
		Twist           json.RawMessage
		Names           []string
		Angles          []float64
		Position        [3]float64
		Quaternion      [4]float64
		Linear, Angular [3]float64
	}
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	want := [4]float64{attitude.Imag, attitude.Jmag, attitude.Kmag, attitude.Real}
	for i := range want {
		if math.Abs(got.Quaternion[i]-want[i]) > 1e-9 {
			t.Errorf("quaternion %v, want %v", got.Quaternion, want)
			break
		}
	}
	if !slices.Equal(got.Names, []string{"lf_coxa"}) || got.Position != [3]float64{1, 2, 0.1} || got.Linear != [3]float64{0.1, 0.2, 0} || got.Angular != [3]float64{0, 0, 0.3} {
		t.Errorf("%+v", got)
	}
	var r telemetry.Request
	if err := exampleRig.Decode(&r, "twist", got.Twist); err != nil || r.Cmd.Vx != 0.1 || r.Cmd.Wz != 0.2 || r.Lease != "ros" {
		t.Errorf("%+v, %v", r, err)
	}
}
