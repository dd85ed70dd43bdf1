package rig

import (
	"math"
	"strings"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// mirrorTolerance is how exactly twins must mirror, in units of L: far above
// rounding, far below any mistake in a file.
const mirrorTolerance = 1e-6

// mirror checks that left and right legs are mirror images in mount and in
// lengths. A published octopod carried one mount with the wrong sign for years
// (controllers note, A.5 no. 10); nothing but this check would show it.
func (c *checker) mirror() {
	r := c.r
	for i := range r.Legs {
		k := twin(r, i)
		switch {
		case k < 0 && r.Groups.Side[i] != 0:
			c.add(i, -1, "Legs", "has no twin on the other side", vec(r.Legs[i].Neutral), "want a mirrored leg, or asymmetric: true in the file")
		case k >= 0 && left(r, i, k):
			c.twins(i, k)
		}
	}
}

// left reports whether i is the left one of two twins, so that each pair is
// looked at once.
func left(r *Rig, i, k int) bool {
	a, b := r.Legs[i].Joints[0].Origin.P.Y, r.Legs[k].Joints[0].Origin.P.Y
	if a != b {
		return a > b
	}
	return i < k
}

// twins compares leg k with its image i. The fault is put on k, the right one.
func (c *checker) twins(i, k int) {
	a, b := &c.r.Legs[i], &c.r.Legs[k]
	tol := mirrorTolerance * c.r.L()
	c.image(k, -1, "Mount", "mount is not the mirror image of "+c.name(i, -1), a.Joints[0].Origin.P, b.Joints[0].Origin.P, tol)
	if len(a.Joints) != len(b.Joints) {
		c.add(k, -1, "Joints", "other number of joints than its twin "+c.name(i, -1), num(float64(len(b.Joints))), "want "+num(float64(len(a.Joints))))
		return
	}
	for j := 1; j < len(a.Joints); j++ {
		c.sameLength(i, k, j-1, norm(a.Joints[j].Origin.P), norm(b.Joints[j].Origin.P), tol)
	}
	c.sameLength(i, k, len(a.Joints)-1, norm(a.Foot), norm(b.Foot), tol)
	c.image(k, -1, "Neutral", "neutral foot is not the mirror image of "+c.name(i, -1), a.Neutral, b.Neutral, tol)
}

func (c *checker) image(k, joint int, field, what string, left, right r3.Vec, tol float64) {
	want := r3.Vec{X: left.X, Y: -left.Y, Z: left.Z}
	if norm(r3.Sub(right, want)) > tol {
		c.add(k, joint, field, what, vec(right), "want "+vec(want)+", or asymmetric: true in the file")
	}
}

func (c *checker) sameLength(i, k, joint int, left, right, tol float64) {
	if math.Abs(left-right) > tol {
		c.add(k, joint, "Link", "length differs from its twin "+c.name(i, joint), num(right)+" m", "want "+num(left)+" m, or asymmetric: true in the file")
	}
}

// twin returns the leg on the other side: by name where names say so (lf and
// rf, left-front and right-front), else the partner by neutral feet. Names
// come first, because a wrong mount may also have moved the foot.
func twin(r *Rig, i int) int {
	if k, ok := r.Find(TwinName(r.Legs[i].Name)); ok && k != i {
		return k
	}
	return r.Groups.Partner[i]
}

// TwinName returns the name of the leg on the other side: left and right
// change places, else a leading l and r do. A name without either returns
// unchanged.
func TwinName(name string) string {
	for _, p := range [...][2]string{{"left", "right"}, {"l", "r"}} {
		if rest, ok := strings.CutPrefix(name, p[0]); ok {
			return p[1] + rest
		}
		if rest, ok := strings.CutPrefix(name, p[1]); ok {
			return p[0] + rest
		}
	}
	return name
}

// ValidName reports whether a rig, leg or joint name matches
// [a-z0-9][a-z0-9_-]* and is at most 64 bytes long.
func ValidName(s string) bool {
	if s == "" || len(s) > 64 || s[0] == '_' || s[0] == '-' {
		return false
	}
	for _, b := range []byte(s) {
		if (b < 'a' || b > 'z') && (b < '0' || b > '9') && b != '_' && b != '-' {
			return false
		}
	}
	return true
}

// planar reports whether the foot of a leg can move in fewer than three
// directions at its rest angles: the smallest singular value of the Jacobian
// is below 1e-6 of the largest. For a 3x3 matrix A = J J' that is
// det A < 1e-12 tr A times the sum of its principal minors, up to small factors.
func planar(l *Leg) bool {
	var q [MaxJoints]float64
	var cols [MaxJoints]r3.Vec
	n := len(l.Joints)
	for j := range l.Joints {
		q[j] = l.Joints[j].Rest
	}
	Jacobian(cols[:n], l, q[:n])
	FoldMimic(cols[:n], l)
	var xx, yy, zz, xy, xz, yz float64
	for _, v := range cols[:n] {
		xx, yy, zz = xx+v.X*v.X, yy+v.Y*v.Y, zz+v.Z*v.Z
		xy, xz, yz = xy+v.X*v.Y, xz+v.X*v.Z, yz+v.Y*v.Z
	}
	minors := xx*yy - xy*xy + xx*zz - xz*xz + yy*zz - yz*yz
	det := xx*(yy*zz-yz*yz) - xy*(xy*zz-yz*xz) + xz*(xy*yz-yy*xz)
	return det <= 1e-12*(xx+yy+zz)*minors
}

func norm(v r3.Vec) float64 { return math.Sqrt(r3.Norm2(v)) }

func quatNorm2(q quat.Number) float64 {
	return q.Real*q.Real + q.Imag*q.Imag + q.Jmag*q.Jmag + q.Kmag*q.Kmag
}

func finite(v float64) bool { return v-v == 0 }

func deg(v float64) float64 { return v * (180 / math.Pi) }

func vec(v r3.Vec) string { return "(" + num(v.X) + ", " + num(v.Y) + ", " + num(v.Z) + ")" }
