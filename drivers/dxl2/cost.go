package dxl2

import "legctl/drivers/servo"

// The costs leave stuffing out, which depends on the values sent: at most one
// byte for each three.

// SyncWriteCost is a sync write of size bytes to n servos.
func SyncWriteCost(n, size int) servo.Cost { return servo.Cost{Tx: 14 + n*(size+1)} }

// ReadCost is one read of size bytes from one servo.
func ReadCost(size int) servo.Cost {
	return servo.Cost{Tx: 14, Rx: 11 + size, Replies: 1, Turns: 1}
}

// SyncReadCost is one sync read of size bytes from each of n servos.
func SyncReadCost(n, size int) servo.Cost {
	return servo.Cost{Tx: 14 + n, Rx: n * (11 + size), Replies: n, Turns: 1}
}

// FastSyncReadCost is one fast sync read of size bytes from each of n servos.
func FastSyncReadCost(n, size int) servo.Cost {
	return servo.Cost{Tx: 14 + n, Rx: 8 + n*(4+size), Replies: 1, Turns: 1}
}
