package evdev

// dead is the share of an axis around its middle that counts as nothing.
const dead = 0.12

// Stick is what a pad's sticks ask for. The zero value asks for nothing.
type Stick struct {
	ranges map[uint16]Range
	axes   map[uint16]float64
}

// NewStick returns the state of a pad with the given ranges; nil: the usual
// ones.
func NewStick(ranges map[uint16]Range) *Stick {
	return &Stick{ranges: ranges, axes: map[uint16]float64{}}
}

// Take takes an event and reports whether it changes the wish. Only axes do.
func (s *Stick) Take(e Event) bool {
	if e.Type != TypeAbs {
		return false
	}
	r, known := s.ranges[e.Code]
	if !known {
		r = usual
		if e.Code == AbsHatX || e.Code == AbsHatY {
			r = Range{Min: -1, Max: 1}
		}
	}
	v := level(r, e.Value)
	if s.axes[e.Code] == v {
		return false
	}
	s.axes[e.Code] = v
	return true
}

// level returns where an axis stands, -1 to 1, with nothing round its middle
// and no jump at the edge of that.
func level(r Range, value int32) float64 {
	if r.Max <= r.Min {
		return 0
	}
	v := 2*(float64(value)-float64(r.Min))/(float64(r.Max)-float64(r.Min)) - 1
	edge := max(dead, 2*float64(r.Flat)/(float64(r.Max)-float64(r.Min)))
	switch {
	case edge >= 1:
		return 0
	case v > edge:
		return min((v-edge)/(1-edge), 1)
	case v < -edge:
		return max((v+edge)/(1-edge), -1)
	}
	return 0
}

// Wish returns the shares of the largest speeds the sticks ask for, each -1 to
// 1: forward and left by the left stick or the hat, counter-clockwise by the
// right stick.
func (s *Stick) Wish() (vx, vy, wz float64) {
	vx, vy = -s.axes[AbsY], -s.axes[AbsX]
	if hx, hy := s.axes[AbsHatX], s.axes[AbsHatY]; hx != 0 || hy != 0 {
		vx, vy = -hy, -hx
	}
	wz = -s.axes[AbsRX]
	return vx, vy, wz
}

// Pressed reports whether e is the press, not the release, of a button.
func Pressed(e Event, button uint16) bool {
	return e.Type == TypeKey && e.Code == button && e.Value == 1
}
