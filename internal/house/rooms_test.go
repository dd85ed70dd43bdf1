package house

import (
	"path"
	"slices"
	"strings"
	"testing"
)

// room is a row of the design's table: who lives there and whom it may import.
// A package may also import whatever its listed packages may import, unless
// one of the sentences below the table forbids it.
type room struct {
	name string // a trailing /* stands for every package directly beneath
	role string
	may  []string
}

var rooms = []room{
	{"geom", "poses, twists, planar hulls and polygons with exact predicates, `Ground`", []string{"gonum"}},
	{"rig", "body plan: legs, joints, limits, masses, shapes, leg groups; kinematics, Jacobians, CoM; observation type", []string{"geom"}},
	{"rig/urdf", "robots from other people's URDF files", []string{"rig"}},
	{"rig/mjcf", "robots from other people's MJCF files", []string{"rig"}},
	{"gait", "phase tables and step rules: who swings when, where the foot lands; swing curves; text diagram", []string{"rig"}},
	{"balance", "support polygon, margins (SSM, NESM), support force, body pose regulation, levelling", []string{"rig"}},
	{"ik", "FABRIK chains, hinge and limit handling, leg solver, workspace map; closed forms", []string{"rig"}},
	{"blend", "poses, gradient bands, trees, directional sets, quaternion sums, additive layers", []string{"rig"}},
	{"blend/clip", "clip files: glTF, BVH, robot joint clips, key poses", []string{"blend"}},
	{"blend/retarget", "source skeleton to rig; bend and mirror; baking clips from a gait", []string{"blend/clip", "blend/space", "gait", "ik", "balance"}},
	{"blend/space", "match webs, loops, registration curves, goal space, steering", []string{"blend"}},
	{"estimate", "contact, slip, odometry, ground plane, attitude fusion", []string{"rig"}},
	{"control", "the tick, its stages, Command, Params, State, Output, events", []string{"control/mode", "gait", "balance", "ik", "blend", "blend/space", "estimate"}},
	{"control/mode", "the one mode machine as a table", nil},
	{"preflight", "sweeps before motion: reach, margins, speeds, allowed-twist tables, gait comparison", []string{"control"}},
	{"loop", "`Cycle`: the one observe, step, apply; `Run` adds time, deadline statistics, rings", []string{"control"}},
	{"record", "the byte-record file: header, records; writer, reader, diff", []string{"control"}},
	{"drivers", "table of protocols; joints to servo channels; calibration; is a `Plant`", []string{"rig", "drivers/*"}},
	{"drivers/servo", "the small interfaces and value types all protocols use", nil},
	{"drivers/servo/servotest", "record, playback and misbehaving buses", []string{"drivers/servo"}},
	{"drivers/*", "one wire protocol: pure codec and driver", []string{"drivers/servo"}},
	{"drivers/sensor", "inertial units, battery voltage, switches, as facts of an observation", []string{"rig", "drivers/servo"}},
	{"drivers/calibrate", "directions, centres and zeros of servos from what a beginner can measure", []string{"rig", "drivers/servo"}},
	{"drivers/setup", "servos before a robot walks: scan, wave, calibration sessions", []string{"rig", "drivers", "drivers/servo", "drivers/calibrate"}},
	{"drivers/emulator", "servo banks on a pty: the far end of each protocol", []string{"drivers/*"}},
	{"sim", "kinematic simulator: body dynamics, contacts, servo model, IMU, battery; is a `Plant`", []string{"rig", "balance", "sim/terrain"}},
	{"sim/terrain", "flat, slope, stairs, ledge, gaps, wall, rough(seed), image, blocks; materials", []string{"geom"}},
	{"rollout", "control and a plant stepped without a clock: headless runs, batches, replay", []string{"loop", "record", "sim"}},
	{"cloak", "colours of segments from what lies behind them", []string{"rig", "geom"}},
	{"plot", "SVG and PNG of anything; nothing in the core draws", []string{"control", "blend/space"}},
	{"telemetry", "Output to messages", []string{"control"}},
	{"telemetry/*", "one way out each: mqtt, mcap, foxglove, gltf, prometheus", []string{"telemetry", "telemetry/show"}},
	{"telemetry/show", "records as messages for viewers: decoded, and as Foxglove's well-known schemas", []string{"telemetry", "record"}},
	{"web", "page, one WebSocket, small HTTP API", []string{"telemetry", "web/*"}},
	{"web/*", "parts of the page", []string{"telemetry", "blend/retarget", "blend/space"}},
	{"tune", "optimisation and sweeps, on one machine or over a cluster", []string{"rollout", "preflight"}},
	{"configs", "shipped YAML and the only loader and validator", []string{"rig", "gait", "ik", "balance", "blend", "blend/clip", "blend/retarget", "control", "sim", "sim/terrain", "drivers/servo"}},
	{"cmd/legctl", "flags and wiring, no logic; one short file a subcommand", []string{"*"}},
	{"bench", "times the kernels and a tick, and their C twins", []string{"preflight", "rollout", "configs", "drivers/*"}},
	{"internal/codertest", "proves that a byte record names all its fields; for tests", []string{"rig"}},
	{"internal/physics", "runs a rig in MuJoCo under node; for tests", []string{"rollout", "rig/mjcf", "configs"}},
	{"internal/pictures", "draws the pictures of the documents", []string{"*"}},
	{"internal/version", "which legctl this is", nil},
	{"internal/house", "tests of the repository itself", nil},
}

