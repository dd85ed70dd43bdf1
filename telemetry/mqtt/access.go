package mqtt

import (
	"bytes"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strings"

	paho "github.com/eclipse/paho.mqtt.golang"
	"github.com/nats-io/nats-server/v2/server"
)

// User is somebody the embedded broker lets in. Topics may hold the wildcards
// of MQTT, + and #.
type User struct {
	Name      string
	Password  string   // plain, or a bcrypt hash ($2a$...)
	Publish   []string // topics; nil: none
	Subscribe []string
}

// ownUser is the user of the rig's own bridge at an embedded broker.
const ownUser = "legctl-own"

// secret is a password nobody else knows.
func secret() string {
	var b [24]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

// Check says what is wrong with a user.
func (u *User) Check() error {
	switch {
	case u.Name == "" || strings.ContainsAny(u.Name, " \t\r\n:@/") || len(u.Name) > 64:
		return fmt.Errorf("mqtt: user %q, want 1 to 64 characters without spaces, : @ and /", u.Name)
	case u.Name == ownUser:
		return fmt.Errorf("mqtt: user %q: that name is the rig's own", u.Name)
	case u.Password == "":
		return fmt.Errorf("mqtt: user %s: no password", u.Name)
	}
	for _, f := range append(append([]string{}, u.Publish...), u.Subscribe...) {
		if err := CheckFilter(f); err != nil {
			return fmt.Errorf("mqtt: user %s: %w", u.Name, err)
		}
	}
	return nil
}

// CheckFilter says what is wrong with a topic that may hold wildcards: + and #
// stand for whole levels, # only for the last ones; white space is dropped in
// silence by the embedded broker and therefore refused.
func CheckFilter(f string) error {
	if f == "" || len(f) > 1024 {
		return fmt.Errorf("topic of %d bytes, want 1 to 1024", len(f))
	}
	if strings.ContainsAny(f, " \t\r\n\f\x00\x7f") {
		return fmt.Errorf("topic %q: white space and control characters are not allowed in topics", f)
	}
	levels := strings.Split(f, "/")
	for i, l := range levels {
		switch {
		case l == "#" && i < len(levels)-1, len(l) > 1 && strings.ContainsAny(l, "#+"):
			return fmt.Errorf("topic %q: level %q: + and # stand alone, # at the end only", f, l)
		case l == "":
			return fmt.Errorf("topic %q: an empty level", f)
		}
	}
	return nil
}

// subject translates a topic filter to the server's subjects: levels are parted
// by a full stop, and a full stop of the topic is written as two slashes.
func subject(filter string) string {
	var b strings.Builder
	for _, c := range filter {
		switch c {
		case '/':
			b.WriteByte('.')
		case '.':
			b.WriteString("//")
		case '+':
			b.WriteByte('*')
		case '#':
			b.WriteByte('>')
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}

// subjects translates a list; what ends in /# also allows the level above, as
// in MQTT.
func subjects(filters []string) []string {
	list := []string{}
	for _, f := range filters {
		list = append(list, subject(f))
		if up, ok := strings.CutSuffix(f, "/#"); ok {
			list = append(list, subject(up))
		}
	}
	return list
}

// internal are the subjects by which the server itself delivers to a client
// that subscribes with QoS 1 or 2.
var internal = []string{"$MQTT.sub.>", "$MQTT.deliver.pubrel.>"}

// guard fills in the users of the server: those given, and the rig's own with
// the password own.
func guard(o *server.Options, users []User, own string) error {
	seen := map[string]bool{}
	for i := range users {
		u := &users[i]
		if err := u.Check(); err != nil {
			return err
		}
		if seen[u.Name] {
			return fmt.Errorf("mqtt: user %s stands twice", u.Name)
		}
		seen[u.Name] = true
		o.Users = append(o.Users, &server.User{
			Username: u.Name, Password: u.Password,
			Permissions: &server.Permissions{
				Publish:   &server.SubjectPermission{Allow: orNothing(subjects(u.Publish))},
				Subscribe: &server.SubjectPermission{Allow: append(subjects(u.Subscribe), internal...)},
			},
		})
	}
	o.Users = append(o.Users, &server.User{Username: ownUser, Password: own})
	return nil
}

// orNothing makes an empty list allow nothing: to the server it means all.
func orNothing(list []string) []string {
	if len(list) == 0 {
		return []string{"$legctl.nothing"}
	}
	return list
}

// certificate reads the key pair of a broker.
func certificate(cert, key string) (*tls.Config, error) {
	for _, f := range []string{cert, key} {
		if _, err := os.Stat(f); err != nil {
			return nil, fmt.Errorf("mqtt: certificate: %w", err)
		}
	}
	pair, err := tls.LoadX509KeyPair(cert, key)
	if err != nil {
		return nil, fmt.Errorf("mqtt: certificate %s with key %s: %w", cert, key, err)
	}
	return &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}, nil
}

// admit lets the rig's own client in: with its secret, and with trust in the one
// certificate the broker shows.
func (b *Broker) admit(o *paho.ClientOptions) {
	if b.own != "" {
		o.SetUsername(ownUser).SetPassword(b.own)
	}
	if b.leaf == nil {
		return
	}
	o.SetTLSConfig(&tls.Config{
		MinVersion:         tls.VersionTLS12,
		InsecureSkipVerify: true, // the certificate itself is compared, whatever name it has
		VerifyPeerCertificate: func(raw [][]byte, _ [][]*x509.Certificate) error {
			if len(raw) == 0 || !bytes.Equal(raw[0], b.leaf) {
				return errors.New("mqtt: somebody else answers at the address of the embedded broker")
			}
			return nil
		},
	})
}
