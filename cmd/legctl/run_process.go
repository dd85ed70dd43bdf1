//go:build linux

package main

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"legctl/control"
	"legctl/drivers"
	"legctl/loop"
)

// How long the shell waits.
const (
	leaveTime = 30 * time.Second     // for the loop to sit the rig down and end
	pollEvery = 2 * time.Millisecond // between two looks for commands
	sinkTime  = 5 * time.Second      // for a recording to be finished
)

// process is the loop as the shell sees it: a child process that holds the
// servos. The shell opens the port, keeps a copy of the descriptor, and when the
// child dies takes torque off by it.
type process struct {
	*robot
	act    *act
	flags  *runFlags
	screen *screen
	stderr io.Writer
	greet  func() // once the servos have been met

	link  *link
	cmd   *exec.Cmd
	off   []byte // takes torque off all servos
	ticks atomic.Uint64

	mu   sync.Mutex
	port *os.File // our copy
	bad  string   // why the loop said it ended
}

// run starts the loop and hands its records to sinks until it ends.
func (p *process) run(ctx context.Context, sinks []loop.Sink) (err error) {
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGHUP)
	defer stop()
	fan := loop.NewFan(sinks, 1024, loop.RecordSize(p.Cell))
	defer func() { err = errors.Join(err, fan.Close(sinkTime)) }()
	if err := p.start(); err != nil {
		return err
	}
	defer p.link.close()
	received := make(chan struct{})
	go func() {
		defer close(received)
		p.receive(fan)
	}()
	ended := make(chan error, 1)
	go func() { ended <- p.cmd.Wait() }()
	quit := make(chan struct{})
	var others sync.WaitGroup
	others.Go(func() { p.command(quit) })
	others.Go(func() { p.notify(quit) })
	err = p.await(ctx, ended)
	off := p.limp(err != nil)
	if err == nil && off == nil {
		p.screen.endLine()
		fmt.Fprintln(p.screen.w, "torque is off")
	}
	close(quit)
	others.Wait()
	<-received
	return p.verdict(err, off)
}

// start starts the child in a process group of its own, so that a Ctrl-C reaches
// it only by us, and tells it what to run.
func (p *process) start() (err error) {
	if p.proto.Off != nil {
		var ids []int
		for i := range p.servos.Servos {
			ids = append(ids, p.servos.Servos[i].ID)
		}
		if p.off, err = p.proto.Off(p.servos, nil, ids); err != nil {
			return err
		}
	}
	order := startOrder{Servos: p.servos, AtRest: p.flags.atRest}
	h, err := p.Header()
	if err != nil {
		return err
	}
	if order.Header, err = h.AppendBinary(nil); err != nil {
		return err
	}
	body, err := json.Marshal(&order)
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	l, far, err := newLinkPair()
	if err != nil {
		return err
	}
	p.link = l
	p.cmd = exec.Command(self, "run", "--loop", "3")
	p.cmd.ExtraFiles, p.cmd.Stderr = []*os.File{far}, p.stderr
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := errors.Join(p.cmd.Start(), far.Close()); err != nil {
		return errors.Join(err, l.close())
	}
	return l.send(kindBegin, -1, body)
}

// receive takes what the loop says until it is gone.
func (p *process) receive(fan *loop.Fan) {
	met := false
	for {
		k, body, err := p.link.receive()
		if err != nil {
			return
		}
		switch {
		case k == kindRecord && len(body) >= 9:
			if !met {
				met = true
				p.greet()
			}
			tick := binary.LittleEndian.Uint64(body[1:])
			p.ticks.Store(tick + 1)
			fan.Put(control.Tag(body[0]), tick, body[9:])
		case k == kindStats:
			p.stats(body)
		case k == kindAsk && len(body) == 4:
			p.answer(int(binary.LittleEndian.Uint32(body)))
		case k == kindBad:
			p.mu.Lock()
			p.bad = string(body)
			p.mu.Unlock()
		}
	}
}

// stats shows what the loop says about itself to those who ask the shell.
func (p *process) stats(body []byte) {
	var n loopStats
	if json.Unmarshal(body, &n) != nil {
		return
	}
	s := p.act.stats
	s.Ticks.Store(n.Ticks)
	s.Skipped.Store(n.Skipped)
	s.Failures.Store(n.Failures)
	s.Stalled.Store(n.Stalled)
}

