package telemetry

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// member is one key of a JSON object and its value, unread.
type member struct {
	key   string
	value json.RawMessage
}

// object splits a payload into its members. It is read here token by token
// because json.Unmarshal into a struct ignores letter case and takes the last
// of two equal keys: neither is wanted of a command.
func object(payload []byte) ([]member, error) {
	if len(bytes.TrimSpace(payload)) == 0 {
		return nil, nil
	}
	d := json.NewDecoder(bytes.NewReader(payload))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, fmt.Errorf("payload is not a JSON object: %s", short(payload))
	}
	var list []member
	for d.More() {
		m, err := next(d)
		if err != nil {
			return list, err
		}
		if has(list, m.key) {
			return list, fmt.Errorf("key %q stands twice", m.key)
		}
		list = append(list, m)
	}
	if _, err := d.Token(); err != nil {
		return list, fmt.Errorf("payload is not JSON: %w", syntax(err))
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return list, errors.New("payload goes on after the object")
	}
	return list, nil
}

// next reads one key and its value.
func next(d *json.Decoder) (member, error) {
	t, err := d.Token()
	key, ok := t.(string)
	if err == nil && !ok {
		err = fmt.Errorf("key expected, got %v", t)
	}
	if err != nil {
		return member{}, fmt.Errorf("payload is not JSON: %w", syntax(err))
	}
	var raw json.RawMessage
	if err := d.Decode(&raw); err != nil {
		return member{}, fmt.Errorf("value of %q is not JSON: %w", clip(key), syntax(err))
	}
	return member{key, raw}, nil
}

// syntax replaces the bare EOF of a payload that was cut off.
func syntax(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("it ends too early")
	}
	return err
}

func has(list []member, key string) bool {
	for i := range list {
		if list[i].key == key {
			return true
		}
	}
	return false
}

// idOf returns the id if it is a string or a number of reasonable size.
func idOf(list []member) json.RawMessage {
	for _, m := range list {
		if m.key != "id" || len(m.value) > maxID {
			continue
		}
		if c := m.value[0]; c == '"' || c == '-' || c >= '0' && c <= '9' {
			return m.value
		}
	}
	return nil
}

// floatOf reads a finite number. JSON has no NaN; 1e999 is refused here.
func floatOf(key, unit string, raw json.RawMessage) (float64, error) {
	if c := raw[0]; c != '-' && (c < '0' || c > '9') {
		return 0, fmt.Errorf("%s: want a number in %s, got %s", key, unit, short(raw))
	}
	v, err := strconv.ParseFloat(string(raw), 64)
	if err != nil {
		return 0, fmt.Errorf("%s: %s is not finite; want a number in %s", key, short(raw), unit)
	}
	return v, nil
}

// unknown is the error for a word that is in no table: it names the nearest
// known one, or all of them when none is near.
func unknown(what, got string, known []string) error {
	if s, ok := nearest(got, known); ok {
		return fmt.Errorf("unknown %s %q; did you mean %q?", what, clip(got), s)
	}
	return fmt.Errorf("unknown %s %q; known: %s", what, clip(got), strings.Join(known, ", "))
}

// short returns at most 40 bytes of what was sent, quoted.
func short(raw []byte) string { return strconv.Quote(clip(string(raw))) }

// clip cuts a string for a message.
func clip(s string) string {
	if len(s) > 40 {
		return s[:40] + "..."
	}
	return s
}
