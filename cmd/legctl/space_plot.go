package main

import (
	"fmt"
	"math"
	"strings"

	"legctl/blend"
	"legctl/blend/space"
	"legctl/plot"

	"github.com/spf13/cobra"
	"gonum.org/v1/gonum/spatial/r2"
)

func newSpacePlot() *cobra.Command {
	o := struct{ out, what, motion, from, to string }{}
	c := &cobra.Command{
		Use: "plot FILE -o FILE.svg", Short: "Draw a motion space: match webs, goal spaces, registration, weights", Args: exactly(1, "FILE"),
		Example: "  legctl space plot a1.space.json --what goals --motion walk -o fans.svg\n  legctl space plot a1.space.json --what weights --from walk --to run -o weights.png",
		RunE: func(c *cobra.Command, args []string) error {
			s, err := readSpace(args[0])
			if err != nil {
				return err
			}
			from, to, err := motions(s, o.motion, o.from, o.to)
			if err != nil {
				return wrongUsage(c, err)
			}
			var p plot.Picture
			switch o.what {
			case "web":
				p, err = webPicture(s, from, to)
			case "goals":
				p, err = goalPicture(s, from)
			case "curves":
				p = curvePicture(s)
			case "weights":
				p = weightPicture(s, from, to)
			case "path":
				p = pathPicture(s)
			default:
				return wrongUsage(c, fmt.Errorf("--what %q, want web, goals, curves, weights or path", o.what))
			}
			if err != nil {
				return err
			}
			return drawPicture(c, p, o.out)
		},
	}
	c.Flags().StringVar(&o.what, "what", "goals", "web, goals, curves, weights or path (to goals all round)")
	c.Flags().StringVar(&o.motion, "motion", "", "motion to draw (the reference)")
	c.Flags().StringVar(&o.from, "from", "", "web and weights: first motion (--motion)")
	c.Flags().StringVar(&o.to, "to", "", "web and weights: second motion (the last one)")
	c.Flags().StringVarP(&o.out, "output", "o", "", "picture to write, .svg or .png")
	return c
}

func motions(s *space.Space, motion, from, to string) (int, int, error) {
	a, b := s.Ref, len(s.Motions)-1
	for _, k := range []struct {
		name string
		at   *int
	}{{motion, &a}, {from, &a}, {to, &b}} {
		if k.name == "" {
			continue
		}
		i, ok := s.Find(k.name)
		if !ok {
			return 0, 0, fmt.Errorf("no motion %q in space %s", k.name, s.Name)
		}
		*k.at = i
	}
	return a, b, nil
}

// webPicture draws how alike the moments of two motions' references are, with
// their registration curve.
func webPicture(s *space.Space, from, to int) (plot.Picture, error) {
	a, b := &s.Motions[from], &s.Motions[to]
	la, lb := a.Clips[a.Ref].Loop, b.Clips[b.Ref].Loop
	web, err := space.NewWeb(la.Cloud(), lb.Cloud(), space.WebOptions{Half: la.Intervals() / 12, Contact: 0.02 * s.Length * s.Length, Loop: true})
	if err != nil {
		return nil, err
	}
	h := &plot.Heat{
		Title: fmt.Sprintf("match web of %s and %s", shortName(la), shortName(lb)), X: "phase of " + shortName(lb), Y: "phase of " + shortName(la),
		Cost: web.Cost, Unit: 1 / float64(la.Intervals()),
	}
	dots := plot.Line{Name: "matches", Dots: true}
	for _, m := range web.Matches(web.Threshold(1.5, 0)) {
		dots.X, dots.Y = append(dots.X, (float64(m.J)+.5)*h.Unit), append(dots.Y, (float64(m.I)+.5)*h.Unit)
	}
	curve := plot.Line{Name: "registration"}
	for k := range 401 {
		u := float64(k) / 400
		x, y := frac01(a.Cross.At(u)), frac01(b.Cross.At(u))
		if n := len(curve.X); n > 0 && (math.Abs(x-curve.Y[n-1]) > .5 || math.Abs(y-curve.X[n-1]) > .5) {
			h.Lines = append(h.Lines, curve)
			curve = plot.Line{}
		}
		curve.X, curve.Y = append(curve.X, y), append(curve.Y, x)
	}
	h.Lines = append([]plot.Line{dots}, append(h.Lines, curve)...)
	return h, nil
}

// shortName leaves out what stands before the last | of a clip's name.
func shortName(l *space.Loop) string { return l.Name[strings.LastIndexByte(l.Name, '|')+1:] }

func frac01(x float64) float64 { return x - math.Floor(x) }

