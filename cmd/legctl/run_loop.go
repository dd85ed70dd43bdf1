//go:build linux

package main

import (
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"legctl/control"
	"legctl/drivers"
	"legctl/drivers/sensor"
	"legctl/drivers/servo"
	"legctl/loop"
	"legctl/record"
	"legctl/rollout"
)

// startOrder is what the shell tells the loop to run: all that it needs, so that
// it reads no files.
type startOrder struct {
	Header []byte // of a recording: rig, parameters
	Servos *servo.Config
	AtRest bool
}

// loopStats is what the loop tells the shell about itself.
type loopStats struct {
	Ticks, Skipped, Failures, Stalled, Dropped uint64
	Last                                       string
	Faults                                     servo.Counts
}

// portTime is how long the shell may take to open a port.
const portTime = 2 * time.Second

// looper is the loop's process.
type looper struct {
	link    *link
	order   startOrder
	proto   *drivers.Protocol
	ports   chan portReply
	gone    chan struct{} // the shell is
	mailbox *loop.Mailbox
	stats   loop.Stats
	plant   *drivers.Plant
}

// portReply is a port, or why there is none.
type portReply struct {
	f   *os.File
	err error
}

// runLoop is the loop's side of a run: plant and control, nothing else. It ends
// when it is told to, on a signal and when the shell is gone, in each case after
// the rig has stopped, sat down and gone limp.
func runLoop(ctx context.Context, fd int) error {
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGHUP)
	defer stop()
	signal.Ignore(syscall.SIGPIPE) // of a shell that is gone
	l, err := newLink(os.NewFile(uintptr(fd), "shell"))
	if err != nil {
		return err
	}
	p := &looper{link: l, ports: make(chan portReply, 1), gone: make(chan struct{})}
	defer p.link.close()
	err = p.run(ctx)
	if err != nil && p.link.send(kindBad, -1, []byte(err.Error())) == nil {
		return errors.Join(errSaid, err) // by the shell
	}
	return err
}

func (p *looper) run(ctx context.Context) error {
	ro, err := p.begin()
	if err != nil {
		return err
	}
	p.mailbox = ro.Mailbox
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go p.listen(cancel)
	o := drivers.Options{Dt: ro.Config.Params.Dt, AtRest: p.order.AtRest}
	var board drivers.Board
	if p.proto.I2C() || senses(&p.order.Servos.Sensors) && p.order.Servos.Board != "" {
		if board, err = drivers.BoardOf(p.order.Servos); err != nil {
			return err
		}
		defer board.Finalize()
	}
	if o.Open = drivers.SerialOpener(p.order.Servos, nil, p.open); p.proto.I2C() {
		o.Open = drivers.BoardOpener(p.order.Servos, nil, func(*servo.Config) (drivers.Board, error) { return drivers.Shared(board), nil })
	}
	if o.Senses, err = p.senses(board); err != nil {
		return err
	}
	if p.plant, err = drivers.New(ro.Config.Rig, p.order.Servos, o); err != nil {
		return err
	}
	ro.Cell.Plant = p.plant
	err = loop.Run(ctx, ro.Cell, loop.Options{
		Dt: o.Dt, Mailbox: p.mailbox, Stats: &p.stats, Care: &loop.Care{}, Sinks: []loop.Sink{&toShell{p: p}},
		Snapshot: 1, // every state, so that a replay of the recording can begin anywhere
	})
	return err
}

// begin takes the order and puts together what is to run.
func (p *looper) begin() (*rollout.Rollout, error) {
	k, body, err := p.link.receive()
	if err == nil && k != kindBegin {
		err = fmt.Errorf("message %q first", k)
	}
	if err == nil {
		err = json.Unmarshal(body, &p.order)
	}
	if err != nil {
		return nil, fmt.Errorf("run: start of the loop: %w", err)
	}
	if p.proto, err = drivers.ProtocolOf(p.order.Servos.Protocol); err != nil {
		return nil, err
	}
	var h record.Header
	if err := h.UnmarshalBinary(p.order.Header); err != nil {
		return nil, err
	}
	c, err := rollout.Restore(&h)
	if err != nil {
		return nil, err
	}
	c.Blind, c.Limp = true, true
	return rollout.New(c)
}

// senses reports whether a rig has sensors besides its servos.
func senses(c *servo.Sensors) bool {
	return c.IMU.Kind != "" || c.Power.Kind != "" || len(c.Feet) > 0 || c.EStop.Pin != ""
}

