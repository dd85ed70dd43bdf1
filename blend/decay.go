package blend

// decay is an offset that dies out: a quintic from x0 with velocity v0 that has
// value, slope and curvature 0 after the time `over` (Bollo 2018). The zero
// value is no offset.
type decay struct {
	a, b, c, a0, v0, x0, over float64
}

// newDecay returns the decay of an offset x0 >= 0 with velocity v0 within over
// seconds: sooner if it would otherwise swing through, and never further away.
func newDecay(x0, v0, over float64) decay {
	if !(x0 > 0) || !(over > 0) {
		return decay{}
	}
	v0 = min(v0, 0)
	if v0 < 0 {
		over = min(over, -5*x0/v0)
	}
	t := over
	if t*t*t*t*t == 0 {
		return decay{}
	}
	a0 := max(0, (-8*v0*t-20*x0)/(t*t))
	return decay{
		a:  -(a0*t*t + 6*v0*t + 12*x0) / (2 * t * t * t * t * t),
		b:  (3*a0*t*t + 16*v0*t + 30*x0) / (2 * t * t * t * t),
		c:  -(3*a0*t*t + 12*v0*t + 20*x0) / (2 * t * t * t),
		a0: a0, v0: v0, x0: x0, over: t,
	}
}

// at returns the offset after t seconds.
func (d *decay) at(t float64) float64 {
	if t >= d.over {
		return 0
	}
	return ((((d.a*t+d.b)*t+d.c)*t+d.a0/2)*t+d.v0)*t + d.x0
}

// speed returns the offset's rate of change after t seconds.
func (d *decay) speed(t float64) float64 {
	if t >= d.over {
		return 0
	}
	return (((5*d.a*t+4*d.b)*t+3*d.c)*t+d.a0)*t + d.v0
}
