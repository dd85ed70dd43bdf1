package web

import (
	"sync"
	"sync/atomic"

	"legctl/control"
	"legctl/geom"
	"legctl/ik"
	"legctl/rig"
	"legctl/telemetry"

	"gonum.org/v1/gonum/spatial/r3"
)

// Scene is what a Server shows: one rig under one controller. Rig, Names, Params
// and Inbox are needed; nil elsewhere means that there is none.
type Scene struct {
	Rig    *rig.Rig
	Names  *telemetry.Names
	Params *control.Params // as the run began
	Gait   string          // to begin with
	About  string          // one line for people
	Ground Ground          // nil: a level plane under the feet
	Peek   *Peek           // nil: no zones and scan bars
	World  World           // nil: a real rig, of which nothing but commands can be asked
	Tuner  Tuner           // nil: parameters cannot be changed
	Figure func() Figures  // how the loop goes; called twice a second

	// Inbox takes a command on its way to the tick and never waits: see
	// mqtt.Inbox.
	Inbox func(cmd control.Command) (full bool, replaced uint64)

	epoch  uint32
	solver *ik.Solver
	solve  sync.Mutex
	quant  quant
	mass   float64
	last   atomic.Pointer[shot]

	removed removed
	reel    reel
}

// shot is the newest frame, for the API.
type shot struct {
	state *telemetry.State
	q     []float64
	pose  geom.Pose
}

// Figures say how a loop goes. Times are seconds.
type Figures struct {
	Rate     float64 `json:"rate"`     // share of its speed at which time goes; 0: stopped
	Ticks    uint64  `json:"ticks"`    // done
	Late     uint64  `json:"late"`     // skipped
	Lateness Spread  `json:"lateness"` // from the deadline to the start of a tick
	Work     Spread  `json:"work"`     // of a tick
	Dropped  uint64  `json:"dropped"`  // records that sinks missed
	Failures uint64  `json:"failures"` // ticks in which the plant failed
}

// Spread is a distribution of times, seconds.
type Spread struct {
	P50 float64 `json:"p50"`
	P99 float64 `json:"p99"`
	Max float64 `json:"max"`
}

// World is what only a simulation can do. Orders never wait; done is called
// once with the tick an order was carried out in, or why not.
type World interface {
	Push(vW, wW r3.Vec, done func(tick uint64, err error)) // velocity, m/s, and rotation, rad/s, added to the body, W
	Remove(block int, done func(tick uint64, err error))   // takes a block of the ground away
	SetRate(rate float64) error                            // 1: as in the world, 0: stop, between: slow motion
	Step(ticks int)                                        // so many ticks while stopped
	Stages() Stages                                        // what Restart can show
	Restart(to Staging) error                              // another rig or ground; returns once it is known to be possible
}

// Stages are the rigs and grounds there are, by name.
type Stages struct {
	Rigs     []string `json:"rigs"`
	Terrains []string `json:"terrains"`
	Gaits    []string `json:"gaits"`
	Now      Staging  `json:"now"`
}

// Staging asks for a rig on a ground. An empty name keeps what is there.
type Staging struct {
	Rig     string `json:"rig"`
	Terrain string `json:"terrain"`
	Gait    string `json:"gait"`
}

// Tuner changes parameters while the rig runs.
type Tuner interface {
	// List returns the parameters of a gait as they are, in the order of the reference.
	List(gait string) ([]Param, error)
	// Set changes some parameters of a gait, all or none; done is called with
	// the first tick that has them.
	Set(gait string, values map[string]any, done func(tick uint64)) error
	// Undo takes the last Set back and reports which gait it was; an error when
	// there is none.
	Undo(done func(tick uint64)) (gait string, err error)
	// YAML returns a gait file that holds what List returns.
	YAML(gait string) ([]byte, error)
}

// Param is one parameter for people.
type Param struct {
	Key    string   `json:"key"`
	Value  any      `json:"value"` // float64 or bool
	Fresh  any      `json:"fresh"` // as the run began
	Unit   string   `json:"unit"`
	Doc    string   `json:"doc"`
	Low    *float64 `json:"low"` // of numbers
	High   *float64 `json:"high"`
	Bounds string   `json:"bounds"` // as the reference writes it
}

// prepare works out what Tick needs.
func (sc *Scene) prepare() {
	sc.solver = ik.NewSolver(sc.Rig, sc.Params.IK)
	sc.mass = sc.Rig.Mass()
	sc.quant = quantOf(sc.Rig)
}
