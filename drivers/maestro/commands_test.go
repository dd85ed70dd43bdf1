package maestro

import (
	"bytes"
	"math"
	"testing"
)

func TestOtherCommands(t *testing.T) {
	d := Dialect{Pololu: true, Device: 5}
	pwm, err1 := Dialect{}.AppendPWM(nil, 7200, 16000)
	stop, err2 := d.AppendStopScript(nil)
	if err1 != nil || !bytes.Equal(pwm, []byte{0x8A, 0x20, 0x38, 0x00, 0x7D}) {
		t.Errorf("PWM %x, %v", pwm, err1)
	}
	if err2 != nil || !bytes.Equal(stop, []byte{0xAA, 5, 0x24}) {
		t.Errorf("stop %x, %v", stop, err2)
	}
}

func TestRefusals(t *testing.T) {
	var d Dialect
	for name, f := range map[string]func() ([]byte, error){
		"channel":           func() ([]byte, error) { return d.AppendTarget(nil, 24, 6000) },
		"negative channel":  func() ([]byte, error) { return d.AppendGetPosition(nil, -1) },
		"target":            func() ([]byte, error) { return d.AppendTarget(nil, 0, 16384) },
		"one of targets":    func() ([]byte, error) { return d.AppendTargets(nil, 0, []int{6000, -1}) },
		"no targets":        func() ([]byte, error) { return d.AppendTargets(nil, 0, nil) },
		"acceleration":      func() ([]byte, error) { return d.AppendAcceleration(nil, 0, 256) },
		"PWM":               func() ([]byte, error) { return d.AppendPWM(nil, 2, 1) },
		"device":            func() ([]byte, error) { return Dialect{Pololu: true, Device: 128}.AppendGoHome(nil) },
		"device of targets": func() ([]byte, error) { return Dialect{Pololu: true, Device: 128}.AppendTargets(nil, 0, []int{1}) },
		"Mini SSC":          func() ([]byte, error) { return AppendMiniSSC(nil, 0, 255) },
	} {
		if out, err := f(); err == nil || len(out) != 0 {
			t.Errorf("%s: not refused: %x", name, out)
		}
	}
	for _, us := range []float64{math.NaN(), math.Inf(1), -1} {
		if q, err := QuarterUS(us); err == nil {
			t.Errorf("%v us is %d", us, q)
		}
	}
}

// TestDataBytesStaySevenBits: only the command byte has its top bit set.
func TestDataBytesStaySevenBits(t *testing.T) {
	out, err := Dialect{Pololu: true, Device: 127, CRC: true}.AppendTarget(nil, 23, MostQuarters)
	if err != nil {
		t.Fatal(err)
	}
	for i, b := range out[1:] {
		if b >= 0x80 {
			t.Errorf("byte %d is %#x", i+1, b)
		}
	}
}
