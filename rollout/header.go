package rollout

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"runtime"

	"legctl/blend/space"
	"legctl/control"
	"legctl/record"
	"legctl/rig"
	"legctl/sim"
	"legctl/sim/terrain"
)

// archKey is the name of the architecture a recording was made on: the last bits
// of numbers may differ on others.
const archKey = "arch"

// world is what a header says of the simulated world besides terrain and seed.
type world struct {
	Sim   sim.Params
	Scale sim.Scale
	Blind bool
}

// Header returns the header of a recording of the run: all that Replay needs.
// names are for people: version, command line and the like.
func (r *Rollout) Header(names ...record.Name) (*record.Header, error) {
	c := &r.Config
	h := &record.Header{Dt: c.Params.Dt, Seed: c.Seed}
	h.Describe(c.Rig)
	h.Names = append([]record.Name{
		{Key: "rig", Value: c.Rig.Name}, {Key: "gait", Value: c.Gait}, {Key: "terrain", Value: c.Terrain.Kind},
		{Key: archKey, Value: runtime.GOARCH},
	}, names...)
	var err error
	if h.Rig, err = text("rig", c.Rig); err != nil {
		return nil, err
	}
	p := *c.Params
	if p.Space != nil {
		if h.Space, err = packSpace(p.Space); err != nil {
			return nil, err
		}
		p.Space = nil
	}
	if h.Params, err = text("parameters", &p); err != nil {
		return nil, err
	}
	if h.World, err = text("world", &world{Sim: *c.World, Scale: *c.Scale, Blind: c.Blind}); err != nil {
		return nil, err
	}
	h.Terrain, err = c.Terrain.AppendBinary(nil)
	return h, err
}

// packSpace writes a space as its file, compressed.
func packSpace(s *space.Space) ([]byte, error) {
	raw, err := space.Encode(s)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err = w.Write(raw); err == nil {
		err = w.Close()
	}
	return b.Bytes(), err
}

// unpackSpace reads what packSpace wrote, at most the largest file there is.
func unpackSpace(b []byte) (*space.Space, error) {
	r, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	raw, err := io.ReadAll(io.LimitReader(r, space.MaxFile+1))
	if err != nil {
		return nil, err
	}
	return space.Decode(raw)
}

// text writes plain data as JSON. Every finite number comes back bit for bit:
// Go writes the shortest digits that do.
func text(what string, v any) ([]byte, error) {
	b, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("rollout: %s cannot be recorded: %w", what, err)
	}
	return b, nil
}

// untext reads what text wrote; a field this program does not know is refused.
func untext(what string, b []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return fmt.Errorf("rollout: %s in the header: %w", what, err)
	}
	return nil
}

// Restore returns the Config that a header describes, without its commands and
// events: those are in the records. The error says what in h is not sound.
func Restore(h *record.Header) (Config, error) {
	if err := h.Check(); err != nil {
		return Config{}, err
	}
	var w world
	c := Config{Rig: new(rig.Rig), Params: new(control.Params), Seed: h.Seed, Gait: h.Get("gait"), Terrain: terrain.Spec{}}
	if err := untext("rig", h.Rig, c.Rig); err != nil {
		return Config{}, err
	}
	if err := untext("parameters", h.Params, c.Params); err != nil {
		return Config{}, err
	}
	if len(h.Space) > 0 {
		var err error
		if c.Params.Space, err = unpackSpace(h.Space); err != nil {
			return Config{}, fmt.Errorf("rollout: clips in the header: %w", err)
		}
	}
	if err := untext("world", h.World, &w); err != nil {
		return Config{}, err
	}
	if err := c.Terrain.UnmarshalBinary(h.Terrain); err != nil {
		return Config{}, err
	}
	if err := sound(c.Rig, h); err != nil {
		return Config{}, err
	}
	if c.Params.Dt != h.Dt {
		return Config{}, fmt.Errorf("rollout: dt is %g s in the header, %g s in its parameters", h.Dt, c.Params.Dt)
	}
	c.World, c.Scale, c.Blind = &w.Sim, &w.Scale, w.Blind
	return c, nil
}

// sound returns an error unless the rig has the sizes the header says and
// indices that stay inside it: a file may say anything.
func sound(r *rig.Rig, h *record.Header) error {
	if len(r.Legs) != h.Legs || r.Joints() != h.Joints {
		return fmt.Errorf("rollout: the rig in the header has %d legs and %d joints, the header says %d and %d",
			len(r.Legs), r.Joints(), h.Legs, h.Joints)
	}
	if err := r.Validate(); err != nil {
		return fmt.Errorf("rollout: the rig in the header: %w", err)
	}
	return nil
}
