package control

import (
	"math/bits"

	"legctl/gait"
)

// sureLegs is how many legs a gated gait needs in order to find, wherever its
// feet have come to, one that it may lift. With fewer it can come to stand with
// every late leg holding the others up.
const sureLegs = 6

// makeLame works out what a gated gait becomes when legs are switched off: it
// goes slowly and leans its body to free one leg after the other, as a static
// quadruped does.
func (c *Controller) makeLame(g *program) error {
	plan := g.plan
	if !plan.Rules.Gate || plan.Rules.Shift > 0 || plan.Clocked() || c.params.Stage < gait.StageAll {
		return nil
	}
	crawl := gait.Crawl()
	r := &plan.Rules
	r.Speed, r.TurnSpeed = min(r.Speed, crawl.Speed), min(r.TurnSpeed, crawl.TurnSpeed)
	r.GateAhead, r.Floor = crawl.GateAhead, crawl.Floor
	r.Shift, r.ShiftRate, r.ShiftRamp = crawl.Shift, crawl.ShiftRate, crawl.ShiftRamp
	plan.Allowed = nil
	lame, err := c.sizedProgram(plan, g.sizing)
	if err != nil {
		return err
	}
	g.lame = &lame
	return nil
}

// chosen returns the program of the state's gait, as its legs are.
func (c *Controller) chosen(s *State) *program {
	g := &c.gaits[s.Gait]
	if s.Off != 0 && g.lame != nil && len(s.Legs)-bits.OnesCount64(s.Off) < sureLegs {
		return g.lame
	}
	return g
}
