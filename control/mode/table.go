package mode

// no marks a refusal in the table; its value is no Mode.
const no = Count

// table is the whole machine: what each mode becomes on each input. A stop
// leaves Walk by way of Settled, when the feet have come home; Disarm is legal
// everywhere, since taking torque off must never be refused.
var table = [Count][Inputs]Mode{
	//      Arm    Disarm Rise   Twist Goto  Stop   Gait   Pose   Height Leg    Clear Settled Failed
	Limp:  {Hold, Limp, no, no, no, Limp, Limp, no, no, Limp, no, Limp, Fault},
	Hold:  {Hold, Limp, Stand, no, no, Hold, Hold, no, Hold, Hold, no, Hold, Fault},
	Stand: {Stand, Limp, Stand, Walk, Walk, Stand, Stand, Stand, Stand, Stand, no, Stand, Fault},
	Walk:  {Walk, Limp, Walk, Walk, Walk, Walk, Walk, Walk, Walk, Walk, no, Stand, Fault},
	Fault: {no, Limp, no, no, no, Fault, no, no, no, no, Hold, Fault, Fault},
}

// Next returns the mode that follows m on in, and whether in is legal there. A
// refusal leaves the mode as it is. A mode or input out of range is refused.
func Next(m Mode, in Input) (Mode, bool) {
	if m >= Count || in >= Inputs || table[m][in] == no {
		return m, false
	}
	return table[m][in], true
}

// Legal returns the commands, not the facts, that m accepts, as a bit set of
// Input: what a refusal tells the operator to try.
func Legal(m Mode) uint32 {
	var set uint32
	for in := Arm; in <= Clear; in++ {
		if _, ok := Next(m, in); ok {
			set |= 1 << in
		}
	}
	return set
}

var modeNames = [Count]string{"limp", "hold", "stand", "walk", "fault"}

var inputNames = [Inputs]string{
	"arm", "disarm", "rise", "twist", "goto", "stop", "gait", "pose", "height", "leg", "clear", "settled", "failed",
}

// String returns the word for m used on the command line and in messages.
func (m Mode) String() string {
	if m >= Count {
		return "unknown"
	}
	return modeNames[m]
}

// String returns the word for in used on the command line and in messages.
func (in Input) String() string {
	if in >= Inputs {
		return "unknown"
	}
	return inputNames[in]
}
