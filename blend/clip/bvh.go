package clip

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"legctl/geom"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// bvhReader walks the text of a BVH file line by line.
type bvhReader struct {
	lines    []string
	at       int // index of the next line
	opts     Options
	clip     *Clip
	channels []channels // of each bone
	total    int
}

// channels are the columns of one joint, in the order of its own line.
type channels struct {
	kinds []channel
	first int // column of the first
}

// channel is one column: along or about an axis of the file.
type channel struct {
	axis byte // 'X', 'Y', 'Z'
	turn bool
}

// readBVH reads a file in Biovision's format. Rotations multiply in the order
// of each joint's own CHANNELS line, degrees; position channels add to OFFSET.
func readBVH(name string, data []byte, o Options) (*Clip, error) {
	text := strings.TrimPrefix(string(data), "\ufeff")
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	r := &bvhReader{lines: strings.Split(text, "\n"), opts: o, clip: &Clip{Name: name, Format: "bvh"}}
	if o.Scale == 1 {
		r.clip.Units = "the file's own"
	}
	if err := r.hierarchy(); err != nil {
		return nil, err
	}
	if err := r.motion(); err != nil {
		return nil, err
	}
	return r.clip, nil
}

func (r *bvhReader) fail(column int, format string, args ...any) error {
	return fmt.Errorf("line %d, column %d: %s", r.at, column+1, fmt.Sprintf(format, args...))
}

// next returns the next line that is not blank, its keyword and the rest.
func (r *bvhReader) next() (word, rest string, ok bool) {
	for r.at < len(r.lines) {
		line := strings.TrimSpace(r.lines[r.at])
		r.at++
		if line == "" {
			continue
		}
		cut := strings.IndexAny(line, " \t")
		if cut < 0 {
			return line, "", true
		}
		return line[:cut], strings.TrimSpace(line[cut:]), true
	}
	return "", "", false
}

// hierarchy reads the skeleton: everything before MOTION.
func (r *bvhReader) hierarchy() error {
	if word, _, _ := r.next(); !strings.EqualFold(word, "HIERARCHY") {
		return r.fail(0, "begins with %q, want HIERARCHY", word)
	}
	open, parent := []int{}, -1 // joints whose brace is open, and the innermost
	for {
		word, rest, ok := r.next()
		switch {
		case !ok:
			return r.fail(0, "the file ends within its hierarchy")
		case strings.EqualFold(word, "MOTION"):
			if len(open) > 0 {
				return r.fail(0, "MOTION while %d braces are open", len(open))
			}
			return nil
		case word == "}":
			if len(open) == 0 {
				return r.fail(0, "a brace closes that was never opened")
			}
			open = open[:len(open)-1]
			parent = -1
			if len(open) > 0 {
				parent = open[len(open)-1]
			}
		case isJoint(word, rest):
			if err := r.joint(word, rest, parent); err != nil {
				return err
			}
			parent = len(r.clip.Bones) - 1
			open = append(open, parent)
		case strings.EqualFold(word, "OFFSET") || strings.EqualFold(word, "CHANNELS"):
			if parent < 0 {
				return r.fail(0, "%s outside a joint", word)
			}
			if err := r.property(word, rest, parent); err != nil {
				return err
			}
		default:
			return r.fail(0, "unknown word %q, want JOINT, End Site, OFFSET, CHANNELS, a brace or MOTION", word)
		}
	}
}

// isJoint reports whether a line opens a joint. End Site is a keyword only as
// the two words by themselves.
func isJoint(word, rest string) bool {
	return strings.EqualFold(word, "ROOT") || strings.EqualFold(word, "JOINT") || isEnd(word, rest)
}

func isEnd(word, rest string) bool {
	rest = strings.TrimSpace(strings.TrimSuffix(rest, "{"))
	return strings.EqualFold(word, "End") && strings.EqualFold(rest, "Site")
}

// joint opens a joint. Its name is all of the rest of the line, and its brace
// may stand there or on the next line.
func (r *bvhReader) joint(word, rest string, parent int) error {
	name, opened := rest, false
	if cut, ok := strings.CutSuffix(rest, "{"); ok {
		name, opened = strings.TrimSpace(cut), true
	}
	root := strings.EqualFold(word, "ROOT")
	switch {
	case root != (parent < 0):
		return r.fail(0, "%s %q inside %d joints, want ROOT outside and JOINT inside", word, name, max(0, parent+1))
	case len(r.clip.Bones) >= MaxBones:
		return r.fail(0, "more than %d joints", MaxBones)
	case isEnd(word, rest):
		name = r.clip.Bones[parent].Name + "_End"
	case name == "":
		return r.fail(0, "%s without a name", word)
	}
	if !opened {
		if brace, more, _ := r.next(); brace != "{" || more != "" {
			return r.fail(0, "%q after %s %q, want a brace", brace, word, name)
		}
	}
	b := Bone{Name: name, Parent: parent, Rest: Still()}
	r.clip.Bones = append(r.clip.Bones, b)
	r.channels = append(r.channels, channels{})
	return nil
}

// property reads OFFSET or CHANNELS of a joint.
func (r *bvhReader) property(word, rest string, bone int) error {
	fields := strings.Fields(rest)
	if strings.EqualFold(word, "OFFSET") {
		if len(fields) != 3 {
			return r.fail(0, "OFFSET with %d numbers, want 3", len(fields))
		}
		var v [3]float64
		for i := range v {
			x, err := r.number(fields[i], strings.Index(r.lines[r.at-1], fields[i]))
			if err != nil {
				return err
			}
			v[i] = x * r.opts.Scale
		}
		r.clip.Bones[bone].Rest.Move = fromYUp(v)
		return nil
	}
	n, err := strconv.Atoi(append(fields, "")[0])
	if err != nil || n != len(fields)-1 || n > 6 {
		return r.fail(0, "CHANNELS %s, want a number of at most 6 and as many names", rest)
	}
	k := channels{first: r.total}
	for _, f := range fields[1:] {
		c := channel{axis: upper(f[0])}
		kind := strings.ToLower(f[1:])
		if c.turn = kind == "rotation"; !c.turn && kind != "position" || c.axis < 'X' || c.axis > 'Z' {
			return r.fail(0, "channel %q, want X, Y or Z followed by position or rotation", f)
		}
		k.kinds = append(k.kinds, c)
	}
	r.channels[bone], r.total = k, r.total+n
	return nil
}

func upper(c byte) byte {
	if c >= 'a' && c <= 'z' {
		return c - 'a' + 'A'
	}
	return c
}

func (r *bvhReader) number(s string, column int) (float64, error) {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || !(math.Abs(v) < largest) || strings.ContainsAny(s, "xXpP_iI") {
		if cut := strings.LastIndexAny(s, "+-"); cut > 0 || strings.Count(s, ".") > 1 {
			return 0, r.fail(column, "%q is no number: a blank is missing between two", s)
		}
		return 0, r.fail(column, "%q is no finite number", s)
	}
	return v, nil
}

// fromYUp turns a vector of a file with y up.
func fromYUp(v [3]float64) r3.Vec { return r3.Vec{X: v[2], Y: v[0], Z: v[1]} }

// about returns the turn by an angle about an axis of the file.
func (c channel) about(degrees float64) quat.Number {
	axis := r3.Vec{X: 1}
	switch c.axis {
	case 'X':
		axis = r3.Vec{Y: 1}
	case 'Y':
		axis = r3.Vec{Z: 1}
	}
	return geom.AxisAngle(axis, degrees*math.Pi/180)
}
