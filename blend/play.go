package blend

// pass returns the seconds of one pass for the weights in g.w.
func (g *group) pass() float64 {
	sum, long, most, lead := 0.0, 0.0, 0.0, 0.0
	for i := range g.children {
		c := &g.children[i]
		if g.w[i] <= 0 || c.Free {
			continue
		}
		l := c.length()
		if l <= 0 {
			continue
		}
		sum, long = sum+g.w[i], long+g.w[i]*l
		if g.w[i] > most {
			most, lead = g.w[i], l
		}
	}
	if sum == 0 {
		return 0
	}
	if g.advance == Dominant {
		return lead
	}
	return long / sum
}

// play blends the children that have a weight in g.w.
func (g *group) play(dst *Pose, s Span) error {
	n := 0
	for i := range g.children {
		if g.w[i] <= 0 {
			continue
		}
		if err := g.sample(&g.poses[n], &g.children[i], s); err != nil {
			return err
		}
		g.live[n] = g.w[i]
		n++
	}
	return Mix(dst, g.poses[:n], g.live[:n])
}

// sample plays one child over the span of the tree.
func (g *group) sample(dst *Pose, c *Child, s Span) error {
	if c.Free {
		s.From, s.To = 0, 0
		if l := c.length(); l > 0 {
			s.From, s.To = s.Begin/l, s.End/l
		}
	}
	if c.Reverse {
		s.From, s.To = -s.From, -s.To
	}
	s.From, s.To = s.From+c.Offset, s.To+c.Offset
	if c.Mirror == nil {
		return c.Motion.Play(dst, s)
	}
	if err := c.Motion.Play(&g.spare[0], s); err != nil {
		return err
	}
	return c.Mirror.Apply(dst, &g.spare[0])
}
