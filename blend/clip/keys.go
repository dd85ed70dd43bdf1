package clip

import (
	"fmt"

	"legctl/geom"

	"gonum.org/v1/gonum/spatial/r3"
)

// Keys is a clip as a person writes it: a few poses of the body and the feet.
// Everything is relative to the root, a point on the ground under the body
// that travels and turns with it.
type Keys struct {
	Name   string
	Legs   []string // names; the feet of every pose are in this order
	Hips   []r3.Vec // of the legs, in the body's frame, metres
	Poses  []KeyPose
	Length float64 // seconds; a loop goes back to the first pose by then. 0: it ends with the last pose
	Cycles int     // declared: 0 is not said
}

// KeyPose is one pose of Keys.
type KeyPose struct {
	At     float64   // seconds
	Root   geom.Pose // on the ground in W; only place and heading are used
	Body   geom.Pose // of the body, relative to the root
	Feet   []r3.Vec  // of the legs, relative to the root, metres
	Ground []bool    // which feet stand from this pose on
}

// FromKeys returns key poses as a clip: bones root, body and, a leg, its hip
// (name.hip) and foot (name.foot). Poses are joined by splines without bumps
// for the body and straight lines for everything that touches the ground. A
// loop must have a length beyond its last pose. Errors name the pose.
func FromKeys(k Keys) (*Clip, error) {
	if err := k.check(); err != nil {
		return nil, err
	}
	poses := k.Poses
	if k.Length > 0 { // the loop closes: the first pose again, further on
		last := k.closing()
		poses = append(poses[:len(poses):len(poses)], last)
	}
	c := &Clip{Name: k.Name, Format: "keys", Cycles: k.Cycles}
	rest := func(v r3.Vec) Local {
		l := Still()
		l.Move = v
		return l
	}
	c.Bones = append(c.Bones, Bone{Name: "root", Parent: -1, Rest: Still()}, Bone{Name: "body", Parent: 0, Rest: rest(poses[0].Body.P)})
	for i, leg := range k.Legs {
		c.Bones = append(c.Bones, Bone{Name: leg + ".hip", Parent: 1, Rest: rest(k.Hips[i])},
			Bone{Name: leg + ".foot", Parent: 0, Rest: rest(poses[0].Feet[i])})
	}
	k.tracks(c, poses)
	return c, c.Validate()
}

func (k *Keys) check() error {
	if len(k.Legs) == 0 || len(k.Hips) != len(k.Legs) || len(k.Poses) == 0 {
		return fmt.Errorf("clip: key poses %q: %d legs, %d hips, %d poses, want at least one leg and pose and a hip a leg", k.Name, len(k.Legs), len(k.Hips), len(k.Poses))
	}
	for i, p := range k.Poses {
		if len(p.Feet) != len(k.Legs) || len(p.Ground) != len(k.Legs) {
			return fmt.Errorf("clip: key poses %q: pose %d has %d feet and %d contacts, want %d, one a leg", k.Name, i, len(p.Feet), len(p.Ground), len(k.Legs))
		}
		if i > 0 && !(p.At > k.Poses[i-1].At) {
			return fmt.Errorf("clip: key poses %q: pose %d at %v s after one at %v s, want ascending times", k.Name, i, p.At, k.Poses[i-1].At)
		}
	}
	if last := k.Poses[len(k.Poses)-1].At; k.Length != 0 && !(k.Length > last) {
		return fmt.Errorf("clip: key poses %q: a loop of %v s with a pose at %v s, want it longer", k.Name, k.Length, last)
	}
	return nil
}

// closing is the first pose again at the end of the loop. Where the root is by
// then follows from its mean speed so far.
func (k *Keys) closing() KeyPose {
	first, last := k.Poses[0], k.Poses[len(k.Poses)-1]
	end := first
	end.At = first.At + k.Length
	if part := last.At - first.At; part > 0 {
		f := k.Length / part
		end.Root.P = r3.Add(first.Root.P, r3.Scale(f, r3.Sub(last.Root.P, first.Root.P)))
		turn := geom.WrapAngle(geom.Yaw(last.Root.Q) - geom.Yaw(first.Root.Q))
		end.Root.Q = geom.FromRPY(0, 0, geom.Yaw(first.Root.Q)+f*turn)
	}
	return end
}

func (k *Keys) tracks(c *Clip, poses []KeyPose) {
	n := len(poses)
	times := make([]float64, n)
	rootAt, rootTurn := Track{Bone: 0, Part: Move, Times: times}, Track{Bone: 0, Part: Turn, Times: times}
	bodyAt, bodyTurn := Track{Bone: 1, Part: Move, Times: times}, Track{Bone: 1, Part: Turn, Times: times}
	for i, p := range poses {
		times[i] = p.At
		rootAt.Vecs = append(rootAt.Vecs, p.Root.P)
		rootTurn.Turns = append(rootTurn.Turns, p.Root.Q)
		bodyAt.Vecs = append(bodyAt.Vecs, p.Body.P)
		bodyTurn.Turns = append(bodyTurn.Turns, p.Body.Q)
	}
	if n > 2 {
		bodyAt.smooth(k.Length > 0)
	}
	c.Tracks = append(c.Tracks, rootAt, rootTurn, bodyAt, bodyTurn)
	for leg, name := range k.Legs {
		foot := Track{Bone: 3 + 2*leg, Part: Move, Times: times}
		down := Contact{Foot: name}
		for i, p := range poses {
			foot.Vecs = append(foot.Vecs, p.Feet[leg])
			if !p.Ground[leg] || i == n-1 {
				continue
			}
			if d := len(down.Down); d > 0 && down.Down[d-1][1] == p.At {
				down.Down[d-1][1] = poses[i+1].At
			} else {
				down.Down = append(down.Down, [2]float64{p.At, poses[i+1].At})
			}
		}
		c.Tracks = append(c.Tracks, foot)
		c.Contacts = append(c.Contacts, down)
	}
}

// smooth makes a track a spline through its keys that runs level wherever they
// turn back, so that it never leaves the range of its neighbours (Fritsch and
// Carlson 1980, by component). A loop runs through its ends.
func (t *Track) smooth(loop bool) {
	n := len(t.Times)
	slope := func(i int) r3.Vec {
		return r3.Scale(1/(t.Times[i+1]-t.Times[i]), r3.Sub(t.Vecs[i+1], t.Vecs[i]))
	}
	out := make([]r3.Vec, 0, 3*n)
	for i := range n {
		var m r3.Vec
		switch {
		case i > 0 && i < n-1:
			m = between(slope(i-1), slope(i))
		case loop:
			m = between(slope(n-2), slope(0))
		}
		out = append(out, m, t.Vecs[i], m)
	}
	t.How, t.Vecs = Cubic, out
}

// between is the harmonic mean of two slopes, 0 where they differ in sign.
func between(a, b r3.Vec) r3.Vec {
	h := func(x, y float64) float64 {
		if x*y <= 0 {
			return 0
		}
		return 2 * x * y / (x + y)
	}
	return r3.Vec{X: h(a.X, b.X), Y: h(a.Y, b.Y), Z: h(a.Z, b.Z)}
}
