package estimate_test

import (
	"math"
	"strings"
	"testing"

	"legctl/configs"
	"legctl/estimate"

	"gonum.org/v1/gonum/spatial/r3"
	"pgregory.net/rapid"
)

// played runs a foot through a schedule (w = swing, . = stance) and readings (#
// = felt, - = not, blank = no sensor), 10 ms each, and returns a letter a tick.
func played(schedule, felt string) (facts string, c estimate.Contact) {
	p := estimate.ContactParams{Debounce: 0.02, Blind: 0.3, Depth: 0.03, Sink: 1}
	n := strings.Count(schedule, "w")
	phase := 0
	var b strings.Builder
	for i := range schedule {
		in := estimate.Step{Swing: schedule[i] == 'w', Feels: felt[i] == '#', Known: felt[i] != ' '}
		if in.Swing {
			in.Phase = float64(phase) / float64(n)
			phase++
		}
		b.WriteByte(letter(c.Update(&p, in, 0.01)))
	}
	return b.String(), c
}

func letter(f estimate.Facts) byte {
	for _, w := range []struct {
		bit estimate.Facts
		as  byte
	}{
		{estimate.Stuck, 'S'}, {estimate.Missing, 'M'}, {estimate.Lost, 'L'}, {estimate.Late, 'l'},
		{estimate.Early, 'E'}, {estimate.Landed, 'T'}, {estimate.Down, '#'},
	} {
		if f&w.bit != 0 {
			return w.as
		}
	}
	return '-'
}

func TestContactTimelines(t *testing.T) {
	rows := []struct{ name, schedule, felt, want string }{
		{"as planned", "...wwwwwwwwww...", "###----------###", "lT##---------lT#"},
		{"no sensor", "..wwwwwwwwww..", "              ", "T#----------T#"},
		{"early", "..wwwwwwwwwwww..", "##------########", "lT#------EEEEE##"},
		{"late, found", "..wwwwwwwwww....", "##------------##", "lT#---------llMT"},
		{"never found", "..wwwwwwww......", "##--------------", "lT#-------llMMMM"},
		{"lost in stance", "......", "####--", "lT###L"},
		{"a bounce is nothing", "......", "###-##", "lT####"},
		{"a knock in the swing is nothing", "..wwwwwwwwww", "##----#-----", "lT#---------"},
		{"contact as it lifts is not believed", "..wwwwwwwwww", "####--------", "lT###-------"},
		{"a switch that sticks", "..wwwwwwwwww", "############", "lT###SSSSSSS"},
	}
	for _, w := range rows {
		t.Run(w.name, func(t *testing.T) {
			if got, _ := played(w.schedule, w.felt); got != w.want {
				t.Errorf("schedule %s\n  feels    %s\n  facts    %s\n  want     %s", w.schedule, w.felt, got, w.want)
			}
		})
	}
}

// TestDepthIsKept checks that the depth a foot found ground at stays for the
// stance and is gone with the next swing.
func TestDepthIsKept(t *testing.T) {
	_, c := played("..wwwwwwww......", "##----------####")
	if c.Depth < 0.019 || c.Depth > 0.031 {
		t.Errorf("depth %v, want 2 to 3 cm", c.Depth)
	}
	p := estimate.ContactParams{Depth: 0.03, Sink: 1}
	c.Update(&p, estimate.Step{Swing: true, Known: true}, 0.01)
	if c.Depth != 0 {
		t.Errorf("depth %v in the next swing", c.Depth)
	}
}

// TestContactProperties lets any schedule and any readings loose.
func TestContactProperties(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		p := estimate.DefaultContact(0.3)
		p.Debounce = rapid.Float64Range(0, 0.05).Draw(rt, "debounce")
		dt := rapid.Float64Range(0.001, 0.02).Draw(rt, "dt")
		var c estimate.Contact
		swing := false
		for range 200 {
			if rapid.IntRange(0, 9).Draw(rt, "turn") == 0 {
				swing = !swing
			}
			in := estimate.Step{Swing: swing, Phase: rapid.Float64Range(0, 1).Draw(rt, "phase"),
				Feels: rapid.Bool().Draw(rt, "feels"), Known: rapid.Bool().Draw(rt, "known")}
			was := c
			f := c.Update(&p, in, dt)
			switch {
			case swing && f&(estimate.Late|estimate.Lost|estimate.Missing) != 0,
				!swing && f&(estimate.Early|estimate.Stuck) != 0,
				f&estimate.Early != 0 && f&estimate.Down == 0,
				f&estimate.Late != 0 && f&estimate.Lost != 0,
				f&estimate.Landed != 0 && (was.Touch || !c.Touch),
				!swing && (f&estimate.Down == 0) == (f&(estimate.Late|estimate.Lost) == 0):
				rt.Fatalf("facts %b in swing %v from %+v to %+v", f, swing, was, c)
			case c.Depth < 0 || c.Depth > p.Depth || c.Depth > was.Depth+p.Sink*dt+1e-12:
				rt.Fatalf("depth %v after %v", c.Depth, was.Depth)
			}
		}
	})
}

// TestPressFeelsGround checks the sensor of a leg without one: a servo that lags
// in the air is no contact, one that is held back from below is.
func TestPressFeelsGround(t *testing.T) {
	r, err := configs.LoadRig("phantomx")
	if err != nil {
		t.Fatal(err)
	}
	l := &r.Legs[0]
	p := estimate.DefaultContact(r.L())
	const dt = 0.01
	var s estimate.Press
	sent, got := make([]float64, 3), make([]float64, 3)
	rest := r.Slice(r.RestPose(nil), 0)
	copy(got, rest)
	air, ground, worst := 0, 0, 0.0
	for k := range 300 {
		now := float64(k) * dt
		copy(sent, rest)
		sent[1] += 0.3 * math.Sin(2*math.Pi*now) // swings through 4 cm in a second
		for j := range got {
			got[j] += dt / (p.Lag + dt) * (sent[j] - got[j])
		}
		if now > 2 {
			got[1] = min(got[1], rest[1]) // the ground ends its way down
		}
		push, feels := s.Update(&p, l, sent, got, r3.Vec{Z: 1}, dt)
		pressed := now > 2 && sent[1] > rest[1]+0.15
		switch {
		case now < 2:
			worst = max(worst, math.Abs(push))
			if feels {
				air++
			}
		case pressed && !feels:
			ground++
		}
	}
	if air > 0 || worst > p.Press/2 {
		t.Errorf("felt %d times in the air, by up to %.4f m", air, worst)
	}
	if ground > 5 {
		t.Errorf("missed the ground in %d ticks", ground)
	}
}
