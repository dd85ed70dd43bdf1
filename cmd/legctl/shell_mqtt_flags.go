package main

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"

	"legctl/configs"
	"legctl/telemetry"
	"legctl/telemetry/mqtt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// mqttFlags are the flags of the broker and of what is published.
type mqttFlags struct {
	listen, cert, key, users string
	assistant                string
	rates                    []string
	qos                      int
	spool, store             string
	spoolMB                  int

	people []mqtt.User // read from users
	pace   mqtt.Rates  // read from rates
	given  bool        // --home-assistant
}

// bind declares the flags.
func (o *mqttFlags) bind(f *pflag.FlagSet) {
	f.StringVar(&o.listen, "mqtt-listen", "", "address our broker listens on, such as 0.0.0.0; beyond this machine it needs --mqtt-users (default: 127.0.0.1)")
	f.StringVar(&o.cert, "mqtt-tls-cert", "", "PEM file of our broker's certificate: it then speaks TLS")
	f.StringVar(&o.key, "mqtt-tls-key", "", "PEM file of the certificate's key (default: it stands in --mqtt-tls-cert)")
	f.StringVar(&o.users, "mqtt-users", "", "file of who may do what at our broker (default: everybody everything)")
	f.StringVar(&o.store, "mqtt-store", "", "folder in which our broker keeps sessions and retained messages from run to run (default: none are kept)")
	f.StringVar(&o.assistant, "home-assistant", "", "announce the rig to Home Assistant, perhaps with its discovery `prefix`")
	f.Lookup("home-assistant").NoOptDefVal = telemetry.HomeAssistantPrefix
	f.StringSliceVar(&o.rates, "mqtt-rate", nil, "messages a second of a topic, as `TOPIC=HZ` such as state=5; 0: none (status: on change only)")
	f.IntVar(&o.qos, "mqtt-qos", 0, "quality of service of states: 0, or 1 to have each confirmed")
	f.StringVar(&o.spool, "mqtt-spool", "", "folder where events wait while the broker is away, \"none\" keeps them in memory (default: with --broker, one of yours for each rig)")
	f.IntVar(&o.spoolMB, "mqtt-spool-mb", mqtt.SpoolLimit>>20, "how much may wait, megabytes; then the oldest go")
}

// check refuses flags that make no sense and reads the files they name.
func (o *mqttFlags) check(c *cobra.Command) error {
	o.given = c.Flags().Changed("home-assistant")
	var errs []error
	for _, name := range []string{"mqtt-listen", "mqtt-tls-cert", "mqtt-tls-key", "mqtt-users", "mqtt-store"} {
		errs = append(errs, exclusive(c, "broker", name), exclusive(c, "headless", name))
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	switch {
	case o.listen != "" && net.ParseIP(o.listen) == nil:
		return wrongUsage(c, fmt.Errorf("--mqtt-listen %q, want an IP address such as 0.0.0.0", o.listen))
	case o.key != "" && o.cert == "":
		return wrongUsage(c, errors.New("--mqtt-tls-key without --mqtt-tls-cert"))
	case o.qos < 0 || o.qos > 1:
		return wrongUsage(c, fmt.Errorf("--mqtt-qos %d, want 0 or 1", o.qos))
	case o.spoolMB < 1 || o.spoolMB > 4096:
		return wrongUsage(c, fmt.Errorf("--mqtt-spool-mb %d, want 1 to 4096", o.spoolMB))
	}
	var err error
	if o.pace, err = mqtt.ParseRates(o.rates); err != nil {
		return wrongUsage(c, err)
	}
	if o.users == "" {
		return nil
	}
	list, err := configs.LoadUsers(o.users)
	for _, u := range list {
		o.people = append(o.people, mqtt.User(u))
	}
	return err
}

// start starts our own broker.
func (o *mqttFlags) start(dir string, port int) (*mqtt.Broker, error) {
	return mqtt.StartBrokerWith(mqtt.BrokerOptions{
		Dir: dir, Store: o.store, Host: o.listen, Port: port, Cert: o.cert, Key: o.key, Users: o.people,
	})
}

// options fills in what the flags say of a bridge. outside says that the broker
// is not ours: then what is durable waits on disk.
func (o *mqttFlags) options(b *mqtt.BridgeOptions, rig string, outside bool) error {
	b.Rates, b.StateQoS, b.SpoolBytes = o.pace, byte(o.qos), o.spoolMB<<20
	b.Discovery, b.Prefix = o.given, o.assistant
	switch {
	case o.spool == "none", o.spool == "" && !outside:
	case o.spool != "":
		b.Spool = filepath.Join(o.spool, rig)
	default:
		dir, err := stateDir()
		if err != nil {
			return fmt.Errorf("no folder for what waits while the broker is away: %w; name one with --mqtt-spool, or \"none\"", err)
		}
		b.Spool = filepath.Join(dir, "spool", rig+"-"+strings.NewReplacer(":", "-", "/", "", "@", "-").Replace(b.Broker))
	}
	return nil
}

// stateDir returns the folder of what this user's legctl keeps between runs:
// $XDG_STATE_HOME/legctl, else ~/.local/state/legctl.
func stateDir() (string, error) {
	if base := os.Getenv("XDG_STATE_HOME"); base != "" {
		return filepath.Join(base, "legctl"), nil
	}
	home, err := os.UserHomeDir()
	return filepath.Join(home, ".local", "state", "legctl"), err
}
