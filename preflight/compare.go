package preflight

import (
	"math"

	"legctl/control"
	"legctl/gait"
	"legctl/rig"
)

// Compared is one gait beside the others on one rig, going forward as fast as
// it is allowed to (the first heading that it may go, where forward is closed).
type Compared struct {
	Name    string
	Clocked bool
	Refused string // not empty: why the rig may not walk it; the rest is zero
	Class   rig.Class

	DutyLeast, DutyMost float64 // over the legs
	Period              float64 // seconds between lift-offs of a leg
	Flown               float64 // share of the cycle with no foot down
	Raised              float64 // share of each swing that became stance, to be jumped at all
	RaisedBy            gait.Bound
	Asked, Gives        float64 // of what RaisedBy names

	Speed   float64 // m/s
	Heading float64 // rad, B
	Bind    control.Binding
	Turn    float64 // rad/s, turning alone
	Limit   control.AllowedTwist

	MarginLeast, MarginMean float64 // metres; -Inf with a flight
	Rate                    float64 // of the fastest joint, share of its speed limit
	Torque                  float64 // of the most loaded joint, share of its limit; NaN: not known
	Watts                   float64 // mean of the servo model; NaN: not known
	CostOfTransport         float64 // NaN: not known

	Diagram gait.Diagram
	Margins []float64 // margin at the moments of Diagram, metres
}

// Compare walks every gait of p forward on the rig and measures it, in the
// order of p.
func Compare(r *rig.Rig, p control.Params) ([]Compared, error) {
	p.Gaits = append([]control.Plan(nil), p.Gaits...)
	for i := range p.Gaits {
		p.Gaits[i].Allowed = nil
	}
	c, err := control.New(r, p)
	if err != nil {
		return nil, err
	}
	out := make([]Compared, len(p.Gaits))
	for i := range p.Gaits {
		g := &out[i]
		g.Name, g.Clocked = p.Gaits[i].Name, p.Gaits[i].Clocked()
		if _, g.Refused = c.Offers(i); g.Refused != "" {
			continue
		}
		if err := g.measure(c, i); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// measure fills g from one run.
func (g *Compared) measure(c *control.Controller, i int) error {
	a, err := Allowed(c, i)
	if err != nil {
		return err
	}
	g.Limit, g.Turn = a, a.Turn
	h := 0
	for k, v := range a.Linear {
		if v > 0 {
			h = k
			break
		}
	}
	g.Speed, g.Heading, g.Bind = a.Linear[h], 2*math.Pi*float64(h)/control.Headings, a.LinearBind[h]
	g.fitted(c, i)
	w, err := newRunner(c, i)
	if err != nil {
		return err
	}
	w.full = true
	res := w.run(heading(h, g.Speed, 0), false)
	g.Rate = res.Rate.Value
	g.Torque, g.Watts = res.Torque.Value, res.Watts
	if res.Torque.Leg < 0 {
		g.Torque = math.NaN()
	}
	g.CostOfTransport = CostOfTransport(g.Watts, c.Rig().Mass(), c.Rig().G(), res.Speed)
	if !g.Clocked {
		g.DutyLeast, g.DutyMost, g.Period = res.Duty, res.Duty, res.Period
	}
	names := make([]string, len(c.Rig().Legs))
	for l := range names {
		names[l] = c.Rig().Legs[l].Name
	}
	g.Diagram, g.Margins = w.trace(heading(h, g.Speed, 0), g.Period, names)
	g.margin(c.Sizing(i))
	return nil
}

// margin takes the least and the mean of the steady cycles, and the class that
// goes with them.
func (g *Compared) margin(z control.Sizing) {
	rep := GaitReport{Sizing: z, Worst: Run{Margin: math.Inf(1)}}
	sum := 0.0
	for _, m := range g.Margins {
		rep.Worst.Margin = math.Min(rep.Worst.Margin, m)
		sum += m
	}
	rep.Worst.Mean = sum / float64(len(g.Margins))
	rep.classify()
	g.MarginLeast, g.MarginMean, g.Class = rep.Worst.Margin, rep.Worst.Mean, rep.Class
	if g.Flown > 0 {
		g.Class = rig.Ballistic
	}
}

// fitted takes what the rig made of a table.
func (g *Compared) fitted(c *control.Controller, i int) {
	if !g.Clocked {
		return
	}
	f := c.Fitted(i)
	g.Period, g.Flown = c.Period(i), f.Gait.Flown()
	g.DutyLeast, g.DutyMost = f.Gait.LeastDuty(), f.Gait.MostDuty()
	g.Raised, g.RaisedBy, g.Asked, g.Gives = f.Raised, f.By, f.Asked, f.Gives
}

// traced is how many cycles a trace shows, after warmCycles.
const (
	traced     = 2
	warmCycles = 5
)

// trace walks at a twist and returns who stands, and the margin, tick by tick
// for two periods.
func (w *runner) trace(twist [3]float64, period float64, names []string) (gait.Diagram, []float64) {
	dt := w.c.Params().Dt
	d := gait.Diagram{Names: names, Step: dt, Unit: "s"}
	if !(period > 0) || math.IsInf(period, 1) {
		return d, nil
	}
	w.c.Start(w.s, nil, w.plane, true)
	cmd := &control.Command{Kind: control.KindTwist, Vx: twist[0], Vy: twist[1], Wz: twist[2], TTL: 3600}
	warm, n := int(warmCycles*period/dt)+int(20*w.c.Sizing(0).K/dt), int(math.Round(traced*period/dt))
	var margins []float64
	for tick := range warm + n {
		w.c.Step(w.out, w.s, cmd, nil, w.plane)
		cmd = nil
		if tick < warm {
			continue
		}
		var set uint64
		for i := range w.s.Legs {
			if w.s.Legs[i].Planted() {
				set |= 1 << i
			}
		}
		d.Bits = append(d.Bits, set)
		margins = append(margins, w.out.Margin)
	}
	return d, margins
}
