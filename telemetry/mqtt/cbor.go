package mqtt

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"

	"legctl/telemetry"

	"github.com/fxamacker/cbor/v2"
)

// CBOR is JSON's twin: the same keys, numbers as the shortest float that is
// exact, and NaN or an infinity where JSON has null. A topic followed by /cbor carries it.
const cborLevel = "/cbor"

var (
	cborOut = mode(cbor.EncOptions{ShortestFloat: cbor.ShortestFloat16, NaNConvert: cbor.NaNConvert7e00, Sort: cbor.SortNone}.EncMode())
	cborIn  = mode(cbor.DecOptions{
		DupMapKey: cbor.DupMapKeyEnforcedAPF, MaxNestedLevels: 8, MaxMapPairs: 64, MaxArrayElements: 64,
		IndefLength: cbor.IndefLengthForbidden, TagsMd: cbor.TagsForbidden,
		DefaultMapType: reflect.TypeFor[map[string]any](), UTF8: cbor.UTF8RejectInvalid,
	}.DecMode())
)

// mode is for settings that are constants: they are good or a test fails.
func mode[M any](m M, err error) M {
	if err != nil {
		panic(err)
	}
	return m
}

// encode writes a message in the form a topic asks for.
func encode(v any, binary bool) ([]byte, error) {
	if !binary {
		return json.Marshal(v)
	}
	if r, ok := v.(*telemetry.Reply); ok {
		return cborOut.Marshal(binaryReply(r))
	}
	return cborOut.Marshal(v)
}

// reply is a Reply whose id is a value, not JSON.
type reply struct {
	ID any `json:"id,omitempty"`
	telemetry.Reply
}

func binaryReply(r *telemetry.Reply) *reply {
	b := &reply{Reply: *r}
	_ = json.Unmarshal(r.ID, &b.ID) // nil without one
	return b
}

// fromCBOR turns the payload of a command into JSON, which telemetry reads: one
// set of rules for both.
func fromCBOR(raw []byte) ([]byte, error) {
	if len(raw) == 0 || len(raw) > telemetry.MaxPayload {
		return raw, nil // Decode says what it thinks of it
	}
	var v map[string]any
	if err := cborIn.Unmarshal(raw, &v); err != nil {
		return nil, fmt.Errorf("payload is not a CBOR map: %w", err)
	}
	if err := finite(v); err != nil {
		return nil, err
	}
	out, err := json.Marshal(v)
	if err != nil {
		return nil, errors.New("payload holds what JSON cannot say")
	}
	return out, nil
}

// finite refuses the numbers JSON cannot write, by the name of their key.
func finite(m map[string]any) error {
	for k, v := range m {
		switch v := v.(type) {
		case float64:
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("%s: %v is not finite", clip(k), v)
			}
		case map[string]any:
			if err := finite(v); err != nil {
				return err
			}
		case []byte:
			return fmt.Errorf("%s: a byte string, want a number, a name or true or false", clip(k))
		}
	}
	return nil
}

// clip cuts a key for a message.
func clip(s string) string {
	if len(s) > 40 {
		return s[:40] + "..."
	}
	return s
}
