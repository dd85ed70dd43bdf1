package rollout

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"runtime"

	"legctl/blend/space"
	"legctl/control"
	"legctl/loop"
	"legctl/record"
	"legctl/rig"
	"legctl/sim"
	"legctl/sim/terrain"
)

// ReplayOptions say how to replay.
type ReplayOptions struct {
	// Sim runs the simulator too, from seed and world events; else the recorded
	// observations are used.
	Sim bool
	// Tolerance is for recordings made on another architecture: numbers may
	// differ by this much of the larger of one and their size, and the state is
	// set to the recorded one wherever there is one. 0: every bit counts.
	Tolerance float64
	// All goes on behind a difference to the end of the recording: the
	// controller from the next recorded state, the simulator from where it is.
	All bool
	// Sign is looked for in what comes out; the zero value is never found.
	Sign Sign
}

// Replayed is what a replay found.
type Replayed struct {
	Ticks  uint64            // computed again and compared
	Differ uint64            // of them, those that came out differently; without All, 0 or 1
	Lost   uint64            // records the recording lacks, by its own account
	Cut    *record.CutError  // not nil: the recording ends early, and where
	First  record.Difference // Same, or the first tick and field that came out differently: recorded, replayed
	Signs  []uint64          // ticks at which the sign began, at most 1000
}

// foreign is how much one step may differ on another architecture.
const foreign = 1e-9

// ToleranceFor returns the tolerance with which a recording can be replayed on
// this machine: 0 for one of the same architecture.
func ToleranceFor(h *record.Header) float64 {
	if arch := h.Get(archKey); arch != "" && arch != runtime.GOARCH {
		return foreign
	}
	return 0
}

// Replay runs the controller once more on the inputs of a recording, and with
// o.Sim the simulator too, and stops at the first tick that comes out
// differently, unless o.All says to go on. Fields are named by leg and joint. A
// recording that was cut is replayed up to the cut. The error says what makes
// the recording unfit for it.
func Replay(ctx context.Context, from *record.Reader, o ReplayOptions) (out Replayed, err error) {
	// A header holds parameters that no loader has checked.
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("rollout: the recording cannot be replayed, its parameters break the controller: %v", p)
		}
	}()
	p, err := newPlayer(from.Header(), o)
	if err != nil {
		return Replayed{}, err
	}
	for {
		if err := ctx.Err(); err != nil {
			return p.out, fmt.Errorf("rollout: replay stopped after %d ticks: %w", p.out.Ticks, err)
		}
		rec, err := from.Next()
		if errors.As(err, &p.out.Cut) || errors.Is(err, io.EOF) {
			return p.out, nil
		}
		if err == nil {
			err = p.take(ctx, rec)
		}
		if err != nil || !o.All && !p.out.First.Same() {
			return p.out, err
		}
	}
}

// player is a replay under way.
type player struct {
	o      ReplayOptions
	rig    *rig.Rig
	cell   *loop.Cell
	sim    *sim.Sim         // nil: from recorded observations
	ground *terrain.Terrain // changed by events, without a simulator
	tape   *tape
	out    Replayed

	recorded *control.Frame
	was      *control.State // recorded
	seated   bool           // the state is that of the recording
	buf      []byte
	pieces   []byte       // of parameters that are not all there yet
	space    *space.Space // clips: they do not change, and are not in records of parameters

	names  *record.Names
	last   *control.Frame // the tick before, replayed; for Sign
	played bool           // last holds one
	differ uint64         // one more than the last tick that was counted as different
}

// newPlayer makes the parts a header describes.
func newPlayer(h *record.Header, o ReplayOptions) (*player, error) {
	c, err := Restore(h)
	if err != nil {
		return nil, err
	}
	r, err := New(c)
	if err != nil {
		return nil, fmt.Errorf("rollout: the header describes no run: %w", err)
	}
	p := &player{o: o, rig: c.Rig, cell: r.Cell, ground: r.Ground, recorded: control.NewFrame(c.Rig), was: &control.NewStates(c.Rig, 1)[0],
		names: record.NamesOf(c.Rig), last: control.NewFrame(c.Rig), space: c.Params.Space}
	if o.Sim {
		p.sim = r.Sim
	} else {
		p.tape = &tape{from: &p.recorded.Obs}
		p.cell.Plant = p.tape
	}
	return p, nil
}

// take uses one record.
func (p *player) take(ctx context.Context, rec record.Record) error {
	switch rec.Tag {
	case control.TagState:
		return p.takeState(rec)
	case control.TagEvent:
		return p.takeEvent(rec)
	case control.TagFrame:
		return p.takeFrame(ctx, rec)
	case control.TagGap:
		p.pieces = p.pieces[:0]
		return p.takeGap(rec)
	case control.TagParams:
		return p.takeParams(rec)
	}
	return nil
}

// takeState begins with a state, or compares it with what came out.
func (p *player) takeState(rec record.Record) error {
	if err := p.was.UnmarshalBinary(rec.Data); err != nil {
		return err
	}
	if p.sim != nil && !p.seated && rec.Tick != 0 {
		return fmt.Errorf("rollout: the recording begins with tick %d, the simulator cannot: replay the controller alone", rec.Tick)
	}
	if p.seated {
		p.buf, _ = p.cell.State.AppendBinary(p.buf[:0])
		same, err := p.compare(p.was, rec)
		if err != nil || p.sim != nil && p.o.Tolerance == 0 || same && p.o.Tolerance == 0 {
			return err
		}
	}
	control.Copy(p.cell.State, p.was)
	p.cell.Tick, p.seated = rec.Tick, true
	return nil
}

