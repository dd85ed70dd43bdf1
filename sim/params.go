package sim

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// Scale is the size of a rig: everything in Params is a multiple of these.
type Scale struct {
	U       float64 // length unit, metres, > 0
	K       float64 // time scale of the body's own motion, seconds, > 0: sqrt(0.08 U / g), or the gait's k
	Gravity float64 // m/s2, > 0
}

// Reference is the scale of the reference world.
var Reference = Scale{U: 1, K: 0.05, Gravity: 32}

// Support is the rule by which standing feet hold the body.
type Support uint8

// The support rules.
const (
	Polygon      Support = iota // straight up inside the support polygon, leaning outside
	DiagonalPair                // straight up if a leg and all its diagonal neighbours stand, else nothing
	Supports
)

// Servo is the model between commanded and actual joint angles. The zero value
// is ideal: an angle is reached within the tick, whatever the joint's speed.
type Servo struct {
	Limited bool    // joints keep to their speed
	Lag     float64 // time constant of the first-order lag, s; 0 = none
	Noise   float64 // half-width of a uniform error of every angle, rad; 0 = none

	Backlash float64 // play of the gears, rad from side to side: the horn follows the motor that much late; 0 = none
	Step     float64 // angles are whole multiples of it, rad, as those of a servo with so many steps a turn; 0 = any
}

// Battery is the model of the supply. The zero value never empties and is not
// observed.
type Battery struct {
	Volts float64 // full and without load; 0 = no battery
	Sag   float64 // volts lost while every joint turns at its full speed
	Drain float64 // volts lost a second; three times that at full load
}

// Params are what a simulated world is like. Default gives the reference
// values; the zero value is not valid.
type Params struct {
	Servo   Servo
	Support Support
	Leeway  float64 // U; a centre of mass outside by at most this is held straight up and does not tip

	AirDrag    float64 // share of the vertical speed lost each k, [0, 1)
	GroundDrag float64 // share of the slide lost each k with all feet down, [0, 1)
	SpinDrag   float64 // share of the free rotation lost each k with all feet down, [0, 1)
	BellyDrag  float64 // share of slide and rotation lost each k while lying on the belly, [0, 1)
	Bounce     float64 // share of the speed kept, reversed, when the belly hits the ground, [0, 1]

	Spring       bool    // standing legs that stretch give the body their speed; else only their height is followed
	HeightFactor float64 // share of the height error corrected each k, (0, 1)
	HeightLift   float64 // strongest support with all feet down, multiple of gravity

	Grip     float64 // coefficient of friction, times the material's: a support leaning more than this slides
	Friction float64 // stretch between foot and anchor before it slides, U, times the material's friction
	Tilt     float64 // rotation of the body the feet may cause within one k, rad; more means feet lift
	Reach    float64 // U an anchor may be beyond the stretched leg before it is released

	IMU     IMU
	Battery Battery
	Blind   bool // the pose is withheld from observations
}

// IMU is the model of the inertial sensor. The zero value is ideal.
type IMU struct {
	Gyro  float64 // half-width of a uniform error of each component, rad/s
	Accel float64 // m/s2
	BiasW r3.Vec  // B, rad/s, constant error
	BiasA r3.Vec  // B, m/s2
	None  bool    // there is no IMU: observations have neither its samples nor a tilt
}

// Default returns the reference parameters: ideal servos and the constants of
// the step-rule notes (drag 0.02, 0.2, 0.2, 0.5, bounce 0.5, height 0.25 and 4
// g). Grip, Friction, Tilt and Reach are our own.
func Default() Params {
	return Params{
		AirDrag: 0.02, GroundDrag: 0.2, SpinDrag: 0.2, BellyDrag: 0.5, Bounce: 0.5,
		HeightFactor: 0.25, HeightLift: 4,
		Grip: 1, Friction: 0.1, Tilt: 0.05, Reach: 0.1,
	}
}

