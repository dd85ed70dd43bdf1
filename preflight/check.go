package preflight

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"

	"legctl/control"
	"legctl/ik"
	"legctl/rig"
)

// Report is what check says of a rig before anything moves.
type Report struct {
	Rig     *rig.Rig
	Faults  []Fault // what cannot work; empty = the rig may walk
	Gaits   []GaitReport
	Assumed []string
}

// Fault is one thing that cannot work, and the figure and bound behind it.
type Fault struct {
	What  string
	Value float64
	Bound float64
}

// GaitReport is what the sweep of one gait showed, or why it was not offered.
type GaitReport struct {
	Name    string
	Clocked bool
	Refused string
	Sizing  control.Sizing
	Class   rig.Class
	ClassBy string // what set it
	Allowed control.AllowedTwist
	Best    float64 // highest allowed speed, m/s
	Heading float64 // its heading in B, rad
	Bind    control.Binding
	Worst   Run   // the worst of every kind over all headings and turning
	Runs    []Run // one a heading, then turning left
}

// because says why a gait is not walked.
func (g *GaitReport) because() string {
	if g.Refused != "" {
		return g.Refused
	}
	return "no heading of " + g.Name + " is sustained"
}

// torqueCaution is the share of a joint's torque above which standing alone is
// called a fault.
const torqueCaution = 1.0

// Check sweeps every gait of p on the rig, as many at once as there are processors.
func Check(r *rig.Rig, p control.Params) (*Report, error) {
	rep := &Report{Rig: r, Assumed: r.Assumed}
	p.Gaits = append([]control.Plan(nil), p.Gaits...)
	for i := range p.Gaits {
		p.Gaits[i].Allowed = nil
	}
	c, err := control.New(r, p)
	if err != nil {
		return nil, err
	}
	rep.Gaits = make([]GaitReport, len(p.Gaits))
	errs := make([]error, len(p.Gaits))
	var sweeps sync.WaitGroup
	free := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i := range p.Gaits {
		g := &rep.Gaits[i]
		*g = GaitReport{Name: p.Gaits[i].Name, Clocked: p.Gaits[i].Clocked(), Sizing: c.Sizing(i)}
		if _, g.Refused = c.Offers(i); g.Refused != "" {
			continue
		}
		free <- struct{}{}
		sweeps.Go(func() {
			errs[i] = sweepAlone(g, r, p, i)
			<-free
		})
	}
	sweeps.Wait()
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	walks := slices.ContainsFunc(rep.Gaits, func(g GaitReport) bool { return g.Best > 0 })
	if !walks {
		rep.Faults = append(rep.Faults, Fault{What: "no gait can be walked: " + rep.Gaits[0].because(), Value: 0, Bound: 1})
	}
	rep.standing(r)
	return rep, nil
}

// sweepAlone is sweepGait with a controller of its own, so that gaits are swept
// side by side.
func sweepAlone(g *GaitReport, r *rig.Rig, p control.Params, i int) error {
	c, err := control.New(r, p)
	if err != nil {
		return err
	}
	return sweepGait(g, c, i)
}

// sweepGait runs every heading at its allowed speed and keeps the worst.
func sweepGait(g *GaitReport, c *control.Controller, i int) error {
	a, err := Allowed(c, i)
	if err != nil {
		return err
	}
	g.Allowed = a
	w, err := newRunner(c, i)
	if err != nil {
		return err
	}
	w.full = true
	g.Worst.Margin, g.Worst.Mean, g.Worst.Angle.Value = math.Inf(1), math.Inf(1), math.Inf(1)
	g.Worst.Gap = noGap()
	for h := range control.Headings {
		v := a.Linear[h]
		angle := 2 * math.Pi * float64(h) / control.Headings
		if v > g.Best*(1+1e-9) {
			g.Best, g.Heading, g.Bind = v, angle, a.LinearBind[h]
		}
		if v > 0 {
			sn, cs := math.Sincos(angle)
			g.add(w.run([3]float64{cs * v, sn * v, 0}, false))
		}
	}
	if a.Turn > 0 {
		g.add(w.run([3]float64{0, 0, a.Turn}, false))
	}
	g.classify()
	return nil
}

// add keeps a run and the worst of it.
func (g *GaitReport) add(r Run) {
	g.Runs = append(g.Runs, r)
	w := &g.Worst
	w.Margin = math.Min(w.Margin, r.Margin)
	w.Mean = math.Min(w.Mean, r.Mean)
	if r.Angle.Value < w.Angle.Value {
		w.Angle = r.Angle
	}
	if r.Gap.Value < w.Gap.Value {
		w.Gap = r.Gap
	}
	for _, p := range []struct{ worst, new *Worst }{{&w.Reach, &r.Reach}, {&w.Rate, &r.Rate}, {&w.Torque, &r.Torque}} {
		if p.new.Value > p.worst.Value {
			*p.worst = *p.new
		}
	}
}

// staticFloor is the margin a static gait keeps at all times, L (design 4).
const staticFloor = 0.02

// classify applies the design's definition of the classes to what was seen.
func (g *GaitReport) classify() {
	floor := staticFloor * g.Sizing.L
	switch {
	case g.Worst.Margin >= floor:
		g.Class = rig.Static
		g.ClassBy = fmt.Sprintf("least margin %.1f mm >= floor %.1f mm", g.Worst.Margin*1e3, floor*1e3)
	case g.Worst.Mean >= 0:
		g.Class = rig.Dynamic
		g.ClassBy = fmt.Sprintf("least margin %.1f mm < floor %.1f mm, mean %.1f mm >= 0", g.Worst.Margin*1e3, floor*1e3, g.Worst.Mean*1e3)
	default:
		g.Class = rig.Ballistic
		g.ClassBy = fmt.Sprintf("mean margin %.1f mm < 0", g.Worst.Mean*1e3)
	}
}

// standing notes what is wrong with the neutral stance itself.
func (rep *Report) standing(r *rig.Rig) {
	s := ik.NewSolver(r, ik.DefaultParams())
	q := r.RestPose(nil)
	for i := range r.Legs {
		l := &r.Legs[i]
		if res := s.SolveCold(q, i, ik.Target{Foot: l.Neutral}); res.Status != ik.Reached && !l.Planar {
			rep.Faults = append(rep.Faults, Fault{
				What: fmt.Sprintf("leg %s: neutral foot is out of reach, metres short", l.Name), Value: res.Residual, Bound: 0,
			})
		}
	}
	rep.weak(r)
}

// weak calls it a fault when every gait asks more of a joint than it can hold;
// a gait that does while another does not says so in its own part.
func (rep *Report) weak(r *rig.Rig) {
	var faults []Fault
	for i := range rep.Gaits {
		g := &rep.Gaits[i]
		if g.Refused != "" {
			continue
		}
		t := g.Worst.Torque
		if !(t.Value > torqueCaution) {
			return
		}
		faults = append(faults, Fault{
			What:  fmt.Sprintf("gait %s: joint %s: static torque over its limit", g.Name, r.Legs[t.Leg].Joints[t.Joint].Name),
			Value: t.Value, Bound: torqueCaution,
		})
	}
	rep.Faults = append(rep.Faults, faults...)
}
