package mqtt

import (
	"fmt"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
)

// BrokerEnv names the environment variable that holds the address of a broker.
const BrokerEnv = "LEGCTL_BROKER"

// Locate finds the broker to talk to: the one named, else the one in
// LEGCTL_BROKER, else that of a running legctl of this user, else
// 127.0.0.1:1883. It returns an address that ParseAddress takes. rig may be "" for any; with several running processes it
// decides, and where it does not their rigs are named in the error. A name
// without a port gets 1883.
func Locate(named, rig string) (broker string, err error) {
	if named == "" {
		named = os.Getenv(BrokerEnv)
	}
	if named != "" {
		a, err := ParseAddress(named)
		return a.String(), err
	}
	def := net.JoinHostPort("127.0.0.1", strconv.Itoa(DefaultPort))
	dir, err := RunDir()
	if err != nil {
		return def, nil //nolint:nilerr // no run directory: nobody has written into it
	}
	running := Find(dir)
	if rig != "" {
		// A rig that is nowhere: ask the brokers there are, one of them may know.
		if own := filter(running, rig); len(own) > 0 {
			running = own
		}
	}
	switch len(running) {
	case 0:
		return def, nil
	case 1:
		return running[0].Broker, nil
	}
	var list []string
	for _, r := range running {
		list = append(list, r.Rig+" on "+r.Broker)
	}
	return "", fmt.Errorf("mqtt: %d rigs are online: %s: choose one with --rig or --broker", len(list), strings.Join(list, ", "))
}

// filter returns the processes that run a rig.
func filter(all []Running, rig string) []Running {
	return slices.DeleteFunc(slices.Clone(all), func(r Running) bool { return r.Rig != rig })
}
