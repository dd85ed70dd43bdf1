package mqtt

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"legctl/control"
)

// TestGuarded: TLS, users and permissions mean the same in both houses.
func TestGuarded(t *testing.T) {
	both(t, true, func(t *testing.T, h *house) {
		f := fakeWith(t, "ant", h.join())
		anna := dial(t, as(t, h.addr, "anna", "secret-a"))
		heard := listen(t, as(t, h.addr, "anna", "secret-a"), "legctl/#")
		rig, err := anna.Rig(t.Context(), "")
		if err != nil || rig != "ant" {
			t.Fatalf("%q, %v", rig, err)
		}
		if err := anna.Ask(t.Context(), rig, "gait", map[string]any{"gait": "gallop"}); err != nil {
			t.Fatal(err)
		}
		eve := dial(t, as(t, h.addr, "eve", "secret-e"))
		if err := eve.Ask(t.Context(), rig, "stop", nil); err != nil {
			t.Errorf("what eve may do: %v", err)
		}
		secretly := listen(t, as(t, h.addr, "eve", "secret-e"), "legctl/ant/reply")
		publish(t, as(t, h.addr, "eve", "secret-e"), "legctl/ant/cmd/stop", `{"id":"mark"}`, false)
		until(t, "eve reads replies", func() bool { return says(secretly(), `"mark"`) })
		if ch, err := eve.Send(rig, "gait", map[string]any{"gait": "walk"}); err == nil {
			publish(t, as(t, h.addr, "anna", "secret-a"), "legctl/ant/cmd/stop", `{"id":"behind"}`, false)
			until(t, "what came after it", func() bool { return says(heard(), `"behind"`) })
			select {
			case r := <-ch:
				t.Errorf("eve may not choose gaits: %+v", r)
			default:
			}
		}
		for _, c := range f.commands() {
			if c.Kind == control.KindGait && c.Gait == 0 {
				t.Errorf("what eve may not do reached the rig: %+v", c)
			}
		}
	})
}

// TestStrangers: whoever has no password or no trust stays outside and is told
// why.
func TestStrangers(t *testing.T) {
	both(t, true, func(t *testing.T, h *house) {
		rows := []struct{ name, user, secret, ca, says string }{
			{"wrong password", "anna", "guess", "", "wrong user or password"},
			{"unknown user", "mallory", "x", "", "wrong user or password"},
			{"no user", "", "", "", "wrong user or password"},
			{"no trust", "anna", "secret-a", "-", "not trusted"},
		}
		for _, r := range rows {
			t.Run(r.name, func(t *testing.T) {
				if r.ca != "" {
					t.Setenv(CAEnv, "")
				}
				addr := h.addr
				if r.user != "" {
					addr = as(t, h.addr, r.user, r.secret)
				}
				if c, err := Dial(t.Context(), addr); err == nil || !strings.Contains(err.Error(), r.says) {
					t.Errorf("%v, %v", c, err)
				}
			})
		}
		plainText := strings.TrimPrefix(h.addr, "mqtts://")
		if c, err := Dial(t.Context(), plainText); err == nil {
			t.Errorf("without TLS: %v", c)
		}
	})
}

