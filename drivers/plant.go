package drivers

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"legctl/drivers/servo"
	"legctl/rig"
)

// Opener opens the port, or the board, of a config. It is called by Open and
// again each time the port came back; close frees what it opened.
type Opener func() (l *Link, close func() error, err error)

// Senses are the sensors of a rig besides its servos; nil for none.
type Senses interface {
	// Observe adds what the sensors know and reports whether the stop button is
	// pressed.
	Observe(dst *rig.Observation) (stop bool)
	Close() error
}

// Options are what a Plant needs besides its rig and config.
type Options struct {
	Dt     float64 // seconds a tick
	Open   Opener
	Clock  servo.Clock // nil: the system's
	Senses Senses
	// AtRest is the operator's word that the rig lies in its rest pose. Servos
	// that tell no position are not switched on without it.
	AtRest bool
	// Plugged is how long ago the adaptor was plugged in; nil asks the system.
	Plugged func() time.Duration
}

// Plant is a rig of servos: a loop.Plant by structure. What it reports are facts;
// it moves nothing before Enable. Use New. All but Halt belong to one goroutine.
type Plant struct {
	rig   *rig.Rig
	cfg   *servo.Config
	proto *Protocol
	link  *servo.Linkage
	clock servo.Clock
	o     Options

	mu     sync.Mutex // held by whoever uses the driver
	conn   *connection
	way    atomic.Pointer[connection] // conn, for a Halt that cannot wait
	halted bool
	budget Budget
	caps   rig.Caps

	now    time.Duration
	servos []state // one a servo of the config
	turn   turn    // of the next servo to be read
	back   retry
	start  softStart
	alarms rig.Alarm // of the whole, for the next observation
	err    error     // see Err
	power  power
	broken servo.Counts // of buses that were lost

	asked   []servo.Feedback
	turns   []turn // where the round robin stands behind each of them
	goals   []servo.Goal
	native  []float64
	wish    []float64
	sorted  []float64
	measure []float64 // joint angles as measured, or as sent where nothing is
	sent    []float64 // joint angles last sent
}

// connection is an open port with its driver.
type connection struct {
	link  *Link
	drv   servo.Driver
	close func() error
	off   []byte // takes all torque off
}

// state is what is known about a servo.
type state struct {
	on      bool // torque was put on by us
	wanted  bool // torque is to be on
	lost    bool // reported as lost
	pos     float64
	known   bool          // pos has been read since the port was opened
	last    float64       // native position last sent
	seen    time.Duration // last good answer
	missed  int           // answers missed since
	since   time.Duration // when the first of them was
	failed  int           // tries to switch it on
	over    time.Duration // overload since; 0: none
	sense   rig.Sense
	alarms  servo.Alarm
	step    float64 // most native units a tick
	perRad  float64 // native units a radian, positive
	win     window  // see stuck
	joint   int     // of the first term
	leg     int
	limit   float64 // Celsius
	retryAt time.Duration
}

// New returns a plant of a rig whose servos section is c, calibrated. It opens
// nothing. Servos that do not determine their joints, ids given twice and a rate
// the bus cannot carry are refused.
func New(r *rig.Rig, c *servo.Config, o Options) (*Plant, error) {
	proto, err := ProtocolOf(c.Protocol)
	if err != nil {
		return nil, err
	}
	if !(o.Dt > 0 && o.Dt <= 1) {
		return nil, fmt.Errorf("drivers: dt is %g s, want above 0 to 1", o.Dt)
	}
	link, err := servo.NewLinkage(c.Servos, r.Joints())
	if err != nil {
		return nil, fmt.Errorf("drivers: rig %s: %w", r.Name, err)
	}
	if err := checkServos(c, proto); err != nil {
		return nil, fmt.Errorf("drivers: rig %s: %w", r.Name, err)
	}
	if o.Clock == nil {
		o.Clock = servo.SystemClock()
	}
	if o.Plugged == nil {
		o.Plugged = func() time.Duration { return plugged(c.Port) }
	}
	p := &Plant{rig: r, cfg: c, proto: proto, link: link, clock: o.Clock, o: o}
	if p.budget, err = NewBudget(proto, c, 1/o.Dt, latencyOf(c, c.Port)); err != nil {
		return nil, err
	}
	p.makeRoom()
	return p, nil
}

