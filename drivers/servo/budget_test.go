package servo_test

import (
	"math"
	"testing"

	"legctl/drivers/dxl1"
	"legctl/drivers/dxl2"
	"legctl/drivers/feetech"
	"legctl/drivers/firmata"
	"legctl/drivers/lx16a"
	"legctl/drivers/maestro"
	"legctl/drivers/pca9685"
	"legctl/drivers/servo"
	"legctl/drivers/ssc32"
)

// TestBusBudget reckons what 18 and 24 servos take of each bus: the figures are
// the bytes of a reference encoder, and the milliseconds they take at the baud.
func TestBusBudget(t *testing.T) {
	pololu := maestro.Dialect{Pololu: true, Device: maestro.DefaultDevice}
	withCRC := maestro.Dialect{Pololu: true, Device: maestro.DefaultDevice, CRC: true}
	for _, c := range []struct {
		what       string
		cost       func(n int) servo.Cost
		baud       int
		b18, b24   int
		ms18, ms24 float64
	}{
		{"ssc32 group move", func(n int) servo.Cost { return ssc32.MoveCost(n, 2) }, 9600, 138, 186, 143.75, 193.75},
		{"ssc32 group move", func(n int) servo.Cost { return ssc32.MoveCost(n, 2) }, 115200, 138, 186, 11.98, 16.15},
		{"maestro targets", maestro.Dialect{}.TargetsCost, 115200, 39, 51, 3.39, 4.43},
		{"maestro targets, CRC", withCRC.TargetsCost, 200000, 42, 54, 2.10, 2.70},
		{"maestro target each", pololu.TargetCost().Times, 115200, 108, 144, 9.38, 12.50},
		{"maestro Mini SSC each", maestro.MiniSSCCost().Times, 200000, 54, 72, 2.70, 3.60},
		{"dxl1 sync write", func(n int) servo.Cost { return dxl1.SyncWriteCost(n, 2) }, 1000000, 62, 80, 0.62, 0.80},
		{"dxl1 sync write, reads", func(n int) servo.Cost { return dxl1.SyncWriteCost(n, 2).Add(dxl1.ReadCost(2).Times(n)) }, 1000000, 350, 464, 3.50, 4.64},
		{"dxl2 sync write", func(n int) servo.Cost { return dxl2.SyncWriteCost(n, 4) }, 57600, 104, 134, 18.06, 23.26},
		{"dxl2 sync write, sync read", func(n int) servo.Cost { return dxl2.SyncWriteCost(n, 4).Add(dxl2.SyncReadCost(n, 4)) }, 2000000, 406, 532, 2.03, 2.66},
		{"dxl2 sync write, fast read", func(n int) servo.Cost { return dxl2.SyncWriteCost(n, 4).Add(dxl2.FastSyncReadCost(n, 4)) }, 1000000, 288, 372, 2.88, 3.72},
		{"lx16a move each", lx16a.MoveCost, 115200, 180, 240, 15.62, 20.83},
		{"lx16a step", lx16a.StepCost, 115200, 186, 246, 16.15, 21.35},
		{"lx16a move, reads", func(n int) servo.Cost { return lx16a.MoveCost(n).Add(lx16a.ReadCost(lx16a.PositionRead).Times(n)) }, 115200, 432, 576, 37.50, 50.00},
		{"feetech sync write", func(n int) servo.Cost { return feetech.SyncWriteCost(n, 2) }, 500000, 62, 80, 1.24, 1.60},
		{"feetech sync write of three", func(n int) servo.Cost { return feetech.SyncWriteCost(n, 6) }, 1000000, 134, 176, 1.34, 1.76},
		{"STS sync write, sync read", func(n int) servo.Cost { return feetech.SyncWriteCost(n, 2).Add(feetech.SyncReadCost(n, 8)) }, 1000000, 340, 448, 3.40, 4.48},
		{"SCS sync write, reads", func(n int) servo.Cost { return feetech.SyncWriteCost(n, 2).Add(feetech.ReadCost(2).Times(n)) }, 1000000, 350, 464, 3.50, 4.64},
		{"firmata from pin 2", firmataCost, 57600, 66, 102, 11.46, 17.71},
	} {
		for _, row := range []struct {
			n, bytes int
			ms       float64
		}{{18, c.b18, c.ms18}, {24, c.b24, c.ms24}} {
			cost := c.cost(row.n)
			ms := 1000 * cost.Wire(10, c.baud)
			if cost.Bytes() != row.bytes || math.Abs(ms-row.ms) > 0.0051 {
				t.Errorf("%s, %d servos: %d bytes in %.3f ms, want %d in %.2f", c.what, row.n, cost.Bytes(), ms, row.bytes, row.ms)
			}
		}
	}
}

func firmataCost(n int) (c servo.Cost) {
	for pin := 2; pin < 2+n; pin++ {
		c = c.Add(firmata.WriteCost(pin))
	}
	return c
}

// TestI2CBudget does the same for the bits of boards with 16 channels.
func TestI2CBudget(t *testing.T) {
	for n, want := range map[int][3]int{18: {2088, 1008, 688}, 24: {2784, 1344, 904}} {
		got := [3]int{4 * n * pca9685.WriteBits(2), n * pca9685.WriteBits(5), pca9685.BlockBits(16) + pca9685.BlockBits(n-16)}
		if got != want {
			t.Errorf("%d servos: %v bits, want %v", n, got, want)
		}
	}
}

// TestCostMatchesBytes holds the reckoned costs against frames that were built.
func TestCostMatchesBytes(t *testing.T) {
	var ids []byte
	for i := range byte(24) {
		ids = append(ids, i+1)
	}
	one, err1 := dxl1.AppendRead(nil, 1, 36, 2)
	sync, err2 := dxl2.AppendSyncRead(nil, 132, 4, ids)
	fast, err3 := dxl2.AppendFastSyncRead(nil, 132, 4, ids)
	sts, err4 := feetech.STS.AppendSyncRead(nil, 56, 8, ids)
	read, err5 := lx16a.AppendRead(nil, 1, lx16a.PositionRead)
	for i, err := range []error{err1, err2, err3, err4, err5} {
		if err != nil {
			t.Fatal(i, err)
		}
	}
	for name, c := range map[string][2]int{
		"dxl1 read":      {len(one), dxl1.ReadCost(2).Tx},
		"dxl2 sync read": {len(sync), dxl2.SyncReadCost(24, 4).Tx},
		"dxl2 fast read": {len(fast), dxl2.FastSyncReadCost(24, 4).Tx},
		"sts sync read":  {len(sts), feetech.SyncReadCost(24, 8).Tx},
		"lx16a read":     {len(read), lx16a.ReadCost(lx16a.PositionRead).Tx},
	} {
		if c[0] != c[1] {
			t.Errorf("%s: %d bytes, reckoned %d", name, c[0], c[1])
		}
	}
}

func TestSecondsAddDelays(t *testing.T) {
	c := servo.Cost{Tx: 10, Rx: 20, Replies: 2, Turns: 1}
	if got, want := c.Seconds(10, 1_000_000, 500e-6, 1e-3), 300e-6+2*500e-6+1e-3; math.Abs(got-want) > 1e-12 {
		t.Errorf("got %v, want %v", got, want)
	}
	if c.Wire(10, 0) != 0 {
		t.Error("a bus without a baud takes time")
	}
}