// takeEvent lets a world event happen.
func (p *player) takeEvent(rec record.Record) error {
	var e sim.Event
	if err := e.UnmarshalBinary(rec.Data); err != nil {
		return fmt.Errorf("rollout: tick %d: %w", rec.Tick, err)
	}
	var err error
	switch {
	case p.sim != nil:
		err = p.sim.Do(e)
	case e.Kind == sim.EventRemove: // all others show in the observations
		err = p.ground.Remove(int(e.Block))
	}
	if err != nil {
		return fmt.Errorf("rollout: tick %d: %w", rec.Tick, err)
	}
	return nil
}

// takeParams goes on with another controller once all pieces of its parameters
// are there.
func (p *player) takeParams(rec record.Record) error {
	if len(rec.Data) == 0 || rec.Data[0] > 1 {
		return fmt.Errorf("rollout: tick %d: parameters of %d bytes are no piece", rec.Tick, len(rec.Data))
	}
	p.pieces = append(p.pieces, rec.Data[1:]...)
	if rec.Data[0] == 0 {
		return nil
	}
	var params control.Params
	err := untext("parameters", p.pieces, &params)
	p.pieces = p.pieces[:0]
	if err != nil {
		return fmt.Errorf("rollout: tick %d: %w", rec.Tick, err)
	}
	params.Space = p.space
	c, err := control.New(p.rig, params)
	if err != nil {
		return fmt.Errorf("rollout: tick %d: %w", rec.Tick, err)
	}
	p.cell.Controller = c
	return nil
}

// takeFrame does a tick again and compares it. Frames before the first state,
// or behind a gap, are passed over.
func (p *player) takeFrame(ctx context.Context, rec record.Record) error {
	if !p.seated {
		return nil
	}
	if rec.Tick != p.cell.Tick {
		return fmt.Errorf("rollout: frame of tick %d follows tick %d", rec.Tick, p.cell.Tick)
	}
	if err := p.recorded.UnmarshalBinary(rec.Data); err != nil {
		return err
	}
	p.cell.Frame.Cmd = p.recorded.Cmd
	if err := loop.Cycle(ctx, p.cell); err != nil {
		return err
	}
	p.out.Ticks++
	p.buf, _ = p.cell.Frame.AppendBinary(p.buf[:0])
	same, err := p.compare(p.recorded, rec)
	if err == nil {
		err = p.look(rec.Tick)
	}
	if !same && p.sim == nil {
		p.seated = false // what follows is judged from the next recorded state
	}
	return err
}

// look notes whether the tick shows the sign, and keeps it for the next. p.buf
// holds its bytes.
func (p *player) look(tick uint64) error {
	if p.o.Sign == (Sign{}) {
		return nil
	}
	var before *control.Frame
	if p.played {
		before = p.last
	}
	if p.o.Sign.Begins(before, p.cell.Frame) && len(p.out.Signs) < 1000 {
		p.out.Signs = append(p.out.Signs, tick)
	}
	p.played = true
	return p.last.UnmarshalBinary(p.buf)
}

// takeGap waits for the next state.
func (p *player) takeGap(rec record.Record) error {
	if len(rec.Data) == 8 {
		p.out.Lost += binary.LittleEndian.Uint64(rec.Data)
	}
	if p.sim != nil {
		return fmt.Errorf("rollout: %d records are lost before tick %d, the simulator cannot go on: replay the controller alone", p.out.Lost, rec.Tick)
	}
	p.seated = false
	return nil
}

// compare reports whether the bytes of the recording and of the replay agree,
// sets First and counts the tick unless they do.
func (p *player) compare(like rig.Record, rec record.Record) (same bool, err error) {
	if bytes.Equal(rec.Data, p.buf) {
		return true, nil
	}
	d, err := rig.Compare(like, rec.Data, p.buf, p.o.Tolerance)
	if err != nil || d.Same() {
		return err == nil, err
	}
	if p.out.First.Same() {
		d.Field = p.names.Field(d.Field)
		p.out.First = record.Difference{Tick: rec.Tick, Tag: rec.Tag, Field: d}
	}
	if p.differ != rec.Tick+1 {
		p.differ = rec.Tick + 1
		p.out.Differ++
	}
	return false, nil
}

// tape is a plant that observes what was recorded.
type tape struct{ from *rig.Observation }

// Open implements loop.Plant.
func (t *tape) Open(context.Context) (rig.Caps, error) { return rig.Caps{}, nil }

// Enable implements loop.Plant.
func (t *tape) Enable(context.Context, uint64) error { return nil }

// Observe implements loop.Plant.
func (t *tape) Observe(_ context.Context, dst *rig.Observation) error {
	dst.Copy(t.from)
	return nil
}

// Apply implements loop.Plant.
func (t *tape) Apply(context.Context, *rig.Setpoint) error { return nil }

// Halt implements loop.Plant.
func (t *tape) Halt() error { return nil }

// Close implements loop.Plant.
func (t *tape) Close() error { return nil }
