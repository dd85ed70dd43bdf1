package web

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"legctl/telemetry"

	"gonum.org/v1/gonum/spatial/r3"
)

// deed is one order for something other than the tick.
type deed struct {
	desk    *desk
	scene   *Scene
	viewer  *viewer
	request request
}

// deeds are the orders beyond the topics of package telemetry: one line each.
var deeds = map[string]func(*deed){
	"push": doPush, "block": doBlock, "rate": doRate, "step": doStep,
	"stages": doStages, "restart": doRestart,
	"parameters": doParameters, "tune": doTune, "undo": doUndo, "yaml": doYAML,
	"solve": doSolve,
}

// Deeds returns the orders beyond the topics of package telemetry, sorted.
func Deeds() []string { return slices.Sorted(maps.Keys(deeds)) }

// errReal is why a real rig refuses what only a simulation can do.
var errReal = errors.New("only a simulation can do that")

// done answers a deed; tick 0: at once.
func (d *deed) done(tick uint64, result any, err error) {
	r := &telemetry.Reply{ID: d.request.ID, Topic: d.request.Do, Accepted: err == nil, Tick: tick}
	if err != nil {
		r = telemetry.Refused(d.request.ID, d.request.Do, err)
	}
	d.viewer.say(answer{Type: "reply", Reply: r, Result: result})
}

// with reads the values of a deed; unknown keys are refused.
func (d *deed) with(to any) error {
	if len(d.request.With) == 0 {
		return nil
	}
	in := json.NewDecoder(strings.NewReader(string(d.request.With)))
	in.DisallowUnknownFields()
	if err := in.Decode(to); err != nil {
		return fmt.Errorf("web: %s: %s", d.request.Do, strings.TrimPrefix(clip(err.Error()), "json: "))
	}
	return nil
}

// world answers a deed that needs a simulation; do is called with one. Deeds
// need the lease when somebody else holds it.
func (d *deed) world(to any, do func(w World) error) {
	err := d.with(to)
	if err == nil {
		err = d.admit()
	}
	if err == nil && d.scene.World == nil {
		err = fmt.Errorf("web: %s: %w", d.request.Do, errReal)
	}
	if err == nil {
		err = do(d.scene.World)
	}
	if err != nil {
		d.done(0, nil, err)
	}
}

// admit refuses a deed while somebody else holds the lease.
func (d *deed) admit() error {
	if holder := d.desk.holder(time.Now()); holder != "" && holder != d.request.As {
		return fmt.Errorf("web: %s: %s holds the lease", d.request.Do, clip(holder))
	}
	return nil
}

func doPush(d *deed) {
	var v struct{ X, Y, Z, Roll, Pitch, Yaw float64 }
	d.world(&v, func(w World) error {
		w.Push(r3.Vec{X: v.X, Y: v.Y, Z: v.Z}, r3.Vec{X: v.Roll, Y: v.Pitch, Z: v.Yaw}, func(tick uint64, err error) { d.done(tick, nil, err) })
		return nil
	})
}

func doBlock(d *deed) {
	var v struct{ Block int }
	d.world(&v, func(w World) error {
		s := d.desk.server
		w.Remove(v.Block, func(tick uint64, err error) {
			d.done(tick, nil, err)
			if err == nil {
				d.scene.remove(v.Block)
				s.cast.tell(map[string]any{"type": "block", "block": v.Block, "tick": tick})
			}
		})
		return nil
	})
}

func doRate(d *deed) {
	v := struct{ Rate float64 }{-1}
	d.world(&v, func(w World) error {
		if err := w.SetRate(v.Rate); err != nil {
			return err
		}
		s := d.desk.server
		s.conns.Go(func() { s.settle(d, v.Rate) })
		return nil
	})
}

// settle answers once a new rate is seen by everybody.
func (s *Server) settle(d *deed, rate float64) {
	if rate == 0 {
		select {
		case <-time.After(haltAfter):
		case <-s.ctx.Done():
		}
		s.halt(d.scene)
	}
	s.figures(d.scene)
	d.done(0, nil, nil)
}

// trail shows the last of some single ticks: none comes after it.
func (s *Server) trail(sc *Scene) {
	for range 10 {
		select {
		case <-time.After(haltAfter):
			s.halt(sc)
		case <-s.ctx.Done():
			return
		}
	}
}

func doStep(d *deed) {
	v := struct{ Ticks int }{1}
	d.world(&v, func(w World) error {
		if v.Ticks < 1 || v.Ticks > 1000 {
			return fmt.Errorf("web: step: %d ticks, want 1 to 1000", v.Ticks)
		}
		w.Step(v.Ticks)
		d.done(0, nil, nil)
		s := d.desk.server
		s.conns.Go(func() { s.trail(d.scene) })
		return nil
	})
}

func doStages(d *deed) {
	d.world(nil, func(w World) error {
		d.done(0, w.Stages(), nil)
		return nil
	})
}

func doRestart(d *deed) {
	var v Staging
	d.world(&v, func(w World) error {
		// Working out another rig takes a moment: not in the viewer's reader.
		d.desk.server.conns.Go(func() { d.done(0, nil, w.Restart(v)) })
		return nil
	})
}
