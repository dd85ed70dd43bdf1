package show

import (
	"strconv"

	"legctl/balance"
	"legctl/control"
	"legctl/geom"
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/gonum/spatial/r3"
)

// putFrame shows a tick: what must not be missed always, the rest when it is
// time for a sample.
func (s *Maker) putFrame(tick uint64, data []byte) error {
	if err := s.frame.UnmarshalBinary(data); err != nil {
		return err
	}
	s.log(tick)
	if tick%s.every != 0 || s.err != nil {
		return s.err
	}
	var err error
	if len(s.state) > 0 {
		s.buf, err = s.names.AppendJSON(s.buf[:0], control.TagState, s.state)
		if s.state = s.state[:0]; err != nil {
			return err
		}
		s.send(channelState, tick, s.buf)
	}
	if s.buf, err = s.names.AppendJSON(s.buf[:0], control.TagFrame, data); err != nil {
		return err
	}
	s.send(channelFrame, tick, s.buf)
	s.moving(tick)
	return s.err
}

// BodyPose returns where the body is, as far as the tick knows: as observed, else as
// intended.
func BodyPose(f *control.Frame) geom.Pose {
	if f.Obs.Has&rig.HasPose != 0 {
		return f.Obs.PoseWB
	}
	return f.Out.PoseWB
}

// Angles returns the joint angles of a tick: as measured, else as commanded.
func Angles(f *control.Frame) []float64 {
	if f.Obs.Has&rig.HasQ != 0 {
		return f.Obs.Q
	}
	return f.Out.Set.Q
}

// moving shows where everything is.
func (s *Maker) moving(tick uint64) {
	at := BodyPose(s.frame)
	if !geom.FiniteVec(at.P) || at.Q.Real-at.Q.Real != 0 {
		return // a pose nobody can draw is in the records
	}
	s.buf = s.transforms(s.buf[:0], tick, at)
	s.send(channelTransforms, tick, s.buf)
	s.sendAny(channelSupport, tick, s.support(tick))
	d := r3.Sub(at.P, s.centre)
	if s.o.Ground != nil && max(d.X, -d.X, d.Y, -d.Y) > s.half/2 {
		s.centre = at.P
		s.showGround(tick)
	}
}

// transforms appends the FrameTransforms of a tick. It writes them by hand: they
// are most of what a file holds besides the records.
func (s *Maker) transforms(dst []byte, tick uint64, base geom.Pose) []byte {
	now := s.now(tick)
	dst = append(dst, `{"transforms":[`...)
	dst = appendTransform(dst, now, `"`+World+`"`, `"`+Base+`"`, base)
	q := Angles(s.frame)
	for i := range s.o.Rig.Legs {
		l := &s.o.Rig.Legs[i]
		parent := `"` + Base + `"`
		for j := range l.Joints {
			dst = append(dst, ',')
			child := s.quoted[l.First+j]
			dst = appendTransform(dst, now, parent, child, Turn(&l.Joints[j], q[l.First+j]))
			parent = child
		}
	}
	return append(dst, `]}`...)
}

// appendTransform appends one FrameTransform; names come with their quotes.
func appendTransform(dst []byte, at Time, parent, child string, p geom.Pose) []byte {
	dst = append(dst, `{"timestamp":{"sec":`...)
	dst = strconv.AppendUint(dst, uint64(at.Sec), 10)
	dst = append(dst, `,"nsec":`...)
	dst = strconv.AppendUint(dst, uint64(at.Nsec), 10)
	dst = append(dst, `},"parent_frame_id":`...)
	dst = append(dst, parent...)
	dst = append(dst, `,"child_frame_id":`...)
	dst = append(dst, child...)
	dst = appendMembers(append(dst, `,"translation":{`...), "xyz", p.P.X, p.P.Y, p.P.Z)
	dst = appendMembers(append(dst, `},"rotation":{`...), "xyzw", p.Q.Imag, p.Q.Jmag, p.Q.Kmag, p.Q.Real)
	return append(dst, `}}`...)
}

// appendMembers appends numbers by one-letter names. Seven digits are a tenth of
// a micrometre: drawings need no more, and files are half as long.
func appendMembers(dst []byte, names string, v ...float64) []byte {
	for i := range v {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, '"', names[i], '"', ':')
		x := v[i]
		if x-x != 0 {
			x = 0 // JSON has no other word for it
		}
		dst = strconv.AppendFloat(dst, x, 'g', 7, 64)
	}
	return dst
}

// The colours of the support.
var (
	supportTint = Color{0.15, 0.7, 0.35, 1}
	comTint     = Color{0.9, 0.3, 0.2, 1}
	targetTint  = Color{0.2, 0.45, 0.95, 0.8}
)

// support returns the support polygon, the centre of mass over it, and where the
// swinging feet go.
func (s *Maker) support(tick uint64) Update {
	out := &s.frame.Out
	e := newEntity(s.now(tick), World, "support")
	size := 0.05 * s.o.Rig.L()
	var feet []r3.Vec
	var stands []bool
	for i := range out.Legs {
		l := &out.Legs[i]
		feet, stands = append(feet, l.Foot), append(stands, l.Stance)
		if !l.Stance && geom.FiniteVec(l.Target) {
			e.Spheres = append(e.Spheres, ball(l.Target, size, targetTint))
		}
	}
	hull := balance.Support(nil, feet, stands)
	if len(hull) > 0 && len(hull) <= len(feet) {
		e.Lines = append(e.Lines, outline(hull, feet, size/3))
	}
	if geom.FiniteVec(out.CoMW) {
		e.Spheres = append(e.Spheres, ball(out.CoMW, size, comTint))
	}
	return Update{Deletions: []Deletion{}, Entities: []Entity{e}}
}

// outline draws a polygon at the heights of the feet in its corners.
func outline(hull []r2.Vec, feet []r3.Vec, thickness float64) Line {
	l := Line{Type: 1, Pose: still, Thickness: thickness, Points: []Vector{}, Color: supportTint, Colors: []Color{}, Indices: []uint32{}}
	for _, p := range hull {
		z := 0.0
		for _, f := range feet {
			if f.X == p.X && f.Y == p.Y {
				z = f.Z
			}
		}
		l.Points = append(l.Points, Vector{p.X, p.Y, z})
	}
	return l
}
