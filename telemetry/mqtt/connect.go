package mqtt

import (
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"time"

	"legctl/telemetry"

	paho "github.com/eclipse/paho.mqtt.golang"
	"github.com/eclipse/paho.mqtt.golang/packets"
)

const (
	connectLimit = 5 * time.Second
	publishLimit = 2 * time.Second
	quiesce      = 100 // ms that a disconnect may take

	// bridgeVersion is MQTT 3.1.1 with the bit by which brokers (mosquitto and
	// others) know a bridge: they then leave the retain flag of a message as it
	// was sent. Brokers that do not know it refuse, and plain 3.1.1 is used.
	bridgeVersion = 0x84
)

// options are what all clients here have in common. A clean session: commands
// that were sent while a rig was away are stale and must not come later.
func options(a Address, id string) (*paho.ClientOptions, error) {
	o := paho.NewClientOptions()
	if err := a.apply(o); err != nil {
		return nil, err
	}
	o.SetClientID(id).SetCleanSession(true).SetOrderMatters(true)
	o.SetKeepAlive(5 * time.Second).SetPingTimeout(3 * time.Second)
	o.SetConnectTimeout(connectLimit).SetWriteTimeout(publishLimit)
	return o, nil
}

// connect joins the broker as a bridge if it may, as a plain client otherwise.
func (b *Bridge) connect() error {
	versions := []uint{bridgeVersion, 4}
	if b.opts.Keeps != nil {
		versions = versions[1:] // the embedded broker knows no bridges
	}
	var err error
	for _, v := range versions {
		if err = b.dial(v); err == nil {
			return nil
		}
	}
	return connectError(b.addr, err)
}

func (b *Bridge) dial(version uint) error {
	o, err := options(b.addr, fmt.Sprintf("legctl-%s-%d", b.names.Rig, os.Getpid()))
	if err != nil {
		return err
	}
	if b.opts.own != nil {
		b.opts.own.admit(o)
	}
	o.SetProtocolVersion(version).SetAutoReconnect(true).SetMaxReconnectInterval(2 * time.Second)
	o.SetStore(paho.NewOrderedMemoryStore())
	o.SetBinaryWill(b.base+"/online", []byte("false"), 1, true)
	o.SetReconnectingHandler(func(paho.Client, *paho.ClientOptions) { b.sender.broken() })
	ready := make(chan error, 1)
	o.SetOnConnectHandler(func(c paho.Client) { b.subscribe(c, ready) })
	o.SetConnectionLostHandler(func(_ paho.Client, err error) { b.warn("connection to the broker lost", err) })
	b.client = paho.NewClient(o)
	limit := b.opts.Lost
	if limit == 0 {
		limit = connectLimit
	}
	if err := wait(b.client.Connect(), limit); err != nil {
		b.client.Disconnect(0)
		return err
	}
	select {
	case err := <-ready:
		if err == nil {
			return nil
		}
		b.client.Disconnect(0)
		return err
	case <-time.After(limit):
		b.client.Disconnect(0)
		return errors.New("no answer to the subscription")
	}
}

// subscribe runs after every connection, in a goroutine of the client's that
// may wait: a broker forgets a clean session.
func (b *Bridge) subscribe(c paho.Client, ready chan<- error) {
	err := wait(c.Subscribe(b.base+"/cmd/#", 0, b.receive), connectLimit)
	if err != nil {
		b.warn("cannot subscribe to commands", err)
	} else {
		b.announce()
		b.mu.Lock()
		b.again = time.Now().Add(announceAgain)
		b.mu.Unlock()
	}
	select {
	case ready <- err:
	default:
	}
}

// announceAgain is how long after a connection the rig is announced once more.
// The embedded broker looks for retained messages some milliseconds before a
// subscription begins to listen (nats-server 2.15, mqtt.go, processSubs), so a
// dashboard that subscribes while a rig comes up would miss what is said then.
const announceAgain = time.Second

// announce says what the rig is, who holds the lease, and that it is online.
func (b *Bridge) announce() {
	for _, m := range b.births {
		b.sender.queue.put(m)
	}
	holder, ttl := b.lease.Holder(time.Now())
	b.tellLease(telemetry.LeaseState{Holder: holder, TTL: telemetry.Num(ttl.Seconds())})
	b.sender.queue.put(message{topic: b.base + "/online", body: []byte("true"), qos: 1, retain: true})
}

// Close says how the run went and that the rig is offline, and leaves the
// broker. Durable messages the broker has not confirmed stay in the spool.
func (b *Bridge) Close() {
	b.deaf()
	if s := b.pace.tally.Summary(b.names.Rig, time.Now()); s.Ticks > 0 {
		s.Seq = b.sender.spool.next()
		b.durable("summary", s.Seq, s)
	}
	b.sender.queue.put(message{topic: b.base + "/online", body: []byte("false"), qos: 1, retain: true})
	if err := b.sender.close(); err != nil {
		b.warn("the spool could not be closed", err)
	}
	b.client.Disconnect(quiesce)
}

// wait waits for a token, but not for ever.
func wait(t paho.Token, limit time.Duration) error {
	if !t.WaitTimeout(limit) {
		return fmt.Errorf("no answer within %v", limit)
	}
	return outcome(t)
}

// refusedSubscription is what a broker answers in place of a quality of service.
const refusedSubscription = 0x80

// outcome returns why a token failed; a subscription also fails by what the
// broker answers.
func outcome(t paho.Token) error {
	if err := t.Error(); err != nil {
		return err
	}
	if s, ok := t.(*paho.SubscribeToken); ok {
		for topic, code := range s.Result() {
			if code == refusedSubscription {
				return fmt.Errorf("the broker refuses the subscription to %s: this user may not read it, or there are too many", topic)
			}
		}
	}
	return nil
}

// connectError says what a failed connection may mean.
func connectError(a Address, err error) error {
	var host x509.HostnameError
	var unknown x509.UnknownAuthorityError
	switch {
	case errors.As(err, &unknown), errors.As(err, &host):
		return fmt.Errorf("mqtt: broker %v: its certificate is not trusted; name the authority that signed it in %s: %w", a, CAEnv, err)
	case errors.Is(err, io.EOF), errors.Is(err, packets.ErrorRefusedNotAuthorised), errors.Is(err, packets.ErrorRefusedBadUsernameOrPassword):
		return fmt.Errorf("mqtt: broker %v closed the connection: a wrong user or password, TLS on one side only, or no MQTT there: %w", a, err)
	}
	return fmt.Errorf("mqtt: no broker at %v: start one with \"legctl sim\", or name one with --broker: %w", a, err)
}

// clientID returns an identity no other client of this machine has.
func clientID(what string) string {
	return "legctl-" + what + "-" + strconv.Itoa(os.Getpid()) + "-" + strconv.FormatInt(time.Now().UnixNano(), 36)
}
