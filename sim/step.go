package sim

import (
	"math"

	"legctl/geom"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// step advances the body by one tick under the present joint angles.
func (s *Sim) step(limp, lie bool) {
	st := &s.st
	s.kinematics()
	s.checkGround()
	st.Planted &= st.Enabled
	if limp {
		st.Planted = 0
	}
	s.release()
	h := s.support()
	s.topple(&h)
	if h.dir == (r3.Vec{}) {
		st.Planted = 0
	}
	s.held = h
	old := st.PoseWB
	wanted := s.turnAndFit(old)
	s.vertical(&h, wanted)
	s.horizontal(old)
	s.walls(old)
	s.belly()
	s.unbury(old)
	s.place()
	s.slip()
	s.touchDown(limp)
	s.giveWay(limp)
	s.watch(limp, lie)
	s.motion(old)
}

// turnAndFit sets rotation and horizontal place from the free rotation and the
// anchors, and returns the height the anchors ask for (NaN with none).
func (s *Sim) turnAndFit(old geom.Pose) float64 {
	st := &s.st
	spin := st.Spin
	if st.Planted == 0 {
		spin.Z += st.YawRate
	}
	guess := geom.Pose{P: old.P, Q: turned(old.Q, r3.Scale(s.dt, spin))}
	if st.Planted == 0 {
		if st.Belly != 0 { // the belly's edge, not the origin, stays in place
			arm := r3.Sub(old.P, s.held.edge)
			v := r3.Cross(st.Spin, arm)
			guess.P.X, guess.P.Y = guess.P.X+v.X*s.dt, guess.P.Y+v.Y*s.dt
		}
		st.PoseWB = guess
		return math.NaN()
	}
	to, x := s.fit(guess)
	st.PoseWB = geom.Pose{P: r3.Vec{X: to.P.X, Y: to.P.Y, Z: old.P.Z}, Q: to.Q}
	s.keepFree(&x)
	return to.P.Z
}

// keepFree drops the part of the free rotation that the anchors now fix.
func (s *Sim) keepFree(x *fixed) {
	spin := &s.st.Spin
	switch x.tilt {
	case 2:
		spin.X, spin.Y = 0, 0
	case 1:
		along := spin.X*x.line.X + spin.Y*x.line.Y
		spin.X, spin.Y = along*x.line.X, along*x.line.Y
	}
	if x.yaw {
		spin.Z = 0
	}
	*spin = r3.Scale(s.r.spin[s.standing()], *spin)
}

// vertical works out the fall: gravity and drag, then support towards the
// wanted height, never a pull; then the height. As long as the same feet stand,
// the body goes with the legs as they stretch or bend, and only what it is off
// their height is made up for slowly: a push-off gives it the speed the legs have.
func (s *Sim) vertical(h *holding, wanted float64) {
	st := &s.st
	if s.r.terminal > 0 {
		st.Fall = st.Fall*s.r.airKeep - s.r.terminal*(1-s.r.airKeep)
	} else {
		st.Fall -= s.r.g * s.dt
	}
	if wanted == wanted && h.dir.Z > 0 {
		share := float64(s.standing()) / float64(len(s.rig.Legs))
		stretch := 0.0
		if s.par.Spring && st.Planted == st.Held && st.Planted != 0 {
			stretch = wanted - st.Height
		}
		need := (stretch+s.r.height*(wanted-stretch-st.PoseWB.P.Z))/s.dt - st.Fall
		a := min(max(0, need), s.r.lift*share)
		st.Fall += a * h.dir.Z
		s.skid(h, a)
	}
	st.PoseWB.P.Z += st.Fall * s.dt
	st.Sag, st.Height, st.Held = 0, 0, 0
	if wanted == wanted {
		st.Sag = wanted - st.PoseWB.P.Z
		st.Height, st.Held = wanted, st.Planted
	}
	if s.par.Spring && st.Fall > 0 && st.Sag < -s.r.lifted { // up and away from what the legs reach
		st.Planted, st.Sag = 0, 0
	}
}

// skid feeds the slide with what of a support leans out of the friction cone;
// within it the feet hold and the body tips over them instead.
func (s *Sim) skid(h *holding, a float64) {
	lean := math.Sqrt(h.dir.X*h.dir.X + h.dir.Y*h.dir.Y)
	if lean == 0 {
		return
	}
	grip, n := 0.0, 0.0
	for i := range s.st.Feet {
		if s.st.Planted>>i&1 == 1 {
			grip += s.st.Feet[i].Friction
			n++
		}
	}
	if over := lean - s.par.Grip*grip/max(n, 1)*h.dir.Z; over > 0 {
		s.st.Slide.X += a * over / lean * h.dir.X
		s.st.Slide.Y += a * over / lean * h.dir.Y
	}
}

// horizontal adds the slide, takes the anchors with it, and lets ground drag
// slow it. Without anchors the body keeps the velocity it had.
func (s *Sim) horizontal(old geom.Pose) {
	st := &s.st
	n := s.standing()
	d := r3.Scale(s.dt, st.Slide)
	if n == 0 {
		d = r3.Scale(s.dt, r3.Add(st.Slide, st.Carry))
	} else {
		v := r3.Scale(1/s.dt, r3.Sub(st.PoseWB.P, old.P))
		st.Carry = r3.Vec{X: v.X, Y: v.Y}
		st.YawRate = geom.WrapAngle(geom.Yaw(st.PoseWB.Q)-geom.Yaw(old.Q)) / s.dt
	}
	s.shift(d)
	st.Slide = r3.Scale(s.r.ground[n], st.Slide)
	if r3.Norm2(st.Slide) < 1e-20*s.r.u*s.r.u {
		st.Slide = r3.Vec{}
	}
}

// shift moves the body and its anchors horizontally: the feet slide along.
func (s *Sim) shift(d r3.Vec) {
	if d.X == 0 && d.Y == 0 {
		return
	}
	s.st.PoseWB.P.X += d.X
	s.st.PoseWB.P.Y += d.Y
	way := math.Sqrt(d.X*d.X + d.Y*d.Y)
	for i := range s.st.Feet {
		if s.st.Planted>>i&1 == 1 {
			s.moveAnchor(i, r3.Add(s.st.Feet[i].Anchor, r3.Vec{X: d.X, Y: d.Y}), way)
		}
	}
}

// motion records the velocity of the tick, in B.
func (s *Sim) motion(old geom.Pose) {
	st := &s.st
	inv := quat.Conj(st.PoseWB.Q)
	k := 1 / s.dt
	was := geom.Rotate(old.Q, st.TwistB.V)
	st.TwistB.V = geom.Rotate(inv, r3.Scale(k, r3.Sub(st.PoseWB.P, old.P)))
	d := geom.Unit(quat.Mul(st.PoseWB.Q, quat.Conj(old.Q)))
	if d.Real < 0 {
		d = quat.Number{Real: -d.Real, Imag: -d.Imag, Jmag: -d.Jmag, Kmag: -d.Kmag}
	}
	v := r3.Vec{X: d.Imag, Y: d.Jmag, Z: d.Kmag}
	if n := math.Sqrt(r3.Norm2(v)); n > 0 {
		v = r3.Scale(2*math.Atan2(n, d.Real)/n*k, v)
	}
	st.TwistB.W = geom.Rotate(inv, v)
	s.sense(r3.Scale(k, r3.Sub(geom.Rotate(st.PoseWB.Q, st.TwistB.V), was)))
}

// turned returns q turned by the rotation vector w, W.
func turned(q quat.Number, w r3.Vec) quat.Number {
	n := math.Sqrt(r3.Norm2(w))
	if n == 0 {
		return q
	}
	return geom.Unit(quat.Mul(geom.AxisAngle(r3.Scale(1/n, w), n), q))
}
