package retarget

import (
	"fmt"
	"math"

	"legctl/blend"
	"legctl/blend/space"

	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/gonum/spatial/r3"
)

// steps are the legs of one pass of a loop, as the clip has them: everything
// is at even phases, n of them, and comes round.
type steps struct {
	name   string
	period float64
	cycles int
	hips   [][]r3.Vec
	feet   [][]r3.Vec // height above the floor
	tall   float64
	still  bool
	travel r2.Vec           // direction of travel, unit; zero where it does not
	pass   blend.RootMotion // of the root in a pass, where the clip has it
	stance [][]space.Stance
	low    float64   // height below which feet stand, in hip heights
	sweep  []float64 // length of a stance of each foot along the travel, metres
}

func (s *steps) n() int { return len(s.feet[0]) }

// at returns the sample at a whole index, any sign.
func at(v []r3.Vec, k int) r3.Vec {
	n := len(v)
	return v[((k%n)+n)%n]
}

// sampleAt returns v at a phase, between samples along straight lines.
func sampleAt(v []r3.Vec, phase float64) r3.Vec {
	x := phase * float64(len(v))
	f := math.Floor(x)
	k := int(f)
	return lerp(at(v, k), at(v, k+1), x-f)
}

func lerp(a, b r3.Vec, t float64) r3.Vec { return r3.Add(a, r3.Scale(t, r3.Sub(b, a))) }

// The rule of contact: a foot stands where it is low and does not go forward.
const (
	paceShare  = 0.1  // speed along the travel, in the feet's mean speed
	closeShare = 0.06 // gaps in a stance that are closed, in cycles
	dropShare  = 0.04 // stances that are dropped
)

// lowShares are how low a foot is that stands, in hip heights: the first for
// which every foot stands as often as the others.
var lowShares = [...]float64{0.05, 0.1, 0.18}

// contacts finds when each foot stands. declared, by foot, are stances the clip
// itself names; nil for those it does not.
func (s *steps) contacts(declared [][]space.Stance) error {
	mean := s.pace()
	s.way(mean)
	var first error
	for _, low := range lowShares {
		most, err := s.stand(declared, mean, low)
		if err == nil {
			s.cycles, s.low = most, low
			s.sweeps()
			return nil
		}
		if first == nil {
			first = err
		}
	}
	return first
}

// pace is the mean speed of the feet, m/s.
func (s *steps) pace() float64 {
	mean := 0.0
	for i := range s.feet {
		for k := range s.n() {
			mean += r3.Norm(s.velocity(i, k)) / float64(len(s.feet)*s.n())
		}
	}
	return mean
}

// counted reports whether every foot that low stands that many times.
func (s *steps) counted(cycles int, low float64) bool {
	mean := s.pace()
	s.way(mean)
	most, err := s.stand(nil, mean, low)
	return err == nil && most == cycles
}

// stand finds the stances with feet that are that low, and how many there are.
func (s *steps) stand(declared [][]space.Stance, mean, low float64) (int, error) {
	most := 0
	s.stance = nil
	for i := range s.feet {
		if i < len(declared) && declared[i] != nil {
			s.stance = append(s.stance, declared[i])
		} else {
			s.stance = append(s.stance, stances(s.down(i, mean, low), s.n()))
		}
		if len(s.stance[i]) == 0 {
			return 0, fmt.Errorf("retarget: %q: foot %d never stands: declare its contacts", s.name, i)
		}
		most = max(most, len(s.stance[i]))
	}
	for i := range s.stance {
		if len(s.stance[i]) != most {
			return 0, fmt.Errorf("retarget: %q: foot %d stands %d times and another %d times in a pass, want the same number: declare contacts, or cycles", s.name, i, len(s.stance[i]), most)
		}
	}
	return most, nil
}

// velocity returns the speed of a foot at a sample, m/s.
func (s *steps) velocity(i, k int) r3.Vec {
	return r3.Scale(float64(s.n())/(2*s.period), r3.Sub(at(s.feet[i], k+1), at(s.feet[i], k-1)))
}

// way finds the direction of travel: against the mean motion of low feet. Where
// they hardly move, the clip goes nowhere.
func (s *steps) way(mean float64) {
	var sum r2.Vec
	low := 0.0
	for i := range s.feet {
		high := 0.0
		for _, p := range s.feet[i] {
			high = max(high, p.Z)
		}
		for k, p := range s.feet[i] {
			if p.Z < min(lowShares[0]*s.tall, 0.35*high) {
				v := s.velocity(i, k)
				sum, low = r2.Sub(sum, r2.Vec{X: v.X, Y: v.Y}), low+1
			}
		}
	}
	s.travel = r2.Vec{}
	if n := r2.Norm(sum); n > 0.1*mean*low && n > 1e-9 {
		s.travel = r2.Scale(1/n, sum)
	}
}

func (s *steps) down(i int, mean, low float64) []bool {
	out := make([]bool, s.n())
	for k, p := range s.feet[i] {
		v := s.velocity(i, k)
		out[k] = p.Z < low*s.tall && v.X*s.travel.X+v.Y*s.travel.Y < paceShare*mean
	}
	return out
}

// stances reads the runs of a round of flags: short gaps are closed, short runs
// dropped.
func stances(down []bool, n int) []space.Stance {
	flip(down, false, int(closeShare*float64(n)))
	flip(down, true, int(dropShare*float64(n)))
	var out []space.Stance
	for k := range n {
		if !down[k] || down[(k+n-1)%n] {
			continue
		}
		long := 1
		for long < n && down[(k+long)%n] {
			long++
		}
		out = append(out, space.Stance{Touch: float64(k) / float64(n), Duty: float64(long) / float64(n)})
	}
	if len(out) == 0 && n > 0 && down[0] {
		out = append(out, space.Stance{Touch: 0, Duty: 1})
	}
	return out
}

// flip turns runs of one kind that are at most that long into the other.
func flip(v []bool, kind bool, most int) {
	n := len(v)
	for k := range n {
		if v[k] != kind || v[(k+n-1)%n] == kind {
			continue
		}
		long := 1
		for long < n && v[(k+long)%n] == kind {
			long++
		}
		for j := 0; long <= most && j < long; j++ {
			v[(k+j)%n] = !kind
		}
	}
}

// sweeps measures how far each foot is carried along during its stances.
func (s *steps) sweeps() {
	s.sweep = make([]float64, len(s.feet))
	for i := range s.feet {
		for _, c := range s.stance[i] {
			d := r3.Sub(sampleAt(s.feet[i], c.Touch), sampleAt(s.feet[i], c.Touch+c.Duty))
			s.sweep[i] += (d.X*s.travel.X + d.Y*s.travel.Y) / float64(len(s.stance[i]))
		}
	}
}

// motion returns what the root does in a pass. In place it is what the sweep
// of the stance feet says: the mean over the legs of sweep over stance time.
func (s *steps) motion() blend.RootMotion {
	if !s.still {
		return s.pass
	}
	v := 0.0
	for i := range s.feet {
		duty := 0.0
		for _, c := range s.stance[i] {
			duty += c.Duty / float64(len(s.stance[i]))
		}
		v += s.sweep[i] / duty / float64(len(s.feet))
	}
	return blend.RootMotion{Move: r3.Vec{X: v * s.travel.X, Y: v * s.travel.Y}}
}
