package physics

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"legctl/geom"
	"legctl/rig"
	"legctl/rig/mjcf"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// World is one rig in a MuJoCo process. It implements loop.Plant.
type World struct {
	rig    *rig.Rig
	steps  int
	drives []int // joint of each actuator
	node   *node // nil: closed
	broken bool  // it must not be used again
	line   []byte
	now    Now
	ticks  uint32
}

// Now is the true state of the rig.
type Now struct {
	Time    float64   // s
	PoseWB  geom.Pose // of B
	VelW    r3.Vec    // m/s
	Gyro    r3.Vec    // B, rad/s
	Accel   r3.Vec    // B, m/s2
	Q       []float64 // rad
	Contact uint64    // feet that press on the ground
}

// New returns a world with r standing in neutral stance. dt is the time one
// Apply takes, seconds, and is made of whole steps of o.Step.
func New(r *rig.Rig, o mjcf.Options, dt float64) (*World, error) {
	if o.Step == 0 {
		o.Step = 0.002
	}
	w := &World{rig: r, steps: int(math.Round(dt / o.Step))}
	if w.steps < 1 || math.Abs(float64(w.steps)*o.Step-dt) > 1e-9 {
		return nil, fmt.Errorf("physics: a tick of %v s is not whole steps of %v s", dt, o.Step)
	}
	var file strings.Builder
	if err := mjcf.Write(&file, r, o); err != nil {
		return nil, err
	}
	for i := range r.Legs {
		for j := range r.Legs[i].Joints {
			if r.Legs[i].Joints[j].Mimic < 0 {
				w.drives = append(w.drives, r.Legs[i].First+j)
			}
		}
	}
	w.now.Q = make([]float64, r.Joints())
	if err := w.start(file.String()); err != nil {
		return nil, errors.Join(err, w.Close())
	}
	return w, nil
}

// start hands the model to a node process.
func (w *World) start(file string) error {
	hello, err := json.Marshal(map[string]string{"xml": file})
	if err != nil {
		return fmt.Errorf("physics: %w", err)
	}
	if w.node, err = hire(); err != nil {
		return err
	}
	answer, err := w.ask(append(hello, '\n'))
	if err != nil {
		return err
	}
	return w.greeted(answer)
}

// ask is node.ask; a process that failed is not used again.
func (w *World) ask(line []byte) ([]byte, error) {
	if w.node == nil {
		return nil, errors.New("physics: the world is closed")
	}
	answer, err := w.node.ask(line)
	w.broken = w.broken || err != nil
	return answer, err
}

// greeted compares what MuJoCo made of the model with the rig.
func (w *World) greeted(answer []byte) error {
	var got struct {
		Error                   string
		Joints, Drives, Touches int
		Mass                    float64
	}
	if err := json.Unmarshal(answer, &got); err != nil {
		return fmt.Errorf("physics: the answer %.80q: %w", answer, err)
	}
	if got.Error != "" {
		return fmt.Errorf("physics: MuJoCo: %s", got.Error)
	}
	if got.Joints != len(w.now.Q) || got.Drives != len(w.drives) || got.Touches != len(w.rig.Legs) {
		return fmt.Errorf("physics: the model has %d joints, %d drives and %d feet, the rig %d, %d and %d",
			got.Joints, got.Drives, got.Touches, len(w.now.Q), len(w.drives), len(w.rig.Legs))
	}
	if math.Abs(got.Mass-w.rig.Mass()) > 0.01*w.rig.Mass() {
		return fmt.Errorf("physics: the model weighs %v kg, the rig %v", got.Mass, w.rig.Mass())
	}
	return nil
}

// Now returns the true state. Its slice belongs to w.
func (w *World) Now() *Now { return &w.now }

// Open implements loop.Plant.
func (w *World) Open(context.Context) (rig.Caps, error) {
	return rig.Caps{Feedback: true, Contacts: true, Pose: true, SelfArm: true}, nil
}

// Enable implements loop.Plant: the actuators are always on.
func (w *World) Enable(context.Context, uint64) error { return nil }

// Observe implements loop.Plant.
func (w *World) Observe(_ context.Context, dst *rig.Observation) error {
	copy(dst.Q, w.now.Q)
	dst.Contact, dst.PoseWB, dst.Gyro, dst.Accel, dst.Samples = w.now.Contact, w.now.PoseWB, w.now.Gyro, w.now.Accel, w.ticks
	dst.TwistB = geom.Twist{V: geom.Rotate(quat.Conj(w.now.PoseWB.Q), w.now.VelW), W: w.now.Gyro}
	dst.Roll, dst.Pitch, _ = geom.RPY(w.now.PoseWB.Q)
	dst.Has = rig.HasQ | rig.HasContact | rig.HasPose | rig.HasTilt | rig.HasIMU
	return nil
}

// Apply implements loop.Plant: it advances the physics by one tick towards sp.
func (w *World) Apply(_ context.Context, sp *rig.Setpoint) error {
	w.line = strconv.AppendInt(w.line[:0], int64(w.steps), 10)
	for _, j := range w.drives {
		w.line = append(w.line, ' ')
		w.line = strconv.AppendFloat(w.line, sp.Q[j], 'g', -1, 64)
	}
	answer, err := w.ask(append(w.line, '\n'))
	if err != nil {
		return err
	}
	w.ticks++
	return w.read(answer)
}

// read takes a line of state apart.
func (w *World) read(line []byte) error {
	f := strings.Fields(string(line))
	want := 17 + len(w.rig.Legs) + len(w.now.Q)
	if len(f) != want {
		return fmt.Errorf("physics: a state of %d numbers, want %d", len(f), want)
	}
	v := make([]float64, want)
	for i := range f {
		x, err := strconv.ParseFloat(f[i], 64)
		if err != nil || x-x != 0 {
			return fmt.Errorf("physics: the state holds %q: the simulation has blown up", f[i])
		}
		v[i] = x
	}
	at := func(i int) r3.Vec { return r3.Vec{X: v[i], Y: v[i+1], Z: v[i+2]} }
	n := &w.now
	n.Time, n.VelW, n.Gyro, n.Accel = v[0], at(8), at(11), at(14)
	n.PoseWB = geom.Pose{P: at(1), Q: quat.Number{Real: v[4], Imag: v[5], Jmag: v[6], Kmag: v[7]}}
	n.Contact = 0
	for i := range w.rig.Legs {
		if v[17+i] > 0 {
			n.Contact |= 1 << i
		}
	}
	copy(n.Q, v[17+len(w.rig.Legs):])
	return nil
}

// Halt implements loop.Plant. There is nothing to switch off.
func (w *World) Halt() error { return nil }

// Close gives the process back, for the next World.
func (w *World) Close() error {
	n := w.node
	w.node = nil
	switch {
	case n == nil:
		return nil
	case w.broken:
		return n.close()
	}
	n.retire()
	return nil
}
