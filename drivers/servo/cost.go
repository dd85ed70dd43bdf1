package servo

// Cost is what messages take of a bus. Costs add up field by field. The zero
// value costs nothing.
type Cost struct {
	Tx, Rx  int // bytes sent and received
	Replies int // status frames, each preceded by a device's return delay
	Turns   int // times the line turns round, each with an adaptor's latency
}

// Add returns the sum of two costs.
func (c Cost) Add(d Cost) Cost {
	return Cost{c.Tx + d.Tx, c.Rx + d.Rx, c.Replies + d.Replies, c.Turns + d.Turns}
}

// Times returns the cost of n equal messages.
func (c Cost) Times(n int) Cost {
	return Cost{c.Tx * n, c.Rx * n, c.Replies * n, c.Turns * n}
}

// Bytes is the number of bytes on the wire, both ways.
func (c Cost) Bytes() int { return c.Tx + c.Rx }

// Wire returns the seconds the bytes take at a baud with so many bits a byte
// (10 for 8N1), return delays and latencies left out. Zero for a baud that is
// not positive.
func (c Cost) Wire(bits, baud int) float64 {
	if baud <= 0 {
		return 0
	}
	return float64(c.Bytes()*bits) / float64(baud)
}

// Seconds returns the whole time: wire, a device's return delay for each reply
// and the adaptor's latency for each turn of the line, both in seconds.
func (c Cost) Seconds(bits, baud int, returnDelay, latency float64) float64 {
	return c.Wire(bits, baud) + float64(c.Replies)*returnDelay + float64(c.Turns)*latency
}
