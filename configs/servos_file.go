package configs

// servosFile is the servos section of a rig: what moves its joints.
type servosFile struct {
	placed
	Protocol    val[string]     `key:"protocol" need:"yes" choices:"dxl1|dxl2|feetech_sts|feetech_scs|lx16a|ssc32|maestro|pca9685|firmata" doc:"how the servos are spoken to"`
	Port        val[string]     `key:"port" default:"given when run" doc:"serial port by a stable name: /dev/serial/by-id/..., or usb:VENDOR:PRODUCT[:SERIAL]"`
	Baud        val[int]        `key:"baud" in:"[1200, 10000000]" default:"the protocol's" doc:"bits a second on the bus"`
	Model       val[string]     `key:"model" need:"yes" doc:"type of servo: see legctl servo models"`
	PulseRange  val[[2]float64] `key:"pulse_us" in:"[100, 5000]" default:"the model's" doc:"least and greatest pulse of the servos, microseconds"`
	Travel      val[float64]    `key:"travel" unit:"deg" in:"(0, 3600]" default:"the model's" doc:"how far the horn turns between the two pulses"`
	Rate        val[float64]    `key:"rate_hz" in:"[1, 1000]" default:"50" doc:"ticks a second"`
	Echo        val[bool]       `key:"echo" default:"false" doc:"the adaptor hands back what is sent (one-wire adaptors)"`
	Latency     val[float64]    `key:"latency" unit:"s" in:"[0, 0.1]" default:"read from the system" doc:"what the adaptor adds to each reply"`
	ReturnDelay val[float64]    `key:"return_delay" unit:"s" in:"[0, 0.01]" default:"0" doc:"what a servo waits before it replies; written into servos that can keep it"`
	Watchdog    val[float64]    `key:"watchdog" unit:"s" in:"[0, 60]" default:"0: off" doc:"silence after which the hardware stops by itself, where it can"`
	SoftStart   val[float64]    `key:"soft_start" unit:"s" in:"[0.5, 60]" default:"2" doc:"time from the measured pose to the first one"`
	MostStep    val[float64]    `key:"most_step" unit:"deg" in:"(0, 90]" default:"from the joint's speed" doc:"farthest a servo may be sent within a tick"`
	Maestro     maestroFile     `key:"maestro" doc:"how a Pololu Maestro is set up"`
	Pulses      pulsesFile      `key:"pulses" doc:"PCA9685 boards"`
	Firmata     firmataFile     `key:"firmata" doc:"a board with Firmata"`
	Protect     protectFile     `key:"protect" doc:"when servos are spared"`
	Battery     batteryFile     `key:"battery" doc:"what happens as the battery empties"`
	Sensors     sensorsFile     `key:"sensors" doc:"what the rig carries besides"`
	Channels    []channelFile   `key:"channels" need:"yes" doc:"one servo each"`
}

// channelFile is one servo.
type channelFile struct {
	placed
	Joint   val[string]             `key:"joint" need:"yes" doc:"joint the servo moves, such as lf_coxa; its name too"`
	ID      val[int]                `key:"id" in:"[0, 991]" need:"yes" doc:"id on the bus, or channel of the board"`
	Model   val[string]             `key:"model" default:"that of the section" doc:"type of this servo"`
	Reverse val[bool]               `key:"reverse" default:"false" doc:"a growing position lowers the joint's angle"`
	Offset  val[float64]            `key:"offset" unit:"deg" in:"[-360, 360]" default:"0" doc:"added to the joint's angle: how the horn sits on its spline"`
	Zero    val[float64]            `key:"zero" in:"[-1000000, 1000000]" default:"the middle of the model's travel" doc:"native position, steps or microseconds, at angle 0"`
	Sum     map[string]val[float64] `key:"sum" in:"[-100, 100]" default:"{the joint: 1}" doc:"joints and their factors whose sum is the servo's angle: for coupled knees and pantographs"`
	Range   val[[2]float64]         `key:"range" in:"[-1000000, 1000000]" default:"what the joint's limits ask for" doc:"least and greatest native position"`
	Narrow  val[bool]               `key:"narrow" default:"false" doc:"the joint's limits are narrowed to what the servo reaches"`
}

// maestroFile is the settings of a Maestro.
type maestroFile struct {
	placed
	Pololu val[bool] `key:"pololu" default:"false" doc:"name the device in each command: several may share a line"`
	Device val[int]  `key:"device" in:"[0, 127]" default:"12" doc:"number of the device"`
	CRC    val[bool] `key:"crc" default:"false" doc:"commands carry a CRC; must be set in the device too"`
}

