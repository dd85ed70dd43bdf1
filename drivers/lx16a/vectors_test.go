package lx16a

import (
	"testing"

	"legctl/drivers/servo"
	"legctl/drivers/servo/servotest"
)

type args struct {
	ID                                byte
	Position, Offset, Min, Max, Speed int
	TimeMS                            int `json:"time_ms"`
	Mask                              int
	On, Echo                          bool
	Command                           string
}

// reads are the commands of the cases and what their decoded number is called.
var reads = map[string]struct {
	command Read
	field   string
}{
	"VIN_READ": {VinRead, "millivolts"}, "POS_READ": {PositionRead, "position"}, "TEMP_READ": {TempRead, "celsius"},
	"ANGLE_OFFSET_READ": {OffsetRead, "offset"}, "ID_READ": {IDRead, "servo_id"},
}

func encode(t *testing.T, op string, a args) ([]byte, error) {
	switch op {
	case "move":
		return AppendMove(nil, a.ID, a.Position, a.TimeMS)
	case "move_wait":
		return AppendMoveWait(nil, a.ID, a.Position, a.TimeMS)
	case "move_start":
		return AppendStart(nil, a.ID)
	case "move_stop":
		return AppendStop(nil, a.ID)
	case "offset_adjust":
		return AppendOffsetAdjust(nil, a.ID, a.Offset)
	case "offset_save":
		return AppendOffsetSave(nil, a.ID)
	case "angle_limit_write":
		return AppendAngleLimit(nil, a.ID, a.Min, a.Max)
	case "motor_mode":
		return AppendMotorMode(nil, a.ID, a.Speed)
	case "load":
		return AppendLoad(nil, a.ID, a.On)
	case "led":
		return AppendLED(nil, a.ID, a.On)
	case "led_error_write":
		return AppendLEDAlarm(nil, a.ID, a.Mask)
	case "read":
		c, ok := reads[a.Command]
		if !ok {
			t.Fatalf("command %q is not tested", a.Command)
		}
		return AppendRead(nil, a.ID, c.command)
	}
	t.Fatalf("operation %q is not tested", op)
	return nil, nil
}

func TestVectors(t *testing.T) {
	var p Parser
	servotest.Exchange[args]{Protocol: "lx16a", Encode: encode,
		Expect: func(t *testing.T, _ servotest.Vector, a args, tx []byte) servo.Answer {
			if err := p.ExpectOne(a.ID, reads[a.Command].command, servotest.EchoOf(a.Echo, tx)); err != nil {
				t.Fatal(err)
			}
			return &p
		},
		Check: func(t *testing.T, v servotest.Vector, a args, _ servo.Fault) { checkDecoded(t, v, a, p.Reply()) },
	}.Run(t)
}

func checkDecoded(t *testing.T, v servotest.Vector, a args, r servo.Reply) {
	t.Helper()
	if string(v.Decoded) == "null" {
		if r.Fault.HasData() {
			t.Fatalf("%+v, want no data", r)
		}
		return
	}
	c := reads[a.Command]
	n, ok := Word(r.Params)
	if c.command == PositionRead || c.command == OffsetRead {
		n, ok = Signed(r.Params)
	}
	servotest.WantNumber(t, v, "id", int(r.ID), true)
	servotest.WantNumber(t, v, c.field, n, ok)
}

// TestNothingElseGoesToAll: a public library made a rig's servos all id 0 by a
// broadcast that was meant to release them.
func TestNothingElseGoesToAll(t *testing.T) {
	const all = servo.Broadcast
	for name, f := range map[string]func() ([]byte, error){
		"id":            func() ([]byte, error) { return AppendSetID(nil, all, 0) },
		"offset":        func() ([]byte, error) { return AppendOffsetAdjust(nil, all, 0) },
		"offset save":   func() ([]byte, error) { return AppendOffsetSave(nil, all) },
		"angle limit":   func() ([]byte, error) { return AppendAngleLimit(nil, all, 0, 1000) },
		"voltage limit": func() ([]byte, error) { return AppendVinLimit(nil, all, 4500, 12000) },
		"temp limit":    func() ([]byte, error) { return AppendTempLimit(nil, all, 85) },
		"motor mode":    func() ([]byte, error) { return AppendMotorMode(nil, all, 0) },
		"servo mode":    func() ([]byte, error) { return AppendServoMode(nil, all) },
		"read":          func() ([]byte, error) { return AppendRead(nil, all, PositionRead) },
	} {
		if out, err := f(); err == nil || len(out) != 0 {
			t.Errorf("%s: sent %x to all", name, out)
		}
	}
}

func appendStep(dst []byte) ([]byte, error) {
	var err error
	for id := range byte(18) {
		if dst, err = AppendMoveWait(dst, id+1, 500, 20); err != nil {
			return dst, err
		}
	}
	return AppendStart(dst, servo.Broadcast)
}

func TestStepAllocatesNothing(t *testing.T) {
	buf := make([]byte, 0, 256)
	n := testing.AllocsPerRun(100, func() {
		if out, err := appendStep(buf); err != nil || len(out) != StepCost(18).Tx {
			t.Fatalf("%d bytes, %v", len(out), err)
		}
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkStep18(b *testing.B) {
	buf := make([]byte, 0, 256)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := appendStep(buf); err != nil {
			b.Fatal(err)
		}
	}
}
