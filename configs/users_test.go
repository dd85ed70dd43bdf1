package configs

import (
	"errors"
	"strings"
	"testing"
)

func noFile(string) ([]byte, error) { return nil, errors.New("no such file") }

func TestUsers(t *testing.T) {
	env := func(name string) (string, bool) { return "pw of " + name, name == "ANNA" }
	file := func(string) ([]byte, error) { return []byte("from file\nsecond line"), nil }
	text := `
users:
  - name: anna
    password_env: ANNA
    publish: [legctl/+/cmd/#]
    subscribe: [legctl/#]
  - {name: bob, password_file: /run/secret}
  - {name: eve, password_hash: $2a$10$abcdefghijklmnopqrstuv}
`
	got, err := ParseUsers("u.yaml", []byte(text), env, file)
	if err != nil || len(got) != 3 {
		t.Fatalf("%v, %v", got, err)
	}
	if a := got[0]; a.Name != "anna" || a.Password != "pw of ANNA" || len(a.Publish) != 1 || a.Subscribe[0] != "legctl/#" {
		t.Errorf("%+v", a)
	}
	if got[1].Password != "from file" || !strings.HasPrefix(got[2].Password, "$2a$") || got[1].Publish != nil {
		t.Errorf("%+v", got[1:])
	}
	rows := []struct{ name, text, says string }{
		{"nobody", "users: []\n", "at least one"},
		{"unknown key", "users:\n  - {name: a, pasword_env: X}\n", "password_env"},
		{"no password", "users:\n  - {name: a}\n", "0 passwords"},
		{"two passwords", "users:\n  - {name: a, password_env: ANNA, password_file: x}\n", "2 passwords"},
		{"in the open", "users:\n  - {name: a, password_hash: hunter2}\n", "not a bcrypt hash"},
		{"variable is not set", "users:\n  - {name: a, password_env: NOBODY}\n", "NOBODY is not set"},
		{"no file", "users:\n  - {name: a, password_file: /gone}\n", "/gone"},
	}
	for _, r := range rows {
		if _, err := ParseUsers("u.yaml", []byte(r.text), env, noFile); err == nil || !strings.Contains(err.Error(), r.says) {
			t.Errorf("%s: %v", r.name, err)
		}
	}
}
