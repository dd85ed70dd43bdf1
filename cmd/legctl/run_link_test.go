//go:build linux

package main

import (
	"bytes"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// TestLinkCarriesMessagesAndDescriptors: messages of any length arrive whole and
// in order, a descriptor beside its message, and the end is seen.
func TestLinkCarriesMessagesAndDescriptors(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	near, file, err := newLinkPair()
	if err != nil {
		t.Fatal(err)
	}
	far, err := newLink(file)
	if err != nil {
		t.Fatal(err)
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	long := bytes.Repeat([]byte("legs"), 200_000)
	sent := make(chan error, 1)
	go func() {
		fd := int(w.Fd())
		sent <- errors.Join(near.send(kindCommand, -1, []byte("one"), []byte("two")), near.send(kindRecord, -1, long),
			near.send(kindPort, fd), near.send(kindLeave, -1), near.close(), w.Close())
	}()
	for _, want := range []struct {
		k    kind
		body []byte
	}{{kindCommand, []byte("onetwo")}, {kindRecord, long}, {kindPort, nil}, {kindLeave, nil}} {
		k, body, err := far.receive()
		if err != nil || k != want.k || !bytes.Equal(body, want.body) {
			t.Fatalf("%c, %d bytes, %v; want %c, %d", k, len(body), err, want.k, len(want.body))
		}
	}
	if _, _, err := far.receive(); !errors.Is(err, io.EOF) {
		t.Errorf("at the end: %v", err)
	}
	f, ok := far.descriptor()
	if !ok {
		t.Fatal("no descriptor came")
	}
	if _, err := f.WriteString("x"); err != nil {
		t.Error(err)
	}
	if err := errors.Join(<-sent, f.Close(), far.close()); err != nil {
		t.Error(err)
	}
}

// TestLinkRefusesNonsense: a length that cannot be is an error, not memory.
func TestLinkRefusesNonsense(t *testing.T) {
	near, file, err := newLinkPair()
	if err != nil {
		t.Fatal(err)
	}
	far, err := newLink(file)
	if err != nil {
		t.Fatal(err)
	}
	defer far.close()
	if _, err := near.c.Write([]byte{0xFF, 0xFF, 0xFF, 0x7F, 'c'}); err != nil {
		t.Fatal(err)
	}
	if _, _, err := far.receive(); err == nil {
		t.Error("two gigabytes were accepted")
	}
	_ = near.close()
}

// TestNotifySpeaksToSystemd through the socket that it names, also an abstract one.
func TestNotifySpeaksToSystemd(t *testing.T) {
	for _, name := range []string{filepath.Join(t.TempDir(), "notify"), "@legctl-test-" + filepath.Base(t.TempDir())} {
		address := name
		if name[0] == '@' {
			address = "\x00" + name[1:]
		}
		c, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: address, Net: "unixgram"})
		if err != nil {
			t.Fatal(err)
		}
		t.Setenv("NOTIFY_SOCKET", name)
		if err := notify("WATCHDOG=1"); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		buf := make([]byte, 64)
		_ = c.SetReadDeadline(time.Now().Add(time.Second))
		if n, err := c.Read(buf); err != nil || string(buf[:n]) != "WATCHDOG=1" {
			t.Errorf("%s: %q, %v", name, buf[:n], err)
		}
		_ = c.Close()
	}
	t.Setenv("NOTIFY_SOCKET", "")
	if err := notify("READY=1"); err != nil {
		t.Errorf("without systemd: %v", err)
	}
	for text, want := range map[string]time.Duration{"": time.Second, "x": time.Second, "3000000": time.Second, "600000": 200 * time.Millisecond} {
		t.Setenv("WATCHDOG_USEC", text)
		if got := watchdogEvery(); got != want {
			t.Errorf("WATCHDOG_USEC=%q: %v, want %v", text, got, want)
		}
	}
}
