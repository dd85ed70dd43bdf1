package space

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"legctl/blend"

	"gonum.org/v1/gonum/spatial/r3"
)

// The rule of repetition: a lag counts when the frames that far apart are more
// alike than most, and the best cut of about that length ends nearly as it
// began, both against how much the points move at all.
const (
	alikeShare = 0.65 // of twice the variance, over all frames
	cutShare   = 0.12 // of the variance, at the best cut
	halfWindow = 1. / 6
	shortest   = 0.25 // seconds of a cycle
	cutSlack   = 0.05 // of a cut's length
	driftShare = 0.15 // of the length of several cycles, whose pace drifts
)

// Repetitions returns the lags, frames, after which a clip is like itself
// again, ascending: entry N-1 is that of N cycles. Points should be relative to
// the root and labelled, so that a left step is no right one. A clip that never
// repeats within half its length is an error that says so.
func Repetitions(c *Cloud, step float64) ([]int, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	if !(step > 0) {
		return nil, fmt.Errorf("space: step of %v s, want more than 0", step)
	}
	profile, spread := c.profile()
	for k := max(int(shortest/step), 1); k <= len(profile)/2 && k < len(profile)-1; k++ {
		if profile[k] < profile[k-1] && profile[k] < profile[k+1] && profile[k] < alikeShare*spread && c.closes(step, k, spread) {
			lags := []int{k}
			for n := 2; n <= MaxCycles; n++ {
				// The clip's pace may drift: look about the multiple.
				cuts, err := Cuts(c, step, n*k, driftShare)
				if err != nil || !c.close(cuts[0], spread) {
					break
				}
				lags = append(lags, cuts[0].To-cuts[0].From)
			}
			return lags, nil
		}
	}
	return nil, fmt.Errorf("space: no cycle found in %.3g s: nothing repeats closely enough; declare its cycles, or that it is one loop", float64(len(c.Points))*step)
}

// closes reports whether the best cut of about lag frames ends as it began.
func (c *Cloud) closes(step float64, lag int, spread float64) bool {
	cuts, err := Cuts(c, step, lag, 0)
	return err == nil && c.close(cuts[0], spread)
}

// close reports whether a cut ends as it began, against twice the variance.
func (c *Cloud) close(cut Cut, spread float64) bool {
	total := 0.0
	for _, w := range c.Weights {
		total += w
	}
	return cut.Cost*total < cutShare*spread/2
}

// profile returns the mean square distance of frames a lag apart, by lag, and
// twice the variance of the points: what two moments differ by on the mean.
func (c *Cloud) profile() ([]float64, float64) {
	n := len(c.Points)
	raw := make([]float64, n)
	for k := 1; k < n; k++ {
		for i := range n - k {
			for p, w := range c.Weights {
				raw[k] += w * r3.Norm2(r3.Sub(c.Points[i+k][p], c.Points[i][p])) / float64(n-k)
			}
		}
	}
	spread := 0.0
	for p, w := range c.Weights {
		var mean r3.Vec
		for i := range n {
			mean = r3.Add(mean, r3.Scale(1/float64(n), c.Points[i][p]))
		}
		for i := range n {
			spread += 2 * w * r3.Norm2(r3.Sub(c.Points[i][p], mean)) / float64(n)
		}
	}
	return raw, spread
}

// Cut is a stretch of a clip that ends as it began.
type Cut struct {
	From, To int     // frames
	Cost     float64 // distance of the two ends, m2
}

// Cuts returns, for every frame it may begin at, the stretch of about lag
// frames, within a share slack of it (0: 0.05), whose ends are most alike over
// the window, with the same feet down: most alike first, at least one.
func Cuts(c *Cloud, step float64, lag int, slack float64) ([]Cut, error) {
	n := len(c.Points)
	if slack == 0 {
		slack = cutSlack
	}
	about := max(1, int(slack*float64(lag)))
	if lag < 2 || lag-about >= n {
		return nil, fmt.Errorf("space: cycles of %d frames in a clip of %d, want them shorter", lag, n)
	}
	half := int(math.Round(halfWindow / step))
	var out []Cut
	for s := range n {
		best := Cut{Cost: math.Inf(1)}
		for e := s + lag - about; e <= s+lag+about && e < n; e++ {
			if c.Ground != nil && differ(c.Ground[s], c.Ground[e]) > 0 {
				continue
			}
			// Ends without room for the window count as less alike.
			room := min(half, min(s, n-1-e))
			if d := c.near(s, e, half) * (2 - float64(room)/float64(max(half, 1))); d < best.Cost {
				best = Cut{s, e, d}
			}
		}
		if !math.IsInf(best.Cost, 1) {
			out = append(out, best)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("space: no stretch of %d frames ends with the feet down that it began with", lag)
	}
	slices.SortStableFunc(out, func(a, b Cut) int { return cmp.Compare(a.Cost, b.Cost) })
	return out, nil
}

// near is the mean square distance of the windows about two frames; both run
// into the ends alike.
func (c *Cloud) near(s, e, half int) float64 {
	sum, weight := 0.0, 0.0
	n := len(c.Points)
	for d := -half; d <= half; d++ {
		if s+d < 0 || e+d >= n {
			continue
		}
		t := 1 - math.Abs(float64(d))/float64(half+1)
		for p, w := range c.Weights {
			sum, weight = sum+t*w*r3.Norm2(r3.Sub(c.Points[s+d][p], c.Points[e+d][p])), weight+t*w
		}
	}
	return sum / weight
}

// PadBySegment returns the frames of a loop begun at frame q, padded the way
// the published pipeline does it: the two frames about the beginning are put,
// aligned, at the end, so that the last frame repeats the pose of the first one
// with the root one true increment further. frames are those of one pass
// without a repeated one; Root holds the increment since the frame before, that
// of frame 0 since the last. It allocates.
func PadBySegment(frames []blend.Pose, q int) []blend.Pose {
	n := len(frames)
	// Absolute places of the rotated pass, then the segment laid over its end.
	at := make([]blend.Place, n+1)
	for k := 1; k < n; k++ {
		at[k] = at[k-1].After(frames[(q+k)%n].Root)
	}
	before := blend.Place{}.After(frames[q%n].Root.Inverse()) // q-1 as seen from q
	at[n] = at[n-1].After(stepTo(before, blend.Place{}))
	out := blend.NewPoses(frames[0].Shape(), n+1)
	for k := range out {
		_ = blend.Copy(&out[k], &frames[(q+k)%n])
		if k > 0 {
			out[k].Root = stepTo(at[k-1], at[k])
		}
	}
	return out
}

// PadByIncrements returns the same as PadBySegment from the stored increments.
func PadByIncrements(frames []blend.Pose, q int) []blend.Pose {
	n := len(frames)
	out := blend.NewPoses(frames[0].Shape(), n+1)
	for k := range out {
		_ = blend.Copy(&out[k], &frames[(q+k)%n])
	}
	return out
}

// stepTo returns the step that leads from one place to another.
func stepTo(a, b blend.Place) blend.RootMotion {
	yaw := b.Yaw - a.Yaw
	s, c := math.Sincos(-(a.Yaw + yaw/2))
	d := r3.Sub(b.At, a.At)
	return blend.RootMotion{Move: r3.Vec{X: c*d.X - s*d.Y, Y: s*d.X + c*d.Y, Z: d.Z}, Yaw: yaw}
}
