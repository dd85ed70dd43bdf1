package mqtt

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"
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
func options(broker, id string) *paho.ClientOptions {
	o := paho.NewClientOptions().AddBroker("tcp://" + broker)
	o.SetClientID(id).SetCleanSession(true).SetOrderMatters(true)
	o.SetKeepAlive(5 * time.Second).SetPingTimeout(3 * time.Second)
	o.SetConnectTimeout(connectLimit).SetWriteTimeout(publishLimit)
	return o
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
	return connectError(b.opts.Broker, err)
}

func (b *Bridge) dial(version uint) error {
	o := options(b.opts.Broker, fmt.Sprintf("legctl-%s-%d", b.names.Rig, os.Getpid()))
	o.SetProtocolVersion(version).SetAutoReconnect(true).SetMaxReconnectInterval(2 * time.Second)
	o.SetBinaryWill(b.base+"/online", []byte("false"), 1, true)
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
		b.queue.put(message{topic: b.base + "/online", body: []byte("true"), qos: 1, retain: true})
	}
	select {
	case ready <- err:
	default:
	}
}

// publish moves messages from the queue to the broker until Close. While the
// connection is down they stay in the queue and the oldest go.
func (b *Bridge) publish() {
	defer b.done.Done()
	retry := time.NewTicker(StateEvery)
	defer retry.Stop()
	for {
		b.flush()
		select {
		case <-b.queue.wake:
		case <-retry.C:
		case <-b.stop:
			b.flush()
			return
		}
	}
}

func (b *Bridge) flush() {
	for b.client.IsConnectionOpen() {
		m, ok := b.queue.take()
		if !ok {
			return
		}
		if err := wait(b.client.Publish(m.topic, m.qos, m.retain, m.body), publishLimit); err != nil {
			b.warn("a message was not published", err)
		}
	}
}

// Close says that the rig is offline and leaves the broker.
func (b *Bridge) Close() {
	b.queue.put(message{topic: b.base + "/online", body: []byte("false"), qos: 1, retain: true})
	close(b.stop)
	b.done.Wait()
	b.client.Disconnect(quiesce)
}

// wait waits for a token, but not for ever.
func wait(t paho.Token, limit time.Duration) error {
	if !t.WaitTimeout(limit) {
		return fmt.Errorf("no answer within %v", limit)
	}
	return t.Error()
}

// connectError says what a failed connection may mean.
func connectError(broker string, err error) error {
	if errors.Is(err, io.EOF) {
		return fmt.Errorf("mqtt: broker %s closed the connection: a wrong user or password, or no MQTT there: %w", broker, err)
	}
	return fmt.Errorf("mqtt: no broker at %s: start one with \"legctl sim\", or name one with --broker: %w", broker, err)
}

// clientID returns an identity no other client of this machine has.
func clientID(what string) string {
	return "legctl-" + what + "-" + strconv.Itoa(os.Getpid()) + "-" + strconv.FormatInt(time.Now().UnixNano(), 36)
}
