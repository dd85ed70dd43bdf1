package mqtt

import (
	"context"
	"fmt"
	"math"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// house is a broker as the tests see one: ours or Debian's. It can be killed
// and started again at the same address.
type house struct {
	name string
	addr string // as a client of anybody names it
	tls  bool
	join func() BridgeOptions // of the rig's own bridge
	kill func()
	live func() // start again
	save func() // wait until what it knows of its clients is on disk

	// redelivers is 1 where a client that comes back to its session is given what
	// was lost on the way to it only after ackWait, behind what is new; else 0.
	redelivers uint64
}

// rules are what a guarded house lets people do; the same for both brokers.
var rules = []User{
	{Name: "anna", Password: "secret-a", Publish: []string{"legctl/+/cmd/#"}, Subscribe: []string{"legctl/#"}},
	{Name: "eve", Password: "secret-e", Publish: []string{"legctl/ant/cmd/stop"}, Subscribe: []string{"legctl/+/reply", "legctl/+/online"}},
}

// both runs a test in each kind of house.
func both(t *testing.T, guarded bool, do func(t *testing.T, h *house)) {
	t.Helper()
	for _, kind := range []struct {
		name string
		open func(*testing.T, bool) *house
	}{{"embedded", embeddedHouse}, {"mosquitto", mosquittoHouse}} {
		t.Run(kind.name, func(t *testing.T) {
			h := kind.open(t, guarded)
			h.name = kind.name
			do(t, h)
		})
	}
}

func embeddedHouse(t *testing.T, guarded bool) *house {
	t.Helper()
	o := BrokerOptions{Dir: t.TempDir(), Port: freePort(t)}
	if guarded {
		o.Users = rules
		o.Cert, o.Key = certificates(t)
	}
	var b *Broker
	if !guarded {
		o.Store = t.TempDir()
	}
	h := &house{tls: guarded, save: func() {}, redelivers: 1}
	h.live = func() {
		t.Helper()
		var err error
		if b, err = StartBrokerWith(o); err != nil {
			t.Fatal(err)
		}
	}
	h.kill = func() { _ = b.Close() }
	h.join = func() BridgeOptions { return b.Join() }
	h.live()
	h.addr = b.Addr()
	t.Cleanup(func() {
		h.kill()
		if left, _ := os.ReadDir(o.Dir); len(left) > 0 {
			t.Errorf("%s is left behind", left[0].Name())
		}
	})
	return h
}

func mosquittoHouse(t *testing.T, guarded bool) *house {
	t.Helper()
	dir, port := t.TempDir(), freePort(t)
	conf := fmt.Sprintf("listener %d 127.0.0.1\npersistence true\npersistence_location %s/\nautosave_interval 1\nlog_type error\n", port, dir)
	h := &house{tls: guarded, addr: "127.0.0.1:" + strconv.Itoa(port)}
	h.join = func() BridgeOptions { return BridgeOptions{Broker: h.addr} }
	if guarded {
		conf += guardMosquitto(t, dir)
		h.addr = "mqtts://" + h.addr
		h.join = func() BridgeOptions { return BridgeOptions{Broker: as(t, h.addr, ownUser, "secret-own")} }
	} else {
		conf += "allow_anonymous true\n"
	}
	if os.Getuid() == 0 {
		conf += "user root\n"
	}
	write(t, filepath.Join(dir, "conf"), conf)
	var cmd *exec.Cmd
	h.live = func() {
		t.Helper()
		cmd = exec.CommandContext(context.Background(), tool(t, "mosquitto"), "-c", filepath.Join(dir, "conf"))
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		until(t, "mosquitto listens", func() bool { return answers(net.JoinHostPort("127.0.0.1", strconv.Itoa(port))) })
	}
	h.kill = func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }
	h.save = func() {
		now := time.Now()
		until(t, "mosquitto saves", func() bool {
			info, err := os.Stat(filepath.Join(dir, "mosquitto.db"))
			return err == nil && info.ModTime().After(now)
		})
	}
	h.live()
	t.Cleanup(h.kill)
	return h
}

// guardMosquitto writes the users of rules, the rig's own and the certificate as
// Debian's broker wants them.
func guardMosquitto(t *testing.T, dir string) string {
	t.Helper()
	cert, key := certificates(t)
	acl, pw := &strings.Builder{}, filepath.Join(dir, "passwords")
	write(t, pw, "")
	add := func(name, secret string) {
		fmt.Fprintf(acl, "user %s\n", name)
		if out, err := exec.Command(tool(t, "mosquitto_passwd"), "-b", pw, name, secret).CombinedOutput(); err != nil {
			t.Fatalf("mosquitto_passwd: %v: %s", err, out)
		}
	}
	for _, u := range rules {
		add(u.Name, u.Password)
		for _, f := range u.Publish {
			fmt.Fprintf(acl, "topic write %s\n", f)
		}
		for _, f := range u.Subscribe {
			fmt.Fprintf(acl, "topic read %s\n", f)
		}
	}
	add(ownUser, "secret-own")
	acl.WriteString("topic readwrite #\n")
	write(t, filepath.Join(dir, "acl"), acl.String())
	return fmt.Sprintf("allow_anonymous false\npassword_file %s\nacl_file %s/acl\ncertfile %s\nkeyfile %s\n", pw, dir, cert, key)
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// as puts a user into an address and his password into the environment.
func as(t *testing.T, addr, user, secret string) string {
	t.Helper()
	t.Setenv(PasswordEnv, secret)
	scheme, host, ok := strings.Cut(addr, "://")
	if !ok {
		scheme, host = "mqtt", addr
	}
	return scheme + "://" + user + "@" + host
}

func nan() float64 { return math.NaN() }
