package lx16a

import (
	"bytes"
	"testing"
)

// TestSettings pins the frames of commands the vectors do not have: header, id
// 1, length, command, parameters and the inverted sum of id to the last.
func TestSettings(t *testing.T) {
	for name, c := range map[string]struct {
		out  func() ([]byte, error)
		want []byte
	}{
		"id":            {func() ([]byte, error) { return AppendSetID(nil, 1, 7) }, []byte{0x55, 0x55, 1, 4, 13, 7, 0xE6}},
		"voltage limit": {func() ([]byte, error) { return AppendVinLimit(nil, 1, 4500, 12000) }, []byte{0x55, 0x55, 1, 7, 22, 0x94, 0x11, 0xE0, 0x2E, 0x2E}},
		"temp limit":    {func() ([]byte, error) { return AppendTempLimit(nil, 1, 85) }, []byte{0x55, 0x55, 1, 4, 24, 85, 0x8D}},
		"servo mode":    {func() ([]byte, error) { return AppendServoMode(nil, 1) }, []byte{0x55, 0x55, 1, 7, 29, 0, 0, 0, 0, 0xDA}},
	} {
		got, err := c.out()
		if err != nil || !bytes.Equal(got, c.want) {
			t.Errorf("%s: got %x, %v, want %x", name, got, err, c.want)
		}
	}
}

func TestSettingsOutOfRange(t *testing.T) {
	for name, f := range map[string]func() ([]byte, error){
		"id 254":          func() ([]byte, error) { return AppendSetID(nil, 1, 254) },
		"offset":          func() ([]byte, error) { return AppendOffsetAdjust(nil, 1, 126) },
		"voltage too low": func() ([]byte, error) { return AppendVinLimit(nil, 1, 4499, 12000) },
		"limits crossed":  func() ([]byte, error) { return AppendAngleLimit(nil, 1, 900, 100) },
		"limit too high":  func() ([]byte, error) { return AppendAngleLimit(nil, 1, 0, 1001) },
		"too hot":         func() ([]byte, error) { return AppendTempLimit(nil, 1, 101) },
		"speed":           func() ([]byte, error) { return AppendMotorMode(nil, 1, -1001) },
		"mask":            func() ([]byte, error) { return AppendLEDAlarm(nil, 1, 8) },
		"time":            func() ([]byte, error) { return AppendMove(nil, 1, 0, 30001) },
		"negative":        func() ([]byte, error) { return AppendMove(nil, 1, -1, 0) },
		"id 255":          func() ([]byte, error) { return AppendMove(nil, 255, 0, 0) },
		"no read":         func() ([]byte, error) { return AppendRead(nil, 1, Read(cmdMove)) },
	} {
		if out, err := f(); err == nil || len(out) != 0 {
			t.Errorf("%s: not refused: %x", name, out)
		}
	}
	var p Parser
	if p.ExpectOne(1, Read(cmdLoad), nil) == nil {
		t.Error("an answer to a write is expected")
	}
}
