package control

import (
	"legctl/blend/space"
	"legctl/gait"
	"legctl/ik"
	"legctl/rig"
)

// Params are the parameters of the controller. They change between ticks only,
// as a whole, by making a new Controller.
type Params struct {
	Dt    float64 // seconds a tick, > 0
	TTL   float64 // seconds a twist stays good when it does not say
	Near  float64 // how near a goal is near enough, U
	Stage int     // of the teaching ladder; gait.StageAll is the product
	IK    ik.Params
	Gaits []Plan
	Press bool         // feet without switches are felt by how far their servos are pushed off
	Space *space.Space // clips of this rig, for style and to drive it; nil: none
	Scale *Sizing      // nil: measured by New. With KF 0 no gait is refused for the rig's build
}

// Plan is one gait the rig may be told to walk: step rules, or a phase table
// walked with the sizes of the rules.
type Plan struct {
	Name    string
	Rules   gait.Rules
	Phase   *gait.Gait    // nil: step rules
	Allowed *AllowedTwist // nil: worked out from the neutral stance
}

// Clocked reports whether the plan is a phase table.
func (p *Plan) Clocked() bool { return p.Phase != nil }

// DefaultParams returns the parameters of a simulated rig at 100 ticks a
// second, with the gaits of Plans.
func DefaultParams(r *rig.Rig) Params {
	return Params{
		Dt: 0.01, TTL: 0.5, Near: 2.2, Stage: gait.StageAll,
		IK: ik.DefaultParams(), Gaits: Plans(r),
	}
}

// Plans returns the gaits that suit the build of a rig, best first. Whether
// its joints and its gravity allow each is for New to say.
func Plans(r *rig.Rig) []Plan {
	plans := make([]Plan, 0, 8)
	walk := gait.Walk()
	rules := []Plan{{Name: "walk", Rules: walk}, {Name: "gallop", Rules: gait.Gallop()}}
	if len(r.Legs) == 4 {
		rules = append([]Plan{{Name: "crawl", Rules: gait.Crawl()}}, rules...)
	}
	plans = append(plans, rules...)
	for _, t := range gait.Catalogue() {
		g, err := t.For(r)
		if err != nil {
			continue // not for a rig with these legs
		}
		p := Plan{Name: t.Name, Rules: walk, Phase: g}
		if len(r.Legs) <= 4 && t.Name == "wave" {
			continue // no margin without a sway of the body: creep serves
		}
		if t.Leans {
			p.Rules = gait.Crawl()
		}
		plans = append(plans, p)
	}
	return plans
}

// Index returns the place of the gait of that name.
func (p *Params) Index(name string) (int, bool) {
	for i := range p.Gaits {
		if p.Gaits[i].Name == name {
			return i, true
		}
	}
	return 0, false
}
