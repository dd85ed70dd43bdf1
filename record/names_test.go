package record_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"legctl/control"
	"legctl/record"
	"legctl/rig"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// named is twoLegs with names; its three joints are as many as the numbers of a
// twist, which must keep their numbers all the same.
func named() *rig.Rig {
	r := twoLegs()
	r.Legs[0].Name, r.Legs[1].Name = "lf", "r\"f"
	r.Legs[0].Joints[0].Name, r.Legs[0].Joints[1].Name, r.Legs[1].Joints[0].Name = "lf_hip", "lf_knee", "rf_hip"
	return r
}

func TestFieldNames(t *testing.T) {
	n := record.NamesOf(named())
	rows := []struct{ in, want string }{
		{"out.legs[0].foot.x", "out.legs[lf].foot.x"},
		{"out.legs[1].stance", "out.legs[r\"f].stance"},
		{"obs.q[1]", "obs.q[lf_knee]"},
		{"out.set.q[2]", "out.set.q[rf_hip]"},
		{"out.wish[2]", "out.wish[2]"},
		{"level[1]", "level[1]"},
		{"legs[1].lift.z", "legs[r\"f].lift.z"},
		{"out.legs[9].foot.x", "out.legs[9].foot.x"},
		{"obs.contact", "obs.contact"},
		{"record", "record"},
		{"odd[", "odd[]"},
	}
	for _, row := range rows {
		if got := n.Field(row.in); got != row.want {
			t.Errorf("%s: %s, want %s", row.in, got, row.want)
		}
	}
}

// TestEveryListIsNamed: whoever adds a list to a record gets names without doing
// anything, and this test fails if that stops being so.
func TestEveryListIsNamed(t *testing.T) {
	n := record.NamesOf(named())
	perLeg, perJoint := 0, 0
	for _, c := range n.Columns() {
		perLeg += b2i(strings.Contains(c, "[lf]"))
		perJoint += b2i(strings.Contains(c, "[lf_knee]"))
		if strings.Contains(c, "legs[0]") || strings.HasSuffix(c, "q[0]") {
			t.Errorf("column %s has a number in place of a name", c)
		}
	}
	if perLeg < 10 || perJoint < 3 {
		t.Errorf("%d columns a leg, %d a joint", perLeg, perJoint)
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// filled is a frame with something in it.
func filled() *control.Frame {
	f := control.NewFrame(named())
	f.Obs.Q[1], f.Out.Margin, f.Out.Legs[1].Stance = 0.25, math.Inf(-1), true
	f.Out.Wish[1], f.Out.Reply.ID = 0.5, math.MaxUint64
	return f
}

func TestJSON(t *testing.T) {
	n := record.NamesOf(named())
	b, _ := filled().AppendBinary(nil)
	raw, err := n.AppendJSON([]byte("x"), control.TagFrame, b)
	if err != nil || raw[0] != 'x' {
		t.Fatalf("%s, %v", raw, err)
	}
	var got struct {
		Obs struct{ Q map[string]float64 }
		Out struct {
			Margin *float64
			Wish   []float64
			Reply  struct{ ID uint64 }
			Legs   map[string]struct {
				Stance bool
				Foot   map[string]float64
			}
		}
	}
	if err := json.Unmarshal(raw[1:], &got); err != nil {
		t.Fatalf("%v: %s", err, raw)
	}
	if got.Obs.Q["lf_knee"] != 0.25 || got.Out.Margin != nil || !slices.Equal(got.Out.Wish, []float64{0, 0.5, 0}) ||
		got.Out.Reply.ID != math.MaxUint64 || !got.Out.Legs["r\"f"].Stance || got.Out.Legs["lf"].Stance || len(got.Out.Legs["lf"].Foot) != 3 {
		t.Errorf("%+v", got)
	}
	if _, err := n.AppendJSON(nil, control.TagFrame, b[1:]); err == nil {
		t.Error("bytes of another layout were written")
	}
}

func TestSchemas(t *testing.T) {
	n := record.NamesOf(named())
	frame, _ := filled().AppendBinary(nil)
	state, _ := control.NewStates(named(), 1)[0].AppendBinary(nil)
	for tag, b := range map[control.Tag][]byte{control.TagFrame: frame, control.TagState: state} {
		text := n.Schema(tag)
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		c := jsonschema.NewCompiler()
		if err := c.AddResource("x", doc); err != nil {
			t.Fatal(err)
		}
		s, err := c.Compile("x")
		if err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		raw, _ := n.AppendJSON(nil, tag, b)
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Validate(v); err != nil {
			t.Errorf("tag %d: %v", tag, err)
		}
		if keys(t, text) != len(keysOf(v)) && tag == control.TagState {
			t.Errorf("tag %d: the schema has %d leaves, the object %d", tag, keys(t, text), len(keysOf(v)))
		}
	}
}

// keys counts the leaves of a schema; an array of numbers is one.
func keys(t *testing.T, text []byte) int {
	t.Helper()
	type node struct {
		Type       string
		Properties map[string]json.RawMessage
	}
	var n node
	if err := json.Unmarshal(text, &n); err != nil {
		t.Fatal(err)
	}
	if n.Type != "object" {
		return 1
	}
	sum := 0
	for _, p := range n.Properties {
		sum += keys(t, p)
	}
	return sum
}

// keysOf lists the leaves of an object.
func keysOf(v any) []string {
	m, ok := v.(map[string]any)
	if !ok {
		return []string{""}
	}
	var out []string
	for k, x := range m {
		for _, sub := range keysOf(x) {
			out = append(out, k+"."+sub)
		}
	}
	return out
}

func TestTable(t *testing.T) {
	n := record.NamesOf(named())
	from, err := record.NewReader(bytes.NewReader(write(t, 6, header(), nil)))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	rows, err := n.Table(&b, from, nil)
	if err != nil || rows != 6 {
		t.Fatalf("%d rows, %v", rows, err)
	}
	all, err := csv.NewReader(&b).ReadAll()
	if err != nil || len(all) != 7 || len(all[0]) != len(n.Columns()) {
		t.Fatalf("%d rows of %d, %v", len(all), len(all[0]), err)
	}
	at := func(row int, col string) string { return all[row][slices.Index(all[0], col)] }
	if at(4, "tick") != "3" || at(4, "time") != "0.06" || at(4, "obs.q[lf_knee]") != "3" || at(1, "out.set.limp") != "1" {
		t.Errorf("%v", all[4])
	}
	if at(1, "state.q[lf_hip]") != "0.1" || at(2, "state.q[lf_hip]") != "" || at(5, "state.q[lf_hip]") != "0.1" {
		t.Errorf("states: %q, %q, %q", at(1, "state.q[lf_hip]"), at(2, "state.q[lf_hip]"), at(5, "state.q[lf_hip]"))
	}
}
