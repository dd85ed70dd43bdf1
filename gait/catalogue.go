package gait

import "legctl/rig"

// Catalogue returns the shipped clocked gaits. configs/gaits holds the same
// rows as files; a test compares the two. Every phase is a touchdown. Tables
// that came in another convention are converted here, and say so:
//
//   - OpenSHC counts lift-offs (gait.yaml; swing starts at half the stance):
//     touchdown = lift-off + 1 - duty.
//   - MIT's scheduler counts stance starts, as we do.
//   - the gallops, the bound and the walks are touchdown tables already
//     (Hildebrand; IHMC's tables made from his graphs).
//
// The caller owns the result.
func Catalogue() []Table {
	return append(manyLegged(), fourLegged()...)
}

// manyLegged are the gaits of two and more rows.
func manyLegged() []Table {
	const third = 1. / 3
	return []Table{
		{Name: "wave", Form: FormWave, About: "wave from rear to front, one leg in the air at a time; McGhee and Frank 1968"},
		{Name: "ripple", Form: FormWave, Aloft: 2, About: "wave from rear to front, two legs in the air at a time; McGhee and Frank 1968"},
		{Name: "tripod", Form: FormAlternating, Rows: 3, Duty: 0.5, About: "alternating tripod of a hexapod"},
		{Name: "tetrapod", Form: FormAlternating, Rows: 4, Duty: 0.5, About: "alternating tetrapod of an octopod"},
		// Lift-offs AR CL 0, AL CR 1/3, BR BL 2/3; duty 2/3: plus 1/3.
		{Name: "amble", Form: FormRows, Duty: 2 * third, Left: []float64{2 * third, 0, third}, Right: []float64{third, 0, 2 * third},
			About: "hexapod, three pairs in turn; OpenSHC amble, from lift-offs"},
		// Lift-offs AR CL 1/6, AL CR 3/6, BR BL 5/6; duty 1/3: plus 2/3.
		{Name: "bipod", Form: FormRows, Duty: third, Left: []float64{1. / 6, 0.5, 5. / 6}, Right: []float64{5. / 6, 0.5, 1. / 6},
			About: "hexapod on two legs at a time, dynamic; OpenSHC bipod, from lift-offs"},
	}
}

// fourLegged are the gaits of quadrupeds: touchdowns of LF, LH and of RF, RH.
func fourLegged() []Table {
	rows := func(name string, duty float64, lf, rf, lh, rh float64, about string) Table {
		return Table{Name: name, Duty: duty, Left: []float64{lf, lh}, Right: []float64{rf, rh}, About: about}
	}
	four := []Table{
		rows("creep", 0.85, 0, 0.5, 0.85, 0.35, "clocked crawl: lateral sequence, one foot up at a time; McGhee and Frank 1968"),
		rows("lateral_walk", 0.65, 0, 0.5, 0.75, 0.25, "walk, hind foot then fore foot of one side, 25 % apart"),
		rows("diagonal_walk", 0.65, 0, 0.5, 0.25, 0.75, "walk, hind foot then fore foot of the other side, 25 % apart"),
		rows("amble", 0.5, 0, 0.5, 0.75, 0.25, "single-foot: one or two feet down, never airborne"),
		rows("walking_trot", 0.6, 0, 0.5, 0.5, 0, "trot with all four feet down between; MIT trot walk"),
		rows("trot", 0.5, 0, 0.5, 0.5, 0, "trot of a quadruped, diagonal legs together"),
		rows("running_trot", 0.4, 0, 0.5, 0.5, 0, "trot with a flight of 10 % after each pair; Hildebrand's run"),
		rows("flying_trot", 0.375, 0, 0.5, 0.5, 0, "trot with a flight of 12.5 % after each pair; OCS2 flying trot"),
		rows("pace", 0.5, 0, 0.5, 0, 0.5, "legs of one side together; MIT pace"),
		rows("canter", 0.45, 0.65, 0.3, 0.3, 0, "three beats, left lead: RH, then LH and RF, then LF"),
		rows("bound", 0.27, 0.4, 0.4, 0, 0, "hind pair, flight, fore pair, flight; IHMC table"),
		rows("half_bound", 0.27, 0.4, 0.52, 0, 0, "hind pair together, fore feet one after the other"),
		rows("pronk", 0.5, 0, 0, 0, 0, "all four feet at once; MIT pronk"),
	}
	four[0].Leans = true
	transverse := rows("transverse_gallop", 0.3, 0.35, 0.55, 0, 0.1, "gallop, fore feet in the order of the hind feet; IHMC table")
	transverse.DutyLeft, transverse.DutyRight = []float64{0.3, 0.3}, []float64{0.25, 0.3}
	rotary := rows("rotary_gallop", 0.3, 0.65, 0.55, 0, 0.1, "gallop, fore feet against the order of the hind feet; IHMC table")
	rotary.DutyLeft, rotary.DutyRight = []float64{0.3, 0.3}, []float64{0.25, 0.3}
	return append(four, transverse, rotary)
}

// Named makes the gait of that name of the catalogue for a rig. Two tables may
// share a name, for rigs of different rows; the first that suits is taken. The
// error is that of the last table tried; unknown names have none that suits.
func Named(r *rig.Rig, name string) (*Gait, error) {
	var last error
	for _, t := range Catalogue() {
		if t.Name != name {
			continue
		}
		g, err := t.For(r)
		if err == nil {
			return g, nil
		}
		last = err
	}
	if last == nil {
		return nil, unknown(name)
	}
	return nil, last
}

// inPhysics are the gaits that did not hold on the A1 in MuJoCo (docs/physics.md).
var inPhysics = map[string]string{
	"lateral_walk": "slides, 58 % of its way",
	"running_trot": "servos sag in the push-off, 58 % of its way",
	"flying_trot":  "servos sag in the push-off, 57 % of its way",
	"pronk":        "pitches by 33 degrees",
}

// Warning returns what a gait of the catalogue did in independent physics where
// it did not hold, or nothing.
func Warning(name string) string { return inPhysics[name] }
