package sensor

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"legctl/drivers/servo"
	"legctl/rig"

	"gobot.io/x/gobot/v2/drivers/gpio"
	"gobot.io/x/gobot/v2/drivers/i2c"
)

// Devices is what a Set is read through; those a rig does not need may be nil.
type Devices struct {
	I2C    i2c.Connector
	Pins   gpio.DigitalReader
	Serial servo.Port // of the inertial unit, open at 115200 baud
}

// Facts is what the sensors said last, each with the time since its start.
type Facts struct {
	Sample  Sample
	Count   uint32 // samples of the inertial unit so far
	Roll    float64
	Pitch   float64
	HasTilt bool
	Volts   float64 // 0: unknown
	Contact uint64  // bit set of legs whose foot switch is closed
	HasFeet bool
	EStop   bool
	Errors  servo.Counts // Timeout: no answer; BadFrame: outliers
}

// Set reads all sensors of a rig. Use Open; Close ends its goroutine.
type Set struct {
	c     servo.Sensors
	d     Devices
	unit  Unit
	power Voltmeter
	tilt  Tilt

	mu              sync.Mutex
	facts           Facts
	feltAt          time.Time // of the last sample
	voltsAt, feetAt time.Time

	stop chan struct{}
	done chan struct{}
}

// Fresh is how old a fact may be.
const Fresh = 50 * time.Millisecond

// Open starts the sensors of a rig, learns the bias of its gyroscope, which
// takes a quarter of a second at rest, and goes on reading at rate times a
// second. Everything that does not work is in the error.
func Open(c *servo.Sensors, d Devices, rate float64) (*Set, error) {
	s := &Set{c: *c, d: d, stop: make(chan struct{}), done: make(chan struct{})}
	s.tilt.Settle = c.IMU.Filter
	var errs []error
	if c.IMU.Kind != "" {
		u, err := OpenIMU(&c.IMU, d.I2C, d.Serial)
		if err == nil {
			s.unit = u
			err = s.learn()
		}
		errs = append(errs, err)
	}
	if c.Power.Kind != "" {
		v, err := OpenPower(&c.Power, d.I2C)
		if err == nil {
			s.power = v
		}
		errs = append(errs, err)
	}
	if (len(c.Feet) > 0 || c.EStop.Pin != "") && d.Pins == nil {
		errs = append(errs, errors.New("sensor: switches want GPIO pins: this board has none"))
	}
	if err := errors.Join(errs...); err != nil {
		close(s.done)
		s.closeAll()
		return nil, err
	}
	if !(rate > 0) {
		rate = 100
	}
	go s.run(time.Duration(float64(time.Second) / rate))
	return s, nil
}

func (s *Set) learn() error {
	var at []Sample
	for range 25 {
		var one Sample
		if err := s.unit.Read(&one); err == nil {
			at = append(at, one)
		}
		time.Sleep(10 * time.Millisecond)
	}
	return s.tilt.Learn(at)
}

// run reads until Close.
func (s *Set) run(every time.Duration) {
	defer close(s.done)
	t := time.NewTicker(every)
	defer t.Stop()
	last := time.Now()
	for n := 0; ; n++ {
		select {
		case <-s.stop:
			return
		case now := <-t.C:
			s.poll(n, now.Sub(last).Seconds())
			last = now
		}
	}
}

// poll reads everything once; the battery each tenth time.
func (s *Set) poll(n int, dt float64) {
	var one Sample
	var err error
	if s.unit != nil {
		err = s.unit.Read(&one)
		s.note(err)
		if err == nil {
			s.tilt.Update(&one, dt)
			s.mu.Lock()
			f := &s.facts
			f.Sample, f.Count = one, f.Count+1
			f.Roll, f.Pitch, f.HasTilt = s.tilt.RollPitch()
			s.feltAt = time.Now()
			s.mu.Unlock()
		}
	}
	if s.power != nil && n%10 == 0 {
		v, err := s.power.Volts()
		s.note(err)
		if err == nil {
			s.mu.Lock()
			s.facts.Volts, s.voltsAt = v, time.Now()
			s.mu.Unlock()
		}
	}
	s.switches()
}

// note counts an error.
func (s *Set) note(err error) {
	if err == nil {
		return
	}
	class := servo.Timeout
	if errors.Is(err, ErrOutlier) {
		class = servo.BadFrame
	}
	s.mu.Lock()
	s.facts.Errors.Add(class)
	s.mu.Unlock()
}

// switches reads feet and emergency stop. A stop that cannot be read counts as
// pressed.
func (s *Set) switches() {
	if len(s.c.Feet) == 0 && s.c.EStop.Pin == "" {
		return
	}
	var contact uint64
	good := true
	for i := range s.c.Feet {
		on, err := s.closed(&s.c.Feet[i])
		s.note(err)
		good = good && err == nil
		if on {
			contact |= 1 << s.c.Feet[i].Leg
		}
	}
	stop := false
	if s.c.EStop.Pin != "" {
		on, err := s.closed(&s.c.EStop)
		s.note(err)
		stop = on || err != nil
	}
	s.mu.Lock()
	s.facts.EStop = stop
	if good {
		s.facts.Contact, s.facts.HasFeet, s.feetAt = contact, len(s.c.Feet) > 0, time.Now()
	}
	s.mu.Unlock()
}

func (s *Set) closed(w *servo.Switch) (bool, error) {
	v, err := s.d.Pins.DigitalRead(w.Pin)
	if err != nil {
		return false, fmt.Errorf("sensor: pin %s: %w", w.Pin, err)
	}
	return (v != 0) != w.ActiveLow, nil
}

// Facts returns what was read last; what is not Fresh is left out.
func (s *Set) Facts() Facts {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.facts
	if time.Since(s.feltAt) > Fresh {
		f.Sample, f.HasTilt = Sample{}, false
	}
	if time.Since(s.feetAt) > Fresh {
		f.HasFeet, f.Contact = false, 0
	}
	if time.Since(s.voltsAt) > time.Second {
		f.Volts = 0
	}
	return f
}

// Observe puts the facts into an observation, and leaves alone what it has no
// fact about. It returns whether the emergency stop is pressed.
func (s *Set) Observe(o *rig.Observation) (stop bool) {
	f := s.Facts()
	if f.HasTilt {
		o.Roll, o.Pitch, o.Has = f.Roll, f.Pitch, o.Has|rig.HasTilt
	}
	if f.Sample.Has&(HasGyro|HasAccel) == HasGyro|HasAccel {
		o.Gyro, o.Accel, o.Samples, o.Has = f.Sample.Gyro, f.Sample.Accel, f.Count, o.Has|rig.HasIMU
	}
	if f.Volts > 0 {
		o.Battery = f.Volts
	}
	if f.HasFeet {
		o.Contact, o.Has = f.Contact, o.Has|rig.HasContact
	}
	return f.EStop
}

// Close ends reading and lets go of the chips. A second call does nothing.
func (s *Set) Close() error {
	select {
	case <-s.stop:
		return nil
	default:
		close(s.stop)
	}
	<-s.done
	return s.closeAll()
}

func (s *Set) closeAll() error {
	var errs []error
	if s.unit != nil {
		errs = append(errs, s.unit.Close())
	}
	if s.power != nil {
		errs = append(errs, s.power.Close())
	}
	return errors.Join(errs...)
}