// pulsesFile is PCA9685 boards on an I2C bus.
type pulsesFile struct {
	placed
	Board   val[string]  `key:"board" default:"raspi" doc:"gobot platform: raspi, jetson, beaglebone, ..."`
	Bus     val[int]     `key:"bus" in:"[0, 32]" default:"1" doc:"number of the I2C bus"`
	Boards  []int        `key:"addresses" in:"[64, 127]" default:"[0x40]" doc:"addresses of the boards; channel n is channel n%16 of board n/16"`
	Hz      val[float64] `key:"hz" in:"[24, 400]" default:"50" doc:"pulses a second"`
	OscHz   []float64    `key:"osc_hz" in:"[20000000, 30000000]" default:"25000000 each" doc:"measured oscillator of each board"`
	BitRate val[int]     `key:"bit_rate" in:"[10000, 1000000]" default:"100000" doc:"of the I2C bus, as the system sets it"`
	OE      val[string]  `key:"oe_pin" default:"none" doc:"pin wired to output enable, which stops all pulses when high"`
	Stagger val[bool]    `key:"stagger" default:"true" doc:"let the pulses of a board begin one after the other"`
}

// firmataFile is a board with Firmata.
type firmataFile struct {
	placed
	Reset val[float64] `key:"reset" unit:"s" in:"[0, 30]" default:"2" doc:"time the board takes after its port is opened"`
}

// protectFile is when servos are spared.
type protectFile struct {
	placed
	Celsius  val[float64]    `key:"celsius" in:"[30, 120]" default:"the model's; 0 for pulse servos" doc:"temperature at which torque goes off; warned 10 below, sat down 5 below"`
	Overload val[float64]    `key:"overload" in:"(0, 1]" default:"no limit" doc:"share of full load"`
	Time     val[float64]    `key:"overload_time" unit:"s" in:"(0, 60]" default:"1" doc:"time above it until the rig sits down"`
	Volts    val[[2]float64] `key:"volts" in:"[1, 100]" default:"the model's, a tenth wider" doc:"least and greatest voltage at the servos"`
}

// batteryFile is the battery policy.
type batteryFile struct {
	placed
	Warn   val[float64] `key:"warn_v" in:"(0, 100]" default:"never" doc:"warn below"`
	Sit    val[float64] `key:"sit_v" in:"(0, 100]" default:"never" doc:"sit down below"`
	Off    val[float64] `key:"off_v" in:"(0, 100]" default:"never" doc:"torque off below"`
	Ignore val[float64] `key:"ignore" unit:"s" in:"[0, 10]" default:"0.2" doc:"dips shorter than this do not count"`
}

// sensorsFile is what the rig carries besides its servos.
type sensorsFile struct {
	placed
	IMU   imuFile    `key:"imu" doc:"inertial unit"`
	Power powerFile  `key:"power" doc:"voltage monitor"`
	Feet  []footFile `key:"feet" doc:"foot switches"`
	Push  val[bool]  `key:"feel_push" default:"false" doc:"without foot switches: ground that pushes servos off their way ends a swing early; for servos that tell where they are within 0.05 s"`
	EStop *pinFile   `key:"estop" doc:"emergency stop button"`
}

// imuFile is an inertial unit and how it is mounted.
type imuFile struct {
	placed
	Kind    val[string]     `key:"kind" choices:"mpu6050|bno055|bno055-uart" default:"none" doc:"the chip; bno055 is on I2C"`
	Port    val[string]     `key:"port" doc:"serial port of bno055-uart, as port of the servos"`
	Bus     val[int]        `key:"bus" in:"[0, 32]" default:"the board's" doc:"number of the I2C bus"`
	Address val[int]        `key:"address" in:"[8, 119]" default:"the chip's" doc:"I2C address"`
	Mount   val[[3]float64] `key:"mount" unit:"deg" in:"[-180, 180]" default:"[0, 0, 0]" doc:"roll, pitch and yaw of the chip's axes in B"`
	AccelG  val[int]        `key:"accel_g" in:"[2, 16]" default:"2" doc:"full scale of an mpu6050: 2, 4, 8 or 16"`
	GyroDeg val[int]        `key:"gyro_dps" in:"[250, 2000]" default:"500" doc:"full scale of an mpu6050: 250, 500, 1000 or 2000"`
	Filter  val[float64]    `key:"filter" unit:"s" in:"(0, 10]" default:"0.5" doc:"time the accelerometer takes to win over the gyroscope"`
}

// powerFile is a voltage monitor.
type powerFile struct {
	placed
	Kind    val[string]  `key:"kind" choices:"ads1015|ads1115|ina3221" default:"none" doc:"the chip"`
	Bus     val[int]     `key:"bus" in:"[0, 32]" default:"the board's" doc:"number of the I2C bus"`
	Address val[int]     `key:"address" in:"[8, 119]" default:"the chip's" doc:"I2C address"`
	Channel val[int]     `key:"channel" in:"[0, 3]" default:"0" doc:"input, from 0"`
	Factor  val[float64] `key:"factor" in:"(0, 100]" default:"1" doc:"battery volts for one volt at the input"`
}

// footFile is a foot switch.
type footFile struct {
	placed
	Leg       val[string] `key:"leg" need:"yes" doc:"leg whose foot it feels"`
	Pin       val[string] `key:"pin" need:"yes" doc:"pin as the board's header counts"`
	ActiveLow val[bool]   `key:"active_low" default:"true" doc:"closed reads low"`
}

// pinFile is a button.
type pinFile struct {
	placed
	Pin       val[string] `key:"pin" need:"yes" doc:"pin as the board's header counts"`
	ActiveLow val[bool]   `key:"active_low" default:"true" doc:"pressed reads low"`
}
