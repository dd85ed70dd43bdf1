package mqtt

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"strconv"
	"strings"

	paho "github.com/eclipse/paho.mqtt.golang"
)

// The environment variables a client takes secrets and certificates from. A
// password is never taken from a command line: everybody can read those.
const (
	PasswordEnv     = "LEGCTL_MQTT_PASSWORD"
	PasswordFileEnv = "LEGCTL_MQTT_PASSWORD_FILE" // a file whose first line is the password
	CAEnv           = "LEGCTL_MQTT_CA"            // PEM file of the authority that signed the broker
)

// SecurePort is the port MQTT over TLS has by convention.
const SecurePort = 8883

// Address says where a broker is and as whom to go there.
type Address struct {
	Host string // host:port
	TLS  bool
	User string // "" = nobody in particular

	password string
	ca       string // file
}

// ParseAddress reads host, host:port, or mqtt:// and mqtts:// with an optional
// user: mqtts://anna@broker.example:8883. The password of the user comes from
// LEGCTL_MQTT_PASSWORD or the file named by LEGCTL_MQTT_PASSWORD_FILE; one in
// the address is refused.
func ParseAddress(s string) (Address, error) {
	scheme, rest, found := strings.Cut(s, "://")
	if !found {
		scheme, rest = "mqtt", s
	}
	var a Address
	port := DefaultPort
	switch scheme {
	case "mqtt", "tcp":
	case "mqtts", "ssl", "tls":
		a.TLS, port = true, SecurePort
	default:
		return a, fmt.Errorf("mqtt: broker %q: %s://, want mqtt:// or mqtts://", s, scheme)
	}
	u, err := url.Parse("mqtt://" + rest)
	if err != nil || u.Hostname() == "" || u.Path != "" || u.RawQuery != "" || u.Fragment != "" {
		return a, fmt.Errorf("mqtt: broker %q, want host, host:port, mqtt://host:port or mqtts://user@host:port", redacted(s))
	}
	if _, ok := u.User.Password(); ok {
		return a, fmt.Errorf("mqtt: broker %q: a password on the command line can be read by everybody: put it into %s or into a file named by %s",
			redacted(s), PasswordEnv, PasswordFileEnv)
	}
	if p := u.Port(); p != "" {
		if port, err = strconv.Atoi(p); err != nil || port < 1 || port > 65535 {
			return a, fmt.Errorf("mqtt: broker %q: port %s, want 1 to 65535", s, p)
		}
	}
	a.Host, a.User, a.ca = net.JoinHostPort(u.Hostname(), strconv.Itoa(port)), u.User.Username(), os.Getenv(CAEnv)
	a.password, err = password(a.User)
	return a, err
}

// redacted hides what stands between the first colon of the user part and @.
func redacted(s string) string {
	scheme, rest, ok := strings.Cut(s, "://")
	if !ok {
		scheme, rest = "", s
	} else {
		scheme += "://"
	}
	at := strings.LastIndex(rest, "@")
	if at < 0 {
		return s
	}
	user, _, _ := strings.Cut(rest[:at], ":")
	return scheme + user + ":...@" + rest[at+1:]
}

// password returns the secret of a user; "" for nobody.
func password(user string) (string, error) {
	if user == "" {
		return "", nil
	}
	if p, ok := os.LookupEnv(PasswordEnv); ok {
		return p, nil
	}
	file := os.Getenv(PasswordFileEnv)
	if file == "" {
		return "", nil
	}
	raw, err := os.ReadFile(file)
	if err != nil {
		return "", fmt.Errorf("mqtt: password of %s: %w", user, err)
	}
	line, _, _ := strings.Cut(string(raw), "\n")
	return strings.TrimRight(line, "\r"), nil
}

// String returns the address as it may be written again, without the password.
func (a Address) String() string {
	scheme, user := "mqtt://", a.User
	if a.TLS {
		scheme = "mqtts://"
	}
	if user != "" {
		user += "@"
	}
	if !a.TLS && user == "" {
		return a.Host
	}
	return scheme + user + a.Host
}

// apply sets what paho needs to connect.
func (a Address) apply(o *paho.ClientOptions) error {
	if a.User != "" {
		o.SetUsername(a.User).SetPassword(a.password)
	}
	if !a.TLS {
		o.AddBroker("tcp://" + a.Host)
		return nil
	}
	host, _, err := net.SplitHostPort(a.Host)
	if err != nil {
		return fmt.Errorf("mqtt: broker %s: %w", a.Host, err)
	}
	t := &tls.Config{ServerName: host, MinVersion: tls.VersionTLS12}
	if a.ca != "" {
		if t.RootCAs, err = authority(a.ca); err != nil {
			return err
		}
	}
	o.AddBroker("ssl://" + a.Host).SetTLSConfig(t)
	return nil
}

// authority reads the certificates of a PEM file.
func authority(file string) (*x509.CertPool, error) {
	pem, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("mqtt: certificate of the authority: %w", err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("mqtt: certificate of the authority: %s: %w", file, errors.New("no PEM certificate in it"))
	}
	return pool, nil
}
