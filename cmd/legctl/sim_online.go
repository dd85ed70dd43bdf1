package main

import (
	"errors"
	"fmt"
	"os"

	"legctl/control"
	"legctl/loop"
	"legctl/telemetry/mqtt"
)

// online is what a run has on the network.
type online struct {
	broker *mqtt.Broker // nil: somebody else's
	bridge *mqtt.Bridge
	undo   []func()
}

// goOnline starts a broker, or joins one, and tells the user's clients about it.
func (s *scene) goOnline(o *simFlags, sc *screen) (_ *online, err error) {
	a := &online{}
	defer func() {
		if err != nil {
			err = errors.Join(err, a.close())
		}
	}()
	addr := o.broker
	note := mqtt.Running{PID: os.Getpid(), Rig: s.names.Rig}
	dir, dirErr := mqtt.RunDir()
	if dirErr == nil {
		mqtt.Sweep(dir)
	}
	opts := mqtt.BridgeOptions{Warn: func(what string, err error) { fmt.Fprintf(sc.w, "\r%s: %v\n", what, err) }}
	if addr == "" {
		if a.broker, err = mqtt.StartBroker(dir, o.port); err != nil {
			return nil, err
		}
		addr, note.Store, opts.Keeps = a.broker.Addr(), a.broker.Store(), a.broker.Keeps
	} else if addr, err = mqtt.Locate(addr, ""); err != nil {
		return nil, err
	}
	opts.Broker, note.Broker = addr, addr
	if a.bridge, err = mqtt.NewBridge(s.names, s.Config.Params.Dt, s.inbox, opts); err != nil {
		return nil, err
	}
	if dirErr == nil {
		withdraw, err := mqtt.Announce(dir, note)
		if err != nil {
			return nil, err
		}
		a.undo = append(a.undo, withdraw)
	}
	s.hello(sc, addr, dirErr)
	return a, nil
}

// inbox hands a command to the loop.
func (s *scene) inbox(cmd control.Command) (full bool, replaced uint64) {
	got, old := s.Mailbox.Put(cmd)
	return got == loop.Full, old
}

func (a *online) tick(f *control.Frame) { a.bridge.Tick(&f.Out, &f.Obs) }

// close says goodbye, ends the broker and removes every trace.
func (a *online) close() error {
	if a.bridge != nil {
		a.bridge.Close()
	}
	for _, f := range a.undo {
		f()
	}
	if a.broker != nil {
		return a.broker.Close()
	}
	return nil
}

// hello tells a person what runs and what to try next.
func (s *scene) hello(sc *screen, addr string, noDir error) {
	p := s.Config.Params
	speed := s.Controller.Allowed(s.gait).Linear[0]
	fmt.Fprintf(sc.w, "%s on %s, gait %s, seed %d, %g ticks a second; MQTT broker at %s\n",
		s.names.Rig, s.Config.Terrain.Kind, s.Config.Gait, s.Config.Seed, 1/p.Dt, addr)
	where := ""
	if noDir != nil {
		where = " --broker " + addr // clients cannot find it by themselves
		fmt.Fprintf(sc.w, "clients do not find the broker by themselves: %v\n", noDir)
	}
	fmt.Fprintf(sc.w, "Try in another terminal:\n")
	fmt.Fprintf(sc.w, "  legctl cmd%s twist --vx %.2g --for 10s\n", where, 0.8*speed)
	fmt.Fprintf(sc.w, "  legctl cmd%s goto %.2g %.2g\n", where, 10*speed, 3*speed)
	fmt.Fprintf(sc.w, "  legctl cmd%s gait %s\n", where, s.another())
	fmt.Fprintf(sc.w, "Ctrl-C ends.\n")
}

// another returns the first gait the rig may walk besides the one it begins
// with, or that one if there is no other.
func (s *scene) another() string {
	for i, why := range s.names.Why {
		if why == "" && i != s.gait {
			return s.names.Gaits[i]
		}
	}
	return s.Config.Gait
}
