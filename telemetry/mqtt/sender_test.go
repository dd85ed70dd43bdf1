package mqtt

import (
	"strings"
	"testing"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"
)

// desk is a client whose confirmations the test gives.
type desk struct {
	paho.Client
	sent chan *stamp
}

// stamp is the token of one message.
type stamp struct {
	paho.Token
	body string
	done chan struct{}
}

func (d *desk) IsConnectionOpen() bool { return true }

func (d *desk) Publish(_ string, _ byte, _ bool, body any) paho.Token {
	s := &stamp{body: string(body.([]byte)), done: make(chan struct{})}
	d.sent <- s
	return s
}

func (s *stamp) Done() <-chan struct{} { return s.done }
func (s *stamp) Error() error          { return nil }

// next returns the messages handed to the client, n of them.
func (d *desk) next(t *testing.T, n int) (all []*stamp, bodies string) {
	t.Helper()
	for range n {
		select {
		case s := <-d.sent:
			all, bodies = append(all, s), bodies+s.body
		case <-time.After(20 * time.Second):
			t.Fatalf("%d of %d messages: %s", len(all), n, bodies)
		}
	}
	return all, bodies
}

// TestBreakConfirmsNothing: a token that completes after the connection broke is
// no confirmation (paho completes those of what it will send again); what is
// durable is sent again, from the oldest on and before what is new.
func TestBreakConfirmsNothing(t *testing.T) {
	sp, err := openSpool("", 0)
	if err != nil {
		t.Fatal(err)
	}
	s := newSender(sp, func(what string, err error) { t.Error(what, err) })
	d := &desk{sent: make(chan *stamp, 64)}
	s.start(d)
	put := func(bodies string) {
		for _, b := range strings.Split(bodies, "") {
			s.durable.put(message{topic: "t", body: []byte(b), qos: 1, seq: sp.next()})
		}
	}
	put("abc")
	first, _ := d.next(t, 3)
	close(first[0].done)
	until(t, "a is confirmed", func() bool { n, _ := sp.waiting(); return n == 2 })
	s.broken()
	put("d")
	close(first[1].done)
	close(first[2].done)
	again, bodies := d.next(t, 3)
	if bodies != "bcd" {
		t.Errorf("after the break %q was sent", bodies)
	}
	if n, _ := sp.waiting(); n != 3 {
		t.Errorf("%d wait for their confirmation, want 3", n)
	}
	for _, a := range again {
		close(a.done)
	}
	until(t, "all is confirmed", func() bool { n, _ := sp.waiting(); return n == 0 })
	if err := s.close(); err != nil {
		t.Error(err)
	}
}
