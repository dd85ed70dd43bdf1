package configs

import (
	"strings"
	"time"

	"github.com/goccy/go-yaml/ast"
)

// scriptFile is the form of configs/scripts/*.yaml.
type scriptFile struct {
	placed
	Name  val[string] `key:"script" doc:"name of the script"`
	About val[string] `key:"about" doc:"one line for lists"`
	Steps []stepFile  `key:"commands" need:"yes" doc:"timed commands and world events"`
}

// stepFile is one timed entry; besides at and for it says exactly one thing.
// Keys and units are those of the MQTT commands: SI and radians.
type stepFile struct {
	placed
	At     val[spanForm] `key:"at" need:"yes" doc:"when: seconds, or text such as 2s, 1m30s"`
	For    val[spanForm] `key:"for" default:"until the next twist, goto or stop" doc:"twist: how long it lasts"`
	Twist  *twistFile    `key:"twist" doc:"velocity in B"`
	Goto   *gotoFile     `key:"goto" doc:"goal in W"`
	Style  *styleOrder   `key:"style" doc:"weights of the motions of the rig's clips"`
	Stop   val[bool]     `key:"stop" doc:"true: twist zero and goal dropped"`
	Gait   val[string]   `key:"gait" doc:"gait by name"`
	Pose   *poseFile     `key:"pose" doc:"offset of the body from its levelled pose"`
	Height val[float64]  `key:"height" in:"[0, 100]" doc:"height of the body over the ground, metres; 0 = the rig's own"`
	Leg    *switchFile   `key:"leg" doc:"a leg on or off"`
	Mode   val[string]   `key:"mode" choices:"arm|disarm|rise|sit|pack|estop|clear|gait|clips" doc:"an order to the mode machine, or who moves the rig"`
	Push   []float64     `key:"push" in:"[-1000, 1000]" doc:"world event: change of the body's velocity, W, [x, y, z] in m/s"`
	Spin   []float64     `key:"spin" in:"[-1000, 1000]" doc:"world event: change of the body's rotation, W, [x, y, z] in rad/s"`
	Remove val[int]      `key:"remove" in:"[0, 1e9]" doc:"world event: number of the block taken away"`
	Freeze *faultFile    `key:"freeze" doc:"world event: joints hold their angle"`
	Slow   *faultFile    `key:"slow" doc:"world event: joints move at a share of their speed"`
}

// twistFile is a velocity in B.
type twistFile struct {
	placed
	Vx val[float64] `key:"vx" in:"[-100, 100]" default:"0" doc:"forward, m/s"`
	Vy val[float64] `key:"vy" in:"[-100, 100]" default:"0" doc:"left, m/s"`
	Wz val[float64] `key:"wz" in:"[-100, 100]" default:"0" doc:"counter-clockwise, rad/s"`
}

// gotoFile is a goal in W.
type gotoFile struct {
	placed
	X  val[float64] `key:"x" in:"[-1e5, 1e5]" need:"yes" doc:"metres"`
	Y  val[float64] `key:"y" in:"[-1e5, 1e5]" need:"yes" doc:"metres"`
	By val[string]  `key:"by" choices:"gait|clips" default:"as it is" doc:"who takes the rig there, from now on"`
}

// styleOrder says how clips are mixed.
type styleOrder struct {
	placed
	Weights []shareFile   `key:"weights" need:"yes" doc:"motions and their shares; what is not named is 0"`
	Over    val[spanForm] `key:"over" default:"as fast as the clips allow" doc:"how long the change takes"`
}

// shareFile is the share of one motion.
type shareFile struct {
	placed
	Motion val[string]  `key:"motion" need:"yes" doc:"by name"`
	Share  val[float64] `key:"share" in:"[0, 1]" need:"yes" doc:"of it"`
}

// poseFile is an offset of the body.
type poseFile struct {
	placed
	X     val[float64] `key:"x" in:"[-100, 100]" default:"0" doc:"metres"`
	Y     val[float64] `key:"y" in:"[-100, 100]" default:"0" doc:"metres"`
	Z     val[float64] `key:"z" in:"[-100, 100]" default:"0" doc:"metres"`
	Roll  val[float64] `key:"roll" unit:"rad" in:"[-1.5708, 1.5708]" default:"0" doc:"about x"`
	Pitch val[float64] `key:"pitch" unit:"rad" in:"[-1.5708, 1.5708]" default:"0" doc:"about y, positive nose down"`
	Yaw   val[float64] `key:"yaw" unit:"rad" in:"[-1.5708, 1.5708]" default:"0" doc:"about z"`
}

// switchFile switches a leg.
type switchFile struct {
	placed
	Name val[string] `key:"name" need:"yes" doc:"leg by name"`
	On   val[bool]   `key:"on" need:"yes" doc:"false: the leg is not used"`
}

// faultFile is a servo fault.
type faultFile struct {
	placed
	Leg   val[string]  `key:"leg" default:"all legs" doc:"leg by name"`
	Joint val[int]     `key:"joint" in:"[0, 11]" default:"all joints" doc:"index of the joint in the leg"`
	Value val[float64] `key:"value" in:"[0, 10]" default:"freeze: 1; slow: 0.5" doc:"freeze: 0 frees them again; slow: times their speed"`
}

// spanForm is a time in seconds, written as a number or as text with its unit.
type spanForm struct{ s float64 }

func (s *spanForm) decode(d *decoder, n ast.Node, p pos, _ float64) {
	v, ok := plainNumber(n)
	if t, text := n.(*ast.StringNode); text {
		if span, err := time.ParseDuration(strings.TrimSpace(t.Value)); err == nil {
			v, ok = span.Seconds(), true
		}
	}
	switch {
	case !ok:
		d.add(p, "%s, want seconds or text such as 2s or 1m30s", kind(n))
	case v < 0 || v > 1e6:
		d.add(p, "%.6g s is outside [0, 1e6] s", v)
	default:
		s.s = v
	}
}
