package ik

// Status says how a solve ended.
type Status uint8

// The ways a solve ends. The zero value is Reached.
const (
	Reached    Status = iota // within tolerance
	OutOfReach               // no pose of the bare chain gets there
	AtLimit                  // axes or joint limits keep it away; the nearest pose is returned
	Stalled                  // no progress left and no limit to blame
	Invalid                  // NaN, Inf or a bad length: joints untouched
	Statuses
)

// String returns the name of the status, "unknown" beyond the last one.
func (s Status) String() string {
	switch s {
	case Reached:
		return "reached"
	case OutOfReach:
		return "out of reach"
	case AtLimit:
		return "at limit"
	case Stalled:
		return "stalled"
	case Invalid:
		return "invalid"
	}
	return "unknown"
}

// Result is how one solve ended.
type Result struct {
	Status     Status
	Residual   float64 // distance of the foot from its target, metres
	Iterations int     // sweeps and finishing steps taken
	Flipped    bool    // legs: the answer left the bend's branch (no other one reaches)
}
