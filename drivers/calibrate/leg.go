package calibrate

import (
	"math"

	"legctl/drivers/servo"
	"legctl/rig"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/spatial/r3"
)

// legFit is the search for the servos of one leg.
type legFit struct {
	r       *rig.Rig
	leg     int
	servos  []servo.Servo // of the leg, their terms counted from the leg's first joint
	at      []int         // where they are in the config
	link    *servo.Linkage
	ms      []*Measure
	natives [][]float64 // per measure, of the leg's servos
	cols    [][]float64 // joint angles for one radian of each servo
}

// fit is one candidate: signs and the angle each servo is off.
type fit struct {
	sign  []float64 // 1 or -1 against the config's
	delta []float64 // rad, taken off the servo's angle
	cost  float64   // root mean square of the residuals, in sigmas
	worst float64   // residual of the measure that fits least, in sigmas
	rank  int
	loose int // servo the measurements say least about; valid when rank is too small
}

func newLegFit(r *rig.Rig, servos []servo.Servo, leg int, ms []Measure) (*legFit, error) {
	f := &legFit{r: r, leg: leg}
	l := &r.Legs[leg]
	for i := range servos {
		if servos[i].Leg != leg {
			continue
		}
		s := servos[i]
		s.Terms = append([]servo.Term(nil), s.Terms...)
		for k := range s.Terms {
			s.Terms[k].Joint -= l.First
		}
		f.servos, f.at = append(f.servos, s), append(f.at, i)
	}
	link, err := servo.NewLinkage(f.servos, len(l.Joints))
	if err != nil {
		return nil, err
	}
	f.link = link
	f.cols = f.columns()
	for i := range ms {
		if ms[i].Leg != leg {
			continue
		}
		f.ms = append(f.ms, &ms[i])
		n := make([]float64, len(f.servos))
		for k, at := range f.at {
			n[k] = ms[i].Native[at]
		}
		f.natives = append(f.natives, n)
	}
	return f, nil
}

// joints are the leg's angles at a measure under a candidate.
func (f *legFit) joints(q []float64, c *fit, m int) {
	n := make([]float64, len(f.servos))
	for i := range f.servos {
		s := &f.servos[i]
		// A servo that turns the other way, and is off by delta, looks to the
		// nominal one as if it stood here.
		n[i] = s.Zero + c.sign[i]*(f.natives[m][i]-s.Zero) - s.PerRad*c.delta[i]
	}
	f.link.Joints(q, n)
	l := &f.r.Legs[f.leg]
	for j := range l.Joints {
		if k := &l.Joints[j]; k.Mimic >= 0 {
			q[j] = k.Factor*q[k.Mimic] + k.Offset
		}
	}
}

// columns are the joint angles for one radian of each servo.
func (f *legFit) columns() [][]float64 {
	n := make([]float64, len(f.servos))
	for i := range f.servos {
		n[i] = f.servos[i].Zero
	}
	base := make([]float64, len(f.r.Legs[f.leg].Joints))
	f.link.Joints(base, n)
	out := make([][]float64, len(f.servos))
	for i := range f.servos {
		out[i] = make([]float64, len(base))
		n[i] += f.servos[i].PerRad
		f.link.Joints(out[i], n)
		n[i] = f.servos[i].Zero
		for j := range base {
			out[i][j] -= base[j]
		}
	}
	return out
}

// system fills the weighted residuals of all measures but skip and, if a is not
// nil, their derivatives by delta.
func (f *legFit) system(c *fit, skip int, b []float64, a *mat.Dense) int {
	l := &f.r.Legs[f.leg]
	q := make([]float64, len(l.Joints))
	jac := make([]r3.Vec, len(l.Joints))
	cols := f.cols
	row := 0
	for m, x := range f.ms {
		if m == skip {
			continue
		}
		f.joints(q, c, m)
		if x.Foot != nil {
			p := rig.Jacobian(jac, l, q)
			rig.FoldMimic(jac, l)
			w := 1 / x.sigma(footSigma)
			e := r3.Scale(w, r3.Sub(*x.Foot, p))
			b[row], b[row+1], b[row+2] = e.X, e.Y, e.Z
			for i := range f.servos {
				var d r3.Vec
				for j := range jac {
					d = r3.Sub(d, r3.Scale(cols[i][j]*w, jac[j]))
				}
				if a != nil {
					a.Set(row, i, d.X)
					a.Set(row+1, i, d.Y)
					a.Set(row+2, i, d.Z)
				}
			}
			row += 3
		}
		for _, k := range x.Angles {
			w := 1 / x.sigma(angleSigma)
			b[row] = w * (k.Value - q[k.Joint-l.First])
			for i := range f.servos {
				if a != nil {
					a.Set(row, i, -w*cols[i][k.Joint-l.First])
				}
			}
			row++
		}
	}
	return row
}

