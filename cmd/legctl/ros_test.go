package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// rosNode is the ROS bridge of examples on a stand-in for ROS.
type rosNode struct {
	cmdVel io.WriteCloser
	cmd    *exec.Cmd
	mu     sync.Mutex
	last   map[string]rosMessage // by topic
	count  map[string]int
	said   lockedBuffer
}

// rosMessage is what the tests read of the node's messages.
type rosMessage struct {
	Header struct {
		FrameID string `json:"frame_id"`
	}
	Child     string `json:"child_frame_id"`
	Name      []string
	Position  []float64
	Transform struct{ Translation, Rotation xyzw }
	Pose      struct {
		Pose struct{ Position, Orientation xyzw }
	}
	Twist struct {
		Twist struct{ Linear, Angular xyzw }
	}
}

type xyzw struct{ X, Y, Z, W float64 }

// pythonWithMQTT finds a Python that has paho's client, or skips.
func pythonWithMQTT(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(name, "-c", "import paho.mqtt.client").Run() == nil {
			return name
		}
	}
	t.Skip("python3 with paho-mqtt is not installed (make test installs it)")
	return ""
}

// startROS starts the node at the broker of a simulation.
func startROS(t *testing.T, python string, l *live, more ...string) *rosNode {
	t.Helper()
	n := &rosNode{last: map[string]rosMessage{}, count: map[string]int{}}
	args := []string{filepath.Join("testdata", "ros", "node.py"), filepath.Join("..", "..", "examples", "ros2", "legctl_bridge.py"), "rig=" + l.rig, "port=" + l.port}
	n.cmd = exec.Command(python, append(args, more...)...)
	n.cmd.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1")
	n.cmd.Stderr = &n.said
	var err error
	if n.cmdVel, err = n.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	pipe, err := n.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := n.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for in := bufio.NewScanner(pipe); in.Scan(); {
			n.take(in.Bytes())
		}
	}()
	t.Cleanup(func() { _ = n.cmd.Process.Kill(); <-done; _ = n.cmd.Wait() })
	return n
}

func (n *rosNode) take(line []byte) {
	var m struct {
		Topic string
		Msg   json.RawMessage
	}
	if json.Unmarshal(line, &m) != nil {
		return
	}
	var msg rosMessage
	if m.Topic != "log" && json.Unmarshal(m.Msg, &msg) != nil {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.last[m.Topic] = msg
	n.count[m.Topic]++
}

// of returns the newest message of a topic, and how many came.
func (n *rosNode) of(topic string) (rosMessage, int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.last[topic], n.count[topic]
}

// TestROSNode: the node of the example, on a stand-in for ROS and a real MQTT
// client, steers a simulation and tells where it is.
func TestROSNode(t *testing.T) {
	if testing.Short() {
		t.Skip("walks in real time")
	}
	mosquittoTool(t, "mosquitto_pub")
	python := pythonWithMQTT(t)
	l := startLive(t, "phantomx", "--terrain", "flat", "--no-web")
	start := l.stand()
	n := startROS(t, python, l, "lease=ros")
	defer func() {
		if t.Failed() {
			t.Log(n.said.String())
		}
	}()
	l.until("the lease", func() bool { return l.heard("lease", `"ros"`) })
	l.until("odometry", func() bool { _, k := n.of("odom"); return k > 0 })
	if r := l.ask("twist", `{"vx":0.1}`); r.Accepted {
		t.Error("somebody else steers while the node holds the lease")
	}
	l.until("walk by /cmd_vel", func() bool {
		if _, err := fmt.Fprintln(n.cmdVel, "0.1 0 0.2"); err != nil {
			t.Fatal(err)
		}
		time.Sleep(50 * time.Millisecond) // the beat of the one who steers
		o, _ := n.of("odom")
		return o.Pose.Pose.Position.X-start.Observed.Pose.X > 0.1 && o.Twist.Twist.Linear.X > 0.02 && o.Twist.Twist.Angular.Z > 0.05
	})
	end := l.stand() // /cmd_vel is silent
	l.until("the pose at rest", func() bool {
		o, _ := n.of("odom")
		p, q := o.Pose.Pose.Position, o.Pose.Pose.Orientation
		return math.Hypot(p.X-end.Observed.Pose.X, p.Y-end.Observed.Pose.Y) < 2e-3 && math.Abs(2*math.Atan2(q.Z, q.W)-end.Observed.Pose.Yaw) < 0.02
	})
	o, _ := n.of("odom")
	if o.Header.FrameID != "odom" || o.Child != "base_link" {
		t.Errorf("odometry of %q in %q", o.Child, o.Header.FrameID)
	}
	tf, k := n.of("tf")
	if k == 0 || tf.Header.FrameID != "odom" || tf.Child != "base_link" || math.Abs(tf.Transform.Translation.X-o.Pose.Pose.Position.X) > 2e-3 || math.Abs(tf.Transform.Rotation.W-o.Pose.Pose.Orientation.W) > 2e-3 {
		t.Errorf("/tf %+v beside %+v", tf, o)
	}
	if j, _ := n.of("joint_states"); len(j.Name) != 18 || len(j.Position) != 18 {
		t.Errorf("%d joints, %d angles", len(j.Name), len(j.Position))
	}
	if err := n.cmdVel.Close(); err != nil {
		t.Fatal(err)
	}
	l.until("the lease is given back", func() bool { return l.heard("event", `"lease_released"`) })
}
