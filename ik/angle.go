package ik

import "math"

// mark is an angle whose sine is a sixteenth, with its cosine.
type mark struct{ angle, sin, cos float64 }

// marks cover half a right angle; the last entries are never reached by a unit
// vector and only keep any index in range.
var marks = [16]mark{
	{0.0, 0.0, 1.0},
	{0.062540761796491390801, 0.0625, 0.99804496391695699994},
	{0.12532783116806539687, 0.125, 0.99215674164922147144},
	{0.18861638617540409611, 0.1875, 0.98226460284385693626},
	{0.25268025514207865349, 0.25, 0.96824583655185422129},
	{0.31782370392788075318, 0.3125, 0.94991775959816647698},
	{0.38439677449563908304, 0.375, 0.92702481088695786859},
	{0.45281659474492557164, 0.4375, 0.89921841062113491405},
	{0.52359877559829887308, 0.5, 0.86602540378443864676},
	{0.5974064166453502143, 0.5625, 0.82679728470768455953},
	{0.67513153293703164721, 0.625, 0.78062474979979977573},
	{0.75804076542623596046, 0.6875, 0.72618437741389066597},
	{0.84806207898148100805, 0.75, 0.66143782776614764763},
}

// angleOf returns the angle, in (-pi, pi], of the unit vector (c, s): atan2
// without a division. The vector is turned back by the nearest mark and the
// small rest follows from the series of the arcsine; what the vector lacks in
// length, a share of e, costs 0.05 e.
func angleOf(c, s float64) float64 {
	x, y := math.Abs(c), math.Abs(s)
	steep := y > x
	if steep {
		x, y = y, x
	}
	m := marks[int(16*y+0.5)&15]
	d := y*m.cos - x*m.sin
	d2 := d * d
	a := m.angle + (d + d*d2*(1.0/6+d2*(3.0/40+d2*(15.0/336+d2*(105.0/3456)))))
	if steep {
		a = math.Pi/2 - a
	}
	if c < 0 {
		a = math.Pi - a
	}
	return math.Copysign(a, s)
}
