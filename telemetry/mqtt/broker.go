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

// Broker is an MQTT broker inside this process, listening on 127.0.0.1 only
// unless told otherwise. Close ends it and removes its files.
type Broker struct {
	srv   *server.Server
	conn  *nats.Conn // in-process, to look at what is retained
	store string
	stays bool
	host  string
	port  int
	tls   bool
	leaf  []byte // its certificate; nil without TLS
	own   string // password of the rig's own client; "" = anybody may come in
}

// BrokerOptions say how an embedded broker is to be. The zero value is a broker
// on loopback that lets everybody of this machine in.
type BrokerOptions struct {
	Dir     string // its files go into a new folder here, removed by Close; "" = that for temporary files
	Store   string // folder in place of that, which stays: sessions and retained messages outlive the broker
	Host    string // address to listen on; "" = 127.0.0.1
	Port    int    // 0 = 1883 (8883 with TLS), or any free one when that is taken
	Cert    string // PEM file of the certificate; "" = no TLS
	Key     string // PEM file of its key; "" = it stands in Cert
	Users   []User // nil: everybody may do everything, which only loopback allows
	Payload int    // largest message, bytes; 0 = MaxMessage
}

// ackWait is how soon a message is sent again to a client that came back without
// having confirmed it.
const ackWait = 3 * time.Second

// maxUnconfirmed is how many messages a subscription may have without its
// client's confirmation: a dashboard of a fleet takes many at a time. All
// subscriptions of a client together may have 65535, so this allows sixteen.
const maxUnconfirmed = 4095

// MaxMessage is the largest message the embedded broker takes from anybody,
// bytes. Commands have the smaller limit telemetry.MaxPayload.
const MaxMessage = 256 << 10

// StartBroker is StartBrokerWith for a broker on loopback that lets everybody of
// this machine in. port 0 means 1883, or any free one when that is taken;
// another port that is taken is an error. Read Port for the one in use.
func StartBroker(dir string, port int) (*Broker, error) {
	return StartBrokerWith(BrokerOptions{Dir: dir, Port: port})
}

// StartBrokerWith starts a broker. An address beyond loopback without users is
// refused: everybody in reach could move the rig.
func StartBrokerWith(o BrokerOptions) (*Broker, error) {
	if o.Host == "" {
		o.Host = loopback
	}
	if err := o.check(); err != nil {
		return nil, err
	}
	b := &Broker{store: o.Store, stays: o.Store != "", host: o.Host, tls: o.Cert != ""}
	if !b.stays {
		var err error
		if b.store, err = os.MkdirTemp(o.Dir, storePrefix); err != nil {
			return nil, fmt.Errorf("mqtt: folder for the broker: %w", err)
		}
	}
	if err := b.start(&o); err != nil {
		b.Close()
		return nil, err
	}
	return b, nil
}

const loopback = "127.0.0.1"

func (o *BrokerOptions) check() error {
	ip := net.ParseIP(o.Host)
	switch {
	case ip == nil:
		return fmt.Errorf("mqtt: broker on %q, want an IP address such as 127.0.0.1 or 0.0.0.0", o.Host)
	case !ip.IsLoopback() && len(o.Users) == 0:
		return fmt.Errorf("mqtt: broker on %s: beyond this machine it needs users: give it a file of users", o.Host)
	case o.Key != "" && o.Cert == "":
		return fmt.Errorf("mqtt: key %s without a certificate", o.Key)
	}
	return nil
}

// start brings the server up and connects to it within the process.
func (b *Broker) start(o *BrokerOptions) error {
	opts := &server.Options{
		ServerName: "legctl-" + strconv.Itoa(os.Getpid()),
		NoSigs:     true, // the signals are the program's, not the broker's
		DontListen: true, // MQTT only
		JetStream:  true,
		StoreDir:   b.store,
		MaxPayload: MaxMessage,
		MQTT:       server.MQTTOpts{Host: o.Host, AckWait: ackWait, MaxAckPending: maxUnconfirmed},
	}
	if o.Payload > 0 {
		opts.MaxPayload = int32(min(o.Payload, 8<<20))
	}
	if err := b.secure(opts, o); err != nil {
		return err
	}
	var err error
	if opts.MQTT.Port, err = choosePort(o.Host, o.Port, b.usual()); err != nil {
		return err
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
	b.conn, err = nats.Connect("", nats.InProcessServer(b.srv), nats.Name("legctl"), nats.UserInfo(ownUser, b.own))
	if err != nil {
		return fmt.Errorf("mqtt: broker: %w", err)
	}
	return nil
}

// secure sets up certificates and users.
func (b *Broker) secure(opts *server.Options, o *BrokerOptions) (err error) {
	if o.Cert != "" {
		key := o.Key
		if key == "" {
			key = o.Cert
		}
		if opts.MQTT.TLSConfig, err = certificate(o.Cert, key); err != nil {
			return err
		}
		b.leaf = opts.MQTT.TLSConfig.Certificates[0].Certificate[0]
		opts.MQTT.TLSTimeout = connectLimit.Seconds()
	}
	if len(o.Users) == 0 {
		return nil
	}
	b.own = secret()
	return guard(opts, o.Users, b.own)
}

// usual is the port by convention.
func (b *Broker) usual() int {
	if b.tls {
		return SecurePort
	}
	return DefaultPort
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

// choosePort turns 0 into the usual port or, when that is taken, into -1 (any).
func choosePort(host string, port, usual int) (int, error) {
	if port < 0 || port > 65535 {
		return 0, fmt.Errorf("mqtt: port %d, want 0 to 65535", port)
	}
	try := port
	if try == 0 {
		try = usual
	}
	l, err := net.Listen("tcp", net.JoinHostPort(host, strconv.Itoa(try)))
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

// Store returns the folder of the broker's files, which Close removes unless it
// was asked for.
func (b *Broker) Store() string { return b.store }

// Addr returns where clients connect: the address and the port, with mqtts://
// before it when there is TLS.
func (b *Broker) Addr() string {
	host := b.host
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		host = loopback
	}
	return Address{Host: net.JoinHostPort(host, strconv.Itoa(b.port)), TLS: b.tls}.String()
}

// Close ends the broker and removes its files, unless they are to stay. It may
// be called twice.
func (b *Broker) Close() error {
	if b.conn != nil {
		b.conn.Close()
	}
	if b.srv != nil {
		b.srv.Shutdown()
		b.srv.WaitForShutdown()
	}
	if b.stays {
		return nil
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
