package servo

// Config is the servos section of a rig: which servos move its joints, how they
// are reached, and what protects them. It is made by configs, overlaid with a
// Calibration, and never changes after that. The zero value drives nothing.
type Config struct {
	Protocol    string  // a name of Protocols
	Port        string  // stable name of a serial port (see drivers), or number of the I2C bus; empty: to be given
	Board       string  // gobot platform whose I2C bus is used, such as raspi; only for protocols on I2C
	Baud        int     // 0: the protocol's default
	Echo        bool    // the adaptor hands back what is sent
	Latency     float64 // seconds an adaptor adds to a reply; 0: read from the system
	ReturnDelay float64 // seconds a servo waits before it replies; written into it where it can be
	Rate        float64 // ticks a second the rig is meant for; 0: 50
	Watchdog    float64 // seconds of silence after which servos stop by themselves; 0: off
	SoftStart   float64 // seconds from the measured pose to the first one; 0: 2
	MostStep    float64 // rad a servo may be asked to move within a tick; 0: from the joint's speed

	Maestro Maestro
	Pulses  Pulses
	Firmata Firmata

	Servos     []Servo
	Calibrated *Calibration // what was applied to Servos; nil: they are as the file has them
	Protect    Protect
	Battery    Battery
	Sensors    Sensors
}

// Maestro is how a Pololu Maestro is spoken to. The zero value is compact.
type Maestro struct {
	Pololu bool
	Device int // 0 to 127
	CRC    bool
}

// Pulses is how PCA9685 boards are set up. Channel n is channel n%16 of board
// n/16.
type Pulses struct {
	Addresses []byte    // of the boards, in the order of their channels
	Hz        float64   // pulses a second; 0: 50
	OscHz     []float64 // measured oscillator of each board; none: 25 MHz
	BitRate   int       // of the I2C bus; 0: 100 000
	OE        string    // GPIO pin wired to output enable (high = all off); empty: none
	Stagger   bool      // rising edges shared evenly over the period
}

// Firmata is what a board running Firmata needs to be told.
type Firmata struct {
	Reset float64 // seconds a board takes from opening its port to answering; 0: 2
}

// Servo is one actuator. Its angle is the sum of its terms plus Offset, and its
// position on the wire is Zero + PerRad times that angle: steps for a bus servo,
// microseconds for a pulse. A knee whose servo is coupled to the thigh has two
// terms and needs no code.
type Servo struct {
	Name   string // of the joint it moves first, such as lf_coxa
	ID     int    // id or channel
	Model  string // a name of Models
	Leg    int    // leg of the first term
	Terms  []Term
	Offset float64 // rad
	Zero   float64 // native position at angle 0
	PerRad float64 // native units for one radian; negative: the servo turns the other way
	Min    float64 // least native position
	Max    float64 // greatest native position
	Center float64 // native position of the middle of its travel
}

// Term is one joint's share of a servo's angle.
type Term struct {
	Joint  int // index in q of the rig
	Factor float64
}

// Protect is when servos are spared. A zero field sets no limit.
type Protect struct {
	Celsius      float64 // torque off; warned 10 below it, sat down 5 below it
	Overload     float64 // share of full load, 0 to 1
	OverloadTime float64 // seconds above it until the rig sits; 0: 1
	LeastVolts   float64
	MostVolts    float64
}

// Battery is what happens as the battery empties. Dips shorter than Ignore do
// not count. A zero voltage is never reached.
type Battery struct {
	Warn, Sit, Off float64 // volts
	Ignore         float64 // seconds; 0: 0.2
}

// Default settings where a Config has zero.
const (
	DefaultRate      = 50.0
	DefaultSoftStart = 2.0
	DefaultPulseHz   = 50.0
	DefaultBitRate   = 100_000
	DefaultIgnore    = 0.2
)

// Sensors are what the rig carries besides its servos. Empty kinds are absent.
type Sensors struct {
	IMU   IMU
	Power Power
	Feet  []Switch
	Push  bool // feet without switches are felt by how far their servos are pushed off
	EStop Switch
}

// IMU is an inertial unit and how it is mounted.
type IMU struct {
	Kind             string // mpu6050, bno055 (I2C), bno055-uart
	Port             string // serial port of bno055-uart
	Bus              int    // I2C bus
	Address          byte   // 0: the chip's default
	Roll, Pitch, Yaw float64
	AccelG           int     // full scale of an mpu6050 in g: 2, 4, 8 or 16; 0: 2
	GyroDeg          int     // full scale of an mpu6050 in degrees a second: 250, 500, 1000, 2000; 0: 500
	Filter           float64 // seconds the accelerometer takes to win over the gyroscope; 0: 0.5
}

// Power is where the battery voltage is read when the servos do not say it.
type Power struct {
	Kind    string // ads1015, ads1115, ina3221
	Bus     int
	Address byte
	Channel int     // from 0
	Factor  float64 // battery volts for one volt at the input; 0: 1
}

// Switch is a contact on a GPIO pin.
type Switch struct {
	Leg       int    // of a foot switch
	Pin       string // empty: none
	ActiveLow bool   // closed reads low
}

// Index returns the number of the servo with a name, -1 for none.
func (c *Config) Index(name string) int {
	for i := range c.Servos {
		if c.Servos[i].Name == name {
			return i
		}
	}
	return -1
}