// Validate returns every fault of p at once, or nil.
func (p *Params) Validate() error {
	var errs []error
	check := func(name string, v, lo, hi float64) {
		if !(v >= lo && v <= hi) {
			errs = append(errs, fmt.Errorf("sim: %s is %v, must be from %v to %v", name, v, lo, hi))
		}
	}
	const most = 0.999999 // of a share lost
	check("servo lag", p.Servo.Lag, 0, 10)
	check("servo noise", p.Servo.Noise, 0, 0.5)
	check("gyro noise", p.IMU.Gyro, 0, 100)
	check("accelerometer noise", p.IMU.Accel, 0, 1000)
	for _, v := range [6]float64{p.IMU.BiasW.X, p.IMU.BiasW.Y, p.IMU.BiasW.Z, p.IMU.BiasA.X, p.IMU.BiasA.Y, p.IMU.BiasA.Z} {
		check("bias of the IMU", v, -1000, 1000)
	}
	check("servo backlash", p.Servo.Backlash, 0, 0.5)
	check("servo step", p.Servo.Step, 0, 0.5)
	check("volts of the battery", p.Battery.Volts, 0, 1000)
	check("sag of the battery", p.Battery.Sag, 0, 1000)
	if p.Battery.Sag > p.Battery.Volts {
		errs = append(errs, fmt.Errorf("sim: sag of the battery is %v, must be at most its %v volts", p.Battery.Sag, p.Battery.Volts))
	}
	check("drain of the battery", p.Battery.Drain, 0, 1000)
	check("leeway", p.Leeway, 0, 100)
	check("air drag", p.AirDrag, 0, most)
	check("ground drag", p.GroundDrag, 0, most)
	check("spin drag", p.SpinDrag, 0, most)
	check("belly drag", p.BellyDrag, 0, most)
	check("bounce", p.Bounce, 0, 1)
	check("height factor", p.HeightFactor, 1e-6, most)
	check("height lift", p.HeightLift, 0, 1000)
	check("grip", p.Grip, 0, 100)
	check("friction", p.Friction, 0, 100)
	check("tilt", p.Tilt, 1e-6, math.Pi)
	check("reach", p.Reach, 0, 100)
	if p.Support >= Supports {
		errs = append(errs, fmt.Errorf("sim: support rule is %d, must be below %d", p.Support, Supports))
	}
	return errors.Join(errs...)
}

func (c *Scale) validate(dt float64) error {
	var errs []error
	check := func(name string, v, lo, hi float64) {
		if !(v >= lo && v <= hi) {
			errs = append(errs, fmt.Errorf("sim: %s is %v, must be from %v to %v", name, v, lo, hi))
		}
	}
	check("U", c.U, 1e-6, 1e3)
	check("k", c.K, 1e-5, 10)
	check("gravity", c.Gravity, 1e-3, 1e4)
	check("dt", dt, 1e-5, 1)
	return errors.Join(errs...)
}

// rates are the parameters of one run in SI, worked out once for its dt.
type rates struct {
	u, g     float64
	airKeep  float64 // share of the vertical speed kept each tick
	terminal float64 // fall speed at which drag and gravity balance, m/s; 0 = no drag
	ground   [65]float64
	spin     [65]float64 // kept each tick, by number of standing feet
	belly    float64
	height   float64 // share of the height error corrected each tick
	lift     float64 // speed the support can add each tick with all feet down, m/s
	slow     float64 // speed of a fall by 0.04 U, m/s: g k in the reference world
	stop     float64 // rebounds slower than this are none, m/s
	lag      float64 // share of the way to the command each tick
	leeway   float64
	friction float64
	tilt     float64 // rad a tick
	reach    float64
	lifted   float64 // height of a foot over its anchor that counts as lifted, metres
	close    float64 // height over ground that counts as touching for a foot that has come to a halt
	halt     float64 // sinking a tick that counts as a halt
	moving   float64 // slide a tick of a foot that its leg still moves
	firm     float64 // by how much a foot gets firmer each tick
	narrow   float64 // feet within this of one line leave the turn about it free
	calm     float64 // seconds without a touch that end a fall
}

func newRates(p *Params, c Scale, dt float64, legs int) rates {
	perK := dt / c.K
	keep := func(lost float64) float64 { return math.Pow(1-lost, perK) }
	r := rates{
		u: c.U, g: c.Gravity, airKeep: keep(p.AirDrag), belly: keep(p.BellyDrag),
		height: 1 - keep(p.HeightFactor), lift: p.HeightLift * c.Gravity * dt,
		slow: math.Sqrt(0.08 * c.U * c.Gravity), lag: 1,
		leeway: p.Leeway * c.U, friction: p.Friction * c.U, reach: p.Reach * c.U,
		tilt: p.Tilt * perK, lifted: 0.02 * c.U, close: 0.03 * c.U, halt: 0.005 * c.U * perK, moving: 0.1 * c.U * perK, firm: min(1, perK), narrow: 0.02 * c.U,
		calm: 10 * c.K,
	}
	r.stop = max(r.slow, c.Gravity*dt)
	if p.AirDrag > 0 {
		r.terminal = c.Gravity * c.K * (1 - p.AirDrag) / p.AirDrag
	}
	if p.Servo.Lag > 0 {
		r.lag = 1 - math.Exp(-dt/p.Servo.Lag)
	}
	for n := range min(legs, 64) + 1 {
		share := float64(n) / float64(legs)
		r.ground[n], r.spin[n] = keep(p.GroundDrag*share), keep(p.SpinDrag*share)
	}
	return r
}