// never are the sentences below the table: they win over it.
var never = []struct {
	who, whom []string
	why       string
}{
	{[]string{"gait", "balance", "ik", "blend", "blend/*", "estimate"}, []string{"gait", "balance", "ik", "blend", "estimate"}, "control alone composes"},
	{[]string{"sim", "sim/*", "drivers", "drivers/*"}, []string{"control", "control/*", "loop"}, "a plant satisfies loop.Plant structurally"},
	{[]string{"control", "control/*"}, []string{"preflight"}, "tables are passed to control, never fetched by it"},
}

// excused are the imports the first sentence does not mean: inside one room,
// and the bakery of clips, which the table lets use gait and ik.
func excused(who, whom string) bool {
	return who == "blend/retarget" || strings.HasPrefix(who, "blend/") && strings.HasPrefix(whom+"/", "blend/")
}

// outside are the modules of the design's section 7 and who may use each.
var outside = []struct {
	prefix string
	who    []string
}{
	{"gonum.org/v1/gonum", []string{"*"}},
	{"gonum.org/v1/plot", []string{"plot"}},
	{"github.com/goccy/go-yaml", []string{"configs", "cmd/legctl"}},
	{"github.com/invopop/jsonschema", []string{"configs", "cmd/legctl", "web", "web/*"}},
	{"github.com/santhosh-tekuri/jsonschema/v6", []string{"configs", "cmd/legctl", "web", "web/*"}},
	{"github.com/eclipse/paho.mqtt.golang", []string{"telemetry/*", "cmd/legctl"}},
	{"github.com/nats-io/nats-server/v2", []string{"telemetry/*", "tune", "cmd/legctl"}},
	{"github.com/nats-io/nats.go", []string{"telemetry/*", "tune", "cmd/legctl"}},
	{"github.com/spf13/cobra", []string{"cmd/legctl"}},
	{"github.com/spf13/pflag", []string{"cmd/legctl"}},
	{"charm.land/", []string{"cmd/legctl"}},
	{"github.com/charmbracelet/x/", []string{"cmd/legctl"}},
	{"golang.org/x/sys", []string{"loop", "record", "drivers", "drivers/*", "cmd/legctl"}},
	{"golang.org/x/image", []string{"plot"}},
	{"golang.org/x/term", []string{"cmd/legctl"}},
	{"gobot.io/x/gobot/v2", []string{"drivers", "drivers/*"}},
	{"go.bug.st/serial", []string{"drivers", "drivers/*"}},
	{"github.com/coder/websocket", []string{"web", "web/*", "telemetry/*"}},
	{"github.com/prometheus/client_golang", []string{"telemetry/*"}},
	{"github.com/fxamacker/cbor/v2", []string{"telemetry/*", "web", "web/*"}},
	{"github.com/foxglove/mcap", []string{"telemetry/*", "record"}},
	{"github.com/qmuntal/gltf", []string{"blend/clip", "telemetry/*"}},
}

// matches reports whether a package is one that a name of a table stands for.
func matches(name, rel string) bool {
	return name == "*" || name == rel || strings.HasSuffix(name, "/*") && path.Dir(rel) == path.Dir(name)
}

func matchesAny(names []string, rel string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return matches(n, rel) })
}

// roomOf returns the row of a package; an exact name wins over a pattern.
func roomOf(rel string) *room {
	var found *room
	for i := range rooms {
		if rooms[i].name == rel {
			return &rooms[i]
		}
		if matches(rooms[i].name, rel) {
			found = &rooms[i]
		}
	}
	return found
}

// mayImport reports whether the table lets a room import a package of ours.
func mayImport(r *room, rel string, seen map[string]bool) bool {
	if r == nil || seen[r.name] {
		return false
	}
	seen[r.name] = true
	if matchesAny(r.may, rel) {
		return true
	}
	for i := range rooms {
		listed := matchesAny(r.may, rooms[i].name) || slices.Contains(r.may, rooms[i].name)
		if listed && mayImport(&rooms[i], rel, seen) {
			return true
		}
	}
	return false
}

