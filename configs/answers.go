package configs

import (
	"reflect"

	"legctl/drivers/servo"
)

// answersFile is the form of a file of answers to a calibration.
type answersFile struct {
	placed
	Rig     val[string]            `key:"rig" need:"yes" doc:"rig that is calibrated"`
	About   val[string]            `key:"about" doc:"one line for whoever finds the file"`
	Moved   map[string]val[string] `key:"moved" default:"found out from the marks" doc:"by servo: outward, inward, up, down, forward, back, left or right, whichever way the foot moved when the position grew"`
	Touched []touchedFile          `key:"touched" doc:"feet on marks"`
	Posed   []posedFile            `key:"posed" doc:"joints at known angles"`
}

// touchedFile is a foot on a mark.
type touchedFile struct {
	placed
	Leg   val[string]             `key:"leg" need:"yes" doc:"leg whose foot it is"`
	Foot  val[[3]float64]         `key:"foot" unit:"m" in:"[-100, 100]" need:"yes" doc:"the mark, in B"`
	Sigma val[float64]            `key:"sigma" unit:"m" in:"(0, 1]" default:"0.002" doc:"how well it was measured"`
	At    map[string]val[float64] `key:"at" in:"[-1000000, 1000000]" default:"read from the robot" doc:"position of each servo of the leg"`
}

// posedFile is joints at known angles.
type posedFile struct {
	placed
	Leg    val[string]             `key:"leg" need:"yes" doc:"leg they belong to"`
	Angles map[string]val[float64] `key:"angles" unit:"deg" in:"[-720, 720]" need:"yes" doc:"by joint"`
	Sigma  val[float64]            `key:"sigma" unit:"deg" in:"(0, 90]" default:"1" doc:"how well they are known"`
	At     map[string]val[float64] `key:"at" in:"[-1000000, 1000000]" default:"read from the robot" doc:"position of each servo of the leg"`
}

// LoadAnswers returns the answers of a file by path, or of a shipped one by name.
func LoadAnswers(name string) (*servo.Answers, error) {
	file, data, err := read("answers", name)
	if err != nil {
		return nil, err
	}
	return ParseAnswers(file, data)
}

// ParseAnswers returns the answers a file gives; file is only used in errors.
func ParseAnswers(file string, data []byte) (*servo.Answers, error) {
	rep, root := parse(file, data)
	if root == nil {
		return nil, rep.err()
	}
	var f answersFile
	d := &decoder{report: rep}
	d.mapping(root, reflect.ValueOf(&f).Elem(), at(root, ""))
	if len(f.Touched)+len(f.Posed) == 0 && len(rep.issues) == 0 {
		rep.add(f.at, "no measurements: want touched or posed")
	}
	if err := rep.err(); err != nil {
		return nil, err
	}
	a := &servo.Answers{Rig: f.Rig.V, Moved: plain(f.Moved)}
	for i := range f.Touched {
		t := &f.Touched[i]
		a.Touched = append(a.Touched, servo.Touched{Leg: t.Leg.V, Foot: t.Foot.V, Sigma: t.Sigma.V, Native: plain(t.At)})
	}
	for i := range f.Posed {
		p := &f.Posed[i]
		a.Posed = append(a.Posed, servo.Posed{Leg: p.Leg.V, Angles: plain(p.Angles), Sigma: p.Sigma.V, Native: plain(p.At)})
	}
	return a, nil
}

// plain returns the values of a table alone.
func plain[T any](m map[string]val[T]) map[string]T {
	if len(m) == 0 {
		return nil
	}
	out := make(map[string]T, len(m))
	for k, v := range m {
		out[k] = v.V
	}
	return out
}
