package clip

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"

	"legctl/geom"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// robotFile is a joint clip of a quadruped as motion imitation for the A1 and
// Laikago uses it.
type robotFile struct {
	LoopMode                  string
	FrameDuration             float64
	EnableCycleOffsetPosition bool
	EnableCycleOffsetRotation bool
	MotionWeight              float64
	Frames                    [][]float64
}

// robotValues is a frame: place x y z, turn x y z w, three angles a leg.
const robotValues = 7 + 4*3

// robotLegs are the legs in the order of the file; hip, thigh, calf each.
var robotLegs = [4]string{"rf", "lf", "rr", "lr"}

// The body plan the angles are shown on: that of the A1. The file has none.
const (
	robotFore  = 0.1805 // of the hips from the middle, metres
	robotSide  = 0.047
	robotCoxa  = 0.0838
	robotThigh = 0.2
)

// lyingAxes is how the files hold the body: its own axes are left, up, forward.
var lyingAxes = quat.Number{Real: .5, Imag: .5, Jmag: .5, Kmag: .5}

// readRobot reads a joint clip. Its angles are shown on the skeleton of an A1:
// what moves is the body's place and turn and, per leg, hip, thigh and calf.
func readRobot(name string, data []byte, o Options) (*Clip, error) {
	var f robotFile
	d := json.NewDecoder(bytes.NewReader(data))
	if err := d.Decode(&f); err != nil {
		return nil, fmt.Errorf("joint clip: %w", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, fmt.Errorf("joint clip: more text after its end, at byte %d", d.InputOffset())
	}
	if !(f.FrameDuration > 0 && f.FrameDuration < MaxTime) || len(f.Frames) == 0 {
		return nil, fmt.Errorf("joint clip: %d frames of %v s, want at least 1 frame and a FrameDuration > 0", len(f.Frames), f.FrameDuration)
	}
	for i, row := range f.Frames {
		if len(row) != robotValues {
			return nil, fmt.Errorf("joint clip: frame %d has %d numbers, want %d: place, turn, 12 angles", i, len(row), robotValues)
		}
		for j, x := range row {
			if !(math.Abs(x) < largest) {
				return nil, fmt.Errorf("joint clip: number %d of frame %d is %v, want a finite one", j, i, x)
			}
		}
	}
	c := &Clip{Name: name, Format: "a1", Bones: robotBones()}
	f.tracks(c, o.Scale)
	return c, nil
}

// robotBones returns the skeleton: body, then hip, thigh, calf, foot a leg.
func robotBones() []Bone {
	at := func(x, y, z float64) Local {
		l := Still()
		l.Move = r3.Vec{X: x, Y: y, Z: z}
		return l
	}
	bones := []Bone{{Name: "body", Parent: -1, Rest: Still()}}
	for i, leg := range robotLegs {
		fore, side := robotFore, 1.0
		if i >= 2 {
			fore = -robotFore
		}
		if leg[0] == 'r' {
			side = -1
		}
		n := len(bones)
		bones = append(bones,
			Bone{Name: leg + ".hip", Parent: 0, Rest: at(fore, side*robotSide, 0)},
			Bone{Name: leg + ".thigh", Parent: n, Rest: at(0, side*robotCoxa, 0)},
			Bone{Name: leg + ".calf", Parent: n + 1, Rest: at(0, 0, -robotThigh)},
			Bone{Name: leg + ".foot", Parent: n + 2, Rest: at(0, 0, -robotThigh)})
	}
	return bones
}

func (f *robotFile) tracks(c *Clip, scale float64) {
	n := len(f.Frames)
	times := make([]float64, n)
	move, turn := Track{Part: Move, Times: times}, Track{Part: Turn, Times: times}
	axes := lyingAxes
	if r := f.Frames[0]; geom.Tilt(geom.Unit(fileTurn(r))) < geom.Tilt(geom.Unit(quat.Mul(fileTurn(r), quat.Conj(axes)))) {
		axes = quat.Number{Real: 1} // this one's body is x forward, z up already
	}
	for i, r := range f.Frames {
		times[i] = float64(i) * f.FrameDuration
		move.Vecs = append(move.Vecs, r3.Scale(scale, r3.Vec{X: r[0], Y: r[1], Z: r[2]}))
		turn.Turns = append(turn.Turns, quat.Mul(fileTurn(r), quat.Conj(axes)))
	}
	c.Tracks = append(c.Tracks, move, turn)
	for leg := range robotLegs {
		for j := range 3 {
			axis := r3.Vec{Y: 1}
			if j == 0 {
				axis = r3.Vec{X: 1}
			}
			k := Track{Bone: 1 + 4*leg + j, Part: Turn, Times: times}
			for _, r := range f.Frames {
				k.Turns = append(k.Turns, geom.AxisAngle(axis, r[7+3*leg+j]))
			}
			c.Tracks = append(c.Tracks, k)
		}
	}
}

func fileTurn(r []float64) quat.Number {
	return quat.Number{Real: r[6], Imag: r[3], Jmag: r[4], Kmag: r[5]}
}
