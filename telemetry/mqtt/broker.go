package mqtt

import (
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// DefaultPort is the port MQTT has by convention.
const DefaultPort = 1883

// startLimit is how long the broker may take to answer.
const startLimit = 10 * time.Second

// Broker is an MQTT broker inside this process, listening on 127.0.0.1 only.
// Close ends it and removes its files.
type Broker struct {
	srv   *server.Server
	conn  *nats.Conn // in-process, to look at what is retained
	store string
	port  int
}

// StartBroker starts a broker that keeps its files below a new folder in dir.
// port 0 means 1883, or any free one when that is taken; another port that is
// taken is an error. Read Port for the one in use.
func StartBroker(dir string, port int) (*Broker, error) {
	store, err := os.MkdirTemp(dir, storePrefix)
	if err != nil {
		return nil, fmt.Errorf("mqtt: folder for the broker: %w", err)
	}
	b := &Broker{store: store}
	if err := b.start(port); err != nil {
		b.Close()
		return nil, err
	}
	return b, nil
}

// start brings the server up and connects to it within the process.
func (b *Broker) start(port int) error {
	want, err := choosePort(port)
	if err != nil {
		return err
	}
	opts := &server.Options{
		ServerName: "legctl-" + strconv.Itoa(os.Getpid()),
		NoSigs:     true, // the signals are the program's, not the broker's
		DontListen: true, // MQTT only
		JetStream:  true,
		StoreDir:   b.store,
		MQTT:       server.MQTTOpts{Host: "127.0.0.1", Port: want},
	}
	if b.srv, err = server.NewServer(opts); err != nil {
		return fmt.Errorf("mqtt: broker: %w", err)
	}
	log := newLog()
	b.srv.SetLoggerV2(log, false, false, false)
	b.srv.Start()
	if err := b.ready(log); err != nil {
		return err
	}
	b.port = opts.MQTT.Port
	b.conn, err = nats.Connect("", nats.InProcessServer(b.srv), nats.Name("legctl"))
	if err != nil {
		return fmt.Errorf("mqtt: broker: %w", err)
	}
	return nil
}

// ready waits until the broker answers or says why it cannot.
func (b *Broker) ready(log *brokerLog) error {
	for end := time.Now().Add(startLimit); time.Now().Before(end); {
		if b.srv.ReadyForConnections(20 * time.Millisecond) {
			return nil
		}
		select {
		case why := <-log.fatal:
			return fmt.Errorf("mqtt: broker: %s", why)
		default:
		}
	}
	return fmt.Errorf("mqtt: broker: no answer within %v", startLimit)
}

// choosePort turns 0 into 1883 or, when that is taken, into -1 (any).
func choosePort(port int) (int, error) {
	if port < 0 || port > 65535 {
		return 0, fmt.Errorf("mqtt: port %d, want 0 to 65535", port)
	}
	try := port
	if try == 0 {
		try = DefaultPort
	}
	l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(try)))
	switch {
	case err == nil:
		return try, l.Close()
	case port == 0:
		return -1, nil
	}
	return 0, fmt.Errorf("mqtt: port %d is taken; leave --port out for a free one (%w)", port, err)
}

// Port returns the TCP port the broker listens on.
func (b *Broker) Port() int { return b.port }

// Store returns the folder of the broker's files, which Close removes.
func (b *Broker) Store() string { return b.store }

// Addr returns where clients connect: 127.0.0.1 and the port.
func (b *Broker) Addr() string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(b.port)) }

// Close ends the broker and removes its files. It may be called twice.
func (b *Broker) Close() error {
	if b.conn != nil {
		b.conn.Close()
	}
	if b.srv != nil {
		b.srv.Shutdown()
		b.srv.WaitForShutdown()
	}
	if err := os.RemoveAll(b.store); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("mqtt: folder of the broker: %w", err)
	}
	return nil
}

// brokerLog takes what the server says. Only a reason not to start matters:
// what goes wrong later shows at the clients.
type brokerLog struct{ fatal chan string }

func newLog() *brokerLog { return &brokerLog{fatal: make(chan string, 1)} }

// Fatalf implements server.Logger; the first message is kept.
func (l *brokerLog) Fatalf(format string, v ...any) {
	select {
	case l.fatal <- fmt.Sprintf(format, v...):
	default:
	}
}

// Noticef implements server.Logger.
func (l *brokerLog) Noticef(string, ...any) {}

// Warnf implements server.Logger.
func (l *brokerLog) Warnf(string, ...any) {}

// Errorf implements server.Logger.
func (l *brokerLog) Errorf(string, ...any) {}

// Debugf implements server.Logger.
func (l *brokerLog) Debugf(string, ...any) {}

// Tracef implements server.Logger.
func (l *brokerLog) Tracef(string, ...any) {}
