package rollout

import (
	"bytes"
	"fmt"
	"go/format"
	"text/template"

	"legctl/record"
)

// TestCase is a Go test of a piece of a recording.
type TestCase struct {
	Package string // in whose folder it stands
	Name    string // of the function, such as TestFall
	Data    string // the recording of the piece, from that folder
	Word    string // what people call the sign
	Sign    Sign
	Tick    uint64 // at which it shows
	First   uint64 // tick of the piece
	Sim     bool   // the simulator is run too; the piece begins with tick 0
}

// Source returns the source of the test. It passes as long as the controller
// does what it did, and says at which tick and in which field it does not.
func (c *TestCase) Source(h *record.Header) ([]byte, error) {
	var b bytes.Buffer
	err := testSource.Execute(&b, struct {
		*TestCase
		Rig, Gait, Terrain string
		Literal            string
	}{c, h.Get("rig"), h.Get("gait"), h.Get("terrain"), fmt.Sprintf("%#v", c.Sign)})
	if err != nil {
		return nil, fmt.Errorf("rollout: test: %w", err)
	}
	return format.Source(b.Bytes())
}

var testSource = template.Must(template.New("test").Parse(`package {{.Package}}

import (
	"slices"
	"testing"

	"legctl/record"
	"legctl/rollout"
)

// {{.Name}} does the ticks {{.First}} to {{.Tick}} of a recording again: {{.Rig}},
// gait {{.Gait}}, terrain {{.Terrain}}. At tick {{.Tick}} it shows: {{.Word}}.
func {{.Name}}(t *testing.T) {
	// Set shown to false once the controller has been mended: the test then wants
	// the sign to be gone, and does not mind what else came out differently.
	const tick, shown = {{.Tick}}, true
	from, err := record.Open({{printf "%q" .Data}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := from.Close(); err != nil {
			t.Error(err)
		}
	}()
	sign := {{.Literal}}
	got, err := rollout.Replay(t.Context(), from, rollout.ReplayOptions{
		Sign: sign, All: true, Sim: {{.Sim}}, Tolerance: rollout.ToleranceFor(from.Header()),
	})
	if err != nil {
		t.Fatal(err)
	}
	if got.Ticks == 0 {
		t.Fatal("no tick could be done again")
	}
	if shown && !got.First.Same() {
		t.Errorf("%d of %d ticks came out differently: %v", got.Differ, got.Ticks, got.First)
	}
	if seen := slices.Contains(got.Signs, tick); seen != shown {
		t.Errorf("%#v at tick %d: shown %v, want %v", sign, tick, seen, shown)
	}
}
`))
