package blend

import (
	"fmt"
	"math"

	"legctl/geom"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// Mix writes the blend of poses with weights w to dst. Weights below zero count
// as zero and the rest are taken over their sum; the order of the inputs does
// not matter. All weights zero give the neutral pose of Reset.
//
// Rotations are the normalised sum of the inputs, each normalised and negated
// if it points away from the heaviest one (the first of equals), so that every
// joint goes the short way. One-axis joints are the mean angle, unwrapped about
// the heaviest. Root motion, body, feet and contacts are weighted means.
//
// dst may be one of poses; it is written only when the error is nil: no poses,
// unequal numbers or shapes, a number that is not finite, a rotation of length
// <= 1e-9. Nothing is allocated.
func Mix(dst *Pose, poses []Pose, w []float64) error {
	lead, sum, err := leader(poses, w)
	if err != nil {
		return err
	}
	if err := sameShape(dst, &poses[0]); err != nil {
		return err
	}
	for i := range poses {
		if err := sameShape(&poses[0], &poses[i]); err != nil {
			return err
		}
		if err := poses[i].Check(); err != nil {
			return fmt.Errorf("%w (pose %d)", err, i)
		}
	}
	if sum == 0 {
		dst.Reset()
		return nil
	}
	mixRoot(dst, poses, w, lead, sum)
	for j := range dst.Joints {
		dst.Joints[j] = mixJoint(poses, w, lead, j)
	}
	mixAngles(dst, poses, w, lead, sum)
	mixFeet(dst, poses, w, sum)
	return nil
}

// leader returns the heaviest input and the sum of weights.
func leader(poses []Pose, w []float64) (lead int, sum float64, err error) {
	if len(poses) == 0 || len(poses) != len(w) {
		return 0, 0, fmt.Errorf("blend: %d poses with %d weights, want the same number, at least 1", len(poses), len(w))
	}
	for i, x := range w {
		if !(math.Abs(x) < largest) {
			return 0, 0, fmt.Errorf("blend: weight %d is %v, want a finite number", i, x)
		}
		if sum += max(x, 0); x > w[lead] {
			lead = i
		}
	}
	return lead, sum, nil
}

// unit returns q scaled to length one. One that is so within rounding is left
// as it is: that saves the root.
func unit(q quat.Number) quat.Number {
	n := dot(q, q)
	if math.Abs(n-1) <= noSum {
		return q
	}
	s := 1 / math.Sqrt(n)
	return quat.Number{Real: s * q.Real, Imag: s * q.Imag, Jmag: s * q.Jmag, Kmag: s * q.Kmag}
}

// addTo adds w times q to the sum, on the side of ref.
func addTo(sum, ref, q quat.Number, w float64) quat.Number {
	if dot(ref, q) < 0 {
		w = -w
	}
	return quat.Number{
		Real: sum.Real + w*q.Real, Imag: sum.Imag + w*q.Imag,
		Jmag: sum.Jmag + w*q.Jmag, Kmag: sum.Kmag + w*q.Kmag,
	}
}

// mixJoint returns the blend of one ball joint. The sum cannot vanish: it has
// the heaviest weight along the heaviest input.
func mixJoint(poses []Pose, w []float64, lead, j int) quat.Number {
	ref := &poses[lead].Joints[j]
	var a, b, c, d float64
	for i := range poses {
		k := w[i]
		if k <= 0 {
			continue
		}
		q := &poses[i].Joints[j]
		if n := q.Real*q.Real + q.Imag*q.Imag + q.Jmag*q.Jmag + q.Kmag*q.Kmag; math.Abs(n-1) > noSum {
			k /= math.Sqrt(n)
		}
		if q.Real*ref.Real+q.Imag*ref.Imag+q.Jmag*ref.Jmag+q.Kmag*ref.Kmag < 0 {
			k = -k
		}
		a, b, c, d = a+k*q.Real, b+k*q.Imag, c+k*q.Jmag, d+k*q.Kmag
	}
	return geom.Unit(quat.Number{Real: a, Imag: b, Jmag: c, Kmag: d})
}

func mixRoot(dst *Pose, poses []Pose, w []float64, lead int, sum float64) {
	var m RootMotion
	var p r3.Vec
	var q quat.Number
	for i := range poses {
		if w[i] <= 0 {
			continue
		}
		s := &poses[i]
		m.Move = r3.Add(m.Move, r3.Scale(w[i]/sum, s.Root.Move))
		m.Yaw += w[i] / sum * s.Root.Yaw
		p = r3.Add(p, r3.Scale(w[i]/sum, s.Body.P))
		q = addTo(q, poses[lead].Body.Q, unit(s.Body.Q), w[i])
	}
	dst.Root, dst.Body = m, geom.Pose{P: p, Q: geom.Unit(q)}
}

func mixAngles(dst *Pose, poses []Pose, w []float64, lead int, sum float64) {
	for j := range dst.Angles {
		ref, off := poses[lead].Angles[j], 0.0
		for i := range poses {
			if w[i] > 0 {
				off += w[i] * geom.WrapAngle(poses[i].Angles[j]-ref)
			}
		}
		dst.Angles[j] = ref + off/sum
	}
}

func mixFeet(dst *Pose, poses []Pose, w []float64, sum float64) {
	for j := range dst.Feet {
		var f r3.Vec
		down := 0.0
		for i := range poses {
			if w[i] > 0 {
				f = r3.Add(f, r3.Scale(w[i]/sum, poses[i].Feet[j]))
				down += w[i] / sum * poses[i].Ground[j]
			}
		}
		dst.Feet[j], dst.Ground[j] = f, down
	}
}