// answer opens the port and hands a copy of the descriptor to the loop.
func (p *process) answer(baud int) {
	p.drop()
	f, err := drivers.OpenRaw(p.servos.Port, baud)
	if err != nil {
		_ = p.link.send(kindPort, -1, []byte(err.Error())) // a loop that is gone is seen elsewhere
		return
	}
	p.mu.Lock()
	p.port = f
	p.mu.Unlock()
	if err := drivers.WithDescriptor(f, func(fd int) error { return p.link.send(kindPort, fd) }); err != nil {
		fmt.Fprintf(p.screen.w, "\rthe port could not be handed on: %v\n", err)
	}
}

// drop closes our copy of the port: of one that was lost, before it is opened
// anew, since it would keep the device busy.
func (p *process) drop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.port != nil {
		_ = p.port.Close()
		p.port = nil
	}
}

// command hands commands on to the loop.
func (p *process) command(quit chan struct{}) {
	var buf []byte
	t := time.NewTicker(pollEvery)
	defer t.Stop()
	for {
		select {
		case <-quit:
			return
		case <-t.C:
		}
		for {
			var cmd control.Command
			p.act.mailbox.Take(&cmd, p.ticks.Load(), p.Config.Params.Dt)
			if cmd.Kind == control.KindNone {
				break
			}
			buf, _ = cmd.AppendBinary(buf[:0])
			if p.link.send(kindCommand, -1, buf) != nil {
				return
			}
		}
	}
}

// notify tells the service manager that the loop ticks.
func (p *process) notify(quit chan struct{}) {
	every := watchdogEvery()
	_ = notify("READY=1")
	defer func() { _ = notify("STOPPING=1") }()
	t := time.NewTicker(every)
	defer t.Stop()
	for last := uint64(0); ; {
		select {
		case <-quit:
			return
		case <-t.C:
		}
		if n := p.ticks.Load(); n != last {
			last = n
			_ = notify("WATCHDOG=1")
		}
	}
}

// await waits for the end of the loop, and asks for it when the run is to end.
func (p *process) await(ctx context.Context, ended chan error) error {
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	_ = notify("STOPPING=1")
	p.screen.endLine()
	fmt.Fprintln(p.screen.w, "the rig stops, sits down and goes limp")
	_ = p.link.send(kindLeave, -1) // a loop that is gone is seen below
	t := time.NewTimer(leaveTime)
	defer t.Stop()
	select {
	case err := <-ended:
		return err
	case <-t.C:
		_ = p.cmd.Process.Kill()
		return errors.Join(fmt.Errorf("run: the loop did not end within %v and was killed", leaveTime), <-ended)
	}
}

// limp takes torque off all servos twice by our own copy of the port, after the
// loop has ended. On I2C, where no descriptor is shared, the board is opened anew
// if the loop did not end well.
func (p *process) limp(died bool) error {
	p.mu.Lock()
	port := p.port
	p.mu.Unlock()
	if port != nil {
		for range 2 {
			_ = port.SetWriteDeadline(time.Now().Add(time.Second))
			_, _ = port.Write(p.off) // what else could be done?
		}
		p.drop()
	}
	if died && p.proto.I2C() {
		return drivers.BoardsOff(p.servos)
	}
	return nil
}

// verdict is what the run ends with; off is why torque could not be taken off.
func (p *process) verdict(err, off error) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.screen.endLine()
	switch {
	case p.bad != "":
		bad := errors.New(strings.TrimPrefix(p.bad, "loop: open the plant: "))
		if off == nil || p.ticks.Load() == 0 { // never opened: the same trouble
			return bad
		}
		return fmt.Errorf("%w; torque could not be taken off: %w", bad, off)
	case off != nil:
		return fmt.Errorf("run: the loop has died (%w), and torque could not be taken off: %w", err, off)
	case err != nil:
		return fmt.Errorf("run: the loop has died (%w): torque was taken off", err)
	}
	return nil
}

// act is what those who listen need to know of the robot.
func (b *robot) act() *act {
	return &act{
		rig: b.Config.Rig, names: b.names, params: b.Config.Params, controller: b.Controller, mailbox: new(loop.Mailbox),
		stats: new(loop.Stats), header: b.Header, gait: b.Config.Gait, about: b.names.Rig + " by " + b.servos.Protocol,
	}
}
