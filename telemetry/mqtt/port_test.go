package mqtt

import (
	"net"
	"strings"
	"testing"
)

// freePort returns a port nobody listens on now.
func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

func TestTakenPort(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	port := l.Addr().(*net.TCPAddr).Port
	if b, err := StartBroker(t.TempDir(), port); err == nil || !strings.Contains(err.Error(), "is taken") {
		t.Errorf("a named port that is taken: %v, %v", b, err)
	}
	if _, err := StartBroker(t.TempDir(), 70000); err == nil {
		t.Error("port 70000 was taken")
	}
}

// TestFreePort: two brokers that were not told a port both run.
func TestFreePort(t *testing.T) {
	var ports []int
	for range 2 {
		b, err := StartBroker(t.TempDir(), 0)
		if err != nil {
			t.Fatal(err)
		}
		defer b.Close()
		ports = append(ports, b.Port())
		if !answers(b.Addr()) || b.Port() <= 0 {
			t.Errorf("nobody answers at %s", b.Addr())
		}
	}
	if ports[0] == ports[1] {
		t.Errorf("both on port %d", ports[0])
	}
}

// TestLoopbackOnly: the broker does not answer at the addresses of the machine.
func TestLoopbackOnly(t *testing.T) {
	b := broker(t)
	_, port, _ := net.SplitHostPort(b.Addr())
	addrs, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range addrs {
		ip, _, err := net.ParseCIDR(a.String())
		if err == nil && !ip.IsLoopback() && !ip.IsLinkLocalUnicast() && answers(net.JoinHostPort(ip.String(), port)) {
			t.Errorf("the broker answers at %s", ip)
		}
	}
}
