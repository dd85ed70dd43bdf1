package feetech

import "legctl/drivers/servo"

// SyncWriteCost is a sync write of size bytes to n servos.
func SyncWriteCost(n, size int) servo.Cost { return servo.Cost{Tx: 8 + n*(size+1)} }

// ReadCost is one read of size bytes from one servo.
func ReadCost(size int) servo.Cost { return servo.Cost{Tx: 8, Rx: 6 + size, Replies: 1, Turns: 1} }

// SyncReadCost is one sync read of size bytes from each of n servos. STS only.
func SyncReadCost(n, size int) servo.Cost {
	return servo.Cost{Tx: 8 + n, Rx: n * (6 + size), Replies: n, Turns: 1}
}
