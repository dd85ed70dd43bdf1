package lx16a

import "legctl/drivers/servo"

// MoveCost is a move of each of n servos.
func MoveCost(n int) servo.Cost { return servo.Cost{Tx: 10 * n} }

// StepCost is a move-wait to each of n servos and one start to all.
func StepCost(n int) servo.Cost { return servo.Cost{Tx: 10*n + 6} }

// ReadCost is one read.
func ReadCost(c Read) servo.Cost {
	return servo.Cost{Tx: 6, Rx: 6 + c.Params(), Replies: 1, Turns: 1}
}