// checkServos refuses ids that come twice or that the protocol does not have.
func checkServos(c *servo.Config, p *Protocol) (all error) {
	seen := map[int]string{}
	for i := range c.Servos {
		s := &c.Servos[i]
		if other, twice := seen[s.ID]; twice {
			all = errors.Join(all, fmt.Errorf("servos %s and %s both have id %d", other, s.Name, s.ID))
		}
		seen[s.ID] = s.Name
		if s.ID < 0 || s.ID > p.Caps.MaxID {
			all = errors.Join(all, fmt.Errorf("servo %s: id %d, want 0 to %d for %s", s.Name, s.ID, p.Caps.MaxID, p.Name))
		}
	}
	if len(c.Servos) == 0 {
		all = errors.New("no servos")
	}
	return all
}

func (p *Plant) makeRoom() {
	n, joints := len(p.cfg.Servos), p.rig.Joints()
	p.servos = make([]state, n)
	p.goals, p.asked, p.turns = make([]servo.Goal, 0, n), make([]servo.Feedback, 0, n), make([]turn, 0, n)
	p.native, p.wish, p.sorted = make([]float64, n), make([]float64, n), make([]float64, n)
	p.measure, p.sent = p.rig.RestPose(nil), p.rig.RestPose(nil)
	p.start.from = make([]float64, joints)
	for i := range p.servos {
		c, s := &p.cfg.Servos[i], &p.servos[i]
		s.joint, s.leg = -1, c.Leg
		if len(c.Terms) > 0 {
			s.joint = c.Terms[0].Joint
		}
		s.perRad = math.Abs(c.PerRad)
		s.step = math.Abs(c.PerRad) * p.mostStep(c)
		s.limit = p.cfg.Protect.Celsius
		if m, ok := servo.ModelOf(c.Model); ok && m.Celsius > 0 && (s.limit == 0 || m.Celsius < s.limit) {
			s.limit = m.Celsius
		}
	}
}

// speedRoom is how much faster than its joints a servo may be asked to go: the
// controller already keeps the joints' speeds.
const speedRoom = 1.25

// mostStep is how far a servo may be asked to turn in a tick, rad.
func (p *Plant) mostStep(c *servo.Servo) float64 {
	if p.cfg.MostStep > 0 {
		return p.cfg.MostStep
	}
	step := 0.0
	for _, t := range c.Terms {
		step += math.Abs(t.Factor) * p.joint(t.Joint).Speed * p.o.Dt * speedRoom
	}
	return step
}

// joint finds a joint of the rig by its index in q.
func (p *Plant) joint(n int) *rig.Joint {
	for i := range p.rig.Legs {
		l := &p.rig.Legs[i]
		if n < l.First+len(l.Joints) {
			return &l.Joints[n-l.First]
		}
	}
	return &rig.Joint{}
}

// Budget is what a tick takes of the bus.
func (p *Plant) Budget() Budget { return p.budget }

// Counts are the faults of the bus by class, since New.
func (p *Plant) Counts() servo.Counts {
	c := p.broken
	if p.conn != nil && p.conn.link.Bus != nil {
		c.Merge(&p.conn.link.Bus.Stats.Counts)
	}
	return c
}

