package configs

import (
	"os"
	"reflect"
	"strings"
)

// User is somebody an embedded broker lets in. Topics may hold the wildcards of
// MQTT.
type User struct {
	Name      string
	Password  string // as it was given, or a bcrypt hash
	Publish   []string
	Subscribe []string
}

// usersFile is the form of configs/users/*.yaml.
type usersFile struct {
	placed
	About val[string] `key:"about" doc:"one line for lists"`
	Users []userFile  `key:"users" need:"yes" doc:"who may come in"`
}

// userFile is one user.
type userFile struct {
	placed
	Name      val[string] `key:"name" need:"yes" doc:"without spaces, : @ and /"`
	Hash      val[string] `key:"password_hash" doc:"bcrypt hash of the password: $2a$..."`
	Env       val[string] `key:"password_env" doc:"environment variable that holds the password"`
	File      val[string] `key:"password_file" doc:"file whose first line is the password"`
	Publish   []string    `key:"publish" default:"nothing" doc:"topics the user may publish to; + is one level, # all below"`
	Subscribe []string    `key:"subscribe" default:"nothing" doc:"topics the user may read"`
}

// LoadUsers returns the users of a file by path, or of a shipped one by name.
// Passwords are looked up now.
func LoadUsers(name string) ([]User, error) {
	file, data, err := read("users", name)
	if err != nil {
		return nil, err
	}
	return ParseUsers(file, data, os.LookupEnv, os.ReadFile)
}

// ParseUsers returns the users a file describes; env and open look up passwords.
func ParseUsers(file string, data []byte, env func(string) (string, bool), open func(string) ([]byte, error)) ([]User, error) {
	rep, root := parse(file, data)
	if root == nil {
		return nil, rep.err()
	}
	var f usersFile
	d := &decoder{report: rep}
	d.mapping(root, reflect.ValueOf(&f).Elem(), at(root, ""))
	var users []User
	for i := range f.Users {
		u := &f.Users[i]
		users = append(users, User{
			Name: u.Name.V, Password: rep.secret(u, env, open), Publish: u.Publish, Subscribe: u.Subscribe,
		})
	}
	if len(users) == 0 && rep.err() == nil {
		rep.add(pos{}, "no users, want at least one")
	}
	return users, rep.err()
}

// secret returns the password of a user from the one place the file names.
func (r *report) secret(u *userFile, env func(string) (string, bool), open func(string) ([]byte, error)) string {
	given := 0
	for _, set := range []bool{u.Hash.Set, u.Env.Set, u.File.Set} {
		if set {
			given++
		}
	}
	switch {
	case given != 1:
		r.add(u.at, "user %s: %d passwords, want exactly one of password_hash, password_env, password_file", u.Name.V, given)
	case u.Hash.Set && !strings.HasPrefix(u.Hash.V, "$2"):
		r.add(u.Hash.at, "not a bcrypt hash, want $2a$...: passwords do not stand in files in the open")
	case u.Hash.Set:
		return u.Hash.V
	case u.Env.Set:
		if p, ok := env(u.Env.V); ok && p != "" {
			return p
		}
		r.add(u.Env.at, "environment variable %s is not set or empty", u.Env.V)
	default:
		raw, err := open(u.File.V)
		line, _, _ := strings.Cut(string(raw), "\n")
		if line = strings.TrimRight(line, "\r"); err == nil && line != "" {
			return line
		}
		r.add(u.File.at, "file %s: no password in its first line (%v)", u.File.V, err)
	}
	return ""
}