// senses starts the sensors, if there are any.
func (p *looper) senses(board drivers.Board) (drivers.Senses, error) {
	c := p.order.Servos.Sensors
	if !senses(&c) {
		return nil, nil
	}
	d := sensor.Devices{}
	if board != nil {
		d.I2C, d.Pins = board, board
	}
	if p.proto.I2C() { // the bus of the servos, unless the rig's file says another
		n, err := drivers.I2CBus(p.order.Servos.Port, board)
		if err != nil {
			return nil, err
		}
		c.IMU.Bus, c.Power.Bus = cmp.Or(c.IMU.Bus, n), cmp.Or(c.Power.Bus, n)
	}
	if c.IMU.Port != "" {
		port, err := drivers.OpenSerial(c.IMU.Port, 115_200)
		if err != nil {
			return nil, err
		}
		d.Serial = port
	}
	return sensor.Open(&c, d, 0)
}

// listen takes what the shell says, until it is gone.
func (p *looper) listen(leave context.CancelFunc) {
	defer close(p.gone)
	defer leave()
	for {
		k, body, err := p.link.receive()
		if err != nil {
			return
		}
		switch k {
		case kindLeave:
			leave()
		case kindCommand:
			var cmd control.Command
			if cmd.UnmarshalBinary(body) == nil {
				p.mailbox.Put(cmd) // full: the sender gets no answer
			}
		case kindPort:
			r := portReply{}
			if f, ok := p.link.descriptor(); ok {
				r.f = f
			} else {
				r.err = errors.New(string(body))
			}
			select {
			case p.ports <- r:
			default: // nobody waits any more
				if r.f != nil {
					_ = r.f.Close()
				}
			}
		}
	}
}

// open asks the shell for the port.
func (p *looper) open(_ string, baud int) (servo.Port, error) {
	select {
	case r := <-p.ports: // of a question that was given up
		if r.f != nil {
			_ = r.f.Close()
		}
	default:
	}
	if err := p.link.send(kindAsk, -1, binary.LittleEndian.AppendUint32(nil, uint32(baud))); err != nil {
		return nil, fmt.Errorf("run: the shell is gone: %w", err)
	}
	select {
	case r := <-p.ports:
		if r.err != nil {
			return nil, r.err
		}
		return drivers.FilePort(r.f)
	case <-p.gone:
		return nil, errors.New("run: the shell is gone")
	case <-time.After(portTime):
		return nil, fmt.Errorf("run: the shell did not open the port within %v", portTime)
	}
}

// toShell is the sink of the loop: records go to the shell as they are. A shell
// that is gone takes none, and nothing waits for it.
type toShell struct {
	p    *looper
	head [9]byte
	told time.Time
	said string // of what went wrong
	bad  bool
}

// Put implements loop.Sink.
func (s *toShell) Put(tag control.Tag, tick uint64, data []byte) error {
	if s.bad {
		return nil
	}
	s.head[0] = byte(tag)
	binary.LittleEndian.PutUint64(s.head[1:], tick)
	s.bad = s.p.link.send(kindRecord, -1, s.head[:], data) != nil
	return nil
}

// statsEvery is how often the loop tells about itself.
const statsEvery = 250 * time.Millisecond

// Flush implements loop.Sink.
func (s *toShell) Flush() error {
	if s.bad || time.Since(s.told) < statsEvery {
		return nil
	}
	s.told = time.Now()
	if err := s.p.plant.Err(); err != nil && err.Error() != s.said {
		s.said = err.Error()
		fmt.Fprintf(os.Stderr, "\r%v\n", err)
	}
	return s.tell()
}

func (s *toShell) tell() error {
	st := &s.p.stats
	n := loopStats{
		Ticks: st.Ticks.Load(), Skipped: st.Skipped.Load(), Failures: st.Failures.Load(), Stalled: st.Stalled.Load(), Dropped: st.Dropped(),
	}
	if err := st.Last(); err != nil {
		n.Last = err.Error()
	}
	b, err := json.Marshal(&n)
	if err != nil {
		return err
	}
	s.bad = s.p.link.send(kindStats, -1, b) != nil
	return nil
}

// Close implements loop.Sink.
func (s *toShell) Close() error {
	if s.bad {
		return nil
	}
	return s.tell()
}
