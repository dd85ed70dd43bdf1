package space

import (
	"bytes"
	"encoding/json"
	"fmt"

	"legctl/blend"
	"legctl/geom"
	"legctl/rig"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// Version is that of the files Encode writes; others are refused.
const Version = 1

// MaxFile is the largest file Decode reads, bytes.
const MaxFile = 64 << 20

// fileOf is a built space or a set of loops as a file: JSON, so that it can be
// read anywhere, with all numbers as they are.
type fileOf struct {
	Legctl  string       `json:"legctl"` // "space" or "clips"
	Version int          `json:"version"`
	Name    string       `json:"name,omitempty"`
	Rig     string       `json:"rig,omitempty"`
	Legs    []string     `json:"legs"`
	Length  float64      `json:"leg_m"`
	Body    float64      `json:"body_m,omitempty"`
	Rate    float64      `json:"rate,omitempty"`
	Advance uint8        `json:"advance,omitempty"`
	Ref     int          `json:"ref,omitempty"`
	Motions []motionFile `json:"motions,omitempty"`
	Loops   []loopFile   `json:"loops"`
	Notes   []string     `json:"notes,omitempty"`
}

type motionFile struct {
	Name   string     `json:"name"`
	Ref    int        `json:"ref"`
	Group  int        `json:"group,omitempty"`
	Link   uint8      `json:"link,omitempty"`
	Radius float64    `json:"radius_m"`
	Cross  warpFile   `json:"cross"`
	Clips  []clipFile `json:"clips"`
	Goals  *Goals     `json:"goals,omitempty"`
}

type clipFile struct {
	Loop   int      `json:"loop"`
	Value  float64  `json:"value"`
	Curve  warpFile `json:"curve"`
	Direct warpFile `json:"direct"`
}

type warpFile struct {
	X []float64 `json:"x,omitempty"`
	Y []float64 `json:"y,omitempty"`
}

// loopFile is a loop; a frame is root (forward, left, up, yaw), body (place,
// turn as w x y z), then a foot's place each.
type loopFile struct {
	Name     string         `json:"name"`
	Period   float64        `json:"period_s"`
	Cycles   int            `json:"cycles"`
	Class    uint8          `json:"class"`
	Playback bool           `json:"playback,omitempty"`
	Stances  [][][2]float64 `json:"stances"`
	Frames   [][]float64    `json:"frames"`
}

// frameNumbers are the numbers of a frame before its feet.
const frameNumbers = 4 + 7

func loopToFile(l *Loop) loopFile {
	f := loopFile{Name: l.Name, Period: l.Period, Cycles: l.Cycles, Class: uint8(l.Class), Playback: l.Playback}
	for _, s := range l.Stances {
		row := [][2]float64{}
		for _, x := range s {
			row = append(row, [2]float64{x.Touch, x.Duty})
		}
		f.Stances = append(f.Stances, row)
	}
	for k := range l.Frames {
		p := &l.Frames[k]
		row := []float64{p.Root.Move.X, p.Root.Move.Y, p.Root.Move.Z, p.Root.Yaw, p.Body.P.X, p.Body.P.Y, p.Body.P.Z, p.Body.Q.Real, p.Body.Q.Imag, p.Body.Q.Jmag, p.Body.Q.Kmag}
		for _, v := range p.Feet {
			row = append(row, v.X, v.Y, v.Z)
		}
		f.Frames = append(f.Frames, row)
	}
	return f
}

func (f *loopFile) loop() (*Loop, error) {
	l := &Loop{Name: f.Name, Period: f.Period, Cycles: f.Cycles, Class: rig.Class(f.Class), Playback: f.Playback}
	feet := len(f.Stances)
	if feet == 0 || feet > MaxFeet || len(f.Frames) < 3 || len(f.Frames) > MaxFrames+1 {
		return nil, fmt.Errorf("space: loop %q of %d feet and %d frames, want 1 to %d and 3 to %d", f.Name, feet, len(f.Frames), MaxFeet, MaxFrames+1)
	}
	for _, s := range f.Stances {
		var row []Stance
		for _, x := range s {
			row = append(row, Stance{x[0], x[1]})
		}
		l.Stances = append(l.Stances, row)
	}
	l.Frames = blend.NewPoses(blend.Shape{Feet: feet}, len(f.Frames))
	for k, row := range f.Frames {
		if len(row) != frameNumbers+3*feet {
			return nil, fmt.Errorf("space: loop %q: frame %d has %d numbers, want %d", f.Name, k, len(row), frameNumbers+3*feet)
		}
		p := &l.Frames[k]
		p.Root = blend.RootMotion{Move: r3.Vec{X: row[0], Y: row[1], Z: row[2]}, Yaw: row[3]}
		p.Body = geom.Pose{P: r3.Vec{X: row[4], Y: row[5], Z: row[6]}, Q: quat.Number{Real: row[7], Imag: row[8], Jmag: row[9], Kmag: row[10]}}
		for i := range p.Feet {
			v := row[frameNumbers+3*i:]
			p.Feet[i] = r3.Vec{X: v[0], Y: v[1], Z: v[2]}
		}
	}
	if err := l.Validate(); err != nil {
		return nil, err
	}
	n := l.Intervals()
	for k := range l.Frames {
		for i := range l.Stances {
			if l.Down(i, (float64(k%n)+0.5)/float64(n)) {
				l.Frames[k].Ground[i] = 1
			}
		}
	}
	return l, nil
}

// Encode returns a validated space as a file.
func Encode(s *Space) ([]byte, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	f := fileOf{Legctl: "space", Version: Version, Name: s.Name, Legs: s.Legs, Length: s.Length, Body: s.Body, Rate: s.Rate, Advance: uint8(s.Advance), Ref: s.Ref, Notes: s.Notes}
	for i := range s.Motions {
		m := &s.Motions[i]
		out := motionFile{Name: m.Name, Ref: m.Ref, Group: m.Group, Link: uint8(m.Link), Radius: m.Radius, Cross: warpFile(m.Cross), Goals: m.Goals}
		for _, c := range m.Clips {
			out.Clips = append(out.Clips, clipFile{Loop: len(f.Loops), Value: c.Value, Curve: warpFile(c.Curve), Direct: warpFile(c.Direct)})
			f.Loops = append(f.Loops, loopToFile(c.Loop))
		}
		f.Motions = append(f.Motions, out)
	}
	return marshal(&f)
}

// EncodeLoops returns loops of one rig as a file of clips.
func EncodeLoops(rigName string, legs []string, length float64, loops []*Loop) ([]byte, error) {
	f := fileOf{Legctl: "clips", Version: Version, Rig: rigName, Legs: legs, Length: length}
	for _, l := range loops {
		if err := l.Validate(); err != nil {
			return nil, err
		}
		f.Loops = append(f.Loops, loopToFile(l))
	}
	return marshal(&f)
}

func marshal(f *fileOf) ([]byte, error) {
	data, err := json.Marshal(f)
	if err != nil {
		return nil, fmt.Errorf("space: %w", err)
	}
	return append(data, '\n'), nil
}

// unmarshal reads a file of one kind.
func unmarshal(data []byte, kind string) (*fileOf, error) {
	if len(data) > MaxFile {
		return nil, fmt.Errorf("space: file of %d bytes, want at most %d", len(data), MaxFile)
	}
	f := new(fileOf)
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(f); err != nil {
		return nil, fmt.Errorf("space: no file of a %s: %w", kind, err)
	}
	if rest := bytes.TrimSpace(data[d.InputOffset():]); len(rest) > 0 {
		return nil, fmt.Errorf("space: more text after the end, at byte %d", d.InputOffset())
	}
	if f.Legctl != kind || f.Version != Version {
		return nil, fmt.Errorf("space: a file of %q, version %d, want %q, version %d: build it anew", f.Legctl, f.Version, kind, Version)
	}
	if len(f.Loops) == 0 || len(f.Loops) > MaxMotions*MaxClips {
		return nil, fmt.Errorf("space: file with %d loops, want 1 to %d", len(f.Loops), MaxMotions*MaxClips)
	}
	return f, nil
}

// Decode reads what Encode wrote and makes it ready to play. Anything else,
// cut short, of another version or with a number out of bounds, is refused.
func Decode(data []byte) (*Space, error) {
	f, err := unmarshal(data, "space")
	if err != nil {
		return nil, err
	}
	s := &Space{Name: f.Name, Legs: f.Legs, Length: f.Length, Body: f.Body, Rate: f.Rate, Advance: blend.Advance(f.Advance), Ref: f.Ref, Notes: f.Notes}
	for i := range f.Motions {
		k := &f.Motions[i]
		m := Motion{Name: k.Name, Ref: k.Ref, Group: k.Group, Link: Link(k.Link), Radius: k.Radius, Cross: Warp(k.Cross), Goals: k.Goals}
		for _, c := range k.Clips {
			if c.Loop < 0 || c.Loop >= len(f.Loops) {
				return nil, fmt.Errorf("space: motion %q plays loop %d of %d", k.Name, c.Loop, len(f.Loops))
			}
			l, err := f.Loops[c.Loop].loop()
			if err != nil {
				return nil, err
			}
			m.Clips = append(m.Clips, Clip{Loop: l, Value: c.Value, Curve: Warp(c.Curve), Direct: Warp(c.Direct)})
		}
		s.Motions = append(s.Motions, m)
	}
	return s, s.Validate()
}

// DecodeLoops reads what EncodeLoops wrote: the loops, and the legs they are
// for.
func DecodeLoops(data []byte) (loops []*Loop, rigName string, legs []string, err error) {
	f, err := unmarshal(data, "clips")
	if err != nil {
		return nil, "", nil, err
	}
	for i := range f.Loops {
		l, err := f.Loops[i].loop()
		if err != nil {
			return nil, "", nil, err
		}
		if l.Feet() != len(f.Legs) {
			return nil, "", nil, fmt.Errorf("space: loop %q of %d feet for %d legs", l.Name, l.Feet(), len(f.Legs))
		}
		loops = append(loops, l)
	}
	return loops, f.Rig, f.Legs, nil
}
