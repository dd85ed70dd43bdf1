package mode

// Mode is what the rig as a whole is doing.
type Mode uint8

// The modes. The zero value is Limp: nothing moves before it is armed.
const (
	Limp  Mode = iota // torque off
	Hold              // joints hold the angles they had
	Stand             // body posed over planted feet, ready
	Walk              // following a twist or a goal
	Fault             // stopped by a fault; wants Clear
	Count
)

// Input is what happens to a rig: a command, or a fact the tick found.
type Input uint8

// The inputs. Commands come first, then facts.
const (
	Arm     Input = iota // torque on, hold where we are
	Disarm               // torque off
	Rise                 // take the stance
	Twist                // a velocity stream
	Goto                 // a goal in W
	Stop                 // twist zero, goal dropped
	Gait                 // choose a gait
	Pose                 // body offset
	Height               // body height
	Leg                  // a leg on or off
	Clear                // acknowledge a fault
	Settled              // fact: standing still in neutral stance
	Failed               // fact: a fault that must stop the rig
	Inputs
)
