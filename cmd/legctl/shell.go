package main

import (
	"errors"
	"fmt"
	"slices"

	"legctl/control"
	"legctl/loop"
	"legctl/record"
	"legctl/rig"
	"legctl/telemetry"
	"legctl/telemetry/mqtt"
	"legctl/web"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// shellFlags are the flags of everything that stands round a loop, of "sim"
// and "run" alike.
type shellFlags struct {
	pageFlags
	mqttFlags
	foxgloveFlags
	record, broker string
	port           int
	headless       bool // nobody listens but the recording
}

// bind declares the flags.
func (o *shellFlags) bind(f *pflag.FlagSet) {
	o.pageFlags.bind(f)
	o.mqttFlags.bind(f)
	o.foxgloveFlags.bind(f)
	f.StringVar(&o.record, "record", "", "file for the recording, to be replayed by \"legctl replay\"")
	f.StringVar(&o.broker, "broker", "", "a broker to use in place of one of our own: host:port, or mqtts://user@host (password: $LEGCTL_MQTT_PASSWORD)")
	f.IntVar(&o.port, "port", 0, "port of the broker (default: 1883, or a free one when it is taken)")
}

// check refuses flags that make no sense.
func (o *shellFlags) check(c *cobra.Command) error {
	if o.port < 0 || o.port > 65535 {
		return wrongUsage(c, fmt.Errorf("--port %d, want 1 to 65535", o.port))
	}
	return errors.Join(exclusive(c, "broker", "port"), o.pageFlags.check(c), o.mqttFlags.check(c), o.foxgloveFlags.check(c))
}

// shell is what stands round the loop of a command for as long as the command
// runs: the broker, the page. Acts come and go inside it.
type shell struct {
	flags   *shellFlags
	screen  *screen
	notes   string // where notes to the user's clients go; "" = nowhere
	noDir   error  // why
	broker  *mqtt.Broker
	metrics *metrics        // nil: nobody watches
	addr    string          // of the broker, ours or not
	page    *web.Server     // nil: none
	lease   telemetry.Lease // of all ways in
	undo    []func() error
	acts    int // played so far
}

// openShell starts what the flags ask for.
func openShell(o *shellFlags, sc *screen) (_ *shell, err error) {
	sh := &shell{flags: o, screen: sc}
	if o.headless {
		return sh, nil
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, sh.close())
		}
	}()
	if sh.notes, sh.noDir = mqtt.RunDir(); sh.noDir == nil {
		mqtt.Sweep(sh.notes)
	}
	sh.metrics = newMetrics()
	if err = sh.openPage(); err != nil {
		return nil, err
	}
	if o.broker != "" {
		sh.addr, err = mqtt.Locate(o.broker, "")
		return sh, err
	}
	if sh.broker, err = o.mqttFlags.start(sh.notes, o.port); err != nil {
		return nil, err
	}
	sh.undo = append(sh.undo, sh.broker.Close)
	sh.addr = sh.broker.Addr()
	return sh, nil
}

// close ends what openShell started, the last first.
func (sh *shell) close() error {
	var all error
	for _, f := range slices.Backward(sh.undo) {
		all = errors.Join(all, f())
	}
	sh.undo = nil
	return all
}

// act is one run of a loop inside a shell: what those who listen need to know.
type act struct {
	rig        *rig.Rig
	names      *telemetry.Names
	params     *control.Params
	controller *control.Controller // of the loop: not to be called beside it
	mailbox    *loop.Mailbox
	stats      *loop.Stats
	gait       string                                             // to begin with
	about      string                                             // one line for people
	header     func(names ...record.Name) (*record.Header, error) // nil: cannot be recorded
	ground     web.Ground                                         // nil: not known
	peek       *web.Peek                                          // nil: no zones are drawn
	world      web.World                                          // nil: a real rig
	tuner      web.Tuner                                          // nil: parameters stay
	throttle   *loop.Throttle                                     // nil: real time
}

// inbox hands a command to the loop.
func (a *act) inbox(cmd control.Command) (full bool, replaced uint64) {
	got, old := a.mailbox.Put(cmd)
	return got == loop.Full, old
}

// listener is one who listens to an act.
type listener struct {
	sinks []loop.Sink          // take records, each in a goroutine of its own; the loop closes them
	frame func(*control.Frame) // takes frames, in one goroutine with the other listeners; nil: none
	close func() error         // after the loop has ended; nil: nothing
}

// listeners are all who may listen, in the order in which they begin: a new
// one is a file and a line here. Each returns nil when its flags do not ask
// for it.
var listeners = [...]func(sh *shell, a *act) (*listener, error){listenRecord, listenMQTT, listenMetrics, listenPage, listenFoxglove}

// play lets everybody in who listens, runs the act and shows them out. each
// takes frames too.
func (sh *shell) play(a *act, each []func(*control.Frame), run func(sinks []loop.Sink) error) (err error) {
	sh.acts++
	var sinks []loop.Sink
	for _, begin := range listeners {
		l, bad := begin(sh, a)
		if bad != nil {
			return bad
		}
		if l == nil {
			continue
		}
		if l.close != nil {
			defer func() { err = errors.Join(err, l.close()) }()
		}
		sinks = append(sinks, l.sinks...)
		if l.frame != nil {
			each = append([]func(*control.Frame){l.frame}, each...)
		}
	}
	if len(each) > 0 {
		sinks = append(sinks, loop.Frames(a.rig, func(f *control.Frame) error {
			for _, do := range each {
				do(f)
			}
			return nil
		}))
	}
	return run(sinks)
}
