package control_test

import (
	"math"
	"testing"

	"legctl/configs"
	"legctl/gait"
	"legctl/rig"
)

// planarModel is the walk of the step-rule notes once more, by other means: the
// body on a line, feet on a plane, no joints. Legs decide one after the other,
// as the original's did (inTurn), or all on how things stood as the tick began.
// It shows that the figures of the notes which we do not meet come from nothing
// but the order of legs (fault 14).
type planarModel struct {
	legs        []planarLeg
	rig         *rig.Rig
	same, cross int
	inTurn      bool
	at, speed   float64
	waiting     bool
	before      []planarLeg
	granted     uint64
}

type planarLeg struct {
	rest, side   float64 // of the rest point, along and across
	x, y, z      float64 // of the foot
	moving       bool
	lifted, down int // ticks since
	lifts        []int
}

func newPlanar(t *testing.T, name string, same, cross int, inTurn bool) *planarModel {
	r, err := configs.LoadRig(name)
	if err != nil {
		t.Fatal(err)
	}
	m := &planarModel{rig: r, same: same, cross: cross, inTurn: inTurn}
	for i := range r.Legs {
		n := r.Legs[i].Neutral
		m.legs = append(m.legs, planarLeg{rest: n.X, side: n.Y, x: n.X, y: n.Y, lifted: 999, down: 999})
	}
	return m
}

func (m *planarModel) tick(k int) {
	want := 0.15
	if m.waiting {
		want = 0
	}
	m.speed += math.Max(-0.0375, math.Min(0.0375, want-m.speed))
	m.at += m.speed
	radius := 0.25 + (0.8-0.25)*m.speed/0.15
	m.before = append(m.before[:0], m.legs...)
	m.granted = 0
	if m.inTurn {
		for _, i := range m.rig.Groups.Order {
			m.move(i, radius)
			m.decide(i, k, radius, m.legs)
		}
	} else {
		for i := range m.legs {
			m.move(i, radius)
			m.before[i].lifted, m.before[i].down = m.legs[i].lifted, m.legs[i].down
		}
		for _, i := range m.rig.Groups.Order {
			m.decide(i, k, radius, m.before)
		}
	}
	m.waiting = false
	for i := range m.legs {
		l := &m.legs[i]
		m.waiting = m.waiting || !l.moving && math.Hypot(l.x-l.rest-m.at, l.y-l.side) > 1.2
	}
}

// move is the swing of section 2.6.
func (m *planarModel) move(i int, radius float64) {
	const step = 0.375
	l := &m.legs[i]
	l.lifted++
	l.down++
	if !l.moving {
		return
	}
	l.x += m.speed
	dx, dy := l.rest+m.at+0.6*radius-l.x, l.side-l.y
	d := math.Sqrt(dx*dx + dy*dy + l.z*l.z)
	f := math.Min(1, step/math.Max(d, 1e-12))
	l.x, l.y, l.z = l.x+f*dx, l.y+f*dy, l.z-f*l.z
	if (1-f)*math.Hypot(dx, dy) > 0.35 {
		l.z += math.Max(-step, math.Min(step, 0.35-l.z))
	}
	if (1-f)*d < 1e-4 {
		l.moving, l.down = false, 0
	}
}

// decide is the walking rule of section 2.7, with seen as the other legs.
func (m *planarModel) decide(i, k int, radius float64, seen []planarLeg) {
	l := &m.legs[i]
	if l.moving {
		return
	}
	for j := range seen {
		taken := m.granted>>j&1 == 1
		if m.rig.Groups.Adjacent[i]>>j&1 == 1 && (seen[j].moving || taken || seen[j].down < m.cross) {
			return
		}
		if m.rig.Groups.Diagonal[i]>>j&1 == 1 && (seen[j].lifted < m.same || taken && m.same > 0) {
			return
		}
	}
	if math.Hypot(l.x-l.rest-m.at, l.y-l.side) <= radius || math.Abs(l.x-l.rest-m.at-0.6*radius) < 0.1 {
		return
	}
	l.moving, l.lifted = true, 0
	l.lifts = append(l.lifts, k)
	m.granted |= 1 << i
}

// steady returns the mean period in ticks and the mean speed, U a tick.
func (m *planarModel) steady(ticks int) (period, speed float64) {
	from, n, sum := ticks/3, 0, 0
	start := 0.0
	for k := range ticks {
		if m.tick(k); k == from {
			start = m.at
		}
	}
	for i := range m.legs {
		lifts := m.legs[i].lifts
		for j := 1; j < len(lifts); j++ {
			if lifts[j-1] >= from {
				sum += lifts[j] - lifts[j-1]
				n++
			}
		}
	}
	return float64(sum) / float64(n), (m.at - start) / float64(ticks-1-from)
}

// TestOrderOfLegs: with legs deciding in turn the model gives the periods of
// the notes, with cross-pair 1 and its cost curve included; deciding on the
// same facts it gives ours, leg for leg those of the controller and simulator.
func TestOrderOfLegs(t *testing.T) {
	rows := []struct {
		rig         string
		cross       int
		least, most float64 // period with legs in turn: the notes
		same        float64 // all on the same facts
	}{
		{"quadruped", 0, 13, 13, 14},
		{"hexapod", 0, 15, 15, 14},
		{"octopod", 0, 15, 15, 14},
		{"quadruped", 1, 15, 15, 14},
		{"hexapod", 1, 19, 19, 14},
		{"octopod", 1, 15, 19, 14}, // the notes: 9 to 19, mean 16
	}
	for _, r := range rows {
		if p, _ := newPlanar(t, r.rig, 1, r.cross, true).steady(900); p < r.least || p > r.most {
			t.Errorf("%s, cross-pair %d, in turn: period %.2f, want %g to %g", r.rig, r.cross, p, r.least, r.most)
		}
		if p, _ := newPlanar(t, r.rig, 1, r.cross, false).steady(900); p != r.same {
			t.Errorf("%s, cross-pair %d, on the same facts: period %.2f, want %g", r.rig, r.cross, p, r.same)
		}
		rules := gait.ReferenceWalk()
		rules.CrossPair = float64(r.cross)
		w := build(t, setting{rig: r.rig, rules: rules, leeway: upright(r.rig)})
		w.twist(0.15, 0, 0)
		w.run(200)
		if p := w.strides(80).period; p != r.same {
			t.Errorf("%s, cross-pair %d: the controller's period is %.2f, the model's %g", r.rig, r.cross, p, r.same)
		}
	}
	for _, r := range costRows {
		for i, c := range []int{1, 2, 3, 4, 6} {
			if _, v := newPlanar(t, r.rig, c, 1, true).steady(3000); math.Abs(v-r.notes[i]) > 0.02 {
				t.Errorf("%s, same-pair %d, in turn: speed %.3f, want %.3f +-0.02", r.rig, c, v, r.notes[i])
			}
		}
	}
}