// equations of all measures but skip.
func (f *legFit) equations(skip int) int {
	n := 0
	for m, x := range f.ms {
		if m != skip {
			n += x.equations()
		}
	}
	return n
}

// rms is the root mean square of residuals; what the unknowns can always bend
// to is not counted.
func rms(b []float64, unknowns int) float64 {
	sum := 0.0
	for _, v := range b {
		sum += v * v
	}
	return math.Sqrt(sum / float64(max(1, len(b)-unknowns)))
}

// solve improves a candidate by Gauss-Newton until it stands still.
func (f *legFit) solve(c *fit, skip int) {
	rows, n := f.equations(skip), len(f.servos)
	if rows == 0 {
		c.cost, c.rank = math.Inf(1), 0
		return
	}
	b, a := make([]float64, rows), mat.NewDense(rows, n, nil)
	for range 25 {
		f.system(c, skip, b, a)
		step, rank, loose := leastSquares(a, b)
		c.rank, c.loose = rank, loose
		most := 0.0
		for _, v := range step {
			most = max(most, math.Abs(v))
		}
		share := 1.0
		const stride = 0.5 // rad; beyond, the Jacobian is no guide
		if most > stride {
			share = stride / most
		}
		for i, v := range step {
			c.delta[i] += share * v
		}
		if most < 1e-10 {
			break
		}
	}
	f.system(c, skip, b, nil)
	c.cost, c.worst = rms(b, n), f.worst(b, skip)
}

// worst is the residual of the measure that fits least, sigmas, as the length of a
// foot's.
func (f *legFit) worst(b []float64, skip int) (most float64) {
	for m, x := range f.ms {
		if m == skip {
			continue
		}
		n := x.equations()
		sum := 0.0
		for _, v := range b[:n] {
			sum += v * v
		}
		most = max(most, math.Sqrt(3*sum/float64(n)))
		b = b[n:]
	}
	return most
}

// leastSquares solves a x = b for the smallest x, leaving out directions the
// rows say nothing about, and returns the rank and the unknown they say least
// about.
func leastSquares(a *mat.Dense, b []float64) (x []float64, rank, loose int) {
	rows, n := a.Dims()
	var svd mat.SVD
	x = make([]float64, n)
	if !svd.Factorize(a, mat.SVDThin) {
		return x, 0, 0
	}
	var u, v mat.Dense
	svd.UTo(&u)
	svd.VTo(&v)
	values := svd.Values(nil)
	const weakest = 1e-3
	for k, s := range values {
		if !(s > weakest*values[0]) {
			continue
		}
		rank++
		dot := 0.0
		for r := range rows {
			dot += u.At(r, k) * b[r]
		}
		for i := range n {
			x[i] += v.At(i, k) * dot / s
		}
	}
	_, last := v.Dims()
	for i := range n {
		if math.Abs(v.At(i, last-1)) > math.Abs(v.At(loose, last-1)) {
			loose = i
		}
	}
	return x, rank, loose
}

// within reports whether the joints stay near their limits at every measure: a
// leg that bends the wrong way fits the same marks.
func (f *legFit) within(c *fit) bool {
	const slack = 15 * math.Pi / 180
	l := &f.r.Legs[f.leg]
	q := make([]float64, len(l.Joints))
	for m := range f.ms {
		f.joints(q, c, m)
		for j := range q {
			if q[j] < l.Joints[j].Min-slack || q[j] > l.Joints[j].Max+slack {
				return false
			}
		}
	}
	return true
}
