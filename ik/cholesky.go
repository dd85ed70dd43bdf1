package ik

import "math"

// cholesky replaces the lower triangle of the n x n matrix a by its factor and
// reports false where a is not positive.
func cholesky(a *[maxJoints][maxJoints]float64, n int) bool {
	for j := range n {
		d := a[j][j]
		top := d
		for k := range j {
			d -= a[j][k] * a[j][k]
		}
		if !(d > 1e-12*top) || !(top > 0) {
			return false
		}
		d = math.Sqrt(d)
		a[j][j] = d
		for i := j + 1; i < n; i++ {
			v := a[i][j]
			for k := range j {
				v -= a[i][k] * a[j][k]
			}
			a[i][j] = v / d
		}
	}
	return true
}

// substitute solves L L^T x = b for four right-hand sides at once.
func substitute(l *[maxJoints][maxJoints]float64, b *[maxJoints][4]float64, n int) {
	for i := range n {
		for k := range i {
			for c := range 4 {
				b[i][c] -= l[i][k] * b[k][c]
			}
		}
		for c := range 4 {
			b[i][c] /= l[i][i]
		}
	}
	for i := n - 1; i >= 0; i-- {
		for k := i + 1; k < n; k++ {
			for c := range 4 {
				b[i][c] -= l[k][i] * b[k][c]
			}
		}
		for c := range 4 {
			b[i][c] /= l[i][i]
		}
	}
}

// substitute3 is substitute for three right-hand sides.
func substitute3(l *[maxJoints][maxJoints]float64, b *[maxJoints][3]float64, n int) {
	for i := range n {
		v := &b[i]
		row := &l[i]
		for k := range i {
			g, o := row[k], &b[k]
			v[0] -= g * o[0]
			v[1] -= g * o[1]
			v[2] -= g * o[2]
		}
		d := 1 / row[i]
		v[0] *= d
		v[1] *= d
		v[2] *= d
	}
	for i := n - 1; i >= 0; i-- {
		v := &b[i]
		for k := i + 1; k < n; k++ {
			g, o := l[k][i], &b[k]
			v[0] -= g * o[0]
			v[1] -= g * o[1]
			v[2] -= g * o[2]
		}
		d := 1 / l[i][i]
		v[0] *= d
		v[1] *= d
		v[2] *= d
	}
}