// importFault says what is wrong with an import, "" when nothing is.
func importFault(rel, imported string) string {
	own, isOwn := strings.CutPrefix(imported, module+"/")
	if !isOwn {
		return outsideFault(rel, imported)
	}
	for _, n := range never {
		if matchesAny(n.who, rel) && matchesAny(n.whom, own) && !excused(rel, own) {
			return n.why
		}
	}
	if !mayImport(roomOf(rel), own, map[string]bool{}) {
		return "not in its row of the table"
	}
	return ""
}

func outsideFault(rel, imported string) string {
	if first, _, _ := strings.Cut(imported, "/"); !strings.Contains(first, ".") {
		return standardFault(rel, imported)
	}
	for _, o := range outside {
		if imported == strings.TrimSuffix(o.prefix, "/") || strings.HasPrefix(imported, strings.TrimSuffix(o.prefix, "/")+"/") {
			if slices.Contains(core, rel) && o.prefix != "gonum.org/v1/gonum" {
				return "the core stands on gonum alone"
			}
			if !matchesAny(o.who, rel) {
				return "that module belongs to " + strings.Join(o.who, ", ")
			}
			return ""
		}
	}
	return "no such module in the design's section 7: write an ADR first"
}

// standardFault is about the standard library: what the core must not touch,
// and where randomness may live.
func standardFault(rel, imported string) string {
	if slices.Contains(core, rel) {
		for _, bad := range []string{"time", "os", "net", "log", "context", "sync", "io", "runtime", "unsafe", "plugin", "syscall"} {
			if imported == bad || strings.HasPrefix(imported, bad+"/") {
				return "the core has no " + bad
			}
		}
	}
	if strings.HasPrefix(imported, "math/rand") && !matchesAny([]string{"sim", "sim/terrain", "cloak", "tune", "bench"}, rel) {
		return "randomness lives in sim, cloak and tune"
	}
	return ""
}

func TestImports(t *testing.T) {
	r := repository(t)
	for _, p := range r.pkgs {
		if roomOf(p.rel()) == nil {
			t.Errorf("%s: no such room in the table; give it a row here, in docs/architecture.md and a reason in docs/adr", p.rel())
			continue
		}
		for _, imported := range p.Imports {
			if why := importFault(p.rel(), imported); why != "" {
				t.Errorf("%s must not import %s: %s", p.rel(), imported, why)
			}
		}
	}
}

func TestImportRules(t *testing.T) {
	for _, c := range []struct {
		who, whom string
		ok        bool
	}{
		{"geom", "gonum.org/v1/gonum/spatial/r3", true},
		{"geom", "legctl/rig", false},
		{"rig", "legctl/geom", true},
		{"gait", "legctl/geom", true},
		{"gait", "legctl/ik", false},
		{"gait", "legctl/balance", false},
		{"blend/space", "legctl/blend", true},
		{"blend/space", "legctl/estimate", false},
		{"blend/retarget", "legctl/gait", true},
		{"control", "legctl/gait", true},
		{"control", "legctl/control/mode", true},
		{"control", "legctl/preflight", false},
		{"control", "legctl/sim", false},
		{"control", "time", false},
		{"control", "sync/atomic", false},
		{"control", "log/slog", false},
		{"control", "fmt", true},
		{"control", "github.com/goccy/go-yaml", false},
		{"control", "gonum.org/v1/plot", false},
		{"sim", "legctl/control", false},
		{"sim", "legctl/control/mode", false},
		{"sim", "legctl/balance", true},
		{"sim", "legctl/sim/terrain", true},
		{"sim", "math/rand/v2", true},
		{"gait", "math/rand/v2", false},
		{"drivers", "legctl/drivers/pca9685", true},
		{"drivers/pca9685", "legctl/loop", false},
		{"loop", "legctl/control", true},
		{"loop", "legctl/ik", true},
		{"loop", "legctl/record", false},
		{"rollout", "legctl/sim/terrain", true},
		{"preflight", "legctl/gait", true},
		{"preflight", "legctl/sim", false},
		{"telemetry/mqtt", "github.com/eclipse/paho.mqtt.golang", true},
		{"telemetry/mqtt", "legctl/control", true},
		{"telemetry", "github.com/eclipse/paho.mqtt.golang", false},
		{"configs", "legctl/control", true},
		{"configs", "legctl/loop", false},
		{"cmd/legctl", "legctl/rollout", true},
		{"cmd/legctl", "example.org/unknown", false},
	} {
		if why := importFault(c.who, c.whom); (why == "") != c.ok {
			t.Errorf("%s importing %s: got %q, want allowed %v", c.who, c.whom, why, c.ok)
		}
	}
}
