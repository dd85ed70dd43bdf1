package servo

import "math"

// Model is a type of servo: what its positions mean and what it can bear.
// Positions of bus servos are steps, those of pulse servos microseconds.
type Model struct {
	Name      string
	Protocols []string // that it can be driven by
	Number    int      // model number it states when asked; 0: it states none
	Center    float64  // native position of the middle of its travel
	Min, Max  float64  // native positions it can be asked for
	PerTurn   float64  // native units for a full turn of the horn
	Celsius   float64  // where it switches off; 0: it does not
	Volts     [2]float64
	Speed     float64 // rad/s without load
}

// PerRad is the native units for one radian.
func (m *Model) PerRad() float64 { return m.PerTurn / (2 * math.Pi) }

// pulse names the protocols that send pulses.
var pulse = []string{"ssc32", "maestro", "pca9685", "firmata"}

// Models returns the known types of servo, the commonest of a protocol before
// the others. Sources: e-Manual of each Dynamixel;
// LeRobot's model numbers; LewanSoul's protocol document; Feetech's memory
// table; makers' data sheets for pulse servos.
func Models() []Model {
	one, two := []string{"dxl1"}, []string{"dxl2"}
	return []Model{
		{"ax12", one, 12, 512, 0, 1023, 1024 * 360.0 / 300, 70, [2]float64{9, 12}, 6.2},
		{"ax18", one, 18, 512, 0, 1023, 1024 * 360.0 / 300, 75, [2]float64{9, 12}, 10.2},
		{"mx28", one, 29, 2048, 0, 4095, 4096, 80, [2]float64{10, 14.8}, 5.8},
		{"mx64", one, 310, 2048, 0, 4095, 4096, 80, [2]float64{10, 14.8}, 6.6},
		{"mx106", one, 320, 2048, 0, 4095, 4096, 80, [2]float64{10, 14.8}, 4.7},
		{"xl430-w250", two, 1060, 2048, 0, 4095, 4096, 72, [2]float64{6.5, 12}, 6.4},
		{"xl330-m077", two, 1190, 2048, 0, 4095, 4096, 70, [2]float64{3.7, 6}, 40},
		{"xl330-m288", two, 1200, 2048, 0, 4095, 4096, 70, [2]float64{3.7, 6}, 10.8},
		{"xm430-w350", two, 1020, 2048, 0, 4095, 4096, 80, [2]float64{10, 14.8}, 4.8},
		{"xm540-w270", two, 1120, 2048, 0, 4095, 4096, 80, [2]float64{10, 14.8}, 3.1},
		{"sts3215", []string{"feetech_sts"}, 777, 2048, 0, 4095, 4096, 70, [2]float64{4, 7.4}, 4.7},
		{"scs0009", []string{"feetech_scs"}, 1284, 512, 0, 1023, 1024 * 360.0 / 300, 70, [2]float64{4.8, 7.4}, 10.5},
		{"lx16a", []string{"lx16a"}, 0, 500, 0, 1000, 1000 * 360.0 / 240, 85, [2]float64{6, 8.4}, 5.5},
		{"lx224", []string{"lx16a"}, 0, 500, 0, 1000, 1000 * 360.0 / 240, 85, [2]float64{6, 8.4}, 5.2},
		{"mg996r", pulse, 0, 1500, 500, 2500, 2000 * 2, 0, [2]float64{4.8, 6.6}, 6.2},
		{"mg90s", pulse, 0, 1500, 500, 2400, 1900 * 2, 0, [2]float64{4.8, 6}, 10.5},
		{"ds3218", pulse, 0, 1500, 500, 2500, 2000 * 2, 0, [2]float64{4.8, 6.8}, 6.5},
		{"hs645", pulse, 0, 1500, 553, 2425, 360 / 0.105, 0, [2]float64{4.8, 6}, 5.2},
		{"pulse180", pulse, 0, 1500, 500, 2500, 2000 * 2, 0, [2]float64{4.8, 7.4}, 6},
		{"pulse270", pulse, 0, 1500, 500, 2500, 2000 * 360.0 / 270, 0, [2]float64{4.8, 7.4}, 6},
	}
}

// ModelOf returns a model by its name; false when it is unknown.
func ModelOf(name string) (Model, bool) {
	for _, m := range Models() {
		if m.Name == name {
			return m, true
		}
	}
	return Model{}, false
}

// Drives reports whether a protocol can drive the model.
func (m *Model) Drives(protocol string) bool {
	for _, p := range m.Protocols {
		if p == protocol {
			return true
		}
	}
	return false
}

// Reach is the native positions the model can be asked for by a protocol: Firmata
// takes pulses of less than 544 us for degrees, and has none above 2400.
func (m *Model) Reach(protocol string) (least, most float64) {
	if protocol == "firmata" {
		return max(m.Min, 544), min(m.Max, 2400)
	}
	return m.Min, m.Max
}

// Protocols returns the names of the protocols a Config may choose.
func Protocols() []string {
	return []string{"dxl1", "dxl2", "feetech_sts", "feetech_scs", "lx16a", "ssc32", "maestro", "pca9685", "firmata"}
}

// Resolution is the smallest difference between two positions that reaches a
// servo: a step, or so many microseconds. For pca9685 it depends on the board:
// 4.88 us at 50 Hz and 25 MHz.
func Resolution(protocol string) float64 {
	switch protocol {
	case "maestro":
		return 0.25
	case "pca9685":
		return 1e6 / (DefaultPulseHz * 4096)
	}
	return 1
}
