package bench

import (
	"legctl/drivers/dxl1"
	"legctl/drivers/dxl2"
	"legctl/drivers/lx16a"
	"legctl/drivers/maestro"
	"legctl/drivers/ssc32"
)

// servoPoses and servoCount are what the frames are built for: so many poses of a
// hexapod with three servos a leg.
const (
	servoPoses = 64
	servoCount = 18
)

// servoGoals are positions in [0, span) from the generator that the twin has too.
func servoGoals(span uint32) []int {
	out, x := make([]int, servoPoses*servoCount), uint32(1)
	for i := range out {
		x = x*1664525 + 1013904223
		out[i] = int((x >> 8) % span)
	}
	return out
}

// framer appends the frame of one pose.
type framer func(dst []byte, goals []int) ([]byte, error)

// servoKernels time building the frame that moves 18 servos, of each protocol
// with a frame worth the name.
func servoKernels(*workload) ([]kernel, error) {
	ids := make([]byte, servoCount)
	for i := range ids {
		ids[i] = byte(i + 1)
	}
	data := make([]byte, 0, 4*servoCount)
	words := make([]uint16, servoCount)
	moves := make([]ssc32.Move, servoCount)
	crc := maestro.Dialect{Pololu: true, Device: maestro.DefaultDevice, CRC: true}
	rows := []struct {
		name  string
		span  uint32
		least int
		build framer
	}{
		{"dxl1", 1024, 0, func(dst []byte, goals []int) ([]byte, error) {
			words := words[:len(goals)]
			for i, g := range goals {
				words[i] = uint16(g)
			}
			return dxl1.AppendSyncWords(dst, dxl1.RegGoalPosition, ids, words)
		}},
		{"dxl2", 4096, 0, func(dst []byte, goals []int) ([]byte, error) {
			data = data[:0]
			for _, g := range goals {
				data = append(data, byte(g), byte(g>>8), byte(g>>16), byte(g>>24))
			}
			return dxl2.AppendSyncWrite(dst, dxl2.RegGoalPosition, 4, ids, data)
		}},
		{"lx16a", 1000, 0, func(dst []byte, goals []int) (_ []byte, err error) {
			for i, g := range goals {
				if dst, err = lx16a.AppendMove(dst, ids[i], g, 20); err != nil {
					return dst, err
				}
			}
			return dst, nil
		}},
		{"ssc32", 2000, 500, func(dst []byte, goals []int) ([]byte, error) {
			for i, g := range goals {
				moves[i] = ssc32.Move{Channel: i, US: g}
			}
			return ssc32.AppendMove(dst, moves, 20)
		}},
		{"maestro", 8000, 2000, func(dst []byte, goals []int) ([]byte, error) { return crc.AppendTargets(dst, 0, goals) }},
	}
	var out []kernel
	for _, r := range rows {
		goals := servoGoals(r.span)
		for i := range goals {
			goals[i] += r.least
		}
		buf := make([]byte, 0, 512)
		out = append(out, kernel{area: "servo", name: r.name, ops: servoPoses, run: func() float64 {
			sum := 0
			for p := range servoPoses {
				frame, err := r.build(buf, goals[p*servoCount:(p+1)*servoCount])
				if err != nil {
					return -1
				}
				sum += len(frame) + int(frame[len(frame)-1]) + int(frame[len(frame)-2])
			}
			return float64(sum)
		}})
	}
	return out, nil
}
