package bench

import (
	"fmt"
	"math"
	"math/rand/v2"

	"legctl/configs"
	"legctl/ik"
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r3"
)

// bend is how far the first and the last link of a resting chain differ in
// direction, radians. The twin starts from the same pose.
const bend = 1.0

// restChain is the pose a cold solve starts from: links in the x, z plane whose
// directions fan out evenly from +bend/2 to -bend/2.
func restChain(lengths []float64) []r3.Vec {
	p := make([]r3.Vec, len(lengths)+1)
	for i, l := range lengths {
		a := bend * (0.5 - float64(i)/float64(len(lengths)-1))
		p[i+1] = r3.Add(p[i], r3.Scale(l, r3.Vec{X: math.Cos(a), Z: math.Sin(a)}))
	}
	return p
}

// chainKernels time the bare chains and count the targets they miss.
func chainKernels(w *workload) ([]kernel, error) {
	var out []kernel
	for _, c := range chainCases() {
		rest := restChain(c.lengths)
		for _, f := range []struct{ file, name string }{
			{"targets", "random"}, {"near", "near"}, {"inner", "inner"}, {"far", "far"},
		} {
			if _, inner := reach(c.lengths); f.file == "inner" && inner == 0 {
				continue
			}
			targets, err := w.targets(c.name + "_" + f.file + ".f64")
			if err != nil {
				return nil, err
			}
			out = append(out, coldChain(c, f.name, targets, func(p []r3.Vec, _ r3.Vec) { copy(p, rest) }))
			if f.name == "random" {
				out = append(out, missedChain(c, rest, targets), collinear(c, targets))
			}
		}
		track, err := w.targets(c.name + "_track.f64")
		if err != nil {
			return nil, err
		}
		out = append(out, warmChain(c, rest, track))
	}
	return out, nil
}

// coldChain solves every target anew, from the pose that start writes.
func coldChain(c chainCase, name string, targets []r3.Vec, start func(p []r3.Vec, target r3.Vec)) kernel {
	p := make([]r3.Vec, len(c.lengths)+1)
	return kernel{area: "ik", name: c.name + "/" + name, ops: len(targets), run: func() float64 {
		sum := 0.0
		for _, t := range targets {
			start(p, t)
			sum += ik.Fabrik(p, c.lengths, t, ik.Options{}).Residual
		}
		return sum
	}}
}

// collinear starts from a straight chain that already points at the target:
// plain FABRIK never leaves that line.
func collinear(c chainCase, targets []r3.Vec) kernel {
	return coldChain(c, "collinear", targets, func(p []r3.Vec, t r3.Vec) {
		u := r3.Scale(1/math.Sqrt(r3.Norm2(t)), t)
		at := 0.0
		for i, l := range c.lengths {
			at += l
			p[i+1] = r3.Scale(at, u)
		}
	})
}

// missedChain counts the targets that end farther off than 1e-6 m.
func missedChain(c chainCase, rest, targets []r3.Vec) kernel {
	p := make([]r3.Vec, len(c.lengths)+1)
	return kernel{area: "ik", name: c.name + "/missed", unit: "count", exact: true, run: func() float64 {
		missed := 0.0
		for _, t := range targets {
			copy(p, rest)
			ik.Fabrik(p, c.lengths, t, ik.Options{})
			if !(r3.Norm2(r3.Sub(p[len(p)-1], t)) <= 1e-12) {
				missed++
			}
		}
		return missed
	}}
}

// warmChain follows a foot path, each solve from the one before.
func warmChain(c chainCase, rest, track []r3.Vec) kernel {
	p := append([]r3.Vec(nil), rest...)
	return kernel{area: "ik", name: c.name + "/track", ops: len(track), run: func() float64 {
		sum := 0.0
		for _, t := range track {
			sum += ik.Fabrik(p, c.lengths, t, ik.Options{}).Residual
		}
		return sum
	}}
}

// legKernels time real legs on targets drawn by forward kinematics within
// their limits: warm from a neighbouring pose, and cold.
func legKernels(*workload) ([]kernel, error) {
	var out []kernel
	for _, name := range []string{"phantomx", "a1"} {
		r, err := configs.LoadRig(name)
		if err != nil {
			return nil, fmt.Errorf("bench: %w", err)
		}
		from, to := legTargets(r)
		for _, closed := range []bool{false, true} {
			s := ik.NewSolver(r, ik.Params{Closed: closed})
			way := "fabrik"
			if closed {
				way = "closed"
			}
			out = append(out, legKernel(s, name+"/"+way+"/warm", from, to, (*ik.Solver).Solve))
			if !closed {
				out = append(out, legKernel(s, name+"/"+way+"/cold", from, to, (*ik.Solver).SolveCold))
			}
		}
	}
	return out, nil
}

// legTargets draws poses of leg 0 and feet 1 % of a joint's range away.
func legTargets(r *rig.Rig) (from [][]float64, to []r3.Vec) {
	rng := rand.New(rand.NewPCG(3, 5))
	for range 512 {
		q, near := r.RestPose(nil), r.RestPose(nil)
		for j := range r.Legs[0].Joints {
			jt := &r.Legs[0].Joints[j]
			span := jt.Max - jt.Min
			q[j] = jt.Min + span*(0.05+0.9*rng.Float64())
			near[j] = q[j] + 0.01*span*(2*rng.Float64()-1)
		}
		from, to = append(from, q), append(to, rig.Foot(r, 0, near))
	}
	return from, to
}

func legKernel(s *ik.Solver, name string, from [][]float64, to []r3.Vec, solve func(*ik.Solver, []float64, int, ik.Target) ik.Result) kernel {
	q := append([]float64(nil), from[0]...)
	n := len(s.Rig().Legs[0].Joints)
	return kernel{area: "ik", name: name, ops: len(to), run: func() float64 {
		sum := 0.0
		for i, t := range to {
			copy(q[:n], from[i])
			sum += solve(s, q, 0, ik.Target{Foot: t}).Residual
		}
		return sum
	}}
}
