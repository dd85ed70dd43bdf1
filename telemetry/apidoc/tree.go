package apidoc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// Pair is a key of a Map and its value.
type Pair struct {
	Key   string
	Value any // Map, []any, string, bool, int or float64
}

// Map is a mapping that keeps its order.
type Map []Pair

// MarshalJSON implements json.Marshaler.
func (m Map) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, p := range m {
		if i > 0 {
			b.WriteByte(',')
		}
		key, err := json.Marshal(p.Key)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(p.Value)
		if err != nil {
			return nil, fmt.Errorf("apidoc: %s: %w", p.Key, err)
		}
		b.Write(append(append(key, ':'), value...))
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// Get returns the value of a key, nil when there is none.
func (m Map) Get(key string) any {
	for _, p := range m {
		if p.Key == key {
			return p.Value
		}
	}
	return nil
}

// YAML writes a mapping as block YAML. Texts are quoted as in JSON, which YAML
// takes.
func YAML(m Map) []byte {
	var b bytes.Buffer
	writeMap(&b, m, 0)
	return b.Bytes()
}

func writeMap(b *bytes.Buffer, m Map, depth int) {
	for _, p := range m {
		b.WriteString(strings.Repeat("  ", depth))
		b.WriteString(keyText(p.Key) + ":")
		writeValue(b, p.Value, depth)
	}
}

func writeValue(b *bytes.Buffer, v any, depth int) {
	switch v := v.(type) {
	case Map:
		if len(v) == 0 {
			b.WriteString(" {}\n")
			return
		}
		b.WriteByte('\n')
		writeMap(b, v, depth+1)
	case []any:
		if flat(v) {
			b.WriteString(" " + scalar(v) + "\n")
			return
		}
		b.WriteByte('\n')
		for _, e := range v {
			b.WriteString(strings.Repeat("  ", depth+1) + "-")
			var item bytes.Buffer
			writeValue(&item, e, depth+1)
			b.WriteString(joinDash(item.String(), depth+2))
		}
	default:
		b.WriteString(" " + scalar(v) + "\n")
	}
}

// joinDash pulls the first line of an item up to its dash.
func joinDash(item string, depth int) string {
	if rest, ok := strings.CutPrefix(item, "\n"); ok {
		return " " + strings.TrimPrefix(rest, strings.Repeat("  ", depth))
	}
	return item
}

// flat reports whether a list holds scalars only.
func flat(list []any) bool {
	for _, v := range list {
		switch v.(type) {
		case Map, []any:
			return false
		}
	}
	return true
}

func scalar(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		return `"?"` // only of values this package never makes
	}
	return strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(string(raw))
}

// keyText quotes a key that YAML would read as something else.
func keyText(k string) string {
	plain := k != "" && !strings.ContainsAny(k, " :{}[],&*#?|-<>=!%@\\\"'/") && (k[0] < '0' || k[0] > '9')
	switch k {
	case "true", "false", "null", "yes", "no", "on", "off", "y", "n":
		plain = false
	}
	if plain {
		return k
	}
	return scalar(k)
}

// list makes a list of texts.
func list(words []string) []any {
	out := make([]any, len(words))
	for i, w := range words {
		out[i] = w
	}
	return out
}
