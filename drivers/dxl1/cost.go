package dxl1

import "legctl/drivers/servo"

// SyncWriteCost is a sync write of size bytes to n servos.
func SyncWriteCost(n, size int) servo.Cost { return servo.Cost{Tx: 8 + n*(size+1)} }

// ReadCost is one read of size bytes from one servo.
func ReadCost(size int) servo.Cost { return servo.Cost{Tx: 8, Rx: 6 + size, Replies: 1, Turns: 1} }

// BulkReadCost is one bulk read of size bytes from each of n servos.
func BulkReadCost(n, size int) servo.Cost {
	return servo.Cost{Tx: 7 + 3*n, Rx: n * (6 + size), Replies: n, Turns: 1}
}
