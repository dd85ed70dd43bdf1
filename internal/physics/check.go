package physics

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"legctl/rig"
	"legctl/rig/mjcf"

	"gonum.org/v1/gonum/spatial/r3"
)

// Loaded is what MuJoCo made of one rig.
type Loaded struct {
	Error  string // empty: it loads
	Joints int
	Feet   []r3.Vec // centres of the feet, W, the body in neutral stance
}

// Check loads the models of rigs in one process, the joints of each at its q.
func Check(rigs []*rig.Rig, q [][]float64) ([]Loaded, error) {
	type model struct {
		XML string    `json:"xml"`
		Q   []float64 `json:"q"`
	}
	var hello struct {
		Check []model `json:"check"`
	}
	for i, r := range rigs {
		var file strings.Builder
		if err := mjcf.Write(&file, r, mjcf.Options{}); err != nil {
			return nil, err
		}
		hello.Check = append(hello.Check, model{file.String(), q[i]})
	}
	in, err := json.Marshal(hello)
	if err != nil {
		return nil, fmt.Errorf("physics: %w", err)
	}
	n, err := hire()
	if err != nil {
		return nil, err
	}
	out, err := n.ask(append(in, '\n'))
	if err != nil {
		return nil, errors.Join(err, n.close())
	}
	n.retire()
	return loaded(out)
}

func loaded(out []byte) ([]Loaded, error) {
	var raw []struct {
		Error  string
		Joints int
		Feet   [][3]float64
	}
	if err := json.Unmarshal(out, &raw); err != nil {
		return nil, fmt.Errorf("physics: the answer %.80q: %w", out, err)
	}
	list := make([]Loaded, len(raw))
	for i, m := range raw {
		list[i] = Loaded{Error: m.Error, Joints: m.Joints}
		for _, f := range m.Feet {
			list[i].Feet = append(list[i].Feet, r3.Vec{X: f[0], Y: f[1], Z: f[2]})
		}
	}
	return list, nil
}
