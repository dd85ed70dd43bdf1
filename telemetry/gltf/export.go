package gltf

import (
	"errors"
	"fmt"
	"image/color"
	"io"

	"legctl/control"
	"legctl/geom"
	"legctl/record"
	"legctl/rig"
	"legctl/telemetry/show"

	"github.com/qmuntal/gltf"
	"github.com/qmuntal/gltf/modeler"
	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// Options say what an animation shows. Rig is needed.
type Options struct {
	Rig    *rig.Rig
	Ground show.Ground // nil: not drawn
	Rate   float64     // keyframes a second of the run; 0: 30
	Text   bool        // a text file with everything inside, else a binary one
}

// Exported says what an animation holds.
type Exported struct {
	Keys    int     // keyframes
	Seconds float64 // from the first to the last
	Cut     *record.CutError
}

// film is what is kept of a run: the poses at the keyframes.
type film struct {
	o      Options
	first  uint64
	times  []float32
	places [][3]float32
	turns  [][4]float32   // of base
	joints [][][4]float32 // by joint
	lo, hi r3.Vec         // where the body was
	events []event
	quats  []quat.Number // the last, so that signs do not flip
}

// event is a world event at a time.
type event struct {
	at   float32
	data []byte
}

// Export reads a recording and writes the animation of it. A recording that is
// cut is shown up to its cut; ticks without a pose that can be drawn are left
// out.
func Export(to io.Writer, from *record.Reader, o Options) (Exported, error) {
	if o.Rate <= 0 {
		o.Rate = 30
	}
	f := &film{o: o, joints: make([][][4]float32, o.Rig.Joints()), quats: make([]quat.Number, o.Rig.Joints()+1)}
	var done Exported
	if err := f.read(from, &done); err != nil {
		return done, err
	}
	if done.Keys = len(f.times); done.Keys == 0 {
		return done, errors.New("gltf: the recording has no tick that can be drawn")
	}
	done.Seconds = float64(f.times[done.Keys-1])
	b := &builder{doc: gltf.NewDocument(), tints: map[color.RGBA]int{}}
	b.doc.Asset.Generator = "legctl"
	f.build(b)
	e := gltf.NewEncoder(to)
	e.AsBinary = !o.Text
	if o.Text {
		for _, x := range b.doc.Buffers {
			x.EmbeddedResource()
		}
	}
	if err := e.Encode(b.doc); err != nil {
		return done, fmt.Errorf("gltf: %w", err)
	}
	return done, nil
}

// read collects keyframes and events.
func (f *film) read(from *record.Reader, done *Exported) error {
	dt := from.Header().Dt
	every := max(1, uint64(1/(f.o.Rate*dt)+0.5))
	frame := control.NewFrame(f.o.Rig)
	begun := false
	for {
		rec, err := from.Next()
		if errors.Is(err, io.EOF) || errors.As(err, &done.Cut) {
			return nil
		}
		if err != nil {
			return err
		}
		if rec.Tag == control.TagFrame && !begun {
			f.first, begun = rec.Tick, true
		}
		at := float32(float64(rec.Tick-min(rec.Tick, f.first)) * dt)
		switch {
		case rec.Tag == control.TagEvent:
			f.events = append(f.events, event{at, append([]byte(nil), rec.Data...)})
		case rec.Tag == control.TagFrame && (rec.Tick-f.first)%every == 0:
			if err := frame.UnmarshalBinary(rec.Data); err != nil {
				return err
			}
			f.key(at, frame)
		}
	}
}

// key keeps the pose of a tick.
func (f *film) key(at float32, frame *control.Frame) {
	p, q := show.BodyPose(frame), show.Angles(frame)
	if !geom.FiniteVec(p.P) || !(quat.Abs(p.Q) > 0.5) {
		return
	}
	if len(f.times) == 0 {
		f.lo, f.hi = p.P, p.P
	}
	f.lo = r3.Vec{X: min(f.lo.X, p.P.X), Y: min(f.lo.Y, p.P.Y), Z: min(f.lo.Z, p.P.Z)}
	f.hi = r3.Vec{X: max(f.hi.X, p.P.X), Y: max(f.hi.Y, p.P.Y), Z: max(f.hi.Z, p.P.Z)}
	f.times = append(f.times, at)
	f.places = append(f.places, up(p.P))
	f.turns = append(f.turns, turnUp(f.near(len(f.joints), p.Q)))
	for i := range f.o.Rig.Legs {
		l := &f.o.Rig.Legs[i]
		for j := range l.Joints {
			k := l.First + j
			angle := q[k]
			if angle-angle != 0 {
				angle = 0
			}
			f.joints[k] = append(f.joints[k], turnUp(f.near(k, show.Turn(&l.Joints[j], angle).Q)))
		}
	}
}

// near returns q or -q, the same turn, whichever is nearer to the last of track
// k: players run straight from one to the next.
func (f *film) near(k int, q quat.Number) quat.Number {
	was := f.quats[k]
	if was.Real*q.Real+was.Imag*q.Imag+was.Jmag*q.Jmag+was.Kmag*q.Kmag < 0 {
		q = quat.Scale(-1, q)
	}
	f.quats[k] = q
	return q
}

// build writes nodes, meshes and tracks.
func (f *film) build(b *builder) {
	r := f.o.Rig
	a := &animator{b: b, anim: &gltf.Animation{Name: "run"}, times: times(b.doc, f.times)}
	body := &shape{}
	body.box(r.Body.Mid, r.Body.Box)
	base := b.node(&gltf.Node{
		Name: show.Base, Mesh: b.mesh("body", b.primitive(body, show.Solid(r.Body.Tint))),
		Translation: wide3(f.places[0]), Rotation: wide4(f.turns[0]),
	}, -1)
	a.track(base, gltf.TRSTranslation, f.places)
	a.track(base, gltf.TRSRotation, f.turns)
	for i := range r.Legs {
		l := &r.Legs[i]
		parent := base
		for j := range l.Joints {
			k := l.First + j
			parent = b.node(&gltf.Node{
				Name: l.Joints[j].Name, Mesh: link(b, r, l, j),
				Translation: wide3(up(l.Joints[j].Origin.P)), Rotation: wide4(f.joints[k][0]),
			}, parent)
			a.track(parent, gltf.TRSRotation, f.joints[k])
		}
	}
	f.ground(a)
	b.doc.Animations = append(b.doc.Animations, a.anim)
}

// link writes the mesh of a link: a bar to the next joint or the foot, and the
// foot.
func link(b *builder, r *rig.Rig, l *rig.Leg, j int) *int {
	end, last := l.Foot, j == len(l.Joints)-1
	if !last {
		end = l.Joints[j+1].Origin.P
	}
	radius := show.Thick(r, l.Joints[j].Link.Radius)
	bar := &shape{}
	bar.capsule(r3.Vec{}, end, radius)
	parts := []*gltf.Primitive{b.primitive(bar, show.Solid(l.Joints[j].Link.Tint))}
	if last {
		foot := &shape{}
		foot.capsule(l.Foot, l.Foot, max(l.FootRadius, 1.2*radius)) // a ball about the end of the bar
		parts = append(parts, b.primitive(foot, show.FootTint))
	}
	return b.mesh(l.Joints[j].Name, parts...)
}

// animator writes tracks.
type animator struct {
	b     *builder
	anim  *gltf.Animation
	times int // accessor of the keyframes
}

// track writes one track at the keyframes.
func (a *animator) track(node int, path gltf.TRSProperty, values any) {
	a.add(node, path, a.times, values, gltf.InterpolationLinear)
}

func (a *animator) add(node int, path gltf.TRSProperty, times int, values any, how gltf.Interpolation) {
	out := modeler.WriteAccessor(a.b.doc, gltf.TargetNone, values)
	a.anim.Samplers = append(a.anim.Samplers, &gltf.AnimationSampler{Input: times, Output: out, Interpolation: how})
	a.anim.Channels = append(a.anim.Channels, &gltf.AnimationChannel{
		Sampler: len(a.anim.Samplers) - 1, Target: gltf.AnimationChannelTarget{Node: gltf.Index(node), Path: path},
	})
}

// times writes an accessor of times, with the bounds the format wants.
func times(doc *gltf.Document, t []float32) int {
	i := modeler.WriteAccessor(doc, gltf.TargetNone, t)
	doc.Accessors[i].Min, doc.Accessors[i].Max = []float64{float64(t[0])}, []float64{float64(t[len(t)-1])}
	return i
}
