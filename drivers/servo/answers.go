package servo

// Answers is what an operator would say while a robot is calibrated, written
// down: for scripts, and to solve again without the robot.
type Answers struct {
	Rig     string
	Moved   map[string]string // by servo: which way the foot moved; none: found out
	Touched []Touched
	Posed   []Posed
}

// Touched is a foot on a mark.
type Touched struct {
	Leg    string
	Foot   [3]float64         // B, metres
	Sigma  float64            // how well it was measured, metres; 0: 2 mm
	Native map[string]float64 // by servo of the leg; none: read from the robot now
}

// Posed is joints at known angles.
type Posed struct {
	Leg    string
	Angles map[string]float64 // by joint, rad
	Sigma  float64            // rad; 0: 1 degree
	Native map[string]float64
}