// TestEmptyPermissions: a user with no topics may do nothing.
func TestEmptyPermissions(t *testing.T) {
	o := BrokerOptions{Dir: t.TempDir(), Port: freePort(t), Users: []User{{Name: "nil", Password: "x"}, rules[0]}}
	b, err := StartBrokerWith(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	f := fakeWith(t, "ant", b.Join())
	replies := listen(t, as(t, b.Addr(), "anna", "secret-a"), "legctl/ant/reply")
	c := plain(t, as(t, b.Addr(), "nil", "x"))
	if err := wait(c.Connect(), connectLimit); err != nil {
		t.Fatal(err)
	}
	defer c.Disconnect(quiesce)
	_ = wait(c.Publish("legctl/ant/cmd/stop", 0, false, "{}"), publishLimit)
	publish(t, as(t, b.Addr(), "anna", "secret-a"), "legctl/ant/cmd/height", `{"height":0.1}`, false)
	until(t, "what came after it", func() bool { return says(replies(), "height") })
	if got := f.commands(); len(got) != 1 {
		t.Errorf("the rig got %+v", got)
	}
}

func TestBadBrokerOptions(t *testing.T) {
	cert, key := certificates(t)
	rows := []struct {
		name, says string
		o          BrokerOptions
	}{
		{"beyond loopback, no users", "needs users", BrokerOptions{Host: "0.0.0.0"}},
		{"no address", "IP address", BrokerOptions{Host: "here"}},
		{"no certificate file", "no such file", BrokerOptions{Cert: "/gone"}},
		{"key of nothing", "without a certificate", BrokerOptions{Key: key}},
		{"not a key", "certificate", BrokerOptions{Cert: cert}},
		{"same user twice", "stands twice", BrokerOptions{Users: []User{rules[0], rules[0]}}},
		{"own name", "the rig's own", BrokerOptions{Users: []User{{Name: ownUser, Password: "x"}}}},
		{"no password", "no password", BrokerOptions{Users: []User{{Name: "a"}}}},
		{"space in a name", "without spaces", BrokerOptions{Users: []User{{Name: "a b", Password: "x"}}}},
		{"space in a topic", "white space", BrokerOptions{Users: []User{{Name: "a", Password: "x", Publish: []string{"legctl/a b/#"}}}}},
		{"wildcard in a level", "stand alone", BrokerOptions{Users: []User{{Name: "a", Password: "x", Subscribe: []string{"legctl/a+"}}}}},
		{"# inside", "at the end only", BrokerOptions{Users: []User{{Name: "a", Password: "x", Subscribe: []string{"#/a"}}}}},
		{"empty level", "empty level", BrokerOptions{Users: []User{{Name: "a", Password: "x", Subscribe: []string{"a//b"}}}}},
	}
	for _, r := range rows {
		r.o.Dir, r.o.Port = t.TempDir(), freePort(t)
		b, err := StartBrokerWith(r.o)
		if err == nil {
			b.Close()
		}
		if err == nil || !strings.Contains(err.Error(), r.says) {
			t.Errorf("%s: %v", r.name, err)
		}
		if left, _ := os.ReadDir(r.o.Dir); len(left) > 0 {
			t.Errorf("%s: %s is left behind", r.name, left[0].Name())
		}
	}
}

func TestSubject(t *testing.T) {
	for topic, want := range map[string]string{
		"legctl/+/cmd/#": "legctl.*.cmd.>", "a/v1.2/b": "a.v1//2.b", "#": ">", "x": "x",
	} {
		if got := subject(topic); got != want {
			t.Errorf("%s: %s, want %s", topic, got, want)
		}
	}
}

func TestAddress(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pw")
	write(t, file, "from a file\r\nmore")
	t.Setenv(PasswordFileEnv, file)
	rows := []struct{ in, host, user, out string }{
		{"h", "h:1883", "", "h:1883"},
		{"h:99", "h:99", "", "h:99"},
		{"tcp://h", "h:1883", "", "h:1883"},
		{"mqtts://h", "h:8883", "", "mqtts://h:8883"},
		{"mqtts://anna@h:1", "h:1", "anna", "mqtts://anna@h:1"},
		{"mqtt://anna@[::1]", "[::1]:1883", "anna", "mqtt://anna@[::1]:1883"},
	}
	for _, r := range rows {
		a, err := ParseAddress(r.in)
		if err != nil || a.Host != r.host || a.User != r.user || a.String() != r.out {
			t.Errorf("%s: %+v %v, %v", r.in, a, a, err)
		}
		if want := "from a file"; r.user != "" && a.password != want {
			t.Errorf("%s: password %q", r.in, a.password)
		}
	}
	for in, says := range map[string]string{
		"mqtts://anna:hunter2@h": "can be read by everybody", "ws://h": "want mqtt://", "": "want host", "h:0": "1 to 65535", "h:70000": "1 to 65535",
		"h/x": "want host", "mqtt://h?x=1": "want host", "mqtt://": "want host", "h:p": "want host", "mqtt://a:hunter2@h:p": "want host",
	} {
		_, err := ParseAddress(in)
		if err == nil || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %v", in, err)
		}
	}
	t.Setenv(PasswordFileEnv, "/gone")
	if _, err := ParseAddress("mqtt://anna@h"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is gone: %v", err)
	}
}

// FuzzAddress: whatever is given, what comes out can be parsed again and shows
// no password.
func FuzzAddress(f *testing.F) {
	for _, s := range []string{"h", "mqtts://a@h:1", "mqtt://a:b@h", "[::1]:5", "://", "mqtt://@"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		a, err := ParseAddress(s)
		if err != nil {
			return
		}
		b, err := ParseAddress(a.String())
		if err != nil || a.Host != b.Host || a.TLS != b.TLS {
			t.Errorf("%q became %q became %+v, %v", s, a, b, err)
		}
	})
}

// TestRefusedSubscription: what a user may not read is an error, not silence,
// where the broker says so; mosquitto takes the subscription and delivers
// nothing.
func TestRefusedSubscription(t *testing.T) {
	both(t, true, func(t *testing.T, h *house) {
		fakeWith(t, "ant", h.join())
		eve := dial(t, as(t, h.addr, "eve", "secret-e"))
		err := eve.Follow(t.Context(), "ant", func(n News) {
			if n.State != nil {
				t.Error("eve reads states")
			}
		})
		if h.name == "embedded" && err == nil || err != nil && !strings.Contains(err.Error(), "refuses the subscription") {
			t.Errorf("eve follows: %v", err)
		}
	})
}
