// Package drivers moves the servos of a rig: it is a plant of hardware. Joint
// angles become positions on the wire of one of nine protocols and back, by the
// servos section of the rig's file and the calibration of the robot that was
// built (drivers/servo).
//
//   - table.go is the list of protocols; a new one is a folder and a row in it;
//   - port*.go finds, opens and names serial ports, boards.go the boards of gobot;
//   - budget.go reckons at load what a tick takes of the bus, and refuses a rate
//     the bus cannot carry;
//   - plant*.go is the plant: Open, Enable leg by leg from the pose the rig has,
//     Observe, Apply, Halt, Close.
//
// The plant reports facts: angles, load, volts, temperature, alarms. It never
// decides to walk, sit or give up, with two exceptions that cannot wait for
// anybody: an angle that is no number is not sent, and a lost port is halted.
// Modes are control/mode; what an alarm leads to is loop's policy.
//
// Frames: none but joint angles in radians. Sources: those of the protocol
// packages; ref of the safety rules: ros2_control's hardware life cycle
// (open, enable, disable, close as separate steps), LeRobot's bus class
// (identify before configuring, goal := present before torque).
package drivers
