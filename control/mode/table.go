package mode

// no marks a refusal in the table; its value is no Mode.
const no = Count

// table is the whole machine: what each mode becomes on each input.
//
// Disarm is legal everywhere, since taking torque off must never be refused,
// and so is EStop; a limp rig stays limp on both, and on a fault, for nothing
// may put torque on but Arm. A stop leaves Walk by way of Settled, when the
// feet have come home, and leaves a sequence where it is. Twist and Goto want
// a standing rig.
var table = [Count][Inputs]Mode{
	Limp: {Arm: Hold, Disarm: Limp, Rise: no, Sit: no, Pack: no, EStop: Limp, Twist: no, Goto: no, Stop: Limp,
		Gait: Limp, Pose: no, Height: no, Leg: Limp, Foot: no, Clear: no, Settled: Limp, Failed: Limp},
	Hold: {Arm: Hold, Disarm: Limp, Rise: Unpacking, Sit: Unpacking, Pack: Packing, EStop: Stopped, Twist: no, Goto: no, Stop: Hold,
		Gait: Hold, Pose: no, Height: Hold, Leg: Hold, Foot: no, Clear: no, Settled: Hold, Failed: Fault},
	Packed: {Arm: Packed, Disarm: Limp, Rise: Unpacking, Sit: Unpacking, Pack: Packed, EStop: Stopped, Twist: no, Goto: no, Stop: Packed,
		Gait: Packed, Pose: no, Height: Packed, Leg: Packed, Foot: no, Clear: no, Settled: Packed, Failed: Fault},
	Unpacking: {Arm: Unpacking, Disarm: Limp, Rise: Unpacking, Sit: Unpacking, Pack: Packing, EStop: Stopped, Twist: no, Goto: no, Stop: Hold,
		Gait: Unpacking, Pose: no, Height: Unpacking, Leg: Unpacking, Foot: no, Clear: no, Settled: Sitting, Failed: Fault},
	Sitting: {Arm: Sitting, Disarm: Limp, Rise: Rising, Sit: Sitting, Pack: Packing, EStop: Stopped, Twist: no, Goto: no, Stop: Sitting,
		Gait: Sitting, Pose: no, Height: Sitting, Leg: Sitting, Foot: no, Clear: no, Settled: Sitting, Failed: Fault},
	Rising: {Arm: Rising, Disarm: Limp, Rise: Rising, Sit: Lowering, Pack: Lowering, EStop: Stopped, Twist: no, Goto: no, Stop: Hold,
		Gait: Rising, Pose: no, Height: Rising, Leg: Rising, Foot: no, Clear: no, Settled: Stand, Failed: Fault},
	Stand: {Arm: Stand, Disarm: Limp, Rise: Stand, Sit: Lowering, Pack: Lowering, EStop: Stopped, Twist: Walk, Goto: Walk, Stop: Stand,
		Gait: Stand, Pose: Stand, Height: Stand, Leg: Stand, Foot: Manual, Clear: no, Settled: Stand, Failed: Fault},
	Walk: {Arm: Walk, Disarm: Limp, Rise: Walk, Sit: Lowering, Pack: Lowering, EStop: Stopped, Twist: Walk, Goto: Walk, Stop: Walk,
		Gait: Walk, Pose: Walk, Height: Walk, Leg: Walk, Foot: no, Clear: no, Settled: Stand, Failed: Fault},
	Manual: {Arm: Manual, Disarm: Limp, Rise: Stand, Sit: Lowering, Pack: Lowering, EStop: Stopped, Twist: no, Goto: no, Stop: Stand,
		Gait: no, Pose: Manual, Height: Manual, Leg: no, Foot: Manual, Clear: no, Settled: Manual, Failed: Fault},
	Lowering: {Arm: Lowering, Disarm: Limp, Rise: Rising, Sit: Lowering, Pack: Lowering, EStop: Stopped, Twist: no, Goto: no, Stop: Hold,
		Gait: Lowering, Pose: no, Height: Lowering, Leg: Lowering, Foot: no, Clear: no, Settled: Sitting, Failed: Fault},
	Packing: {Arm: Packing, Disarm: Limp, Rise: Unpacking, Sit: Unpacking, Pack: Packing, EStop: Stopped, Twist: no, Goto: no, Stop: Hold,
		Gait: Packing, Pose: no, Height: Packing, Leg: Packing, Foot: no, Clear: no, Settled: Packed, Failed: Fault},
	Stopped: {Arm: no, Disarm: Limp, Rise: no, Sit: no, Pack: no, EStop: Stopped, Twist: no, Goto: no, Stop: Stopped,
		Gait: no, Pose: no, Height: no, Leg: no, Foot: no, Clear: Hold, Settled: Stopped, Failed: Fault},
	Fault: {Arm: no, Disarm: Limp, Rise: no, Sit: no, Pack: no, EStop: Fault, Twist: no, Goto: no, Stop: Fault,
		Gait: no, Pose: no, Height: no, Leg: no, Foot: no, Clear: Hold, Settled: Fault, Failed: Fault},
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
	for in := Arm; in < Commands; in++ {
		if _, ok := Next(m, in); ok {
			set |= 1 << in
		}
	}
	return set
}

// Orders are the inputs an operator gives by name: what the others mean is said
// by a command of its own.
var Orders = [...]Input{Arm, Disarm, Rise, Sit, Pack, EStop, Clear}

// IsOrder reports whether in is one of Orders.
func IsOrder(in Input) bool {
	for _, o := range Orders {
		if o == in {
			return true
		}
	}
	return false
}

var modeNames = [Count]string{
	"limp", "hold", "packed", "unpacking", "sitting", "rising", "stand", "walk", "manual", "lowering", "packing", "stopped", "fault",
}

var inputNames = [Inputs]string{
	"arm", "disarm", "rise", "sit", "pack", "estop", "twist", "goto", "stop", "gait", "pose", "height", "leg", "foot", "clear",
	"settled", "failed",
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
