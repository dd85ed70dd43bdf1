package ik

// Status says how a solve ended.
type Status uint8

// The ways a solve ends. The zero value is Reached.
const (
	Reached    Status = iota // within tolerance
	OutOfReach               // no pose of the bare chain gets there
	AtLimit                  // joint limits keep it away; the nearest pose is returned
	Stalled                  // no progress left and no limit to blame
	Invalid                  // NaN, Inf or a bad length: joints untouched
	Statuses
)
