package mode

// Mode is what the rig as a whole is doing.
type Mode uint8

// The modes. The zero value is Limp: nothing moves before it is armed.
const (
	Limp      Mode = iota // torque off
	Hold                  // joints hold the angles they had
	Packed                // legs folded, body on the ground
	Unpacking             // legs on their way to where they can push
	Sitting               // body down, feet in place
	Rising                // body on its way up
	Stand                 // body posed over planted feet, ready
	Walk                  // following a twist or a goal
	Manual                // standing on all legs but one, which the operator moves
	Lowering              // coming to rest, then body on its way down
	Packing               // legs on their way to being folded
	Stopped               // emergency stop: joints held until cleared
	Fault                 // stopped by a fault; wants Clear
	Count
)

// Input is what happens to a rig: a command, or a fact the tick found.
type Input uint8

// The inputs. Commands come first, then facts.
const (
	Arm     Input = iota // torque on, hold where we are
	Disarm               // torque off
	Rise                 // come to a stand
	Sit                  // body down, feet in place
	Pack                 // fold the legs
	EStop                // emergency stop
	Twist                // a velocity: a stream, or held by cruise
	Goto                 // a goal in W
	Stop                 // twist zero, goal dropped; a sequence is left where it is
	Gait                 // choose a gait
	Pose                 // body offset
	Height               // body height, stance width
	Leg                  // a leg on or off
	Foot                 // one leg by hand, in foot or joint space
	Clear                // acknowledge a fault or an emergency stop
	Settled              // fact: what the mode was to reach is reached
	Failed               // fact: a fault that must stop the rig
	Inputs
)

// Commands is the number of inputs that are commands.
const Commands = Settled
