package calibrate

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"legctl/drivers/servo"
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r3"
)

// Result is what a set of measurements says.
type Result struct {
	Servos   []servo.Calibrated // one for each servo of the config, in its order
	Joints   []float64          // residual of each joint of the rig, rad, root mean square
	Feet     []float64          // distance of each measure's foot from its mark, metres; 0 without one
	Warnings []string           // what is odd but not wrong, mirrored legs above all
}

// Measurements contradict each other when the root mean square of their residuals
// is beyond agree sigmas, or one of them alone is beyond astray: of those at hand
// by care one in ten thousand is.
const (
	agree  = 3.0
	astray = 4.5
)

// agrees reports whether measurements fit a candidate.
func (c *fit) agrees() bool { return c.cost <= agree && c.worst <= astray }

// Solve finds zeros and directions of all servos of c from measurements of every
// leg. sign has what is known of each servo's direction, 1 as in the config or
// -1 the other way; 0, or nil for all, is found out. Errors name every leg whose
// measurements do not do, and why; then there is no Result.
func Solve(r *rig.Rig, c *servo.Config, ms []Measure, sign []int8) (*Result, error) {
	if sign == nil {
		sign = make([]int8, len(c.Servos))
	}
	if len(sign) != len(c.Servos) {
		return nil, fmt.Errorf("calibrate: %d directions, want one for each of %d servos", len(sign), len(c.Servos))
	}
	var errs []error
	for i := range ms {
		errs = append(errs, ms[i].check(r, c.Servos))
	}
	for i := range c.Servos {
		errs = append(errs, oneLeg(r, &c.Servos[i]))
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	out := &Result{Servos: make([]servo.Calibrated, len(c.Servos)), Joints: make([]float64, r.Joints()), Feet: make([]float64, len(ms))}
	for leg := range r.Legs {
		f, err := newLegFit(r, c.Servos, leg, ms)
		if err != nil {
			return nil, err
		}
		best, err := f.search(sign)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		f.report(best, out, ms)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	out.Warnings = mirrored(r, c.Servos, out.Servos)
	return out, nil
}

// oneLeg refuses a servo whose joints belong to several legs.
func oneLeg(r *rig.Rig, s *servo.Servo) error {
	l := &r.Legs[s.Leg]
	for _, t := range s.Terms {
		if t.Joint < l.First || t.Joint >= l.First+len(l.Joints) {
			return fmt.Errorf("calibrate: %s moves joints of several legs: set its zero by hand in the rig's file", s.Name)
		}
	}
	return nil
}

// search tries the directions that are open and returns the one candidate that
// fits.
func (f *legFit) search(sign []int8) (*fit, error) {
	l := &f.r.Legs[f.leg]
	if len(f.servos) == 0 {
		return &fit{}, nil
	}
	if n := f.equations(-1); n < len(f.servos) {
		return nil, fmt.Errorf("calibrate: %s: %d numbers measured, want more than %d: put its foot on at least two marks", l.Name, n, len(f.servos))
	}
	var open []int
	for i, at := range f.at {
		if sign[at] == 0 {
			open = append(open, i)
		}
	}
	const most = 6
	if len(open) > most {
		return nil, fmt.Errorf("calibrate: %s: %d directions are open, want at most %d: answer which way the joints move", l.Name, len(open), most)
	}
	first, second := f.best(sign, open, -1)
	if first.rank < len(f.servos) {
		return nil, fmt.Errorf("calibrate: %s: these measurements leave %s open: add a mark for which that joint bends differently", l.Name, f.servos[first.loose].Name)
	}
	if !first.agrees() {
		return nil, f.contradiction(sign, open, first)
	}
	if second != nil && second.agrees() && second.cost < 3*first.cost+0.3 {
		return nil, fmt.Errorf("calibrate: %s: two ways to turn its servos fit these measurements: answer which way %s moves, or add marks", l.Name, f.differing(first, second))
	}
	return first, nil
}

// differing names the first servo on which two candidates differ.
func (f *legFit) differing(a, b *fit) string {
	for i := range a.sign {
		if a.sign[i] != b.sign[i] {
			return f.servos[i].Name
		}
	}
	return f.servos[0].Name
}

// best tries all directions, leaving out the measure skip, and returns the two
// best candidates of different directions whose joints stay within their limits.
func (f *legFit) best(sign []int8, open []int, skip int) (first, second *fit) {
	all := make([]*fit, 1<<len(open))
	found := false
	for mask := range all {
		c := &fit{sign: make([]float64, len(f.servos)), cost: math.Inf(1)}
		for i, at := range f.at {
			c.sign[i] = 1
			if sign[at] < 0 {
				c.sign[i] = -1
			}
		}
		for k, i := range open {
			if mask>>k&1 != 0 {
				c.sign[i] = -1
			}
		}
		all[mask] = c
		found = f.try(c, make([]float64, len(f.servos)), skip) || found
	}
	for _, c := range all {
		if c.cost >= 1 {
			f.lattice(c, skip, !found)
		}
		switch {
		case first == nil || c.cost < first.cost:
			first, second = c, first
		case second == nil || c.cost < second.cost:
			second = c
		}
	}
	return first, second
}

// try solves from a start, keeps what is better than before, and reports whether
// it fits well.
func (f *legFit) try(c *fit, delta []float64, skip int) bool {
	t := &fit{sign: c.sign, delta: delta}
	f.solve(t, skip)
	if !f.within(t) {
		t.cost = math.Inf(1)
	}
	if c.delta == nil || t.cost < c.cost {
		c.delta, c.cost, c.worst, c.rank, c.loose = t.delta, t.cost, t.worst, t.rank, t.loose
	}
	return t.cost < 1
}

// lattice solves from starts round the config's zeros: horns sit anywhere on
// their splines. A narrow one is enough to see whether other directions fit too.
func (f *legFit) lattice(c *fit, skip int, wide bool) {
	steps := []float64{-2, -1, 0, 1, 2}
	if !wide || len(f.servos) > 3 {
		steps = []float64{-1.2, 0, 1.2}
	}
	n := min(len(f.servos), 6)
	total := 1
	for range n {
		total *= len(steps)
	}
	for at := range total {
		delta, k := make([]float64, len(f.servos)), at
		for i := range n {
			delta[i] = steps[k%len(steps)]
			k /= len(steps)
		}
		if f.try(c, delta, skip) {
			return
		}
	}
}

// contradiction says why the measurements of a leg do not fit: one of them, a
// direction that was answered wrongly, or left taken for right.
func (f *legFit) contradiction(sign []int8, open []int, first *fit) error {
	l := &f.r.Legs[f.leg]
	why := fmt.Sprintf("calibrate: %s: its measurements contradict each other (%.1f times what measuring by hand explains, want at most 1)", l.Name, max(first.cost/agree, first.worst/astray))
	for i, at := range f.at {
		if sign[at] == 0 {
			continue
		}
		flipped := append([]int8(nil), sign...)
		flipped[at] = -flipped[at]
		if c, _ := f.best(flipped, open, -1); c.agrees() {
			return fmt.Errorf("%s: they agree if %s turns the other way: answer its direction again", why, f.servos[i].Name)
		}
	}
	if f.swapped(sign, open) {
		return fmt.Errorf("%s: they agree if y has the other sign: left and right are mixed up", why)
	}
	var culprits []string
	for m, x := range f.ms {
		if f.equations(m) <= len(f.servos) {
			continue
		}
		if c, _ := f.best(sign, open, m); c.rank == len(f.servos) && c.agrees() {
			culprits = append(culprits, x.Name)
		}
	}
	switch {
	case len(culprits) == 1:
		return fmt.Errorf("%s: the others agree without %s: measure that again", why, culprits[0])
	case len(culprits) > 1:
		return fmt.Errorf("%s: one of %s is wrong: measure them again, or add a mark", why, strings.Join(culprits, ", "))
	}
	return fmt.Errorf("%s: measure this leg again; compare the lengths in the rig's file with the leg", why)
}

// swapped reports whether the marks fit with y reversed.
func (f *legFit) swapped(sign []int8, open []int) bool {
	g := *f
	g.ms = nil
	for _, x := range f.ms {
		y := *x
		if y.Foot != nil {
			p := *y.Foot
			p.Y = -p.Y
			y.Foot = &p
		}
		g.ms = append(g.ms, &y)
	}
	c, _ := g.best(sign, open, -1)
	return c.agrees()
}

// report writes a leg's candidate into the result.
func (f *legFit) report(c *fit, out *Result, ms []Measure) {
	l := &f.r.Legs[f.leg]
	for i, at := range f.at {
		s := &f.servos[i]
		// native' = Zero + sign (native - Zero) - PerRad delta is what the nominal
		// servo would show; solved for the native at which the angle is zero.
		k := servo.Calibrated{
			Name: s.Name, ID: s.ID, PerRad: c.sign[i] * s.PerRad,
			Zero: s.Zero + c.sign[i]*s.PerRad*c.delta[i],
		}
		out.Servos[at] = k
	}
	q := make([]float64, len(l.Joints))
	jac := make([]r3.Vec, len(l.Joints))
	n := 0
	for m, x := range f.ms {
		f.joints(q, c, m)
		for _, a := range x.Angles {
			d := a.Value - q[a.Joint-l.First]
			out.Joints[a.Joint] += d * d
		}
		n++
		if x.Foot == nil {
			continue
		}
		e := r3.Sub(*x.Foot, rig.Jacobian(jac, l, q))
		for k := range ms {
			if &ms[k] == x {
				out.Feet[k] = r3.Norm(e)
			}
		}
		for j, d := range jointError(jac, e) {
			out.Joints[l.First+j] += d * d
		}
	}
	for j := range l.Joints {
		out.Joints[l.First+j] = math.Sqrt(out.Joints[l.First+j] / float64(max(1, n)))
	}
	for i, at := range f.at {
		for _, t := range f.servos[i].Terms {
			out.Servos[at].Residual = max(out.Servos[at].Residual, out.Joints[l.First+t.Joint])
		}
	}
}

// jointError is the smallest change of the joints that moves the foot by e.
func jointError(jac []r3.Vec, e r3.Vec) []float64 {
	a := newJac(jac)
	x, _, _ := leastSquares(a, []float64{e.X, e.Y, e.Z})
	return x
}
