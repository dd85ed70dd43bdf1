//go:build linux

package main

import (
	"net"
	"os"
	"strconv"
	"strings"
	"time"
)

// notify tells systemd how a service does, by the socket it names in the
// environment; without one there is nobody to be told.
func notify(state string) error {
	name := os.Getenv("NOTIFY_SOCKET")
	if name == "" {
		return nil
	}
	if abstract, ok := strings.CutPrefix(name, "@"); ok {
		name = "\x00" + abstract
	}
	c, err := net.DialUnix("unixgram", nil, &net.UnixAddr{Name: name, Net: "unixgram"})
	if err != nil {
		return err
	}
	defer c.Close()
	_, err = c.Write([]byte(state))
	return err
}

// watchdogEvery is how often systemd wants to hear of us: a third of the time
// after which it would end us, a second when it does not say.
func watchdogEvery() time.Duration {
	us, err := strconv.ParseInt(os.Getenv("WATCHDOG_USEC"), 10, 64)
	if err != nil || us <= 0 {
		return time.Second
	}
	return time.Duration(us) * time.Microsecond / 3
}