// goalPicture draws the fans of the first heel strike.
func goalPicture(s *space.Space, motion int) (plot.Picture, error) {
	m := &s.Motions[motion]
	if m.Goals == nil {
		return nil, fmt.Errorf("motion %q has no goal space: it cannot turn", m.Name)
	}
	f := &m.Goals.Fans[0]
	p := &plot.Map{Title: fmt.Sprintf("goal space of %s: %.2f s after a heel strike, by start value", m.Name, m.Goals.Horizon), X: "ahead, m", Y: "left, m"}
	for y := 0; y < len(f.Starts); y += max(1, (len(f.Starts)-1)/4) {
		l := plot.Line{Name: fmt.Sprintf("%.2f", f.Starts[y])}
		for _, q := range f.Places[y] {
			l.X, l.Y = append(l.X, q.X), append(l.Y, q.Y)
		}
		p.Lines = append(p.Lines, l)
	}
	p.Lines = append(p.Lines, plot.Line{Name: "start", X: []float64{0}, Y: []float64{0}, Dots: true})
	return p, nil
}

// curvePicture draws every clip's registration with the reference, less the
// straight line.
func curvePicture(s *space.Space) plot.Picture {
	p := &plot.Map{Title: "registration with the reference, less the straight line", X: "generic phase", Y: "phase ahead", Free: true}
	for i := range s.Motions {
		for k := range s.Motions[i].Clips {
			l := plot.Line{Name: shortName(s.Motions[i].Clips[k].Loop), Dashed: k != s.Motions[i].Ref}
			for j := range 201 {
				u := float64(j) / 200
				d := s.PhaseOf(i, k, u) - u
				l.X, l.Y = append(l.X, u), append(l.Y, d-math.Round(d))
			}
			p.Lines = append(p.Lines, l)
		}
	}
	return p
}

// weightPicture plays a change from one motion to another.
func weightPicture(s *space.Space, from, to int) plot.Picture {
	const dt = 0.01
	st, pose := space.NewState(s), blend.NewPoses(blend.Shape{Feet: s.Feet()}, 1)[0]
	st.Weights, st.Target = [space.MaxMotions]float64{}, [space.MaxMotions]float64{}
	st.Weights[from], st.Target[from] = 1, 1
	weights, speed, high := plot.Panel{Label: "weights"}, plot.Panel{Label: "speed, m/s", Curves: []plot.Curve{{}}}, plot.Panel{Label: "feet high, m"}
	for i := range s.Motions {
		weights.Curves = append(weights.Curves, plot.Curve{Name: s.Motions[i].Name})
	}
	for i := range s.Legs {
		high.Curves = append(high.Curves, plot.Curve{Name: s.Legs[i]})
	}
	for k := range 400 {
		if k == 100 {
			st.Target = [space.MaxMotions]float64{}
			st.Target[to] = 1
		}
		s.Step(&pose, st, dt)
		for i := range s.Motions {
			weights.Curves[i].Y = append(weights.Curves[i].Y, st.Weights[i])
		}
		for i := range s.Legs {
			high.Curves[i].Y = append(high.Curves[i].Y, pose.Feet[i].Z)
		}
		speed.Curves[0].Y = append(speed.Curves[0].Y, math.Hypot(pose.Root.Move.X, pose.Root.Move.Y)/dt)
	}
	return &plot.Trace{Title: fmt.Sprintf("from %s to %s", s.Motions[from].Name, s.Motions[to].Name), Dt: dt, Panels: []plot.Panel{weights, speed, high}}
}

// pathPicture steers to goals all round and draws the ways there.
func pathPicture(s *space.Space) plot.Picture {
	m := &s.Motions[s.Ref]
	d := 6 * m.Radius
	p := &plot.Map{Title: fmt.Sprintf("%s steered to goals %.2g m away", m.Name, d), X: "ahead, m", Y: "left, m"}
	goals := plot.Line{Name: "goals", Dots: true}
	for k := range 12 {
		sin, cos := math.Sincos(float64(k) * math.Pi / 6)
		g := space.Goal{At: r2.Vec{X: d * cos, Y: d * sin}, Radius: 0.05 * d}
		goals.X, goals.Y = append(goals.X, g.At.X), append(goals.Y, g.At.Y)
		st, pose := space.NewState(s), blend.NewPoses(blend.Shape{Feet: s.Feet()}, 1)[0]
		var l plot.Line
		for range 20000 {
			s.Step(&pose, st, 0.02)
			l.X, l.Y = append(l.X, st.Place.At.X), append(l.Y, st.Place.At.Y)
			if o := s.Steer(st, g, space.Guide{}, 0.02); o == space.Arrived || o == space.CantTurn {
				break
			}
		}
		p.Lines = append(p.Lines, l)
	}
	p.Lines = append(p.Lines, goals)
	return p
}
