package gait

import "math"

// span is a stretch of the cycle in which some foot stands, or none does.
type span struct {
	from, length float64
	fly          bool
}

// spans returns the stretches of the cycle in order; one, standing, when there
// is no flight.
func (g *Gait) spans() []span {
	events := g.Events(nil)
	var out []span
	for i, a := range events {
		b := 1 + events[0]
		if i+1 < len(events) {
			b = events[i+1]
		}
		fly := g.Stance((a+b)/2) == 0
		if n := len(out); n > 0 && out[n-1].fly == fly {
			out[n-1].length += b - a
			continue
		}
		out = append(out, span{a, b - a, fly})
	}
	// The first and the last may be one.
	if n := len(out); n > 1 && out[0].fly == out[n-1].fly {
		out[n-1].length += out[0].length
		out = out[1:]
	}
	return out
}

// maxSpans is how many stretches a Flight may have.
const maxSpans = 16

// Flight is the height of the body over one cycle of a gait with flight, above
// its height at every lift-off and touchdown: parabolas of gravity alone while
// no foot stands, joined by pushes of the stance so that height, speed and
// acceleration have no jump anywhere. Each push is the one quintic that takes
// over the fall's speed and gives the next flight its own, ending both ways at
// minus gravity, so a foot touches and leaves with no force.
//
// The zero value is a body that stays at height 0. Flight holds no pointers.
type Flight struct {
	Period  float64 // of the cycle, seconds
	Gravity float64 // m/s2

	Rise float64 // highest point above 0, metres
	Sink float64 // deepest point below 0, metres, >= 0
	Rate float64 // fastest vertical speed over a foot that stands, m/s
	Push float64 // largest force of the feet over mass, m/s2: gravity + acceleration
	Pull float64 // smallest of it; below 0 the feet would have to pull

	n     int
	spans [maxSpans]arc
}

// arc is one stretch: z = c0 + c1 t + ... + c5 t^5, t in seconds from its start.
type arc struct {
	from, length float64 // cycle phase
	fly          bool
	c            [6]float64
}

// NewFlight plans the height of the body for a valid gait; ok is false, and the
// result the zero value, when the gait has no flight, or more than eight.
func NewFlight(g *Gait, period, gravity float64) (f Flight, ok bool) {
	s := g.spans()
	if len(s) < 2 || len(s) > maxSpans {
		return Flight{}, false
	}
	f = Flight{Period: period, Gravity: gravity, n: len(s), Pull: math.Inf(1)}
	for i, sp := range s {
		a := arc{from: sp.from, length: sp.length, fly: sp.fly}
		t := sp.length * period
		if sp.fly {
			a.c = [6]float64{0, gravity * t / 2, -gravity / 2}
		} else {
			before, after := s[(i+len(s)-1)%len(s)], s[(i+1)%len(s)]
			a.c = push(-gravity*before.length*period/2, gravity*after.length*period/2, gravity, t)
		}
		f.spans[i] = a
		f.note(a, t)
	}
	return f, true
}

// push is the quintic of t seconds from height 0 to height 0, between the
// speeds v and w, with acceleration -g at both ends.
func push(v, w, g, t float64) [6]float64 {
	return [6]float64{
		0, v, -g / 2,
		(-8*w - 12*v + 2*g*t) / (2 * t * t),
		(14*w + 16*v - g*t) / (2 * t * t * t),
		-6 * (v + w) / (2 * t * t * t * t),
	}
}

// note keeps the extremes of one stretch.
func (f *Flight) note(a arc, t float64) {
	const samples = 256
	for k := range samples + 1 {
		z, vz, az := a.at(t * float64(k) / samples)
		f.Rise, f.Sink = math.Max(f.Rise, z), math.Max(f.Sink, -z)
		if !a.fly {
			f.Rate = math.Max(f.Rate, math.Abs(vz))
			f.Push = math.Max(f.Push, az+f.Gravity)
			f.Pull = math.Min(f.Pull, az+f.Gravity)
		}
	}
}

func (a *arc) at(t float64) (z, vz, az float64) {
	c := &a.c
	z = c[0] + t*(c[1]+t*(c[2]+t*(c[3]+t*(c[4]+t*c[5]))))
	vz = c[1] + t*(2*c[2]+t*(3*c[3]+t*(4*c[4]+t*5*c[5])))
	az = 2*c[2] + t*(6*c[3]+t*(12*c[4]+t*20*c[5]))
	return z, vz, az
}

// At returns height, metres, vertical speed and acceleration of the body at a
// cycle phase, and whether it flies. Any finite phase counts by its fraction.
func (f *Flight) At(phase float64) (z, vz, az float64, fly bool) {
	if f.n == 0 {
		return 0, 0, 0, false
	}
	a, into := f.find(phase)
	z, vz, az = a.at(into * f.Period)
	return z, vz, az, a.fly
}

// find returns the stretch a phase lies in, and how far in, cycles.
func (f *Flight) find(phase float64) (*arc, float64) {
	for i := range f.spans[:f.n] {
		a := &f.spans[i]
		if into := Frac(phase - a.from); into < a.length {
			return a, into
		}
	}
	// Rounding left a gap of an ulp before the first.
	return &f.spans[0], 0
}

// Longest returns the longest flight, seconds.
func (f *Flight) Longest() float64 {
	t := 0.0
	for _, a := range f.spans[:f.n] {
		if a.fly {
			t = math.Max(t, a.length*f.Period)
		}
	}
	return t
}