// Open implements loop.Plant: it opens the port, asks every servo who it is and
// compares it with the rig's file; limp servos that keep limits are given those of
// their joints. Torque stays as it is, so that a rig whose program was restarted
// does not fall.
func (p *Plant) Open(ctx context.Context) (rig.Caps, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.now = p.clock.Now()
	if err := NeedsRest(p.proto); err != nil && !p.o.AtRest {
		return rig.Caps{}, err
	}
	conn, err := p.connect()
	if err != nil {
		return rig.Caps{}, err
	}
	found, err := p.greet(ctx, conn)
	if err == nil {
		err = errors.Join(p.identify(found), p.sameRobot(found))
	}
	if err == nil {
		if e := p.confine(conn); errors.Is(e, servo.ErrGone) {
			err = e
		} else {
			p.note(e)
		}
	}
	if err != nil {
		one := Missing(p.proto, p.cfg, ids(p.cfg), found, err)
		if one == err {
			one = fmt.Errorf("drivers: %s on %s: %w", p.proto.Name, p.cfg.Port, err)
		}
		return rig.Caps{}, errors.Join(one, conn.close())
	}
	p.adopt(conn)
	p.caps = rig.Caps{
		Feedback: p.proto.Caps.Feedback, MaxRate: p.budget.Most,
		Watchdog: p.proto.Caps.Watchdog && p.proto.Name != "maestro" && p.cfg.Watchdog > 0,
	}
	return p.caps, nil
}

// connect opens the port and makes the driver.
func (p *Plant) connect() (*connection, error) {
	link, shut, err := p.o.Open()
	if err != nil {
		return nil, err
	}
	c := &connection{link: link, close: shut}
	if c.drv, err = p.proto.Driver(link, p.cfg); err != nil {
		return nil, errors.Join(err, shut())
	}
	if d, ok := c.drv.(interface{ Close() error }); ok {
		c.close = func() error { return errors.Join(d.Close(), shut()) }
	}
	if p.proto.Off != nil {
		if c.off, err = p.proto.Off(p.cfg, nil, ids(p.cfg)); err != nil {
			return nil, errors.Join(err, c.close())
		}
	}
	if p.cfg.Watchdog > 0 && p.proto.Caps.Watchdog {
		if err := c.drv.Arm(p.cfg.Watchdog); err != nil && !errors.Is(err, servo.ErrUnsupported) {
			return nil, errors.Join(err, c.close())
		}
	}
	return c, nil
}

// identify compares the servos found with the models of the config.
func (p *Plant) identify(found []servo.Identity) (all error) {
	for _, who := range found {
		for i := range p.cfg.Servos {
			c := &p.cfg.Servos[i]
			m, ok := servo.ModelOf(c.Model)
			if c.ID == who.ID && ok && m.Number != 0 && who.Number != 0 && who.Number != m.Number {
				all = errors.Join(all, fmt.Errorf("servo %s (id %d) says it is model %d, the rig's file says %s, which is %d: correct the file",
					c.Name, c.ID, who.Number, c.Model, m.Number))
			}
		}
	}
	return all
}

// sameRobot compares all servos found with those that were calibrated.
func (p *Plant) sameRobot(found []servo.Identity) (all error) {
	if k := p.cfg.Calibrated; k != nil {
		for _, sentence := range k.Compare(found) {
			all = errors.Join(all, fmt.Errorf("%s: the calibration of %s is another robot's: \"legctl servo calibrate\" makes a new one", sentence, k.Date))
		}
	}
	return all
}

// adopt takes a connection into use: open, and nothing enabled.
func (p *Plant) adopt(c *connection) {
	p.conn, p.halted = c, false
	p.way.Store(c)
	for i := range p.servos {
		s := &p.servos[i]
		s.on, s.wanted, s.lost, s.known, s.missed, s.over, s.alarms = false, false, false, false, 0, 0, 0
		s.seen = p.now
	}
	p.start.stop()
}

// drop forgets the connection.
func (p *Plant) drop() {
	p.conn = nil
	p.way.Store(nil)
}

// Close implements loop.Plant.
func (p *Plant) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	var err error
	if p.conn != nil {
		err = p.conn.close()
		p.drop()
	}
	if c := p.back.conn; c != nil {
		err = errors.Join(err, c.close())
		if p.back.done != nil {
			<-p.back.done // its port is shut
		}
		p.back.conn = nil
	}
	if p.o.Senses != nil {
		err = errors.Join(err, p.o.Senses.Close())
		p.o.Senses = nil
	}
	return err
}
